// The curl limit against dense sampling over whole recordings, every fiftieth frame of each. Times are not asserted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "vr/bench/bench.h"

namespace glovebox::vr {
namespace {

void expect_limits_agree(const BenchOptions& options, int least_limited, int least_inside) {
    const BenchResult result = bench_curl_limit(options);
    EXPECT_FALSE(result.check_failed);
    std::map<std::string, int> scenes;
    int limited = 0, inside = 0, free = 0;
    for (const auto& row : result.rows) {
        if (!row.contains("recording")) continue;
        EXPECT_EQ(row["over_1_percent"], 0) << row;
        EXPECT_LE(row["most_percent"], 1.0) << row;
        EXPECT_GT(row["fingers"], 0) << row;
        scenes[row["scene"]] += row["limited"].get<int>() + row["inside"].get<int>();
        limited += row["limited"].get<int>();
        inside += row["inside"].get<int>();
        free += row["fingers"].get<int>() - row["limited"].get<int>() - row["inside"].get<int>();
    }
    EXPECT_EQ(scenes.size(), 3U);
    for (const auto& [scene, touching] : scenes) EXPECT_GT(touching, 0) << scene << ": nothing was limited there";
    EXPECT_GT(limited, least_limited);
    EXPECT_GT(inside, least_inside);
    EXPECT_GT(free, 20);
}

TEST(CurlLimitBench, AgreesWithSamplingOverTheBundledRecordings) {
    BenchOptions options;
    options.quick = true;
    options.frames = 1;  // of the room scan, which is there for its cost
    expect_limits_agree(options, 50, 20);
}

TEST(CurlLimitBench, AgreesWithSamplingOverRealRecordings) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not part of the project";
    BenchOptions options;
    options.quick = true;
    options.frames = 1;
    for (const char* name :
         {"openxr26_monado_fingers_train2.csv", "manipnet_cup1_rightHand.bvh", "leap_pinch-57fps.json.lz"})
        options.files.push_back(std::string(data) + "/logs/" + name);
    expect_limits_agree(options, 50, 20);
}

}  // namespace
}  // namespace glovebox::vr
