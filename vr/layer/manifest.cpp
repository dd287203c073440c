#include "vr/layer/manifest.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "recordings/output.h"
#include "vr/layer/layer_options.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

constexpr const char* kFileName = "XR_APILAYER_glovebox.json";
constexpr std::size_t kMaxBytes = 1 << 16;  // manifests of other layers are read, too

std::string text_of(const std::filesystem::path& file) {
    std::string text(kMaxBytes, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

Manifest manifest_at(const std::filesystem::path& file) {
    Manifest found;
    found.file = file;
    std::error_code ignored;
    found.is_there = std::filesystem::symlink_status(file, ignored).type() != std::filesystem::file_type::not_found;
    if (!std::filesystem::is_regular_file(file, ignored)) return found;
    const auto json = nlohmann::json::parse(text_of(file), nullptr, false);
    if (!json.is_object() || !json.contains("api_layer") || !json["api_layer"].is_object()) return found;
    const auto& layer = json["api_layer"];
    found.is_ours = layer.value("name", nlohmann::json()) == kLayerName;
    const auto library = layer.value("library_path", nlohmann::json());
    if (library.is_string()) found.library = (file.parent_path() / library.get<std::string>()).lexically_normal();
    return found;
}

// Returns the user's manifest: the program's own with an absolute path of the library.
std::string text_for_user() {
    const Manifest own = manifest_of_program();
    auto json = nlohmann::ordered_json::parse(text_of(own.file));
    json["api_layer"]["library_path"] = own.library.string();
    return json.dump(4) + "\n";
}

}  // namespace

std::filesystem::path data_folder_of_program() {
    return (program_folder().parent_path() / "share").lexically_normal();
}

Manifest manifest_of_program() {
    Manifest own = manifest_at(data_folder_of_program() / "openxr/1/api_layers/explicit.d" / kFileName);
    if (!own.is_ours || !std::filesystem::exists(own.library))
        throw std::runtime_error(own.file.string() +
                                 ": the layer is not there; build the whole project, or install it");
    return own;
}

Manifest manifest_of_user(ManifestKind kind) {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    const bool has_data = data != nullptr && *data != '\0';
    if (!has_data && (home == nullptr || *home == '\0'))
        throw std::runtime_error("there is no folder for a user's layers: neither XDG_DATA_HOME nor HOME is set");
    const std::filesystem::path folder =
        has_data ? std::filesystem::path(data) : std::filesystem::path(home) / ".local/share";
    return manifest_at(folder / "openxr/1/api_layers" /
                       (kind == ManifestKind::implicit_layer ? "implicit.d" : "explicit.d") / kFileName);
}

bool install(ManifestKind kind, bool force) {
    const Manifest there = manifest_of_user(kind);
    const std::string text = text_for_user();
    if (there.is_there && text_of(there.file) == text) return false;
    if (there.is_there && !force)
        throw std::runtime_error(there.file.string() + ": is there already" +
                                 (there.library.empty() ? std::string() : ", for " + there.library.string()) +
                                 "; --force replaces it");
    std::filesystem::create_directories(there.file.parent_path());
    recordings::Output out(there.file);
    out.write(text);
    out.commit();
    return true;
}

bool uninstall(ManifestKind kind, bool force) {
    const Manifest there = manifest_of_user(kind);
    if (!there.is_there) return false;
    if (!there.is_ours && !force)
        throw std::runtime_error(there.file.string() + ": is not the manifest of " + kLayerName +
                                 "; --force removes it");
    if (!std::filesystem::remove(there.file)) throw std::runtime_error(there.file.string() + ": cannot be removed");
    return true;
}

}  // namespace glovebox::vr::layer
