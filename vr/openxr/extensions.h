// The OpenXR extensions that we know, as rows: when each is asked for, and what is lost where it is not offered.
#pragma once

#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr::openxr {

/// Numbers of the table's rows.
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

enum class Use : std::uint8_t {
    needed_headless,  ///< no headless session without it
    needed_graphics,  ///< no pictures without it
    graphics_if_offered,
    if_offered
};

struct ExtensionRow {
    Extension extension;
    const char* name;
    Use use;
    std::string_view without;          ///< one sentence: what is lost
    bool needs_hand_tracking = false;  ///< stands on XR_EXT_hand_tracking and may not be enabled without it
};
std::span<const ExtensionRow> extension_table();

class Extensions {
  public:
    bool has(Extension extension) const { return enabled_[static_cast<std::size_t>(extension)]; }
    void set(Extension extension) { enabled_.set(static_cast<std::size_t>(extension)); }

  private:
    std::bitset<kExtensionCount> enabled_;
};

struct ExtensionChoice {
    Extensions enabled;
    std::vector<const char*> names;
    std::string missing;             ///< a needed one that is not offered: its sentence; empty: fine
    std::vector<std::string> notes;  ///< one sentence for each row that is not there
};

/// Which of the offered names to enable.
ExtensionChoice choose_extensions(std::span<const std::string> offered, bool headless);

}  // namespace glovebox::vr::openxr
