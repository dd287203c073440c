// Installs and removes the layer's manifest in the user's folder that the OpenXR loader searches.
//
// The loader reads $XDG_DATA_HOME/openxr/1/api_layers; $XDG_DATA_HOME is ~/.local/share by default. Its folder
// implicit.d is for layers that an environment variable enables, explicit.d for layers that are requested by name.
// Installing needs no special permissions.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::vr::layer {

enum class ManifestKind : std::uint8_t { implicit_layer, explicit_layer };

/// A manifest file, which may not exist.
struct Manifest {
    std::filesystem::path file;
    bool is_there = false;
    bool is_ours = false;           ///< the manifest names XR_APILAYER_glovebox
    std::filesystem::path library;  ///< absolute; empty if the file names none
};

/// Returns the manifest beside this program, in a build tree or an installation. Throws std::runtime_error if there is
/// none.
Manifest manifest_of_program();

/// Returns the data folder, for XDG_DATA_DIRS, below which openxr/1/api_layers contains that manifest.
std::filesystem::path data_folder_of_program();

/// Returns the user's manifest. Throws std::runtime_error if the user has no data folder.
Manifest manifest_of_user(ManifestKind kind);

/// Writes the user's manifest for this program's library. Returns false if this manifest exists already. Throws
/// std::runtime_error if the file cannot be written, or if a different one exists and `force` is false.
bool install(ManifestKind kind, bool force);

/// Removes the user's manifest. Returns false if there is none. Throws std::runtime_error if the file is the manifest
/// of another layer and `force` is false.
bool uninstall(ManifestKind kind, bool force);

}  // namespace glovebox::vr::layer
