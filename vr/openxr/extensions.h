// Table of the OpenXR extensions that the application uses, with the condition for requesting each and the loss without
// it.
#pragma once

#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr::openxr {

/// Indices into the table.
enum class Extension : std::uint8_t {
    headless,
    opengl,
    hand_tracking,
    convert_timespec,
    motion_range,
    force_feedback_curl,
    depth_layer,
    refresh_rate,
    hand_interaction,
    hand_mesh,
    egl,
    debug_utils
};
inline constexpr std::size_t kExtensionCount = 12;

/// When an extension is enabled.
enum class Use : std::uint8_t {
    needed_headless,  ///< required for headless sessions
    needed_graphics,  ///< required for sessions with pictures
    graphics_if_offered,
    if_offered
};

/// An entry of the table.
struct ExtensionRow {
    Extension extension;
    const char* name;
    Use use;
    std::string_view without;          ///< one sentence on what is lost without it
    bool needs_hand_tracking = false;  ///< depends on XR_EXT_hand_tracking and may not be enabled without it
};
std::span<const ExtensionRow> extension_table();

/// A set of extensions.
class Extensions {
  public:
    bool has(Extension extension) const { return enabled_[static_cast<std::size_t>(extension)]; }
    void set(Extension extension) { enabled_.set(static_cast<std::size_t>(extension)); }

  private:
    std::bitset<kExtensionCount> enabled_;
};

/// Result of choose_extensions().
struct ExtensionChoice {
    Extensions enabled;
    std::vector<const char*> names;
    std::string missing;             ///< sentence about a required extension that is not offered; empty: none
    std::vector<std::string> notes;  ///< one sentence for each extension that is not offered
};

/// Chooses which of the offered extensions to enable.
ExtensionChoice choose_extensions(std::span<const std::string> offered, bool headless);

}  // namespace glovebox::vr::openxr
