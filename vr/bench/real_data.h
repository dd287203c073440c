// Finds the real recordings and meshes that results pages show. They are not part of the project, but lie in a folder
// that the user names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Unless the user named files, adds those files of the folder to `options.files` that the page of the bench shows.
/// Returns a sentence for the page that names the missing files; empty if there are none.
std::string add_real_data(std::string_view bench, const std::filesystem::path& folder, BenchOptions& options);

}  // namespace glovebox::vr
