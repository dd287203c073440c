// Parts of labels that another machine sent: merging believes no count, no nesting and no row in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "vr/session/label.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// What merging one part says, whose first lines and rows are these; "merged" if nothing is wrong.
std::string merge(const std::string& part, const char* out = "labels.glove") {
    const fs::path folder = fs::temp_directory_path() / ("glovebox_parts_" + std::to_string(getpid()));
    fs::remove_all(folder);
    const fs::path parts = folder / (std::string(out) + ".parts");
    fs::create_directories(parts);
    std::ofstream(parts / "000001.csv") << part;
    std::string said = "merged";
    try {
        merge_labels(folder / out);
    } catch (const std::runtime_error& error) {
        said = error.what();
    }
    fs::remove_all(folder);
    return said;
}

std::string head(const std::string& count) {
    return R"(# {"recording":"a","number":1,"of":)" + count + R"(,"settings":{"scene":"s"}})" + "\n";
}

TEST(Labels, ACountOfPartsIsNotBelieved) {
    const std::string said = merge(head("1000000000000000000") + "# {}\n");
    EXPECT_THAT(said, HasSubstr("are missing: 2, 3"));
    EXPECT_LT(said.size(), 1000U);
    for (const char* wrong : {"-1", "\"many\"", "[]", "null"})
        EXPECT_THAT(merge(head(wrong) + "# {}\n"), HasSubstr("not a part of labels")) << wrong;
    EXPECT_THAT(merge(head("0") + "# {}\n"), HasSubstr("1 parts of 0"));
}

TEST(Labels, NestingInAPartIsRefused) {
    const std::string deep = "# {\"notes\":" + std::string(1'000'000, '[');
    EXPECT_THAT(merge(head("1") + deep + std::string(1'000'000, ']') + "}\n"), HasSubstr("no JSON"));
    EXPECT_THAT(merge(deep + "\n# {}\n"), HasSubstr("no JSON"));
}

TEST(Labels, ARowWithoutItsValuesIsRefused) {
    EXPECT_THAT(merge(head("1") + "# {}\na recording's name with a\n"), HasSubstr("values"));
}

}  // namespace
}  // namespace glovebox::vr
