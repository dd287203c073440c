// The hand application under the API layer, and what holds of every run of it. For tests: with GoogleTest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/test_folder.h"
#include "tests/vr/layer/under_layer.h"

namespace glovebox::vr::layer {

inline constexpr const char* kHandsScript = "hand left tap\nhand right grip\n";

/// A folder for one test, where the layer records.
struct LogFolder {
    tests::TestFolder folder{"layer"};
    std::string take = (folder.path / "take.glove").string();
};

/// Runs HAND_APP. The validation layer of 2021 refuses structures of younger extensions, so they are left out under it.
inline tests::Ran run_hand_app(std::vector<std::string> arguments, const tests::RunOptions& options) {
    arguments.insert(arguments.begin(), HAND_APP);
    const auto layers = options.environment.find("XR_ENABLE_API_LAYERS");
    if (layers != options.environment.end() && layers->second.find(kValidation) != std::string::npos)
        arguments.emplace_back("--plain");
    return tests::run_with_runtime(arguments, options);
}

/// Returns the options with what the layer is asked for (vr/layer/layer_options.h) in its environment.
inline tests::RunOptions with_options(tests::RunOptions options, const std::map<std::string, std::string>& variables) {
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

/// Compares poses and states at the times that both were asked at, and returns how many. Velocities are a device's own
/// or worked out, and "changed" depends on the frame before.
inline int compare(const Lines& a, const Lines& b, const std::string& what, double tolerance) {
    if (!a.contains(what) || !b.contains(what)) return 0;
    int compared = 0;
    for (const auto& [time_ns, line] : b.at(what)) {
        const auto there = a.at(what).find(time_ns);
        if (there == a.at(what).end()) continue;
        const std::size_t count = what.starts_with("view") ? 12 : std::min<std::size_t>(8, line.numbers.size() - 1);
        const bool is_pose = line.numbers.size() > 4;
        EXPECT_EQ(line.numbers[0], there->second.numbers[0]) << what << " at " << time_ns;
        ++compared;
        if (is_pose && line.numbers[0] == 0) continue;  // no number may be read
        for (std::size_t n = 1; n < count; ++n)
            EXPECT_NEAR(line.numbers[n], there->second.numbers[n], tolerance) << what << " at " << time_ns;
        if (testing::Test::HasFailure()) break;
    }
    return compared;
}

}  // namespace glovebox::vr::layer
