// A scene: the objects that a hand can touch, their materials, and the thresholds of touch events. It does not change
// once it is loaded.
//
// A scene is built in or read from a TOML file with the same content (docs/reference/scenes.md).
#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/mesh.h"
#include "tracking/axes.h"
#include "tracking/per_side.h"
#include "tracking/rigid_track.h"

namespace glovebox::scenes {

/// The motion of an object: none, by rigid-body dynamics, or along a recorded track.
enum class Motion : std::uint8_t { fixed, dynamic, recorded };

/// Haptic and contact properties of a surface. The defaults suit hard plastic.
struct Material {
    float stiffness_n_per_m = 400.0F;
    float damping_n_s_per_m = 1.0F;
    float friction_static = 0.6F;
    float friction_dynamic = 0.45F;
    float restitution = 0.3F;
    float texture_n = 0.0F;           ///< vibration of a finger that strokes the surface with 1 N; 0: smooth
    float texture_period_m = 0.002F;  ///< distance from one ridge to the next
    float impact_n_s_per_m = 1.0F;    ///< amplitude of an impact's vibration for each m/s of approach
    float impact_hz = 180.0F;         ///< frequency of that vibration: wood 100, plastic 180, metal 300 and more
    float impact_decay_s = 0.012F;    ///< decay time of that vibration
};

/// The joint of a dynamic object. The object turns about a line that is fixed in the world, or slides along it.
enum class JointKind : std::uint8_t { none, hinge, slider };
struct ObjectJoint {
    JointKind kind = JointKind::none;
    Eigen::Vector3f axis = Eigen::Vector3f::UnitY();    ///< unit, in the object's frame
    Eigen::Vector3f pivot_m = Eigen::Vector3f::Zero();  ///< a point of the hinge's line, in the object's frame
    /// Limits relative to the start, in radians or metres. If they are equal, there are none (hinges only).
    float lowest = 0.0F, highest = 0.0F;
    float spring = 0.0F;   ///< stiffness towards the start: N m/rad or N/m
    float damping = 0.0F;  ///< N m s/rad or N s/m
};

/// A pose of a hand that holds an object. A grab near it snaps to it (grab_pose.h).
struct GrabPose {
    tracking::Side side = tracking::Side::right;
    Eigen::Isometry3f object_from_palm = Eigen::Isometry3f::Identity();  ///< the frame of palm_of() (hand_body.h)
};

/// An object of a scene.
struct SceneObject {
    std::string name;
    collision::Shape shape;                                               ///< in the object's own frame
    Eigen::Isometry3f world_from_object = Eigen::Isometry3f::Identity();  ///< at the start
    Motion motion = Motion::fixed;
    float mass_kg = 0.1F;              ///< dynamic objects only
    ObjectJoint joint;                 ///< dynamic objects only
    std::vector<GrabPose> grab_poses;  ///< dynamic objects without a joint only
    std::filesystem::path track_path;  ///< recorded objects only: the file of their motion, as the scene names it
    float track_unit_m = 1.0F;         ///< length of one unit of that file
    std::optional<tracking::RigidTrack> track;  ///< the motion itself, set by the code that loads recordings
    Material material;
    Eigen::Vector3f color = {0.56F, 0.76F, 0.71F};  ///< sRGB 0..1
};

/// Thresholds of events. Each enter threshold is less than its exit threshold, so that noise near one of them causes no
/// events.
struct TouchThresholds {
    float touch_enter_m = 0.000F;  ///< touch begins at or below this signed distance
    float touch_exit_m = 0.003F;   ///< touch ends above this signed distance
    float hover_enter_m = 0.015F;
    float hover_exit_m = 0.020F;
    std::int64_t dwell_ns = 20'000'000;  ///< a state must have lasted this long before it may end
    float poke_speed_m_s = 0.03F;        ///< minimum speed of a poke
    float poke_cone_cos = 0.7F;    ///< minimum cosine between a poke's direction and the normal (about 45 degrees)
    float pinch_enter_m = 0.003F;  ///< distance between the surfaces of two fingertips
    float pinch_exit_m = 0.012F;
    std::int64_t pinch_dwell_ns = 50'000'000;
    std::int64_t grab_dwell_ns = 40'000'000;    ///< a grab begins after contacts opposed each other for this long
    std::int64_t grab_release_ns = 60'000'000;  ///< a grab ends after contacts did not oppose each other for this long
    std::int64_t grace_ns = 250'000'000;        ///< a lost hand keeps holding an object for this long
    /// A flick accelerates an object to at least this speed within flick_window_ns.
    float flick_speed_m_s = 0.5F;
    std::int64_t flick_window_ns = 100'000'000;
    float distance_grab_m = 0.0F;  ///< greatest distance at which a pinch grabs what the palm points at; 0: never
};

/// The rule that places a recording's hands in the scene.
enum class Placement : std::uint8_t {
    recorded,  ///< the recording's world coordinates are used unchanged
    /// The hands are moved, and turned about +Y, so that the fingertips' median over the recording is at `anchor_m`.
    /// Hands that move up and down stay above `anchor_m` and reach it at their lowest. A hand that travels too far for
    /// either rule is placed as by `wrist`.
    fingertips,
    /// The wrist is held still, with the fingertips' median at `anchor_m`, so that only the fingers move.
    wrist
};

/// A scene: objects, thresholds and placement. Constant once loaded.
struct Scene {
    std::string name, summary;
    std::vector<SceneObject> objects;
    TouchThresholds thresholds;
    Placement placement = Placement::fingertips;
    Eigen::Vector3f anchor_m = {0.0F, 0.06F, 0.0F};
    /// Lengths beyond the last joint, thumb to little, for recordings without fingertips.
    std::array<float, 5> tip_length_m{};
    /// Axes of the recording that is meant for this scene, and of the tracks of its objects.
    tracking::Axes recording_axes;
    /// Length of one unit of the recording that is meant for this scene; 0: as the recording defines.
    float recording_unit_m = 0.0F;
    Eigen::Vector3f gravity_m_s2 = {0.0F, -9.81F, 0.0F};
    /// A displaced dynamic object that has no contact for this long returns to its start.
    float respawn_after_s = 1.5F;
};

/// An entry of the table of built-in scenes.
struct SceneRow {
    std::string_view name, summary;
    Scene (*make)();
};
std::span<const SceneRow> scene_table();

/// Reads an OBJ, STL, PLY or glTF file. The format is recognised by the content, or else by the file name extension.
/// `unit_m` is the length of one unit of the file. Memory is limited as in mesh_limits.h. Throws std::runtime_error if
/// the file cannot be read.
collision::Mesh load_mesh(const std::filesystem::path& path, float unit_m);

/// The type of load_mesh() and of functions that may replace it, such as one that reads the file in a separate process.
using MeshLoader = collision::Mesh (*)(const std::filesystem::path& path, float unit_m);

/// Loads a built-in scene by name, or a scene file or a mesh (mesh_scene.h) by path. Throws std::runtime_error with
/// file, line and reason.
Scene load_scene(const std::string& name_or_path, MeshLoader read_mesh = load_mesh);

/// Returns the shape converted from a file's axes to the internal ones. Hulls and mesh trees are built again.
collision::Shape in_our_axes(const tracking::Axes& axes, const collision::Shape& shape);

}  // namespace glovebox::scenes
