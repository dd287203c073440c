// The API layer in processes of its own, against the test runtime, above and below the core validation layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/vr/layer/under_layer.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;

constexpr const char* kHandsScript = "hand left tap\nhand right grip\n";

Ran run(std::vector<std::string> arguments, RunOptions options) {
    arguments.insert(arguments.begin(), HAND_APP);
    // The validation layer of 2021 refuses structures of extensions that are younger.
    const bool validated = options.environment["XR_ENABLE_API_LAYERS"].find(kValidation) != std::string::npos;
    if (validated) arguments.emplace_back("--plain");
    return tests::run_with_runtime(arguments, options);
}

RunOptions no_layer(const std::string& script) {
    RunOptions options = under({}, script);
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.validation = false;
    return options;
}

// What holds of every run, whatever happened in it.
void expect_clean(const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err << ran.log;
    EXPECT_FALSE(ran.timed_out);
    EXPECT_THAT(ran.validation_errors, IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
    EXPECT_THAT(ran.out, HasSubstr("done\n"));
}

std::size_t times(const std::string& what, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
    return count;
}

// Of a run, what does not depend on when it was run: hands are asked for at the real time.
std::vector<std::string> facts_of(const Ran& ran) {
    std::vector<std::string> facts;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("hand ", 0) != 0 || line.rfind("hand tracking", 0) == 0) facts.push_back(line);
    std::ranges::sort(facts);  // the order of extensions is the loader's
    return facts;
}

TEST(Layer, LeavesAnApplicationAsItIsWhereNothingIsAskedFor) {
    const Ran bare = run({"--frames", "20"}, no_layer(kHandsScript));
    expect_clean(bare);
    const Ran alone = run({"--frames", "20"}, under({kOurs}, kHandsScript));
    expect_clean(alone);
    EXPECT_EQ(facts_of(alone), facts_of(bare));
    for (const RunOptions& options : {above_validation(kHandsScript), below_validation(kHandsScript)}) {
        const Ran layered = run({"--frames", "20"}, options);
        expect_clean(layered);
        EXPECT_EQ(hands_in(layered.out).size(), 40U);
        EXPECT_EQ(facts_of(layered), facts_of(run({"--frames", "20", "--plain"}, no_layer(kHandsScript))));
        EXPECT_THAT(layered.err, Not(HasSubstr("glovebox")));
    }
}

TEST(Layer, ListsOfExtensionsMerge) {
    for (const char* lacking : {"", "without XR_EXT_hand_tracking\n", "without XR_MNDX_force_feedback_curl\n",
                                "without XR_EXT_hand_tracking\nwithout XR_MNDX_force_feedback_curl\n"}) {
        const Ran ran = run({"--frames", "3"}, under({kOurs}, std::string(kHandsScript) + lacking));
        expect_clean(ran);
        EXPECT_EQ(times("offers XR_EXT_hand_tracking ", ran.out), 1U) << lacking;
        EXPECT_EQ(times("offers XR_MNDX_force_feedback_curl ", ran.out), 1U) << lacking;
        EXPECT_EQ(times("offers XR_MND_headless ", ran.out), 1U) << lacking;
    }
}

TEST(Layer, SaysThatThereAreNoHandsWhereNeitherTheRuntimeNorTheLayerHasAny) {
    for (const RunOptions& options :
         {under({kOurs}, "without XR_EXT_hand_tracking\n"), above_validation("without XR_EXT_hand_tracking\n"),
          below_validation("without XR_EXT_hand_tracking\n")}) {
        const Ran ran = run({"--frames", "3"}, options);
        EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
        EXPECT_THAT(ran.validation_errors, IsEmpty());
        EXPECT_THAT(ran.out, HasSubstr("hand tracking 0 "));
        EXPECT_THAT(ran.out, HasSubstr("tracker 0 result -8")) << "XR_ERROR_FEATURE_UNSUPPORTED";
        EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
    }
}

TEST(Layer, ErrorsAreTheRuntimesOwn) {
    for (const char* wrong : {"time", "count", "type", "space", "hand"}) {
        const Ran bare = run({"--frames", "2", "--wrong", wrong}, no_layer(kHandsScript));
        const Ran layered = run({"--frames", "2", "--wrong", wrong}, under({kOurs}, kHandsScript));
        EXPECT_THAT(bare.out, HasSubstr(std::string(wrong) == "hand" ? "tracker 0 result -1" : "located -"));
        EXPECT_EQ(facts_of(layered), facts_of(bare)) << wrong;
    }
}

TEST(Layer, ServesSessionAfterSessionAndThreadBesideThread) {
    RunOptions options = above_validation(kHandsScript);
    options.environment["GLOVEBOX_LAYER_RECORD"] = "{folder}/take.glove";
    const Ran ran = run({"--frames", "20", "--sessions", "3", "--threads"}, options);
    expect_clean(ran);
    EXPECT_EQ(hands_in(ran.out).size(), 120U);
}

TEST(Layer, AnImplicitLayerIsOnWhereItsVariableSaysSo) {
    // The loader looks for implicit layers in implicit.d of the user's folder.
    RunOptions options = no_layer("without XR_EXT_hand_tracking\nwithout XR_MNDX_force_feedback_curl\n");
    options.environment["XDG_DATA_HOME"] = "{folder}";
    const auto run_with_manifest = [&](std::map<std::string, std::string> variables) {
        RunOptions each = options;
        each.environment.merge(variables);
        // The folder is made by the run, so the application starts behind a shell that makes the manifest.
        return tests::run_with_runtime(
            {"/bin/sh", "-c",
             "mkdir -p {folder}/openxr/1/api_layers/implicit.d && sed 's|\"library_path\": "
             "\"[^\"]*\"|\"library_path\": "
             "\"" LAYER_LIBRARY "\"|' " GLOVEBOX_DATA_FOLDER
             "/openxr/1/api_layers/explicit.d/XR_APILAYER_glovebox.json > "
             "{folder}/openxr/1/api_layers/implicit.d/XR_APILAYER_glovebox.json && exec " HAND_APP " --frames 2"},
            each);
    };
    EXPECT_THAT(run_with_manifest({}).out, Not(HasSubstr("offers XR_EXT_hand_tracking")));
    EXPECT_THAT(run_with_manifest({{"ENABLE_XR_APILAYER_GLOVEBOX", "1"}}).out,
                HasSubstr("offers XR_EXT_hand_tracking"));
    EXPECT_THAT(run_with_manifest({{"ENABLE_XR_APILAYER_GLOVEBOX", "1"}, {"DISABLE_XR_APILAYER_GLOVEBOX", "1"}}).out,
                Not(HasSubstr("offers XR_EXT_hand_tracking")));
}

}  // namespace
}  // namespace glovebox::vr::layer
