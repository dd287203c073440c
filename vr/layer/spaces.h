// Records and replays spaces and views, which are poses of head, eyes and controllers, and locates any space in LOCAL.
#pragma once

#include <optional>

#include "vr/layer/instance.h"
#include "vr/layer/replay.h"

namespace glovebox::vr::layer {

Pose pose_of(const XrPosef& pose);

/// Pose of a space in LOCAL at a time.
struct InLocal {
    std::uint8_t flags = recordings::pose_flags::kAll;
    std::optional<Pose> local_from_space;  ///< empty: the space is LOCAL itself

    bool is_known() const { return (flags & recordings::pose_flags::kValid) == recordings::pose_flags::kValid; }
};

/// Creates the layer's own spaces of a session: LOCAL, and VIEW if needed. If this fails, returns an error that OpenXR
/// allows the application's call to return.
XrResult make_spaces(Session& session);
/// Locates a space in LOCAL. Poses of the head and of controllers come from the replay if it has them. Returns the
/// runtime's errors.
XrResult find_in_local(const Session& session, XrSpace space, XrTime time, InLocal& out, PoseMotion* motion = nullptr);

XrResult XRAPI_CALL create_reference_space(XrSession, const XrReferenceSpaceCreateInfo*, XrSpace*);
XrResult XRAPI_CALL create_action_space(XrSession, const XrActionSpaceCreateInfo*, XrSpace*);
XrResult XRAPI_CALL destroy_space(XrSpace);
XrResult XRAPI_CALL locate_space(XrSpace, XrSpace base, XrTime, XrSpaceLocation*);
XrResult XRAPI_CALL locate_spaces(XrSession, const XrSpacesLocateInfoKHR*, XrSpaceLocationsKHR*);
XrResult XRAPI_CALL locate_views(XrSession, const XrViewLocateInfo*, XrViewState*, std::uint32_t capacity,
                                 std::uint32_t* count, XrView*);

}  // namespace glovebox::vr::layer
