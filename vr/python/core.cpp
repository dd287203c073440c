// glovebox._core: recordings, scenes, sessions and meshes for NumPy. Its public interface is glovebox/__init__.py.
//
// Long work runs without the interpreter's lock and checks for Ctrl-C every 0.1 s.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "recordings/file_source.h"
#include "scenes/cast_ray.h"
#include "scenes/curl_limit.h"
#include "scenes/hand_body.h"
#include "scenes/state_hash.h"
#include "tracking/names.h"
#include "vr/session/fed_session.h"
#include "vr/session/log_meta.h"
#include "vr/session/open_recording.h"

namespace py = pybind11;

namespace glovebox::python {

using tracking::JointPose;
using tracking::Side;

// Elements of the arrays that Python gets: plain structs of fixed size, described to NumPy below.
struct ContactRow {
    std::int32_t frame, hand, finger, bone, object;
    bool touching;
    double time_s;
    float distance_m;
    float normal[3], on_hand_m[3], on_object_m[3];
};
struct EventRow {
    std::int32_t frame, kind, hand, finger, bone, object;
    bool lost;
    double time_s, duration_s;
    float distance_m;
    float point_m[3], normal[3], relative_velocity_m_s[3];
    float impulse_n_s;
};
struct ForceRow {
    float force_n[3];
    float vibration_n;
};
struct CurlLimitRow {
    bool known;
    float now, touch;
    std::int32_t bone, object;
};
struct RayRow {
    std::int32_t object, triangle;
    float distance_m;
    float point_m[3], normal[3];
};
struct SurfaceRow {
    std::int32_t triangle;
    float distance_m;
    float point_m[3], normal[3];
};
struct TouchRow {
    std::int32_t hand, finger, object;
    double begin_s, end_s;
    float deepest_m;
    bool open;
};

namespace {

std::int64_t now_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// Checks for Ctrl-C, rarely enough to cost nothing. For code that has released the lock.
class Patience {
  public:
    void look() {
        const std::int64_t now = now_ns();
        if (now - last_ns_ < 100'000'000) return;
        last_ns_ = now;
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }

  private:
    std::int64_t last_ns_ = now_ns();
};

template <class T>
py::array_t<T> array_of(const std::vector<T>& rows) {
    return py::array_t<T>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

// Returns a read-only view of memory that `owner` keeps alive.
template <class T>
py::array view(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, py::handle owner) {
    py::array result(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
    result.attr("setflags")(py::arg("write") = false);
    return result;
}

// --- recordings

// In memory a joint is quaternion, position, radius, flags: the first seven floats are its pose.
static_assert(sizeof(JointPose) == 48 && offsetof(JointPose, position_m) == 16 && offsetof(JointPose, radius_m) == 28);

template <class T>
py::array joint_view(py::object self, const recordings::Recording& recording, const T* first, bool pose) {
    using namespace tracking;
    const auto n = static_cast<py::ssize_t>(recording.samples.size());
    std::vector<py::ssize_t> shape = {n, 2, kJointCount};
    std::vector<py::ssize_t> strides = {sizeof(HandPair), sizeof(HandFrame), sizeof(JointPose)};
    if (pose) {
        shape.push_back(7);
        strides.push_back(sizeof(float));
    }
    return view(first, std::move(shape), std::move(strides), self);
}

const tracking::HandPair& first_of(const recordings::Recording& recording) {
    static const tracking::HandPair none;
    return recording.samples.empty() ? none : recording.samples.front();
}

std::optional<Side> find_side(const std::string& name) {
    for (const Side side : tracking::kSides)
        if (name == tracking::name_of(side)) return side;
    return {};
}

std::optional<Side> side_of(const std::optional<std::string>& name) {
    if (!name || *name == "both") return {};
    if (const auto side = find_side(*name)) return side;
    throw py::value_error("hand: '" + *name + "' is none of left, right, both");
}

Side one_side_of(const std::string& name) {
    if (const auto side = find_side(name)) return *side;
    throw py::value_error("hand: '" + name + "' is none of left, right");
}

bool all_finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

void check_unit(float unit_m) {
    if (!(unit_m > 0.0F && std::isfinite(unit_m))) throw py::value_error("unit_m must be positive and finite");
}

std::shared_ptr<recordings::Recording> open_recording(const std::string& path, std::optional<float> unit_m,
                                                      const std::optional<std::string>& hand,
                                                      const std::optional<std::string>& axes,
                                                      const std::optional<std::string>& scene) {
    if (path.empty()) throw py::value_error("path is empty");
    const std::optional<Side> only = side_of(hand);
    if (unit_m) check_unit(*unit_m);
    const bool given = axes && *axes != "auto";
    const std::optional<tracking::Axes> found = given ? tracking::find_axes(*axes) : std::nullopt;
    if (given && !found) throw py::value_error("axes: '" + *axes + "' is none of " + tracking::axes_names());
    const py::gil_scoped_release unlocked;
    recordings::ImportOptions options;
    if (scene) options = vr::import_options(vr::load_scene(*scene), {});
    if (unit_m) options.unit_m = unit_m;
    if (found) options.axes = *found;
    options.only = only;
    return std::make_shared<recordings::Recording>(vr::open_recording(path, options));
}

// --- frames

EventRow row_of(const scenes::Event& event, std::int32_t frame) {
    EventRow row{};
    row.frame = frame;
    row.kind = static_cast<std::int32_t>(event.kind);
    row.hand = static_cast<std::int32_t>(event.side);
    row.finger = event.bone >= 0    ? scenes::part_of_bone(event.bone)
                 : event.finger < 0 ? tracking::kPalmPart
                                    : event.finger;
    row.bone = event.bone;
    row.object = event.object;
    row.lost = event.lost;
    row.time_s = 1e-9 * static_cast<double>(event.time_ns);
    row.duration_s = 1e-9 * static_cast<double>(event.duration_ns);
    row.distance_m = event.distance_m;
    for (int i = 0; i < 3; ++i) {
        row.point_m[i] = event.point_m[i];
        row.normal[i] = event.normal[i];
        row.relative_velocity_m_s[i] = event.relative_velocity_m_s[i];
    }
    row.impulse_n_s = event.impulse_n_s;
    return row;
}

void add_contacts(const scenes::World& world, std::int32_t frame, std::vector<ContactRow>& rows) {
    for (const Side side : tracking::kSides) {
        if (!world.hands[side].present) continue;
        for (const collision::Contact& contact : world.hands[side].contacts) {
            ContactRow row{};
            row.frame = frame;
            row.hand = static_cast<std::int32_t>(side);
            row.finger = scenes::part_of_bone(contact.bone);
            row.bone = contact.bone;
            row.object = contact.object;
            row.touching = world.pairs[scenes::pair_index(world, side, contact.bone, contact.object)].touching != 0;
            row.time_s = 1e-9 * static_cast<double>(world.time_ns);
            row.distance_m = contact.distance_m;
            for (int i = 0; i < 3; ++i) {
                row.normal[i] = contact.normal[i];
                row.on_hand_m[i] = contact.on_body_m[i];
                row.on_object_m[i] = contact.on_object_m[i];
            }
            rows.push_back(row);
        }
    }
}

void add_events(const scenes::StepReport& report, std::int32_t frame, std::vector<EventRow>& rows) {
    for (const scenes::Event& event : report.events) rows.push_back(row_of(event, frame));
}

void add_touches(std::span<const vr::Touch> touches, std::vector<TouchRow>& rows) {
    for (const vr::Touch& touch : touches)
        rows.push_back({static_cast<std::int32_t>(touch.side), touch.part, touch.object, touch.begin_s(), touch.end_s(),
                        touch.deepest_m, touch.end == vr::Touch::End::open});
}

// --- a scene that can be added to

constexpr std::array<std::string_view, 3> kPlacements = {"recorded", "fingertips", "wrist"};  // as scenes::Placement

struct PyScene {
    scenes::Scene scene;
    std::string name;

    // Names tell objects apart, so they follow the rules of scene files.
    void check_name(const std::string& object) const {
        if (object.find_first_not_of(" \t\n\r") == std::string::npos) throw py::value_error("an object needs a name");
        if (std::ranges::find(scene.objects, object, &scenes::SceneObject::name) != scene.objects.end())
            throw py::value_error("the scene has an object named '" + object + "': give this one another name");
    }

    void add(const std::string& object, const collision::Shape& shape, const Eigen::Isometry3f& world_from_object,
             const std::string& motion, float mass_kg) {
        check_name(object);
        scenes::SceneObject made;
        made.name = object;
        made.shape = shape;
        made.world_from_object = world_from_object;
        if (motion == "dynamic")
            made.motion = scenes::Motion::dynamic;
        else if (motion != "fixed")
            throw py::value_error("motion: '" + motion + "' is none of fixed, dynamic");
        if (!(mass_kg > 0.0F && std::isfinite(mass_kg))) throw py::value_error("mass_kg must be positive and finite");
        made.mass_kg = mass_kg;
        scene.objects.push_back(std::move(made));
    }
    std::vector<std::string> objects() const {
        std::vector<std::string> names;
        for (const scenes::SceneObject& object : scene.objects) names.push_back(object.name);
        return names;
    }
};

Eigen::Isometry3f pose_of(const std::array<float, 3>& position_m, const std::array<float, 4>& orientation) {
    if (!all_finite(position_m) || !(Eigen::Vector3f(position_m.data()).cwiseAbs().maxCoeff() <= 1e6F))
        throw py::value_error("position_m must be finite and within 1e6 m");
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.translation() = Eigen::Vector3f(position_m.data());
    const Eigen::Quaternionf turn(orientation.data());
    if (!(std::abs(turn.norm() - 1.0F) < 0.01F)) throw py::value_error("orientation: x y z w of length 1 is expected");
    pose.linear() = turn.normalized().toRotationMatrix();
    return pose;
}

// Writes a pose as seven numbers and returns the end.
float* write(const Eigen::Quaternionf& orientation, const Eigen::Vector3f& position_m, float* to) {
    to = std::copy_n(orientation.coeffs().data(), 4, to);
    return std::copy_n(position_m.data(), 3, to);
}

// Writes the poses of all objects.
float* write(const std::vector<Eigen::Isometry3f>& poses, float* to) {
    for (const Eigen::Isometry3f& pose : poses) to = write(Eigen::Quaternionf(pose.linear()), pose.translation(), to);
    return to;
}

const collision::RefitMethod* method_of(const std::optional<std::string>& name) {
    if (!name) return nullptr;
    if (const collision::RefitMethod* method = collision::find_refit_method(*name)) return method;
    throw py::value_error("method: '" + *name + "' is none of " +
                          tracking::listed(tracking::names_of(collision::refit_methods())));
}

tracking::FilterSettings filter_of(const std::string& text) {
    try {
        return tracking::parse_filter(text);
    } catch (const std::runtime_error& error) {
        throw py::value_error(std::string_view(error.what()).substr(2).data());  // without the option's "--"
    }
}

// --- replay

struct Replay {
    std::vector<ContactRow> contacts;
    std::vector<EventRow> events;
    std::vector<TouchRow> touches;  // by begin, then hand, finger, object
    std::vector<std::uint64_t> state_hashes;
    std::vector<double> time_s;
    std::vector<float> object_poses;  // [frame][object], seven numbers each
    std::string scene, placement;
    std::vector<std::string> objects;
    std::uint64_t state_hash = 0;
    vr::StageStats stages;
};

std::string scene_name_of(const recordings::Recording& recording) {
    if (!recording.scene.empty()) return recording.scene;
    if (const auto logged = recording.meta.find("scene"); logged != recording.meta.end()) return logged->second;
    return std::string(scenes::scene_table().front().name);
}

std::shared_ptr<Replay> replay(const recordings::Recording& recording, const PyScene* given,
                               const std::optional<std::string>& method, const std::optional<std::string>& filter,
                               bool keep_contacts, const py::object& progress) {
    const collision::RefitMethod* refit = method_of(method);
    const std::optional<tracking::FilterSettings> smooth = filter ? std::optional(filter_of(*filter)) : std::nullopt;
    const bool shows = !progress.is_none();
    auto result = std::make_shared<Replay>();
    result->scene = given != nullptr ? given->name : scene_name_of(recording);
    scenes::Scene scene;
    if (given != nullptr) scene = given->scene;  // while no other thread can change it
    const py::gil_scoped_release unlocked;
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");
    if (given == nullptr) scene = scenes::load_scene(result->scene);
    vr::load_tracks(scene, scene.recording_axes);
    for (const scenes::SceneObject& object : scene.objects) result->objects.push_back(object.name);
    vr::PipelineSettings settings = vr::replay_settings(recording, scene);
    settings.method = refit;
    if (smooth) settings.filter = *smooth;
    result->placement = settings.placement.note;

    vr::Pipeline pipeline(scene, settings, now_ns);
    vr::TouchTracker touches(scene);
    Patience patience;
    std::int64_t shown_ns = 0;
    for (std::size_t i = 0; i < recording.samples.size(); ++i) {
        const tracking::HandPair& sample = recording.samples[i];
        const double dt_s =
            i == 0 ? 0.0 : 1e-9 * static_cast<double>(sample.time_ns - recording.samples[i - 1].time_ns);
        const scenes::StepReport& report = pipeline.frame(sample, dt_s);
        pipeline.close_frame();
        const auto frame = static_cast<std::int32_t>(i);
        if (keep_contacts) add_contacts(pipeline.world, frame, result->contacts);
        add_events(report, frame, result->events);
        add_touches(touches.add(pipeline.world, report), result->touches);
        result->state_hashes.push_back(report.state_hash);
        result->time_s.push_back(1e-9 * static_cast<double>(sample.time_ns));
        const std::vector<Eigen::Isometry3f>& poses = pipeline.world.world_from_object;
        result->object_poses.resize((i + 1) * 7 * poses.size());
        write(poses, result->object_poses.data() + i * 7 * poses.size());
        scenes::StateHash hash;
        hash.add(result->state_hash);
        hash.add(report.state_hash);
        result->state_hash = hash.value();
        patience.look();
        if (shows && (now_ns() - shown_ns > 100'000'000 || i + 1 == recording.samples.size())) {
            const py::gil_scoped_acquire lock;
            progress(i + 1, recording.samples.size());
            shown_ns = now_ns();
        }
    }
    add_touches(touches.end_all(), result->touches);
    std::ranges::sort(result->touches, {},
                      [](const TouchRow& row) { return std::tuple(row.begin_s, row.hand, row.finger, row.object); });
    result->stages = pipeline.stats;
    return result;
}

// Returns the recording's poses where replay() puts them in the scene, and NaN for what is not valid.
py::array_t<float> placed(const recordings::Recording& recording, const PyScene& scene) {
    py::array_t<float> rows({static_cast<py::ssize_t>(recording.samples.size()), py::ssize_t{2},
                             py::ssize_t{tracking::kJointCount}, py::ssize_t{7}});
    float* row = rows.mutable_data();
    const scenes::Scene copy = scene.scene;  // while no other thread can change it
    const py::gil_scoped_release unlocked;
    const scenes::HandPlacement placement = vr::placement_of(recording, copy);
    const Eigen::Vector3f nowhere = Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN());
    const Eigen::Quaternionf no_turn(nowhere.x(), nowhere.x(), nowhere.x(), nowhere.x());
    for (tracking::HandPair sample : recording.samples) {
        scenes::place(placement, sample);
        for (const Side side : tracking::kSides)
            for (const JointPose& joint : sample[side].joints)
                row = write(sample[side].active && joint.orientation_valid() ? joint.orientation : no_turn,
                            sample[side].active && joint.position_valid() ? joint.position_m : nowhere, row);
    }
    return rows;
}

py::dict stages_of(const Replay& replay) {
    py::dict stages;
    for (int i = 0; i < scenes::kStageCount; ++i) {
        const vr::DurationHistogram& cost = replay.stages.stages[static_cast<std::size_t>(i)];
        py::dict row;
        row["mean"] = cost.mean_us();
        row["p50"] = cost.percentile_us(0.5);
        row["p99"] = cost.percentile_us(0.99);
        row["max"] = cost.max_us();
        stages[py::str(std::string(scenes::name_of(static_cast<scenes::Stage>(i))))] = row;
    }
    return stages;
}

// --- a session that is fed by hand

// Converts one hand's 26 poses. A NaN makes a joint's orientation or position invalid; a hand without a valid position
// is not there.
void take(const float* poses, const float* radii_m, tracking::HandFrame& hand) {
    hand.active = false;
    if (poses == nullptr) return;
    for (std::size_t i = 0; i < hand.joints.size(); ++i) {
        JointPose& joint = hand.joints[i];
        const float* pose = poses + 7 * i;
        joint.orientation = Eigen::Quaternionf(pose);
        joint.position_m = Eigen::Vector3f(pose + 4);
        joint.radius_m = radii_m == nullptr ? 0.0F : radii_m[i];
        using namespace tracking::joint_flags;
        const auto is_nan = [](float value) { return std::isnan(value); };
        const bool turned = std::none_of(pose, pose + 4, is_nan), placed = std::none_of(pose + 4, pose + 7, is_nan);
        joint.flags = static_cast<std::uint8_t>((turned ? kOrientationValid | kOrientationTracked : 0) |
                                                (placed ? kPositionValid | kPositionTracked : 0));
        hand.active = hand.active || placed;
    }
}

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

// Runs cast(ray, row) for each ray, without the interpreter's lock, and writes what it hits to the row. `from_m` and
// `directions` have the shape (n, 3).
template <class Row, class Cast>
std::vector<Row> each_ray(const Floats& from_m, const Floats& directions, float length_m, const Cast& cast) {
    const auto n = static_cast<std::size_t>(from_m.shape(0));
    const float *from = from_m.data(), *direction = directions.data();
    std::vector<Row> rows(n);
    const py::gil_scoped_release unlocked;
    Patience patience;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 1024 == 1023) patience.look();
        Row& row = rows[i];
        const std::optional<collision::RayHit> hit =
            cast({Eigen::Vector3f(from + 3 * i), Eigen::Vector3f(direction + 3 * i), length_m}, row);
        row.triangle = hit ? hit->triangle : -1;
        row.distance_m = hit ? hit->distance_m : std::numeric_limits<float>::infinity();
        for (int k = 0; hit && k < 3; ++k) {
            row.point_m[k] = hit->point_m[k];
            row.normal[k] = hit->normal[k];
        }
    }
    return rows;
}

// A state of a session; opaque to Python.
struct PyState {
    vr::FedSession::Saved saved;
};

struct PySession : vr::FedSession {
    PySession(const PyScene& from, const std::optional<std::string>& method, bool with_forces, bool simulated,
              const std::string& filter)
        : FedSession(from.scene, {method_of(method), with_forces, simulated, filter_of(filter)}) {}

    void step(const float* left, const float* right, const float* radii_left, const float* radii_right, double time_s) {
        if (const std::string_view reason = refuses(time_s); !reason.empty()) throw py::value_error(reason.data());
        const py::gil_scoped_release unlocked;
        FedSession::step(time_s, [&](Side side, tracking::HandFrame& hand) {
            take(side == Side::left ? left : right, side == Side::left ? radii_left : radii_right, hand);
        });
    }

    // `poses` has the shape (n, 26, 7), and `radii_m` (n, 26) or is empty.
    bool fit_hand(Side side, const Floats& poses, const std::optional<Floats>& radii_m) {
        std::vector<tracking::HandPair> samples(static_cast<std::size_t>(poses.shape(0)));
        const float* pose = poses.data();
        const float* radius_m = radii_m ? radii_m->data() : nullptr;
        for (tracking::HandPair& sample : samples) {
            take(pose, radius_m, sample[side]);
            pose += 7 * tracking::kJointCount;
            if (radius_m != nullptr) radius_m += tracking::kJointCount;
        }
        return FedSession::fit_hand(side, samples);
    }

    // The touches of parts of hands that go on now.
    std::vector<TouchRow> touches_now() const {
        std::vector<TouchRow> rows;
        for (const Side side : tracking::kSides)
            for (int part = 0; part < tracking::kHandPartCount; ++part)
                for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
                    if (const std::optional<vr::Touch> touch = touches.now(side, part, object))
                        add_touches({&*touch, 1}, rows);
        return rows;
    }

    void take_sizes(const recordings::Recording& recording) {
        for (const Side side : tracking::kSides)
            if (recording.has(side)) pipeline.set_profile(side, recording.profiles[side]);
    }

    void set_object_velocity(int object, const std::array<float, 3>& linear_m_s,
                             const std::array<float, 3>& angular_rad_s) {
        const std::string_view refusal = scenes::set_object_velocity(
            scene, pipeline.world, object, Eigen::Vector3f(linear_m_s.data()), Eigen::Vector3f(angular_rad_s.data()));
        if (!refusal.empty()) throw py::value_error("object " + std::to_string(object) + ": " + std::string(refusal));
    }

    std::vector<RayRow> cast_rays(const Floats& from_m, const Floats& directions, float length_m) const {
        return each_ray<RayRow>(from_m, directions, length_m, [this](const collision::Ray& ray, RayRow& row) {
            const auto hit = scenes::cast_ray(scene, pipeline.world, ray);
            row.object = hit ? hit->object : -1;
            return hit ? std::optional(hit->at) : std::nullopt;
        });
    }

    void set_object_pose(int object, const std::array<float, 7>& pose) {
        const Eigen::Isometry3f world_from_object =
            pose_of({pose[4], pose[5], pose[6]}, {pose[0], pose[1], pose[2], pose[3]});
        const std::string_view refusal = scenes::set_object_pose(scene, pipeline.world, object, world_from_object);
        if (!refusal.empty()) throw py::value_error("object " + std::to_string(object) + ": " + std::string(refusal));
    }

    std::vector<ForceRow> forces_on(Side side) const {
        if (!forces) throw py::value_error("forces: open the session with forces=True");
        std::vector<ForceRow> rows;
        for (const scenes::PartForce& part : forces->last[side].parts) {
            const Eigen::Vector3f force_n = part.force_n.cast<float>();
            rows.push_back({{force_n.x(), force_n.y(), force_n.z()}, static_cast<float>(part.vibration_n)});
        }
        return rows;
    }

    std::vector<CurlLimitRow> curl_limits(Side side) const {
        scenes::CurlLimits limits;
        collision::CollideCounts counts;
        if (const tracking::HandFrame& hand = pipeline.hands[side]; hand.active)
            limits = scenes::curl_limits(hand, pipeline.world.colliders, counts, pipeline.world.hand_shapes[side]);
        std::vector<CurlLimitRow> rows;
        for (const scenes::CurlLimit& limit : limits)
            rows.push_back({limit.known, limit.now, limit.touch, limit.bone, limit.object});
        return rows;
    }

    // One row for each object, as a row of Recording.frames.
    py::array_t<float> object_poses() const {
        const std::vector<Eigen::Isometry3f>& poses = pipeline.world.world_from_object;
        py::array_t<float> rows({static_cast<py::ssize_t>(poses.size()), py::ssize_t{7}});
        write(poses, rows.mutable_data());
        return rows;
    }
};

const float* poses_of(const std::optional<Floats>& array, py::ssize_t row) {
    if (!array) return nullptr;
    const bool fits = row == 7 ? array->ndim() == 2 && array->shape(1) == 7 : array->ndim() == 1;
    if (!fits || array->shape(0) != tracking::kJointCount)
        throw py::value_error(row == 7 ? "a hand: an array of shape (26, 7) is expected"
                                       : "radii: an array of shape (26,) is expected");
    return array->data();
}

// --- meshes

struct PyMesh {
    std::shared_ptr<const collision::Mesh> mesh;
};

PyMesh mesh_of(const Floats& vertices,
               const py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>& triangles) {
    if (vertices.ndim() != 2 || vertices.shape(1) != 3) throw py::value_error("vertices: shape (n, 3) is expected");
    if (triangles.ndim() != 2 || triangles.shape(1) != 3) throw py::value_error("triangles: shape (m, 3) is expected");
    auto mesh = std::make_shared<collision::Mesh>();
    for (py::ssize_t i = 0; i < vertices.shape(0); ++i) mesh->vertices_m.emplace_back(vertices.data(i, 0));
    for (py::ssize_t i = 0; i < triangles.shape(0); ++i)
        mesh->triangles.push_back({triangles.at(i, 0), triangles.at(i, 1), triangles.at(i, 2)});
    check(*mesh);
    return {mesh};
}

using Tree = std::shared_ptr<const collision::MeshTree>;
using Points = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Runs work(i, point) over an array of points without the interpreter's lock.
template <class Work>
void each_point(const Points& points, const Work& work) {
    if (points.ndim() != 2 || points.shape(1) != 3) throw py::value_error("points: shape (n, 3) is expected");
    const double* data = points.data();
    const py::ssize_t n = points.shape(0);
    const py::gil_scoped_release unlocked;
    Patience patience;
    for (py::ssize_t i = 0; i < n; ++i) {
        work(i, Eigen::Vector3d(data + 3 * i));
        if (i % 1024 == 1023) patience.look();
    }
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Points that are not finite give NaN and triangle -1.
py::tuple nearest(const Tree& tree, const Points& points) {
    const py::ssize_t n = points.ndim() == 2 ? points.shape(0) : 0;
    py::array_t<double> distances(n);
    py::array_t<double> places({n, py::ssize_t{3}});
    py::array_t<std::int32_t> triangles(n);
    double* distance = distances.mutable_data();
    double* place = places.mutable_data();
    std::int32_t* triangle = triangles.mutable_data();
    each_point(points, [&](py::ssize_t i, const Eigen::Vector3d& point) {
        collision::MeshTreeCounts counts;
        collision::MeshTree::SurfacePoint found{kNaN, Eigen::Vector3d::Constant(kNaN), Eigen::Vector3d::Zero(), -1};
        if (point.allFinite()) found = tree->nearest_surface(point, counts);
        distance[i] = found.distance_m;
        Eigen::Map<Eigen::Vector3d>(place + 3 * i) = found.nearest_m;
        triangle[i] = found.triangle;
    });
    return py::make_tuple(distances, places, triangles);
}

py::array contains(const Tree& tree, const Points& points) {
    py::array_t<bool> inside(points.ndim() == 2 ? points.shape(0) : 0);
    bool* out = inside.mutable_data();
    each_point(points, [&](py::ssize_t i, const Eigen::Vector3d& point) {
        collision::MeshTreeCounts counts;
        out[i] = point.allFinite() && tree->contains(point.cast<float>(), counts);
    });
    return inside;
}

std::vector<SurfaceRow> cast_rays(const Tree& tree, const Floats& from_m, const Floats& directions, float length_m) {
    const collision::Shape shape = collision::MeshInstance{tree};
    return each_ray<SurfaceRow>(from_m, directions, length_m, [&shape](const collision::Ray& ray, SurfaceRow&) {
        collision::CollideCounts not_counted;
        return collision::cast_ray(ray, shape, not_counted);
    });
}

struct PyShape {
    collision::Shape shape;
};

py::object distance(const PyShape& a, const PyShape& b, float max_distance_m) {
    collision::Contact contact;
    bool found = false;
    {
        const py::gil_scoped_release unlocked;
        collision::CollideCounts counts;
        found = collision::closest(a.shape, b.shape, max_distance_m, contact, counts);
    }
    if (!found) return py::none();
    const auto vector = [](const Eigen::Vector3f& v) { return py::array_t<float>(3, v.data()); };
    return py::make_tuple(contact.distance_m, vector(contact.normal), vector(contact.on_body_m),
                          vector(contact.on_object_m), contact.triangle);
}

template <class Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table) names.emplace_back(row.name);
    return names;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
    using recordings::Recording;
    using tracking::HandFrame;
    using tracking::HandPair;
    m.doc() = "What glovebox/__init__.py is made of; use that.";
    m.attr("__version__") = GLOVEBOX_VERSION;
    PYBIND11_NUMPY_DTYPE(ContactRow, frame, hand, finger, bone, object, touching, time_s, distance_m, normal, on_hand_m,
                         on_object_m);
    PYBIND11_NUMPY_DTYPE(EventRow, frame, kind, hand, finger, bone, object, lost, time_s, duration_s, distance_m,
                         point_m, normal, relative_velocity_m_s, impulse_n_s);
    PYBIND11_NUMPY_DTYPE(ForceRow, force_n, vibration_n);
    PYBIND11_NUMPY_DTYPE(CurlLimitRow, known, now, touch, bone, object);
    PYBIND11_NUMPY_DTYPE(RayRow, object, triangle, distance_m, point_m, normal);
    PYBIND11_NUMPY_DTYPE(SurfaceRow, triangle, distance_m, point_m, normal);
    PYBIND11_NUMPY_DTYPE(TouchRow, hand, finger, object, begin_s, end_s, deepest_m, open);
    std::vector<std::string> kinds, joints;
    for (int i = 0; i < scenes::kEventKindCount; ++i)
        kinds.emplace_back(scenes::name_of(static_cast<scenes::EventKind>(i)));
    for (int i = 0; i < tracking::kJointCount; ++i) joints.emplace_back(name_of(static_cast<tracking::Joint>(i)));
    m.attr("EVENT_KINDS") = py::tuple(py::cast(kinds));
    m.attr("JOINTS") = py::tuple(py::cast(joints));
    m.attr("FINGERS") =
        py::tuple(py::cast(std::vector<std::string>(tracking::kHandPartNames.begin(), tracking::kHandPartNames.end())));
    m.def("scenes", [] { return names_of(scenes::scene_table()); });
    m.def("recordings", [] { return names_of(recordings::sample_table()); });
    m.def("methods", [] { return names_of(collision::refit_methods()); });

    py::class_<Recording, std::shared_ptr<Recording>>(m, "Recording")
        .def_readonly("path", &Recording::path)
        .def_readonly("format", &Recording::format)
        .def_readonly("unit_m", &Recording::unit_m)
        .def_readonly("notes", &Recording::notes)
        .def_readonly("meta", &Recording::meta)
        .def_property_readonly("duration_s", &Recording::duration_s)
        .def_property_readonly("rate_hz", &Recording::rate_hz)
        .def_property_readonly("longest_gap_s", &Recording::longest_gap_s)
        .def("__len__", [](const Recording& r) { return r.samples.size(); })
        .def_property_readonly("frames",
                               [](const py::object& self) {
                                   const auto& r = self.cast<const Recording&>();
                                   return joint_view(self, r,
                                                     first_of(r).hands[0].joints[0].orientation.coeffs().data(), true);
                               })
        .def_property_readonly("radius_m",
                               [](const py::object& self) {
                                   const auto& r = self.cast<const Recording&>();
                                   return joint_view(self, r, &first_of(r).hands[0].joints[0].radius_m, false);
                               })
        .def_property_readonly("flags",
                               [](const py::object& self) {
                                   const auto& r = self.cast<const Recording&>();
                                   return joint_view(self, r, &first_of(r).hands[0].joints[0].flags, false);
                               })
        .def_property_readonly("active",
                               [](const py::object& self) {
                                   const auto& r = self.cast<const Recording&>();
                                   return view(&first_of(r).hands[0].active,
                                               {static_cast<py::ssize_t>(r.samples.size()), 2},
                                               {sizeof(HandPair), sizeof(HandFrame)}, self);
                               })
        .def_property_readonly("time_ns", [](const py::object& self) {
            const auto& r = self.cast<const Recording&>();
            return view(&first_of(r).time_ns, {static_cast<py::ssize_t>(r.samples.size())}, {sizeof(HandPair)}, self);
        });
    m.def("open", open_recording, py::arg("path"), py::arg("unit_m"), py::arg("hand"), py::arg("axes"),
          py::arg("scene"));

    py::class_<PyShape>(m, "Shape");
    m.def(
        "capsule",
        [](const std::array<float, 3>& a, const std::array<float, 3>& b, float radius_a, float radius_b) {
            if (!all_finite(a) || !all_finite(b)) throw py::value_error("a_m and b_m must be finite");
            if (!(radius_a >= 0.0F && radius_b >= 0.0F) || !all_finite(std::array{radius_a, radius_b}))
                throw py::value_error("radius_m: a radius is negative or not finite");
            return PyShape{
                collision::RoundCone{Eigen::Vector3f(a.data()), Eigen::Vector3f(b.data()), radius_a, radius_b}};
        },
        py::arg("a_m"), py::arg("b_m"), py::arg("radius_a_m"), py::arg("radius_b_m"));
    m.def(
        "box",
        [](const std::array<float, 3>& half_m, const std::array<float, 3>& position_m,
           const std::array<float, 4>& orientation) {
            const Eigen::Vector3f half(half_m.data());
            if (!all_finite(half_m) || !(half.minCoeff() > 0.0F))
                throw py::value_error("half_extents_m must be positive and finite");
            return PyShape{
                transformed(pose_of(position_m, orientation),
                            collision::RoundedBox{{Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), half}, 0.0F})};
        },
        py::arg("half_extents_m"), py::arg("position_m"), py::arg("orientation"));
    m.def(
        "curled_hand",
        [](const std::string& hand, const std::array<float, 3>& position_m, const std::array<float, 4>& orientation,
           const std::array<float, tracking::kFingerCount>& curls) {
            if (!std::ranges::all_of(curls, [](float curl) { return std::abs(curl) <= 10.0F; }))
                throw py::value_error("curls: five numbers from 0 to 1 are expected");
            const tracking::HandFrame frame =
                vr::curled_hand(one_side_of(hand), pose_of(position_m, orientation), curls);
            py::array_t<float> rows({py::ssize_t{tracking::kJointCount}, py::ssize_t{7}});
            float* row = rows.mutable_data();
            for (const JointPose& joint : frame.joints) row = write(joint.orientation, joint.position_m, row);
            return rows;
        },
        py::arg("hand"), py::arg("position_m"), py::arg("orientation"), py::arg("curls"));
    m.def("distance", distance, py::arg("a"), py::arg("b"), py::arg("max_distance_m"));

    py::class_<PyMesh>(m, "Mesh")
        .def(py::init(&mesh_of), py::arg("vertices_m"), py::arg("triangles"))
        .def_static(
            "load",
            [](const std::string& path, float unit_m) {
                check_unit(unit_m);
                const py::gil_scoped_release unlocked;
                return PyMesh{std::make_shared<const collision::Mesh>(scenes::load_mesh(path, unit_m))};
            },
            py::arg("path"), py::arg("unit_m"))
        .def_property_readonly("vertices_m",
                               [](const py::object& self) {
                                   const auto& mesh = *self.cast<const PyMesh&>().mesh;
                                   return view(mesh.vertices_m.front().data(),
                                               {static_cast<py::ssize_t>(mesh.vertices_m.size()), 3},
                                               {sizeof(Eigen::Vector3f), sizeof(float)}, self);
                               })
        .def_property_readonly("triangles",
                               [](const py::object& self) {
                                   const auto& mesh = *self.cast<const PyMesh&>().mesh;
                                   return view(mesh.triangles.front().data(),
                                               {static_cast<py::ssize_t>(mesh.triangles.size()), 3},
                                               {3 * sizeof(std::uint32_t), sizeof(std::uint32_t)}, self);
                               })
        .def("tree", [](const PyMesh& mesh) {
            const py::gil_scoped_release unlocked;
            return std::const_pointer_cast<collision::MeshTree>(collision::MeshTree::build(*mesh.mesh));
        });

    py::class_<collision::MeshTree, std::shared_ptr<collision::MeshTree>>(m, "Tree")
        .def_property_readonly("closed", &collision::MeshTree::closed)
        .def(
            "nearest", [](const std::shared_ptr<collision::MeshTree>& t, const Points& p) { return nearest(t, p); },
            py::arg("points_m"))
        .def(
            "contains", [](const std::shared_ptr<collision::MeshTree>& t, const Points& p) { return contains(t, p); },
            py::arg("points_m"))
        .def(
            "cast_rays",
            [](const std::shared_ptr<collision::MeshTree>& tree, const Floats& from, const Floats& directions,
               float length_m) { return array_of(cast_rays(tree, from, directions, length_m)); },
            py::arg("from_m"), py::arg("directions"), py::arg("length_m"))
        .def(
            "at",
            [](const std::shared_ptr<collision::MeshTree>& tree, const std::array<float, 3>& position_m,
               const std::array<float, 4>& orientation) {
                return PyShape{collision::MeshInstance{tree, pose_of(position_m, orientation)}};
            },
            py::arg("position_m"), py::arg("orientation"));

    py::class_<PyScene>(m, "Scene")
        .def(py::init([](const std::string& name) {
                 return PyScene{{}, name};
             }),
             py::arg("name"))
        .def_static(
            "load",
            [](const std::string& name_or_path) {
                const py::gil_scoped_release unlocked;
                return PyScene{vr::load_scene(name_or_path, scenes::load_mesh, "; glovebox.open() reads it"),
                               name_or_path};
            },
            py::arg("name_or_path"))
        .def_readonly("name", &PyScene::name)
        .def_property_readonly("objects", &PyScene::objects)
        .def_property(
            "respawn_after_s", [](const PyScene& scene) { return double{scene.scene.respawn_after_s}; },
            [](PyScene& scene, double after_s) {
                if (!(after_s >= 0.0)) throw py::value_error("respawn_after_s is negative or no number");
                scene.scene.respawn_after_s = static_cast<float>(std::min(after_s, 1e6));
            })
        .def_property(
            "placement",
            [](const PyScene& scene) { return kPlacements[static_cast<std::size_t>(scene.scene.placement)]; },
            [](PyScene& scene, const std::string& placement) {
                const auto found = std::ranges::find(kPlacements, std::string_view(placement));
                if (found == kPlacements.end())
                    throw py::value_error("placement: '" + placement + "' is none of recorded, fingertips, wrist");
                scene.scene.placement = static_cast<scenes::Placement>(found - kPlacements.begin());
            })
        .def_property(
            "anchor_m",
            [](const PyScene& scene) {
                const Eigen::Vector3f& at = scene.scene.anchor_m;
                return std::tuple(at.x(), at.y(), at.z());
            },
            [](PyScene& scene, const std::array<float, 3>& anchor_m) {
                if (!all_finite(anchor_m)) throw py::value_error("anchor_m must be finite");
                scene.scene.anchor_m = Eigen::Vector3f(anchor_m.data());
            })
        .def(
            "add",
            [](PyScene& scene, const std::string& name, const PyShape& shape, const std::array<float, 3>& position_m,
               const std::array<float, 4>& orientation, const std::string& motion,
               float mass_kg) { scene.add(name, shape.shape, pose_of(position_m, orientation), motion, mass_kg); },
            py::arg("name"), py::arg("shape"), py::arg("position_m"), py::arg("orientation"), py::arg("motion"),
            py::arg("mass_kg"));

    py::class_<Replay, std::shared_ptr<Replay>>(m, "Replay")
        .def_property_readonly("contacts", [](const Replay& r) { return array_of(r.contacts); })
        .def_property_readonly("events", [](const Replay& r) { return array_of(r.events); })
        .def_property_readonly("touches", [](const Replay& r) { return array_of(r.touches); })
        .def_property_readonly("state_hashes", [](const Replay& r) { return array_of(r.state_hashes); })
        .def_property_readonly("time_s", [](const Replay& r) { return array_of(r.time_s); })
        .def_property_readonly("object_poses",
                               [](const Replay& r) {
                                   return array_of(r.object_poses)
                                       .reshape({static_cast<py::ssize_t>(r.time_s.size()),
                                                 static_cast<py::ssize_t>(r.objects.size()), py::ssize_t{7}});
                               })
        .def_readonly("scene", &Replay::scene)
        .def_readonly("placement", &Replay::placement)
        .def_readonly("objects", &Replay::objects)
        .def_readonly("state_hash", &Replay::state_hash)
        .def_property_readonly("stages_us", stages_of);
    m.def("placed", placed, py::arg("recording"), py::arg("scene"));
    m.def("replay", replay, py::arg("recording"), py::arg("scene"), py::arg("method"), py::arg("filter"),
          py::arg("keep_contacts"), py::arg("progress"));

    py::class_<PyState>(m, "State");

    py::class_<PySession>(m, "Session")
        .def(py::init<const PyScene&, const std::optional<std::string>&, bool, bool, const std::string&>(),
             py::arg("scene"), py::arg("method"), py::arg("forces"), py::arg("simulated"), py::arg("filter"))
        .def(
            "step",
            [](PySession& session, const std::optional<Floats>& left, const std::optional<Floats>& right, double time_s,
               const std::optional<Floats>& left_radius_m, const std::optional<Floats>& right_radius_m) {
                session.step(poses_of(left, 7), poses_of(right, 7), poses_of(left_radius_m, 1),
                             poses_of(right_radius_m, 1), time_s);
            },
            py::arg("left"), py::arg("right"), py::arg("time_s"), py::arg("left_radius_m"), py::arg("right_radius_m"))
        .def("restart", [](PySession& session) { session.restart(); })
        .def("save", [](const PySession& session) { return PyState{session.save()}; })
        .def(
            "restore", [](PySession& session, const PyState& state) { session.restore(state.saved); }, py::arg("state"))
        .def(
            "fit_hand",
            [](PySession& session, const std::string& hand, const Floats& poses, const std::optional<Floats>& radii) {
                return session.fit_hand(one_side_of(hand), poses, radii);
            },
            py::arg("hand"), py::arg("poses"), py::arg("radius_m"))
        .def("take_sizes", &PySession::take_sizes, py::arg("recording"))
        .def("set_object_pose", &PySession::set_object_pose, py::arg("object"), py::arg("pose"))
        .def("set_object_velocity", &PySession::set_object_velocity, py::arg("object"), py::arg("linear_m_s"),
             py::arg("angular_rad_s"))
        .def(
            "cast_rays",
            [](const PySession& session, const Floats& from, const Floats& directions, float length_m) {
                return array_of(session.cast_rays(from, directions, length_m));
            },
            py::arg("from_m"), py::arg("directions"), py::arg("length_m"))
        .def(
            "forces",
            [](const PySession& session, const std::string& hand) {
                return array_of(session.forces_on(one_side_of(hand)));
            },
            py::arg("hand"))
        .def(
            "curl_limits",
            [](const PySession& session, const std::string& hand) {
                return array_of(session.curl_limits(one_side_of(hand)));
            },
            py::arg("hand"))
        .def_property_readonly("contacts",
                               [](const PySession& session) {
                                   std::vector<ContactRow> rows;
                                   add_contacts(session.pipeline.world, session.frames - 1, rows);
                                   return array_of(rows);
                               })
        .def_property_readonly("events",
                               [](const PySession& session) {
                                   std::vector<EventRow> rows;
                                   if (session.frames > 0)
                                       add_events(session.pipeline.report, session.frames - 1, rows);
                                   return array_of(rows);
                               })
        .def_property_readonly("touches", [](const PySession& session) { return array_of(session.touches_now()); })
        .def_property_readonly("present",
                               [](const PySession& session) {
                                   const auto& hands = session.pipeline.world.hands;
                                   return std::tuple(hands[0].present, hands[1].present);
                               })
        .def_property_readonly("held",
                               [](const PySession& session) {
                                   const auto& reports = session.pipeline.guard_reports;
                                   return std::tuple(reports[0].held, reports[1].held);
                               })
        .def_property_readonly("state_hash",
                               [](const PySession& session) { return session.pipeline.report.state_hash; })
        .def_property_readonly("object_poses", &PySession::object_poses)
        .def_property_readonly("objects", [](const PySession& session) {
            std::vector<std::string> names;
            for (const scenes::SceneObject& object : session.scene.objects) names.push_back(object.name);
            return names;
        });
}

}  // namespace glovebox::python
