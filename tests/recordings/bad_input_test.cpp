// Every kind of invalid file, for every format: the error is one line with file, row and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <sstream>

#include "recordings/format.h"
#include "tests/recordings/files.h"
#include "tests/recordings/more_files.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string error_at(const std::filesystem::path& path) {
    try {
        load(path);
    } catch (const ImportError& error) {
        return error.what();
    }
    return "no error";
}
std::string error_of(std::string_view content) {
    const TemporaryFile file(content);
    const std::string error = error_at(file.path());
    EXPECT_THAT(error, testing::StartsWith(file.path().string())) << "the message names the file";
    EXPECT_THAT(error, Not(HasSubstr("\n"))) << "the message is one line";
    return error.substr(std::min(error.size(), file.path().string().size()));
}

struct GoodFile {
    std::string name;
    std::string text;         // a valid file of this format
    std::size_t header_rows;  // before the first sample
};
std::vector<GoodFile> text_formats() {
    return {{"openxr-csv", openxr_csv(8, tracking::Side::left), 1},
            {"hololens-csv", hololens_csv(8), 1},
            {"bvh", bvh({}), 0}};
}

std::string utf16(std::string_view text, bool mark) {
    std::string wide = mark ? "\xFF\xFE" : "";
    for (const char c : text) wide.append(1, c).append(1, '\0');
    return wide;
}

std::string without_last_line(std::string text, std::size_t keep_of_it) {
    text.pop_back();
    return text.substr(0, text.rfind('\n') + 1 + keep_of_it);
}

// Replaces every number of the sample rows by NaN.
std::string all_samples_nan(const GoodFile& format) {
    std::string text;
    std::size_t row = 0;
    const std::size_t first = format.name == "bvh" ? std::string::npos : format.header_rows;
    bool motion = false;
    std::istringstream in(format.text);
    for (std::string line; std::getline(in, line); ++row) {
        if (format.name == "bvh") {
            if (motion) line = std::regex_replace(line, std::regex("[^ ]+"), "nan");
            motion = motion || line.starts_with("Frame Time");
        } else if (row >= first) {
            if (format.name == "openxr-csv") line = std::regex_replace(line, std::regex(",[^,]+"), ",nan");
            if (format.name == "hololens-csv") line = std::regex_replace(line, std::regex("-?[0-9.]+(?=[/)])"), "nan");
        }
        text += line + "\n";
    }
    return text;
}

TEST(BadInput, EmptyFileAndFolderAndMissingFile) {
    EXPECT_EQ(error_of(""), ": the file is empty");
    EXPECT_THAT(error_at(std::filesystem::temp_directory_path()), HasSubstr("folder"));
    EXPECT_THAT(error_at(std::filesystem::path("/nowhere/at/all.csv")), HasSubstr("no such file"));
}

TEST(BadInput, AWrongFileIsToldFromADamagedOne) {
    EXPECT_THAT(error_of("Dear diary,\ntoday I waved.\n"),
                AllOf(HasSubstr("not a recording of any known format"), HasSubstr("Dear diary")));
    std::mt19937 random(3);
    std::string noise(100'000, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_THAT(error_of(noise), AllOf(HasSubstr("not a recording"), HasSubstr("binary data")));
    for (const GoodFile& format : text_formats()) {
        const std::size_t first =
            format.name == "bvh" ? format.text.find("Frame Time: 0.01\n") + 17 : format.text.find('\n') + 1;
        EXPECT_THAT(error_of(std::string_view(format.text).substr(0, first + 20)),
                    AllOf(HasSubstr("cut off"), Not(HasSubstr("not a recording"))))
            << format.name << ": cut in its first sample, it has none";
    }
}

TEST(BadInput, GoodFilesAreGood) {
    for (const GoodFile& format : text_formats()) EXPECT_EQ(error_at(TemporaryFile(format.text).path()), "no error");
}

// A cut inside a row loses that row, and is reported; a cut between rows of CSV cannot be detected.
TEST(BadInput, CutOffAnywhereTheSamplesBeforeTheCutAreRead) {
    for (const GoodFile& format : text_formats()) {
        const Recording whole = load(TemporaryFile(format.text).path());
        std::mt19937 random(5);
        int reported = 0, in_samples = 0;
        for (int i = 0; i < 100; ++i) {
            const std::size_t length = 1 + random() % (format.text.size() - 2);
            const TemporaryFile file(std::string_view(format.text).substr(0, length));
            if (error_at(file.path()) != "no error") {
                ++reported;
                continue;
            }
            const Recording cut = load(file.path());
            ASSERT_LE(cut.samples.size(), whole.samples.size());
            ++in_samples;
            reported += testing::Value(cut.notes, testing::Contains(HasSubstr("The file is cut off"))) ? 1 : 0;
            for (std::size_t k = 0; k + 1 < cut.samples.size(); ++k)
                ASSERT_EQ(cut.samples[k].time_ns, whole.samples[k].time_ns) << format.name << " cut at " << length;
        }
        EXPECT_GT(reported, 90) << format.name;
        EXPECT_GT(in_samples, 15) << format.name;
    }
}

TEST(BadInput, ACutRowIsNamedInANote) {
    const TemporaryFile file(without_last_line(openxr_csv(8, tracking::Side::left), 200));
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.samples.size(), 7U);
    EXPECT_THAT(recording.notes, testing::Contains("The file is cut off in row 9; 7 samples before it were read."));
}

TEST(BadInput, OtherEncodings) {
    for (const GoodFile& format : text_formats()) {
        EXPECT_THAT(error_of(utf16(format.text, true)), HasSubstr("UTF-16")) << format.name;
        EXPECT_THAT(error_of(utf16(format.text, false)), HasSubstr("UTF-16")) << format.name;
        const TemporaryFile marked("\xEF\xBB\xBF" + format.text);
        EXPECT_EQ(error_at(marked.path()), "no error") << "UTF-8 with a mark is fine: " << format.name;
        const TemporaryFile crlf(std::regex_replace(format.text, std::regex("\n"), "\r\n"));
        EXPECT_EQ(error_at(crlf.path()), "no error") << "so are CR LF line ends: " << format.name;
    }
}

TEST(BadInput, AllNanNamesTheFirstRow) {
    for (const GoodFile& format : text_formats()) {
        const std::string error = error_of(all_samples_nan(format));
        EXPECT_THAT(error, HasSubstr("NaN")) << format.name;
        EXPECT_TRUE(std::regex_search(error, std::regex("^:[0-9]+: "))) << format.name << error;
    }
}

TEST(BadInput, RubbishInARowNamesThatRow) {
    for (const GoodFile& format : text_formats()) {
        std::string text = without_last_line(format.text, 0);
        const auto row = std::count(text.begin(), text.end(), '\n') + 1;
        const std::string last = format.text.substr(text.size());
        text.append(last, 0, last.size() / 2).append("\x01rubbish").append(last, last.size() / 2);
        EXPECT_THAT(error_of(text), testing::StartsWith(std::string(":").append(std::to_string(row)).append(": ")))
            << format.name;
    }
}

TEST(BadInput, SamplesBeforeTheDamageArePassed) {
    std::vector<GoodFile> formats = text_formats();
    formats.push_back({"mediapipe-csv", mediapipe_csv("named", 8), 1});
    formats.push_back({"joint-csv", rokoko_csv(8), 1});
    formats.push_back({"points-csv", numbered_csv(8), 1});
    formats.push_back({"hand-json", arkit_lines(8), 0});
    formats.push_back({"table-json", table_json("lines", 8), 0});
    formats.push_back({"optitrack-csv", motive_csv(8), 7});
    std::string angles = "Time";
    for (const char* finger : {"Index", "Middle", "Ring", "Pinky"})
        for (const char* joint : {"MCP", "PIP", "DIP"})
            angles.append(",").append(finger) += std::string("_") + joint + "_Flex";
    for (int i = 0; i < 8; ++i) angles.append("\n0.").append(std::to_string(i)).append(",9,8,7,6,5,4,3,2,1,2,3,4");
    formats.push_back({"angles", angles + "\n", 1});
    formats.push_back({"cyberglove", cyberglove_text(22, 1.0F), 0});
    for (const GoodFile& format : formats) {
        const std::string before = without_last_line(format.text, 0);
        const std::size_t good = load(TemporaryFile(before).path()).samples.size();
        const TemporaryFile damaged(before + "rubbish\n");
        std::size_t passed = 0;
        EXPECT_THROW(stream(damaged.path(), {}, [&passed](const tracking::HandPair&) { ++passed; }), ImportError);
        EXPECT_EQ(passed, good) << format.name;
        EXPECT_GT(good, 3U) << format.name;
    }
}

TEST(BadInput, TimeThatGoesBackNamesTheRow) {
    std::string openxr = openxr_csv(5, tracking::Side::left);
    openxr.replace(openxr.find("\n5060000000") + 1, 10, "4060000000");
    EXPECT_THAT(error_of(openxr), AllOf(testing::StartsWith(":5: "), HasSubstr("time goes back")));
    std::string hololens = hololens_csv(5);
    hololens.replace(hololens.find("20:35:00.300"), 12, "20:34:00.300");
    EXPECT_THAT(error_of(hololens), AllOf(testing::StartsWith(":5: "), HasSubstr("time goes back")));
    // Formats that put several rows together notice it only in a later row.
    const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
        for (std::size_t at = text.find(from); at != text.npos; at = text.find(from)) text.replace(at, from.size(), to);
        return text;
    };
    EXPECT_THAT(error_of(replaced(mediapipe_csv("named", 6), "\n60,", "\n5,")), testing::StartsWith(":8: time goes"));
    EXPECT_THAT(error_of(replaced(mediapipe_csv("landmark", 6), "\n0.06,", "\n0.01,")),
                testing::StartsWith(":5: time goes"));
    EXPECT_THAT(error_of(replaced(long_landmarks(6, false), "\n3,", "\n1,")), testing::StartsWith(":128: time goes"));
    std::string shuffled = bvh({});
    const std::size_t motion = shuffled.find("MOTION");
    EXPECT_THAT(error_of("HIERARCHY\n" + shuffled.substr(motion) + shuffled.substr(0, motion)), HasSubstr("no joints"));
}

TEST(BadInput, HugeCountsAllocateNothing) {
    std::string text = bvh({});
    text.replace(text.find("Frames: 12"), 10, "Frames: 9000000000000");
    EXPECT_THAT(load(TemporaryFile(text).path()).notes, testing::Contains(HasSubstr("cut off")));
    std::string overflow = bvh({});
    overflow.replace(overflow.find("Frames: 12"), 10, "Frames: 99999999999999999999999");
    EXPECT_THAT(error_of(overflow), HasSubstr("number of frames"));
    std::string deep = "HIERARCHY\nROOT a\n{\n";
    for (int i = 0; i < 100'000; ++i) deep += "JOINT b\n{\n";
    EXPECT_THAT(error_of(deep), HasSubstr("nested"));
    std::string wide = "HIERARCHY\nROOT a\n{\n";
    for (int i = 0; i < 100'000; ++i) wide += "JOINT b\n{\n}\n";
    EXPECT_THAT(error_of(wide), HasSubstr("joints"));
    std::string channels = bvh({});
    channels.replace(channels.find("CHANNELS 3"), 10, "CHANNELS 1000000000");
    EXPECT_THAT(error_of(channels), HasSubstr("CHANNELS"));
    EXPECT_THAT(error_of("HIERARCHY\n" + std::string(6'000'000, 'x')), HasSubstr("longer than 4 MB"));
    std::string columns = "#timestamp [ns]";
    for (int i = 0; i < 10'000; ++i) columns += ",p_RS_R_x [m]";
    EXPECT_THAT(error_of(columns + "\n1\n"), HasSubstr("10001 columns"));
}

TEST(BadInput, DamagedBvhHeaders) {
    const auto with = [](std::string_view what, std::string_view instead) {
        std::string text = bvh({});
        return text.replace(text.find(what), what.size(), instead);
    };
    EXPECT_THAT(error_of(with("Frame Time: 0.01", "Frame Time: 0")), HasSubstr("frame time"));
    EXPECT_THAT(error_of(with("Frame Time: 0.01", "Frame Time: nan")), HasSubstr("frame time"));
    EXPECT_THAT(error_of(with("Frame Time: 0.01", "Frame Time: -1")), HasSubstr("frame time"));
    EXPECT_THAT(error_of(with("Frames: 12", "Frames: 0")), HasSubstr("number of frames"));
    EXPECT_THAT(error_of(with("Xrotation", "Wrotation")), HasSubstr("no channel"));
    EXPECT_THAT(error_of(with("OFFSET", "OFFSET nan")), HasSubstr("not a number"));
    EXPECT_THAT(error_of(with("RightHand\n", "LeftFoot\n")), HasSubstr("too few"));
}

TEST(BadInput, TablesWithoutAnyHandAreRefused) {
    std::string points = numbered_csv(0), landmarks = "time";
    points.pop_back();
    for (int k = 0; k < 21; ++k)
        for (const char axis : {'x', 'y', 'z'}) landmarks += ",landmark_" + std::to_string(k) + "_" + axis;
    for (int i = 0; i < 8; ++i) {
        points += "\n" + std::to_string(i) + std::string(3 * tracking::kJointCount, ',');
        landmarks += "\n" + std::to_string(i) + std::string(63, ',');
    }
    EXPECT_THAT(error_of(points + "\n"), testing::StartsWith(": no sample has a hand"));
    EXPECT_THAT(error_of(landmarks + "\n"), testing::StartsWith(": no sample has a hand"));
    nlohmann::ordered_json table = nlohmann::ordered_json::parse(table_json("records", 8));
    for (auto& record : table)
        for (auto& [name, value] : record.items())
            if (name != "time") value = nullptr;
    EXPECT_THAT(error_of(table.dump()), testing::StartsWith(": no sample has a hand"));
}

TEST(BadInput, FilesWithAHeaderAndNothingElse) {
    EXPECT_THAT(error_of(openxr_csv(0, tracking::Side::left)), HasSubstr("before its first sample"));
    EXPECT_THAT(error_of(hololens_csv(0)), HasSubstr("before its first sample"));
}

}  // namespace
}  // namespace glovebox::recordings
