// Implements the C interface: validates arguments, catches exceptions, copies results. The frame itself is
// vr/session's.
#include "vr/api/glovebox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/cast_ray.h"
#include "scenes/curl_limit.h"
#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"
#include "tracking/hand_parts.h"
#include "vr/session/fed_session.h"
#include "vr/session/open_recording.h"

namespace {

using namespace glovebox;
using tracking::Side;

static_assert(GB_JOINT_COUNT == tracking::kJointCount && GB_PART_COUNT == tracking::kHandPartCount);
static_assert(GB_BONE_COUNT == scenes::kHandBoneCount && GB_PALM == tracking::kPalmPart);
static_assert(GB_FLICK == static_cast<int>(scenes::EventKind::flick) && GB_ALL_VALID == tracking::joint_flags::kAll);
static_assert(GB_DYNAMIC == static_cast<int>(scenes::Motion::dynamic) &&
              GB_RECORDED == static_cast<int>(scenes::Motion::recorded));
static_assert(GB_LEFT == static_cast<int>(Side::left) && GB_RIGHT == static_cast<int>(Side::right));

thread_local std::array<char, 512> last_error{};

gb_result fail(gb_result result, const char* function, const char* what) {
    std::snprintf(last_error.data(), last_error.size(), "%s: %s", function, what);
    // A scene's name may have any characters, but a message is one line.
    std::ranges::replace_if(
        last_error, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return result;
}

// Runs a call's work and catches all exceptions, which become GB_NO_MEMORY, `otherwise` or GB_INTERNAL.
template <class Work>
gb_result guarded(const char* function, gb_result otherwise, const Work& work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(GB_NO_MEMORY, function, "out of memory");
    } catch (const std::exception& error) {
        return fail(otherwise, function, error.what());
    } catch (...) {
        return fail(GB_INTERNAL, function, "unknown exception");
    }
}

// `name` is UTF-8, but the system's paths need not be.
scenes::Scene open_scene(const char* name) {
    const bool first = name == nullptr || *name == '\0';
    scenes::Scene scene =
        vr::load_scene(first ? std::string(scenes::scene_table().front().name)
                             : std::filesystem::path(reinterpret_cast<const char8_t*>(name)).string());
    scene.placement = scenes::Placement::recorded;
    return scene;
}

void copy(const Eigen::Vector3f& from, float (&to)[3]) {
    for (int i = 0; i < 3; ++i) to[i] = from[i];
}

void copy(const scenes::HandForces& from, gb_force* to) {
    for (std::size_t part = 0; part < from.parts.size(); ++part) {
        copy(from.parts[part].force_n.cast<float>(), to[part].force_n);
        to[part].vibration_n = static_cast<float>(from.parts[part].vibration_n);
    }
}

void copy(const gb_hand* from, tracking::HandFrame& to) {
    to.active = from != nullptr && from->active != 0;
    if (!to.active) return;
    for (std::size_t i = 0; i < to.joints.size(); ++i) {
        const gb_joint& joint = from->joints[i];
        to.joints[i].position_m = Eigen::Vector3f(joint.position_m);
        to.joints[i].orientation = Eigen::Quaternionf(joint.orientation);
        to.joints[i].radius_m = joint.radius_m;
        to.joints[i].flags = static_cast<std::uint8_t>(joint.flags & GB_ALL_VALID);
    }
}

// Copies as many elements as fit, and counts all.
template <class Out>
struct Writer {
    Out* out;
    int capacity, count = 0;
    Out* next() { return count++ < capacity ? out + count - 1 : nullptr; }
};

}  // namespace

struct gb_session : vr::FedSession {
    using FedSession::FedSession;

    bool touching(Side side, int bone, int object) const {
        return pipeline.world.pairs[scenes::pair_index(pipeline.world, side, bone, object)].touching != 0;
    }

    template <class Take>
    void each_contact(const Take& take) const {
        for (const Side side : tracking::kSides) {
            const scenes::HandState& hand = pipeline.world.hands[side];
            if (!hand.present) continue;
            for (const collision::Contact& contact : hand.contacts) take(side, contact);
        }
    }

    // Visits the touching parts, in the order of gb_touches().
    template <class Take>
    void each_touch(const Take& take) const {
        const scenes::World& world = pipeline.world;
        for (const Side side : tracking::kSides)
            for (int part = 0; part < GB_PART_COUNT; ++part)
                for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
                    const std::optional<vr::Touch> since = touches.now(side, part, object);
                    if (!since) continue;
                    gb_touch touch{};
                    touch.since_s = since->begin_s();
                    touch.side = static_cast<int>(side);
                    touch.part = part;
                    touch.object = object;
                    for (int bone = 0; bone < GB_BONE_COUNT; ++bone)
                        if (scenes::part_of_bone(bone) == part && touching(side, bone, object)) ++touch.bones;
                    for (const collision::Contact& contact : world.hands[side].contacts)
                        if (contact.object == object && scenes::part_of_bone(contact.bone) == part)
                            touch.depth_m = std::max(touch.depth_m, contact.depth_m());
                    take(touch);
                }
    }
};

struct gb_state {
    vr::FedSession::Saved saved;
};

struct gb_force_loop : vr::FedForceLoop {
    explicit gb_force_loop(vr::FedForceLoop loop) : FedForceLoop(std::move(loop)) {}
};

namespace {

struct Pointer {
    const char* name;
    const void* value;
};

// Names the first pointer that is null.
gb_result check_pointers(const char* function, std::initializer_list<Pointer> pointers) {
    for (const Pointer& pointer : pointers) {
        if (pointer.value != nullptr) continue;
        std::array<char, 64> what{};
        std::snprintf(what.data(), what.size(), "`%s` is null", pointer.name);
        return fail(GB_BAD_ARGUMENT, function, what.data());
    }
    return GB_OK;
}

gb_result check_side(const char* function, int side) {
    if (side == GB_LEFT || side == GB_RIGHT) return GB_OK;
    return fail(GB_BAD_ARGUMENT, function, "`side` is neither GB_LEFT nor GB_RIGHT");
}

gb_result check_query(const char* function, const gb_session* session, const void* out, int capacity,
                      const int* count) {
    if (const gb_result bad = check_pointers(function, {{"session", session}, {"count", count}}); bad != GB_OK)
        return bad;
    if (capacity < 0) return fail(GB_BAD_ARGUMENT, function, "`capacity` is negative");
    if (capacity > 0 && out == nullptr)
        return fail(GB_BAD_ARGUMENT, function, "`out` is null: set `capacity` to 0 to only count");
    return GB_OK;
}

gb_result check_object(const char* function, const gb_session* session, int object) {
    if (const gb_result bad = check_pointers(function, {{"session", session}}); bad != GB_OK) return bad;
    if (object < 0 || object >= static_cast<int>(session->scene.objects.size()))
        return fail(GB_BAD_ARGUMENT, function, "there is no such object: see gb_object_count()");
    return GB_OK;
}

// Makes the hand of gb_flat_hand() and gb_curled_hand().
gb_result make_hand(const char* function, int side, const gb_pose& world_from_wrist, const float* curls, gb_hand& out) {
    if (const gb_result bad = check_side(function, side); bad != GB_OK) return bad;
    const Eigen::Vector3f wrist_m(world_from_wrist.position_m);
    const Eigen::Quaternionf turn(world_from_wrist.orientation);
    if (!wrist_m.allFinite()) return fail(GB_BAD_ARGUMENT, function, "the position of the wrist is not finite");
    if (!(std::abs(turn.norm() - 1.0F) < 0.01F))
        return fail(GB_BAD_ARGUMENT, function, "`orientation`: x y z w of length 1 is expected");
    if (!std::all_of(curls, curls + tracking::kFingerCount, [](float curl) { return std::abs(curl) <= 10.0F; }))
        return fail(GB_BAD_ARGUMENT, function, "`curls`: numbers from 0 to 1 are expected");
    return guarded(function, GB_INTERNAL, [&] {
        std::array<float, tracking::kFingerCount> each;
        std::copy_n(curls, each.size(), each.begin());
        const tracking::HandFrame hand =
            vr::curled_hand(static_cast<Side>(side), Eigen::Translation3f(wrist_m) * turn.normalized(), each);
        out.active = 1;
        for (std::size_t i = 0; i < hand.joints.size(); ++i) {
            gb_joint& joint = out.joints[i];
            copy(hand.joints[i].position_m, joint.position_m);
            for (int k = 0; k < 4; ++k) joint.orientation[k] = hand.joints[i].orientation.coeffs()[k];
            joint.radius_m = hand.joints[i].radius_m;
            joint.flags = hand.joints[i].flags;
        }
        return GB_OK;
    });
}

}  // namespace

int gb_abi(void) noexcept {
    return GB_ABI;
}

const char* gb_version(void) noexcept {
    return GLOVEBOX_VERSION;
}

const char* gb_last_error(void) noexcept {
    return last_error.data();
}

gb_result gb_open(const char* scene, const gb_options* options, gb_session** session) noexcept {
    if (const gb_result bad = check_pointers("gb_open", {{"session", session}}); bad != GB_OK) return bad;
    const gb_options chosen = options != nullptr ? *options : gb_options{};
    if (!(chosen.filter_hz >= 0.0F && chosen.filter_hz <= tracking::kMaxCutoff_hz))
        return fail(GB_BAD_ARGUMENT, "gb_open", "`filter_hz` is not from 0 to 1000");
    if (!(chosen.filter_beta >= 0.0F && chosen.filter_beta <= tracking::kMaxBeta))
        return fail(GB_BAD_ARGUMENT, "gb_open", "`filter_beta` is not from 0 to 1000000");
    if (chosen.filter_beta > 0.0F && !(chosen.filter_hz > 0.0F))
        return fail(GB_BAD_ARGUMENT, "gb_open", "`filter_beta` has no effect without `filter_hz`");
    return guarded("gb_open", GB_CANNOT_OPEN, [&] {
        vr::FedOptions fed;
        fed.forces = chosen.forces != 0;
        fed.simulated = chosen.simulated != 0;
        fed.filter.on = chosen.filter_hz > 0.0F;
        if (fed.filter.on) fed.filter.min_cutoff_hz = double{chosen.filter_hz};
        if (chosen.filter_beta > 0.0F) fed.filter.beta = double{chosen.filter_beta};
        *session = std::make_unique<gb_session>(open_scene(scene), fed).release();
        return GB_OK;
    });
}

void gb_close(gb_session* session) noexcept {
    delete session;
}

gb_result gb_restart(gb_session* session) noexcept {
    if (const gb_result bad = check_pointers("gb_restart", {{"session", session}}); bad != GB_OK) return bad;
    return guarded("gb_restart", GB_INTERNAL, [&] {
        session->restart();
        return GB_OK;
    });
}

gb_result gb_step(gb_session* session, const gb_hand* left, const gb_hand* right, double time_s,
                  gb_step_report* report) noexcept {
    if (const gb_result bad = check_pointers("gb_step", {{"session", session}}); bad != GB_OK) return bad;
    if (const std::string_view reason = session->refuses(time_s); !reason.empty())
        return fail(GB_BAD_ARGUMENT, "gb_step", reason.data());
    return guarded("gb_step", GB_INTERNAL, [&] {
        session->step(time_s,
                      [&](Side side, tracking::HandFrame& hand) { copy(side == Side::left ? left : right, hand); });
        const vr::Pipeline& pipeline = session->pipeline;
        if (report == nullptr) return GB_OK;
        *report = {};
        report->time_s = time_s;
        session->each_contact([&](Side, const collision::Contact&) { ++report->contacts; });
        session->each_touch([&](const gb_touch&) { ++report->touches; });
        report->events = static_cast<int>(pipeline.report.events.size());
        for (const Side side : tracking::kSides) {
            const auto i = static_cast<std::size_t>(side);
            report->present[i] = pipeline.world.hands[side].present ? 1 : 0;
            report->held[i] = pipeline.guard_reports[side].held ? 1 : 0;
        }
        report->state_hash[0] = static_cast<unsigned int>(pipeline.report.state_hash);
        report->state_hash[1] = static_cast<unsigned int>(pipeline.report.state_hash >> 32);
        report->pairs_tested = static_cast<int>(pipeline.report.counts.candidates);
        report->pairs_touching = static_cast<int>(pipeline.report.counts.touching);
        return GB_OK;
    });
}

gb_result gb_fit_hand(gb_session* session, int side, const gb_hand* samples, int count) noexcept {
    if (const gb_result bad = check_pointers("gb_fit_hand", {{"session", session}, {"samples", samples}}); bad != GB_OK)
        return bad;
    if (count < 1) return fail(GB_BAD_ARGUMENT, "gb_fit_hand", "`count` is not positive");
    if (const gb_result bad = check_side("gb_fit_hand", side); bad != GB_OK) return bad;
    return guarded("gb_fit_hand", GB_INTERNAL, [&] {
        std::vector<tracking::HandPair> copies(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < copies.size(); ++i) copy(samples + i, copies[i][static_cast<Side>(side)]);
        if (session->fit_hand(static_cast<Side>(side), copies)) return GB_OK;
        return fail(GB_BAD_ARGUMENT, "gb_fit_hand", "no sample has an active hand with a finger that is valid");
    });
}

gb_result gb_save(const gb_session* session, gb_state** state) noexcept {
    if (const gb_result bad = check_pointers("gb_save", {{"session", session}, {"state", state}}); bad != GB_OK)
        return bad;
    return guarded("gb_save", GB_INTERNAL, [&] {
        *state = new gb_state{session->save()};  // clang 14 makes no aggregate in make_unique()
        return GB_OK;
    });
}

gb_result gb_restore(gb_session* session, const gb_state* state) noexcept {
    if (const gb_result bad = check_pointers("gb_restore", {{"session", session}, {"state", state}}); bad != GB_OK)
        return bad;
    return guarded("gb_restore", GB_BAD_ARGUMENT, [&] {
        session->restore(state->saved);
        return GB_OK;
    });
}

void gb_free_state(gb_state* state) noexcept {
    delete state;
}

gb_result gb_contacts(const gb_session* session, gb_contact* out, int capacity, int* count) noexcept {
    if (const gb_result bad = check_query("gb_contacts", session, out, capacity, count); bad != GB_OK) return bad;
    Writer<gb_contact> writer{out, capacity};
    session->each_contact([&](Side side, const collision::Contact& from) {
        gb_contact* to = writer.next();
        if (to == nullptr) return;
        *to = {};
        to->side = static_cast<int>(side);
        to->bone = from.bone;
        to->part = scenes::part_of_bone(from.bone);
        to->object = from.object;
        to->distance_m = from.distance_m;
        copy(from.normal, to->normal);
        copy(from.on_body_m, to->on_hand_m);
        copy(from.on_object_m, to->on_object_m);
        to->touching = session->touching(side, from.bone, from.object) ? 1 : 0;
    });
    *count = writer.count;
    return GB_OK;
}

gb_result gb_touches(const gb_session* session, gb_touch* out, int capacity, int* count) noexcept {
    if (const gb_result bad = check_query("gb_touches", session, out, capacity, count); bad != GB_OK) return bad;
    Writer<gb_touch> writer{out, capacity};
    session->each_touch([&](const gb_touch& touch) {
        if (gb_touch* to = writer.next()) *to = touch;
    });
    *count = writer.count;
    return GB_OK;
}

gb_result gb_events(const gb_session* session, gb_event* out, int capacity, int* count) noexcept {
    if (const gb_result bad = check_query("gb_events", session, out, capacity, count); bad != GB_OK) return bad;
    Writer<gb_event> writer{out, capacity};
    for (const scenes::Event& from : session->pipeline.report.events) {
        gb_event* to = writer.next();
        if (to == nullptr) continue;
        *to = {};
        to->time_s = 1e-9 * static_cast<double>(from.time_ns);
        to->duration_s = 1e-9 * static_cast<double>(from.duration_ns);
        to->kind = static_cast<int>(from.kind);
        to->side = static_cast<int>(from.side);
        to->part = from.bone >= 0 ? scenes::part_of_bone(from.bone) : from.finger < 0 ? GB_PALM : from.finger;
        to->bone = from.bone;
        to->object = from.object;
        to->lost = from.lost ? 1 : 0;
        to->distance_m = from.distance_m;
        copy(from.point_m, to->point_m);
        copy(from.normal, to->normal);
        copy(from.relative_velocity_m_s, to->relative_velocity_m_s);
        to->impulse_n_s = from.impulse_n_s;
    }
    *count = writer.count;
    return GB_OK;
}

gb_result gb_forces(const gb_session* session, int side, gb_force out[6]) noexcept {
    if (const gb_result bad = check_pointers("gb_forces", {{"session", session}, {"out", out}}); bad != GB_OK)
        return bad;
    if (const gb_result bad = check_side("gb_forces", side); bad != GB_OK) return bad;
    if (!session->forces) return fail(GB_BAD_ARGUMENT, "gb_forces", "set gb_options.forces when you open the session");
    copy(session->forces->last[static_cast<Side>(side)], out);
    return GB_OK;
}

gb_result gb_open_force_loop(gb_session* session, gb_force_loop** loop) noexcept {
    if (const gb_result bad = check_pointers("gb_open_force_loop", {{"session", session}, {"loop", loop}});
        bad != GB_OK)
        return bad;
    return guarded("gb_open_force_loop", GB_INTERNAL, [&] {
        *loop = std::make_unique<gb_force_loop>(session->open_force_loop()).release();
        return GB_OK;
    });
}

void gb_close_force_loop(gb_force_loop* loop) noexcept {
    delete loop;
}

gb_result gb_render_forces(gb_force_loop* loop, double time_s, gb_force left[6], gb_force right[6]) noexcept {
    if (const gb_result bad = check_pointers("gb_render_forces", {{"loop", loop}}); bad != GB_OK) return bad;
    if (!(std::abs(time_s) < 9e6))
        return fail(GB_BAD_ARGUMENT, "gb_render_forces",
                    "`time_s` is not finite, or not below 9e6 s: count seconds from a start of your own");
    return guarded("gb_render_forces", GB_INTERNAL, [&] {
        const auto& forces = loop->render(std::llround(1e9 * time_s));
        if (left != nullptr) copy(forces[Side::left], left);
        if (right != nullptr) copy(forces[Side::right], right);
        return GB_OK;
    });
}

gb_result gb_curl_limits(const gb_session* session, int side, gb_curl_limit out[5]) noexcept {
    if (const gb_result bad = check_pointers("gb_curl_limits", {{"session", session}, {"out", out}}); bad != GB_OK)
        return bad;
    if (const gb_result bad = check_side("gb_curl_limits", side); bad != GB_OK) return bad;
    const tracking::HandFrame& hand = session->pipeline.hands[static_cast<Side>(side)];
    scenes::CurlLimits limits;
    collision::CollideCounts counts;
    if (hand.active)
        limits = scenes::curl_limits(hand, session->pipeline.world.colliders, counts,
                                     session->pipeline.world.hand_shapes[hand.side]);
    for (std::size_t i = 0; i < limits.size(); ++i)
        out[i] = {limits[i].known ? 1 : 0, limits[i].now, limits[i].touch, limits[i].bone, limits[i].object};
    return GB_OK;
}

int gb_object_count(const gb_session* session) noexcept {
    return session == nullptr ? 0 : static_cast<int>(session->scene.objects.size());
}

const char* gb_object_name(const gb_session* session, int object) noexcept {
    if (check_object("gb_object_name", session, object) != GB_OK) return nullptr;
    return session->scene.objects[static_cast<std::size_t>(object)].name.c_str();
}

gb_result gb_object_pose(const gb_session* session, int object, gb_pose* out) noexcept {
    if (const gb_result bad = check_object("gb_object_pose", session, object); bad != GB_OK) return bad;
    if (const gb_result bad = check_pointers("gb_object_pose", {{"out", out}}); bad != GB_OK) return bad;
    const Eigen::Isometry3f& pose = session->pipeline.world.world_from_object[static_cast<std::size_t>(object)];
    copy(pose.translation(), out->position_m);
    const Eigen::Quaternionf turn(pose.linear());
    for (int i = 0; i < 4; ++i) out->orientation[i] = turn.coeffs()[i];
    return GB_OK;
}

int gb_object_motion(const gb_session* session, int object) noexcept {
    if (check_object("gb_object_motion", session, object) != GB_OK) return -1;
    return static_cast<int>(session->scene.objects[static_cast<std::size_t>(object)].motion);
}

gb_result gb_set_object_pose(gb_session* session, int object, const gb_pose* world_from_object) noexcept {
    if (const gb_result bad = check_object("gb_set_object_pose", session, object); bad != GB_OK) return bad;
    if (const gb_result bad = check_pointers("gb_set_object_pose", {{"world_from_object", world_from_object}});
        bad != GB_OK)
        return bad;
    return guarded("gb_set_object_pose", GB_INTERNAL, [&] {
        const Eigen::Quaternionf turn(world_from_object->orientation);
        if (!(std::abs(turn.norm() - 1.0F) < 0.01F))
            return fail(GB_BAD_ARGUMENT, "gb_set_object_pose", "`orientation`: x y z w of length 1 is expected");
        const std::string_view refusal = scenes::set_object_pose(
            session->scene, session->pipeline.world, object,
            Eigen::Translation3f(Eigen::Vector3f(world_from_object->position_m)) * turn.normalized());
        return refusal.empty() ? GB_OK : fail(GB_BAD_ARGUMENT, "gb_set_object_pose", refusal.data());
    });
}

gb_result gb_set_object_velocity(gb_session* session, int object, const float linear_m_s[3],
                                 const float angular_rad_s[3]) noexcept {
    if (const gb_result bad = check_object("gb_set_object_velocity", session, object); bad != GB_OK) return bad;
    const auto vector = [](const float* from) {
        return from == nullptr ? Eigen::Vector3f(Eigen::Vector3f::Zero()) : Eigen::Vector3f(from);
    };
    return guarded("gb_set_object_velocity", GB_INTERNAL, [&] {
        const std::string_view refusal = scenes::set_object_velocity(session->scene, session->pipeline.world, object,
                                                                     vector(linear_m_s), vector(angular_rad_s));
        return refusal.empty() ? GB_OK : fail(GB_BAD_ARGUMENT, "gb_set_object_velocity", refusal.data());
    });
}

gb_result gb_cast_ray(const gb_session* session, const float from_m[3], const float direction[3], float length_m,
                      gb_ray_hit* out) noexcept {
    if (const gb_result bad = check_pointers(
            "gb_cast_ray", {{"session", session}, {"from_m", from_m}, {"direction", direction}, {"out", out}});
        bad != GB_OK)
        return bad;
    const collision::Ray ray{Eigen::Vector3f(from_m), Eigen::Vector3f(direction), length_m};
    if (!(ray.from_m.allFinite() && ray.direction.allFinite() && !ray.direction.isZero(0.0F) && length_m >= 0.0F))
        return fail(GB_BAD_ARGUMENT, "gb_cast_ray", "the ray is not finite, has no direction, or a negative length");
    return guarded("gb_cast_ray", GB_INTERNAL, [&] {
        const auto hit = scenes::cast_ray(session->scene, session->pipeline.world, ray);
        *out = {};
        out->object = out->triangle = -1;
        if (!hit) return GB_OK;
        out->object = hit->object;
        out->triangle = hit->at.triangle;
        out->distance_m = hit->at.distance_m;
        copy(hit->at.point_m, out->point_m);
        copy(hit->at.normal, out->normal);
        return GB_OK;
    });
}

gb_result gb_flat_hand(int side, const float wrist_m[3], gb_hand* out) noexcept {
    if (const gb_result bad = check_pointers("gb_flat_hand", {{"wrist_m", wrist_m}, {"out", out}}); bad != GB_OK)
        return bad;
    gb_pose world_from_wrist = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    std::copy_n(wrist_m, 3, world_from_wrist.position_m);
    const float straight[5] = {};
    return make_hand("gb_flat_hand", side, world_from_wrist, straight, *out);
}

gb_result gb_curled_hand(int side, const gb_pose* world_from_wrist, const float curls[5], gb_hand* out) noexcept {
    if (const gb_result bad =
            check_pointers("gb_curled_hand", {{"world_from_wrist", world_from_wrist}, {"curls", curls}, {"out", out}});
        bad != GB_OK)
        return bad;
    return make_hand("gb_curled_hand", side, *world_from_wrist, curls, *out);
}
