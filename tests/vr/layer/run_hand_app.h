// The hand application under the API layer, and what holds of every run of it. For tests: with GoogleTest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/vr/layer/under_layer.h"

namespace glovebox::vr::layer {

/// Runs HAND_APP. The validation layer of 2021 refuses structures of younger extensions, so they are left out under it.
inline tests::Ran run_hand_app(std::vector<std::string> arguments, const tests::RunOptions& options) {
    arguments.insert(arguments.begin(), HAND_APP);
    const auto layers = options.environment.find("XR_ENABLE_API_LAYERS");
    if (layers != options.environment.end() && layers->second.find(kValidation) != std::string::npos)
        arguments.emplace_back("--plain");
    return tests::run_with_runtime(arguments, options);
}

/// Returns the options with what the layer is asked for (vr/layer/layer_options.h) in its environment.
inline tests::RunOptions asked(tests::RunOptions options, const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) options.environment[name] = value;
    return options;
}

/// `refused_xr`: calls that the runtime may refuse, as another layer's extensions are found by trying.
inline void expect_clean(const tests::Ran& ran, int refused_xr = 0) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err << ran.log;
    EXPECT_FALSE(ran.timed_out);
    EXPECT_THAT(ran.validation_errors, testing::IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), refused_xr) << ran.log;
    EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
    EXPECT_THAT(ran.out, testing::HasSubstr("done\n"));
}

}  // namespace glovebox::vr::layer
