#include "vr/layer/spaces.h"

#include <new>

#include "vr/layer/hand_actions.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

using recordings::AppPose;
using recordings::PoseOf;

XrPosef posef_of(const Pose& pose) {
    const Eigen::Quaternionf q = pose.orientation.cast<float>();
    const Eigen::Vector3f p = pose.position_m.cast<float>();
    return {{q.x(), q.y(), q.z(), q.w()}, {p.x(), p.y(), p.z()}};
}

Pose pose_of(const AppPose& pose) {
    return {pose.position_m.cast<double>(), pose.orientation.cast<double>()};
}

bool is_identity(const XrPosef& pose) {
    const auto& q = pose.orientation;
    const auto& p = pose.position;
    return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1 && p.x == 0 && p.y == 0 && p.z == 0;
}

// Copies the numbers without computation, so that no bit changes.
AppPose app_pose_of(const XrPosef& pose, XrSpaceLocationFlags flags) {
    AppPose out;
    out.flags = static_cast<std::uint8_t>(flags & recordings::pose_flags::kAll);
    if ((flags & recordings::pose_flags::kPositionValid) != 0)
        out.position_m = {pose.position.x, pose.position.y, pose.position.z};
    if ((flags & recordings::pose_flags::kOrientationValid) != 0)
        out.orientation = {pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z};
    return out;
}

void set(AppPose& out, const Pose& pose) {
    out.position_m = pose.position_m.cast<float>();
    out.orientation = pose.orientation.cast<float>();
}

bool is_replayable(const Instance& instance) {
    return instance.replay != nullptr && instance.replay->has_application();
}

std::optional<AppPose> replayed(const Instance& instance, PoseOf of, std::int32_t number,
                                recordings::ActionSource source, XrTime time, PoseMotion* motion = nullptr) {
    if (!is_replayable(instance)) return std::nullopt;
    return instance.replay->pose(of, number, source, time, instance.was_focused.load(std::memory_order_acquire),
                                 motion);
}
// Returns a pose from the replay or a supplied hand; empty if the device's own is to be used.
std::optional<AppPose> supplied(const Space& space, XrTime time, PoseMotion* motion = nullptr) {
    if (!space.is_of_device()) return std::nullopt;
    const std::int32_t number = space.of == PoseOf::head ? 0 : space.replay_action;
    if (const auto pose = replayed(*space.session->instance, *space.of, number, space.source, time, motion))
        return pose;
    return space.of == PoseOf::action ? hand_pose(space, time) : std::nullopt;
}

void keep_pose(const Instance& instance, AppPose pose, PoseOf of, std::int32_t number, recordings::ActionSource source,
               XrTime time) {
    pose.of = of;
    pose.number = number;
    pose.source = source;
    instance.record->pose(pose, time, now_ns());
}

bool keeps(const Instance& instance) {
    return instance.record != nullptr && instance.was_focused.load(std::memory_order_acquire);
}

// Records a pose of head or controller, from the device or the replay.
void keep(XrSpace handle, const Space& space, XrTime time) {
    const Session& session = *space.session;
    const Instance& instance = *session.instance;
    const std::int32_t number = space.of == PoseOf::head ? 0 : space.record_action;
    if (number < 0) return;
    if (const auto pose = supplied(space, time))
        return keep_pose(instance, *pose, *space.of, number, space.source, time);
    XrSpaceLocation found{};
    found.type = XR_TYPE_SPACE_LOCATION;
    if (instance.next.locate_space(handle, session.local, time, &found) < 0) return;
    AppPose pose = app_pose_of(found.pose, found.locationFlags);
    if (space.offset && pose.is_valid()) set(pose, layer::pose_of(found.pose) * space.offset->inverse());
    keep_pose(instance, pose, *space.of, number, space.source, time);
}

void keep_head(const Session& session, XrTime time) {
    const Instance& instance = *session.instance;
    const auto any = recordings::ActionSource::any;
    if (const auto pose = replayed(instance, PoseOf::head, 0, any, time))
        return keep_pose(instance, *pose, PoseOf::head, 0, any, time);
    XrSpaceLocation found{};
    found.type = XR_TYPE_SPACE_LOCATION;
    if (session.view == XR_NULL_HANDLE || instance.next.locate_space(session.view, session.local, time, &found) < 0)
        return;
    keep_pose(instance, app_pose_of(found.pose, found.locationFlags), PoseOf::head, 0, any, time);
}

XrResult make_space(const Session& session, XrReferenceSpaceType type, XrSpace& out) {
    if (out != XR_NULL_HANDLE) return XR_SUCCESS;
    XrReferenceSpaceCreateInfo info{};
    info.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO;
    info.referenceSpaceType = type;
    info.poseInReferenceSpace.orientation.w = 1.0F;
    return session.instance->next.create_reference_space(session.handle, &info, &out);
}

// Only needed for actions: an application that locates hands has trackers of its own. Null if the device has none.
void make_watchers(Session& session) {
    const Instance& instance = *session.instance;
    if (!instance.supplies_interaction() || !instance.next_has_hands) return;
    for (const tracking::Side side : tracking::kSides) {
        XrHandTrackerEXT& watcher = session.watchers[side];
        if (!instance.gloves[side] || watcher != XR_NULL_HANDLE) continue;
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr,
                                              side == tracking::Side::left ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        if (instance.next.create_hand_tracker(session.handle, &info, &watcher) < 0) watcher = XR_NULL_HANDLE;
    }
}

// Without room in the table, the space is the runtime's alone.
void know(XrSpace handle, const Space& space) {
    known().spaces.add(number_of(handle), std::unique_ptr<Space>(new (std::nothrow) Space(space)));
}

// Reports a space's velocity in its base, from the recording; not known if the base moves, too.
void write_motion(const PoseMotion& motion, const Space* base, const InLocal& base_in_local, XrSpaceLocation& out) {
    auto* velocity = in_chain<XrSpaceVelocity>(out.next, XR_TYPE_SPACE_VELOCITY);
    if (velocity == nullptr) return;
    velocity->velocityFlags = 0;
    const bool moves_itself = base != nullptr && base->is_of_device();
    if (!motion.known || moves_itself || (out.locationFlags & recordings::pose_flags::kValid) == 0) return;
    const Eigen::Quaternionf base_from_local =
        base_in_local.local_from_space.value_or(Pose()).orientation.conjugate().cast<float>();
    const Eigen::Vector3f linear = base_from_local * motion.linear_m_s;
    const Eigen::Vector3f angular = base_from_local * motion.angular_rad_s;
    velocity->velocityFlags = XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;
    velocity->linearVelocity = {linear.x(), linear.y(), linear.z()};
    velocity->angularVelocity = {angular.x(), angular.y(), angular.z()};
}

XrResult write_supplied(const Session& session, XrSpace handle, XrSpace base_handle, const Space* base, XrTime time,
                        XrSpaceLocation& out) {
    InLocal space_in_local, base_in_local;
    PoseMotion motion;
    if (const XrResult result = find_in_local(session, handle, time, space_in_local, &motion); result < 0)
        return result;
    if (const XrResult result = find_in_local(session, base_handle, time, base_in_local); result < 0) return result;
    out.locationFlags = space_in_local.flags & base_in_local.flags;
    if ((out.locationFlags & recordings::pose_flags::kValid) != recordings::pose_flags::kValid) {
        out.locationFlags = 0;
    } else {
        const Pose local_from_space = space_in_local.local_from_space.value_or(Pose());
        const auto& local_from_base = base_in_local.local_from_space;
        out.pose = posef_of(local_from_base ? local_from_base->inverse() * local_from_space : local_from_space);
    }
    write_motion(motion, base, base_in_local, out);
    return XR_SUCCESS;
}

// Turns the next layer's answer into the application's, and records it.
XrResult give(XrSpace handle, XrSpace base_handle, XrTime time, XrSpaceLocation& out) {
    const Space* space = known().spaces.find(number_of(handle));
    const Space* base = known().spaces.find(number_of(base_handle));
    const bool is_of_device = space != nullptr && space->is_of_device();
    const bool is_base_of_device = base != nullptr && base->is_of_device();
    if (!is_of_device && !is_base_of_device) return XR_SUCCESS;
    Session& session = is_of_device ? *space->session : *base->session;
    if (session.local == XR_NULL_HANDLE) return XR_SUCCESS;
    session.located(time);
    if ((is_of_device && supplied(*space, time)) || (is_base_of_device && supplied(*base, time)))
        if (const XrResult result = write_supplied(session, handle, base_handle, base, time, out); result < 0)
            return result;
    if (keeps(*session.instance)) {
        if (is_of_device) keep(handle, *space, time);
        if (is_base_of_device) keep(base_handle, *base, time);
    }
    return XR_SUCCESS;
}

}  // namespace

Pose pose_of(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    return {Eigen::Vector3f(p.x, p.y, p.z).cast<double>(),
            Eigen::Quaternionf(q.w, q.x, q.y, q.z).cast<double>().normalized()};
}

XrResult make_spaces(Session& session) {
    const std::lock_guard lock(session.making_spaces);
    if (const XrResult result = make_space(session, XR_REFERENCE_SPACE_TYPE_LOCAL, session.local); result < 0)
        return result;
    make_watchers(session);
    if (!session.instance->keeps_application() && session.overlay == nullptr) return XR_SUCCESS;
    return make_space(session, XR_REFERENCE_SPACE_TYPE_VIEW, session.view);
}

XrResult find_in_local(const Session& session, XrSpace handle, XrTime time, InLocal& out, PoseMotion* motion) {
    XrSpaceLocation found{};
    found.type = XR_TYPE_SPACE_LOCATION;
    const XrResult result = session.instance->next.locate_space(handle, session.local, time, &found);
    if (result < 0) return result;
    const Space* space = known().spaces.find(number_of(handle));
    if (const auto pose = space == nullptr ? std::nullopt : supplied(*space, time, motion)) {
        out.flags = pose->flags;
        out.local_from_space = space->offset ? pose_of(*pose) * *space->offset : pose_of(*pose);
        // A point beside what turns moves with it.
        if (motion != nullptr && motion->known && space->offset)
            motion->linear_m_s +=
                motion->angular_rad_s.cross(pose->orientation * space->offset->position_m.cast<float>());
        return result;
    }
    out.flags = static_cast<std::uint8_t>(found.locationFlags & recordings::pose_flags::kAll);
    if (out.is_known() && !is_identity(found.pose)) out.local_from_space = layer::pose_of(found.pose);
    return result;
}

XrResult XRAPI_CALL create_reference_space(XrSession handle, const XrReferenceSpaceCreateInfo* info, XrSpace* out) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = session->instance->next.create_reference_space(handle, info, out);
    if (result < 0) return result;
    Space space;
    space.session = session;
    if (info->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_VIEW) space.of = PoseOf::head;
    if (!is_identity(info->poseInReferenceSpace)) space.offset = pose_of(info->poseInReferenceSpace);
    know(*out, space);
    return result;
}

XrResult XRAPI_CALL create_action_space(XrSession handle, const XrActionSpaceCreateInfo* info, XrSpace* out) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *session->instance;
    const XrResult result = instance.next.create_action_space(handle, info, out);
    if (result < 0) return result;
    Space space;
    space.session = session;
    const auto source = instance.source_of(info->subactionPath);
    if (const Action* action = known().actions.find(number_of(info->action)); action != nullptr && source) {
        space.of = PoseOf::action;
        space.source = *source;
        space.action = info->action;
        space.record_action = action->in_record;
        space.replay_action = action->in_replay;
    }
    if (!is_identity(info->poseInActionSpace)) space.offset = pose_of(info->poseInActionSpace);
    know(*out, space);
    return result;
}

XrResult XRAPI_CALL destroy_space(XrSpace handle) {
    const auto space = known().spaces.remove(number_of(handle));
    const Instance* instance = space != nullptr ? space->session->instance : known().last.load();
    return instance == nullptr ? XR_ERROR_HANDLE_INVALID : instance->next.destroy_space(handle);
}

XrResult XRAPI_CALL locate_space(XrSpace handle, XrSpace base_handle, XrTime time, XrSpaceLocation* out) {
    const Space* space = known().spaces.find(number_of(handle));
    const Space* base = known().spaces.find(number_of(base_handle));
    // Spaces of extensions that the layer does not know are the runtime's alone.
    const Instance* instance = space != nullptr  ? space->session->instance
                               : base != nullptr ? base->session->instance
                                                 : known().last.load();
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.locate_space(handle, base_handle, time, out);
    if (result < 0) return result;
    const XrResult given = give(handle, base_handle, time, *out);
    return given < 0 ? given : result;
}

XrResult XRAPI_CALL locate_spaces(XrSession handle, const XrSpacesLocateInfoKHR* info, XrSpaceLocationsKHR* out) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = session->instance->next.locate_spaces(handle, info, out);
    if (result < 0) return result;
    const auto* velocities = in_chain<XrSpaceVelocitiesKHR>(out->next, XR_TYPE_SPACE_VELOCITIES_KHR);
    for (std::uint32_t i = 0; i < info->spaceCount; ++i) {
        XrSpaceLocationDataKHR& to = out->locations[i];
        XrSpaceVelocity velocity{};
        velocity.type = XR_TYPE_SPACE_VELOCITY;
        XrSpaceLocation location{};
        location.type = XR_TYPE_SPACE_LOCATION;
        location.locationFlags = to.locationFlags;
        location.pose = to.pose;
        if (velocities != nullptr) {
            const XrSpaceVelocityDataKHR& from = velocities->velocities[i];
            location.next = &velocity;
            velocity.velocityFlags = from.velocityFlags;
            velocity.linearVelocity = from.linearVelocity;
            velocity.angularVelocity = from.angularVelocity;
        }
        if (const XrResult given = give(info->spaces[i], info->baseSpace, info->time, location); given < 0)
            return given;
        to = {location.locationFlags, location.pose};
        if (velocities != nullptr)
            velocities->velocities[i] = {velocity.velocityFlags, velocity.linearVelocity, velocity.angularVelocity};
    }
    return result;
}

XrResult XRAPI_CALL locate_views(XrSession handle, const XrViewLocateInfo* info, XrViewState* state,
                                 std::uint32_t capacity, std::uint32_t* count, XrView* views) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *session->instance;
    const XrResult result = instance.next.locate_views(handle, info, state, capacity, count, views);
    if (result < 0 || capacity == 0 || session->local == XR_NULL_HANDLE) return result;
    session->located(info->displayTime);
    InLocal base;
    if (find_in_local(*session, info->space, info->displayTime, base) < 0) return result;
    const auto& local_from_base = base.local_from_space;
    for (std::uint32_t i = 0; i < std::min(capacity, *count); ++i) {
        const auto number = static_cast<std::int32_t>(i);
        auto pose = replayed(instance, PoseOf::view, number, recordings::ActionSource::any, info->displayTime);
        if (pose) {
            state->viewStateFlags = base.is_known() ? pose->flags & base.flags : 0;
            views[i].pose = posef_of(local_from_base ? local_from_base->inverse() * pose_of(*pose) : pose_of(*pose));
            views[i].fov = {pose->fov_rad[0], pose->fov_rad[1], pose->fov_rad[2], pose->fov_rad[3]};
        }
        if (!keeps(instance)) continue;
        if (!pose) {
            pose = app_pose_of(views[i].pose, base.is_known() ? state->viewStateFlags : 0);
            if (local_from_base && pose->is_valid()) set(*pose, *local_from_base * layer::pose_of(views[i].pose));
            pose->fov_rad = {views[i].fov.angleLeft, views[i].fov.angleRight, views[i].fov.angleUp,
                             views[i].fov.angleDown};
        }
        keep_pose(instance, *pose, PoseOf::view, number, recordings::ActionSource::any, info->displayTime);
    }
    if (keeps(instance)) keep_head(*session, info->displayTime);
    return result;
}

}  // namespace glovebox::vr::layer
