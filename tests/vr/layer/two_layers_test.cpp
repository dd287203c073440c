// Ours and another layer at once, in either order, with the core validation layer above, between and below.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <openxr/openxr.h>

#include "recordings/log/application_log.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "vr/layer/layer_options.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using tests::Ran;
using tests::RunOptions;

constexpr const char* kOther = "XR_APILAYER_test_other";
constexpr const char* kMovingHands =
    "pace_headless on\nrate 90\nprofile /interaction_profiles/oculus/touch_controller\nhand left tap\nhand right "
    "grip\n";
constexpr const char* kNoHands = "pace_headless on\nrate 90\nprofile none\nhand left off\nhand right off\n";

// Above comes first.
const std::vector<std::vector<std::string>> kOrders = {
    {kOurs, kOther},
    {kOther, kOurs},
    {kValidation, kOther, kOurs},
    {kOther, kValidation, kOurs},
    {kOurs, kOther, kValidation},
    {kOurs, kValidation, kOther},
};

RunOptions with(const std::vector<std::string>& layers, const std::string& script,
                const std::map<std::string, std::string>& variables) {
    RunOptions options = under(layers, script);
    options.environment["XDG_DATA_DIRS"] =
        std::string(OTHER_LAYER_DATA_FOLDER) + ":" + options.environment["XDG_DATA_DIRS"];
    return with_options(options, variables);
}

Ran run_slowly(std::vector<std::string> arguments, const RunOptions& options) {
    arguments.insert(arguments.begin(), {"--step-ms", "11"});
    return run_hand_app(arguments, options);
}

void expect_both_clean(const Ran& ran) {
    // Which extensions another layer has, ours finds by trying.
    expect_clean(ran, ran.count("refused xrCreateInstance XR_ERROR_EXTENSION_NOT_PRESENT"));
}

TEST(TwoLayers, RecordAndReplayInEveryOrder) {
    const TestFolder folder("two_layers");
    int number = 0;
    for (const auto& order : kOrders) {
        const std::string take = (folder.path / ("take" + std::to_string(++number) + ".glove")).string();
        const std::vector<std::string> arguments = {"--controllers", "--frames", "60"};
        const Ran recorded = run_slowly(arguments, with(order, kMovingHands, {{kRecord, take}}));
        expect_both_clean(recorded);
        const Ran replayed = run_slowly(arguments, with(order, kNoHands, {{kReplay, take}}));
        expect_both_clean(replayed);
        const std::vector<Given> before = hands_in(recorded.out), after = hands_in(replayed.out);
        ASSERT_EQ(before.size(), 120U);
        ASSERT_EQ(after.size(), 120U);
        int active = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!after[i].active) continue;
            ++active;
            for (std::size_t j = 0; j < before[i].joints.size(); ++j)
                for (std::size_t n = 0; n < 8; ++n)
                    EXPECT_NEAR(after[i].joints[j].numbers[n], before[i].joints[j].numbers[n], 1e-6) << number;
        }
        EXPECT_EQ(active, 120);
        EXPECT_EQ(recordings::read_application_log(take).frames.size(), 60U);
        EXPECT_THAT(replayed.out, HasSubstr("profile 1 /interaction_profiles/oculus/touch_controller\n"));
        if (HasFailure()) return;
    }
}

TEST(TwoLayers, HandsAreSuppliedWhereTheRuntimeHasNone) {
    const std::string script = std::string(kNoHands) +
                               "without XR_EXT_hand_tracking\nwithout XR_EXT_hand_interaction\n"
                               "without XR_MNDX_force_feedback_curl\n";
    for (const auto& order : kOrders) {
        const Ran ran = run_slowly({"--gestures", "--frames", "60"}, with(order, script, {{kReplay, "grasp"}}));
        expect_both_clean(ran);
        const std::vector<Given> hands = hands_in(ran.out);
        ASSERT_FALSE(hands.empty());
        EXPECT_TRUE(hands.back().active);
        EXPECT_EQ(lines_of(ran.out).at("grasp 1").rbegin()->second.numbers[0], 1.0);
        if (HasFailure()) return;
    }
}

TEST(TwoLayers, AnExtensionOfTheOtherLayersIsItsOwn) {
    // The runtime lacks two: one is the other layer's, the second ours.
    const std::string script =
        std::string(kMovingHands) + "without XR_EXT_hand_interaction\nwithout XR_MNDX_force_feedback_curl\n";
    const Ran ran = run_slowly(
        {"--gestures", "--frames", "20", "--curl", "0.5"},
        with({kOurs, kOther}, script, {{"OTHER_LAYER_HAS", "XR_MNDX_force_feedback_curl"}, {kReplay, "grasp"}}));
    expect_both_clean(ran);
    EXPECT_EQ(ran.count("refused xrCreateInstance"), 1) << "only the one that no one has is left out";
    EXPECT_THAT(ran.err, HasSubstr("other layer: forces\n"));
    EXPECT_THAT(ran.out, HasSubstr("curl 0 0\n"));
    EXPECT_EQ(lines_of(ran.out).at("grasp 1").rbegin()->second.numbers[0], 1.0);
}

}  // namespace
}  // namespace glovebox::vr::layer
