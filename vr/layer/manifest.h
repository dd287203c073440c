// Installs and removes the layer's manifest in the user's folder that the OpenXR loader searches.
//
// The loader reads $XDG_DATA_HOME/openxr/1/api_layers (~/.local/share by default): implicit.d for layers that an
// environment variable enables, explicit.d for those that are requested by name. No special permissions are needed.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::vr::layer {

enum class ManifestKind : std::uint8_t { implicit_layer, explicit_layer };

/// A manifest file, which may not exist.
struct Manifest {
    std::filesystem::path file;
    bool is_there = false;
    bool is_ours = false;           ///< it names XR_APILAYER_glovebox
    std::filesystem::path library;  ///< absolute; empty if the file names none
};

/// Returns the manifest beside this program, in a build tree or an installation. Throws std::runtime_error if there is
/// none.
Manifest manifest_of_program();

/// Returns the folder that contains it below openxr/1/api_layers, for XDG_DATA_DIRS.
std::filesystem::path data_folder_of_program();

/// Returns the user's manifest. Throws std::runtime_error if the user has no folder.
Manifest manifest_of_user(ManifestKind kind);

/// Writes the user's manifest for this program's library. Returns false if it is there already. Throws
/// std::runtime_error if another one is there, unless `force`, or if it cannot be written.
bool install(ManifestKind kind, bool force);

/// Removes the user's manifest. Returns false if there is none. Throws std::runtime_error if it is of another layer,
/// unless `force`.
bool uninstall(ManifestKind kind, bool force);

}  // namespace glovebox::vr::layer
