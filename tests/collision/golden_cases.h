// Golden cases: answers of independent methods, exact where the answer is yes or no (tests/golden/README.md).
//
// There are two sources, and each test that reads them runs on both: files that tests/golden/make.py wrote into the
// build folder, and files of other authors in GLOVEBOX_REAL_DATA, which may be missing.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glovebox::collision {

enum class GoldenSource : std::uint8_t { made, given };

/// Returns the folder's path with a slash at the end; empty if the source is not available.
inline std::string golden_folder(GoldenSource source) {
#ifdef GLOVEBOX_GOLDEN_FOLDER
    if (source == GoldenSource::made) return GLOVEBOX_GOLDEN_FOLDER "/";
#endif
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    return source == GoldenSource::made || data == nullptr ? std::string() : std::string(data) + "/golden/";
}

class GoldenTest : public ::testing::TestWithParam<GoldenSource> {
  protected:
    void SetUp() override {
        if (!golden_folder(GetParam()).empty()) return;
        if (GetParam() == GoldenSource::made) GTEST_SKIP() << "python3 was not found: no golden cases were made";
        GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: the given golden answers are not here";
    }

    std::string folder() const { return golden_folder(GetParam()); }

    /// Reads a file with one JSON object per line. A missing or empty file fails the test.
    std::vector<nlohmann::json> cases(const std::string& file) const {
        std::vector<nlohmann::json> result;
        std::ifstream in(folder() + file);
        for (std::string line; std::getline(in, line);) result.push_back(nlohmann::json::parse(line));
        EXPECT_GE(result.size(), 100U) << folder() << file;
        return result;
    }
};

inline std::string golden_name(const ::testing::TestParamInfo<GoldenSource>& info) {
    return info.param == GoldenSource::made ? "MadeHere" : "Given";
}

/// Counts the cases whose answer is yes: a file with the same answer everywhere tests nothing.
struct YesAndNo {
    int yes = 0, all = 0;

    void count(bool answer) {
        ++all;
        yes += answer ? 1 : 0;
    }
    void expect_both(double least_share = 0.2) const {
        EXPECT_GT(yes, least_share * all) << "of " << all;
        EXPECT_LT(yes, (1.0 - least_share) * all) << "of " << all;
    }
};

}  // namespace glovebox::collision
