// Where the OpenXR loader looks for a user's layers, and the manifest that lies there.
//
// The loader reads $XDG_DATA_HOME/openxr/1/api_layers (~/.local/share without it): implicit.d for layers that an
// environment variable turns on, explicit.d for those that are asked for by name. No rights are needed there.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::vr::layer {

enum class ManifestKind : std::uint8_t { implicit_layer, explicit_layer };

/// What lies at a place.
struct Manifest {
    std::filesystem::path file;
    bool is_there = false;
    bool is_ours = false;           ///< it names XR_APILAYER_glovebox
    std::filesystem::path library;  ///< absolute; empty where the file does not say
};

/// The manifest beside this program: of a build tree or an installation. Throws std::runtime_error where there is none.
Manifest manifest_of_program();

/// The folder that has it below openxr/1/api_layers: for XDG_DATA_DIRS.
std::filesystem::path data_folder_of_program();

/// The user's. Throws std::runtime_error where the user has no folder.
Manifest manifest_of_user(ManifestKind kind);

/// Writes the user's manifest, with the library of this program. False: it is there already. Throws std::runtime_error
/// where another one is there, unless `force`, and where nothing can be written.
bool install(ManifestKind kind, bool force);

/// Removes the user's manifest. False: there is none. Throws std::runtime_error where it is of another layer, unless
/// `force`.
bool uninstall(ManifestKind kind, bool force);

}  // namespace glovebox::vr::layer
