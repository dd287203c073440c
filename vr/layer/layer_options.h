// Options of the OpenXR API layer, read from environment variables of the application's process, which `glovebox layer
// run` sets.
#pragma once

#include <filesystem>
#include <string>

#include "tracking/per_side.h"

namespace glovebox::vr::layer {

inline constexpr const char* kLayerName = "XR_APILAYER_glovebox";
/// Environment variables that enable and disable the implicit layer, as named in its manifest.
inline constexpr const char* kEnable = "ENABLE_XR_APILAYER_GLOVEBOX";
inline constexpr const char* kDisable = "DISABLE_XR_APILAYER_GLOVEBOX";

inline constexpr const char* kRecord = "GLOVEBOX_LAYER_RECORD";
/// Set if the log is deleted after the run; its path is then not printed.
inline constexpr const char* kTemporary = "GLOVEBOX_LAYER_TEMPORARY";
inline constexpr const char* kReplay = "GLOVEBOX_LAYER_REPLAY";
inline constexpr const char* kLoop = "GLOVEBOX_LAYER_LOOP";
inline constexpr tracking::PerSide<const char*> kGlove = {"GLOVEBOX_LAYER_GLOVE_LEFT", "GLOVEBOX_LAYER_GLOVE_RIGHT"};
/// These three have the meaning of the options of `glovebox live` and `glovebox vr`, and apply to both gloves.
inline constexpr const char* kGloveBaud = "GLOVEBOX_LAYER_GLOVE_BAUD";
inline constexpr const char* kGloveMaxAnalog = "GLOVEBOX_LAYER_GLOVE_MAX_ANALOG";
inline constexpr const char* kProfile = "GLOVEBOX_LAYER_PROFILE";
inline constexpr const char* kSee = "GLOVEBOX_LAYER_SEE";
inline constexpr const char* kSeePicture = "GLOVEBOX_LAYER_SEE_PICTURE";

/// The options as given in the environment; values are checked where they are used.
struct LayerOptions {
    std::filesystem::path record;          ///< log to write; empty: none
    bool is_temporary = false;             ///< the log is deleted after the run
    std::string replay;                    ///< recording, or name of a bundled one; empty: none
    bool loop = false;                     ///< restart the replay at its end
    tracking::PerSide<std::string> glove;  ///< device of each hand's glove; empty: none
    std::string baud, max_analog;          ///< serial settings of the gloves; empty: the defaults
    std::filesystem::path profile;         ///< file of the wearer's profile; empty: none
    std::string see;                       ///< scene of the panel over the application; empty: no panel
    std::filesystem::path see_picture;     ///< PNG of the panel at the session's end; empty: none

    bool gloves() const { return !glove[0].empty() || !glove[1].empty(); }
    /// Returns whether there is something to do in an application without hands.
    bool without_hands() const { return !record.empty() || !replay.empty() || !see.empty(); }
    /// Returns false if there is nothing to do.
    bool anything() const { return without_hands() || gloves(); }
};

/// Reads the options from the environment. Does not check their values.
LayerOptions options_from_environment();

}  // namespace glovebox::vr::layer
