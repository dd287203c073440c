// Real recordings and meshes that results pages show: no part of the project, but of a folder that the user names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Adds to `options.files` what the bench's page shows and the folder has, unless the user named files. Returns a
/// sentence that names what is missing, for the page; empty: nothing is.
std::string add_real_data(std::string_view bench, const std::filesystem::path& folder, BenchOptions& options);

}  // namespace glovebox::vr
