#include "scenes/scene_hash.h"

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "scenes/state_hash.h"

namespace glovebox::scenes {
namespace {

void add(StateHash& hash, const Eigen::Isometry3f& pose) {
    hash.add(pose.linear());
    hash.add(pose.translation());
}

// The variant's index is added first, so that shapes of different kinds differ.
void add(StateHash& hash, const collision::Shape& shape) {
    hash.add(shape.index());
    if (const auto* cone = std::get_if<collision::RoundCone>(&shape)) {
        hash.add(cone->a_m);
        hash.add(cone->b_m);
        hash.add(cone->radius_a_m);
        hash.add(cone->radius_b_m);
    } else if (const auto* box = std::get_if<collision::RoundedBox>(&shape)) {
        hash.add(box->core.center_m);
        hash.add(box->core.axes);
        hash.add(box->core.half_m);
        hash.add(box->radius_m);
    } else if (const auto* hull = std::get_if<collision::HullInstance>(&shape)) {
        add(hash, hull->world_from_hull);
        for (const Eigen::Vector3f& vertex : hull->hull->corners_m()) hash.add(vertex);
    } else if (const auto* mesh = std::get_if<collision::MeshInstance>(&shape)) {
        add(hash, mesh->world_from_mesh);
        for (const Eigen::Vector3f& vertex : mesh->tree->mesh().vertices_m) hash.add(vertex);
        for (const auto& triangle : mesh->tree->mesh().triangles)
            for (const std::uint32_t corner : triangle) hash.add(corner);
    }
}

void add(StateHash& hash, const Material& m) {
    for (const float value :
         {m.stiffness_n_per_m, m.damping_n_s_per_m, m.friction_static, m.friction_dynamic, m.restitution, m.texture_n,
          m.texture_period_m, m.impact_n_s_per_m, m.impact_hz, m.impact_decay_s})
        hash.add(value);
}

void add(StateHash& hash, const ObjectJoint& joint) {
    hash.add(joint.kind);
    hash.add(joint.axis);
    hash.add(joint.pivot_m);
    for (const float value : {joint.lowest, joint.highest, joint.spring, joint.damping}) hash.add(value);
}

void add(StateHash& hash, const TouchThresholds& t) {
    for (const float value : {t.touch_enter_m, t.touch_exit_m, t.hover_enter_m, t.hover_exit_m, t.poke_speed_m_s,
                              t.poke_cone_cos, t.pinch_enter_m, t.pinch_exit_m, t.flick_speed_m_s})
        hash.add(value);
    for (const std::int64_t value :
         {t.dwell_ns, t.pinch_dwell_ns, t.grab_dwell_ns, t.grab_release_ns, t.grace_ns, t.flick_window_ns})
        hash.add(value);
    if (t.distance_grab_m > 0.0F) hash.add(t.distance_grab_m);  // else the hash of older versions
}

}  // namespace

std::uint64_t hash_of(const Scene& scene) {
    StateHash hash;
    for (const SceneObject& object : scene.objects) {
        add(hash, object.shape);
        add(hash, object.world_from_object);
        hash.add(object.motion);
        hash.add(object.mass_kg);
        add(hash, object.joint);
        add(hash, object.material);
        for (const GrabPose& pose : object.grab_poses) {
            hash.add(pose.side);
            add(hash, pose.object_from_palm);
        }
        if (!object.track) continue;
        for (const std::int64_t time_ns : object.track->time_ns) hash.add(time_ns);
        for (const Eigen::Isometry3f& pose : object.track->world_from_object) add(hash, pose);
    }
    add(hash, scene.thresholds);
    hash.add(scene.gravity_m_s2);
    hash.add(scene.respawn_after_s);
    return hash.value();
}

}  // namespace glovebox::scenes
