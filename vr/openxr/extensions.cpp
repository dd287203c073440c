#include "vr/openxr/extensions.h"

#include <algorithm>
#include <array>

namespace glovebox::vr::openxr {
namespace {

constexpr std::array<ExtensionRow, kExtensionCount> kTable{{
    {Extension::headless, "XR_MND_headless", Use::needed_headless,
     "this runtime makes no session without graphics: run without --headless, or use another runtime (Monado has it)"},
    {Extension::opengl, "XR_KHR_opengl_enable", Use::needed_graphics,
     "this runtime takes no OpenGL pictures: run with --headless, or use another runtime"},
    {Extension::hand_tracking, "XR_EXT_hand_tracking", Use::if_offered,
     "no tracked hands: controllers bend a synthetic hand instead"},
    {Extension::convert_timespec, "XR_KHR_convert_timespec_time", Use::if_offered,
     "the runtime's clock cannot be converted: pose ages are measured from arrival"},
    {Extension::motion_range, "XR_EXT_hand_joints_motion_range", Use::if_offered,
     "hands that hold a controller may be shaped to it instead of as they are", true},
    {Extension::force_feedback_curl, "XR_MNDX_force_feedback_curl", Use::if_offered, "no force on single fingers",
     true},
    {Extension::depth_layer, "XR_KHR_composition_layer_depth", Use::graphics_if_offered,
     "the runtime reprojects pictures without their depth"},
    {Extension::refresh_rate, "XR_FB_display_refresh_rate", Use::if_offered,
     "the display's rate is taken from the frames"},
    {Extension::hand_interaction, "XR_EXT_hand_interaction", Use::if_offered, "no pinch and grasp values from hands"},
    {Extension::hand_mesh, "XR_FB_hand_tracking_mesh", Use::if_offered,
     "hands are drawn with our own skin, fitted to the joints' radii", true},
    {Extension::egl, "XR_MNDX_egl_enable", Use::graphics_if_offered, "pictures need an X server (OpenGL through GLX)"},
    {Extension::debug_utils, "XR_EXT_debug_utils", Use::if_offered, "the runtime's own messages are not shown"},
}};

bool wanted(Use use, bool headless) {
    if (use == Use::needed_headless) return headless;
    if (use == Use::needed_graphics || use == Use::graphics_if_offered) return !headless;
    return true;
}

}  // namespace

std::span<const ExtensionRow> extension_table() {
    return kTable;
}

ExtensionChoice choose_extensions(std::span<const std::string> offered, bool headless) {
    ExtensionChoice choice;
    for (const ExtensionRow& row : kTable) {
        if (!wanted(row.use, headless)) continue;
        const bool allowed = !row.needs_hand_tracking || choice.enabled.has(Extension::hand_tracking);
        if (allowed && std::find(offered.begin(), offered.end(), row.name) != offered.end()) {
            choice.enabled.set(row.extension);
            choice.names.push_back(row.name);
        } else if (row.use == Use::if_offered || row.use == Use::graphics_if_offered) {
            choice.notes.emplace_back(std::string(row.name) + ": " + std::string(row.without));
        } else {
            choice.missing = row.without;
        }
    }
    return choice;
}

}  // namespace glovebox::vr::openxr
