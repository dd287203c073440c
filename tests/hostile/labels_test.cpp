// Parts of labels from another machine: merging trusts no count, nesting or row in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "recordings/writer.h"
#include "tests/test_folder.h"
#include "vr/session/label.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Returns the message of merging one part that has these first lines and rows; "merged" if nothing is wrong.
std::string merge(const std::string& part, const char* out = "labels.glove") {
    const tests::TestFolder folder("parts");
    const fs::path parts = folder.path / (std::string(out) + ".parts");
    fs::create_directories(parts);
    std::ofstream(parts / "000001.csv") << part;
    try {
        merge_labels(folder.path / out);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "merged";
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

TEST(Labels, WhatAPartWasMadeWithIsNotBelieved) {
    for (const char* settings : {"{}", "[]", "null", "{\"scene\":1}"}) {
        const std::string part =
            R"(# {"recording":"a","number":1,"of":1,"settings":)" + std::string(settings) + "}\n# {}\n";
        for (const char* out : {"labels.glove", "labels.csv"})
            EXPECT_THAT(merge(part, out), HasSubstr("not a part of labels")) << settings;
    }
    EXPECT_THAT(merge(head("1") + "# {\"skipped\":[]}\n"), HasSubstr("not a part of labels"));
    EXPECT_THAT(merge(head("1") + "# {\"notes\":\"" + std::string(2'000'000, 'n') + "\"}\n"), HasSubstr("no JSON"));
    EXPECT_THAT(merge(head("1") + "# {}\n" + std::string(200'000, ','), "labels.json"),
                HasSubstr("longer than rows are"));
    EXPECT_EQ(merge(head("1") + "# {}\na," + std::string(60'000, '['), "labels.json"), "merged") << "text, not nesting";
}

// A pipe to which no one may ever write.
TEST(Labels, APartThatIsNoFileIsRefused) {
    for (const bool device : {false, true}) {
        const tests::TestFolder folder("parts");
        fs::create_directories(folder.path / "labels.csv.parts");
        const fs::path part = folder.path / "labels.csv.parts/000001.csv";
        if (device)
            fs::create_symlink("/dev/zero", part);
        else
            ASSERT_EQ(mkfifo(part.c_str(), 0600), 0);
        EXPECT_THROW(merge_labels(folder.path / "labels.csv"), std::runtime_error);
        LabelSettings settings;
        settings.inputs = {"flick"};
        settings.out = folder.path / "labels.csv";
        EXPECT_THROW(label(settings), std::runtime_error);
    }
}

// Tables of an earlier run are replaced; nothing else of the user's is removed.
TEST(Labels, ReplaceOwnTablesAndNothingElse) {
    const tests::TestFolder folder("labels");
    const auto label_into = [&](const fs::path& out, bool force = false) -> std::string {
        LabelSettings settings;
        settings.inputs = {"flick"};
        settings.out = out;
        settings.force = force;
        settings.jobs = 1;
        try {
            expect_replaceable_labels(out, force);
            label(settings);
            return {};
        } catch (const std::runtime_error& error) {
            return error.what();
        }
    };
    for (const char* name : {"labels.csv", "labels.json", "labels.glove"})
        for (int run = 0; run < 2; ++run) EXPECT_EQ(label_into(folder.path / name), "") << name;

    const fs::path letter = folder.path / "letter.csv";
    std::ofstream(letter) << "Dear diary";
    EXPECT_THAT(label_into(letter), HasSubstr("--force"));
    EXPECT_EQ(label_into(letter, true), "");
    const fs::path take = folder.path / "take.glove";
    recordings::save(find_bundled("flick")->make(), take);
    const auto bytes = fs::file_size(take);
    for (const bool force : {false, true}) EXPECT_THAT(label_into(take, force), HasSubstr("never replaced"));
    EXPECT_EQ(fs::file_size(take), bytes);
}

TEST(Labels, ARowWithoutItsValuesIsRefused) {
    EXPECT_THAT(merge(head("1") + "# {}\na recording's name with a\n"), HasSubstr("values"));
}

}  // namespace
}  // namespace glovebox::vr
