#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "recordings/diff.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"
#include "tests/recordings/refused_files.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

// Both hands, one hand, none; a missing joint, NaN, an unnormalized quaternion; uneven times with a repeat.
Recording awkward_recording() {
    Recording recording;
    const std::int64_t times_ns[] = {0, 11'111'111, 11'111'111, 900'000'007, 900'000'008, 1'000'000'000};
    for (int i = 0; i < 6; ++i) {
        HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = times_ns[i];
        for (const Side side : {Side::left, Side::right}) {
            if ((i == 1 && side == Side::left) || i == 3) continue;
            sample[side] = closing_hand(i, side);
            sample[side].times.device_ns = 77'000'000'000 + times_ns[i] + (side == Side::left ? 17 : 0);
            sample[side].joints[3].radius_m = 0.1F / 3.0F;
        }
    }
    recording.samples[0][Side::right][Joint::ring_tip] = {};
    recording.samples[2][Side::left][Joint::wrist].position_m.y() = std::numeric_limits<float>::quiet_NaN();
    recording.samples[4][Side::left][Joint::palm].orientation.coeffs() *= -1.0F;
    recording.samples[5][Side::right].source = tracking::Source::glove;
    return recording;
}

void write(const Recording& recording, SampleWriter (*writer)(Output&), const std::filesystem::path& path) {
    Output out(path);
    const SampleWriter to = writer(out);
    for (const HandPair& sample : recording.samples) to.write(sample);
    to.finish();
    out.commit();
}

void expect_same(const Recording& a, const Recording& b, const DiffSettings& settings = {}) {
    const auto difference = first_difference(a, b, settings);
    EXPECT_FALSE(difference) << "sample " << difference->sample << ": " << difference->what;
}

TEST(RoundTrip, CsvJsonLinesAndNpzGiveBackEveryBit) {
    const Recording recording = awkward_recording();
    for (const auto writer : {glovebox_csv_writer, json_lines_writer, npz_writer}) {
        const TemporaryFile file("");
        write(recording, writer, file.path());
        const Recording read = load(file.path());
        expect_same(recording, read);
        ASSERT_EQ(read.samples.size(), recording.samples.size());
        EXPECT_EQ(read.samples[5][Side::right].times.device_ns, 78'000'000'000);
        EXPECT_EQ(read.samples[5][Side::left].times.device_ns, 78'000'000'017) << "each hand has its own";
        EXPECT_EQ(read.samples[4][Side::left].times.arrival_ns, read.samples[4].time_ns) << "as it is not kept";
        EXPECT_EQ(read.samples[5][Side::right].source, tracking::Source::glove);
        EXPECT_TRUE(std::isnan(read.samples[2][Side::left][Joint::wrist].position_m.y()));
        EXPECT_TRUE(read.notes.empty());
    }
}

TEST(RoundTrip, AnNpzWithItemsOfNoBytesIsRefused) {
    const TemporaryFile file("");
    write(awkward_recording(), npz_writer, file.path());
    std::string text = bytes_of(file.path());
    const std::size_t at = text.find("'|u1'");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 5, "'|u0'");
    const TemporaryFile empty_items(text);
    EXPECT_THROW(load(empty_items.path()), ImportError);
}

// "15" cut to "1" is also a number: only the missing line end reveals the cut.
TEST(RoundTrip, ACsvThatEndsInTheMiddleOfALineSaysSo) {
    const TemporaryFile whole("");
    write(awkward_recording(), glovebox_csv_writer, whole.path());
    const std::string text = bytes_of(whole.path());
    ASSERT_TRUE(text.ends_with("15\n"));
    for (const std::size_t cut : {std::size_t{1}, std::size_t{2}}) {
        const TemporaryFile file(text.substr(0, text.size() - cut));
        const Recording read = load(file.path());
        EXPECT_EQ(read.samples.size(), 6U);
        EXPECT_THAT(read.notes, testing::ElementsAre("Row 11, the last one, has no line end: it may be cut off."));
    }
    const TemporaryFile blank(text + "  ");
    EXPECT_TRUE(load(blank.path()).notes.empty());
}

// Who edits a table sets the column `active` to 0, and may also empty the joints of that row.
TEST(RoundTrip, ACsvRowWhoseHandIsNotActiveHasNoHand) {
    const TemporaryFile whole("");
    write(awkward_recording(), glovebox_csv_writer, whole.path());
    std::string text = bytes_of(whole.path());
    std::array<std::size_t, 2> joints{};
    for (std::size_t row = 0; row < joints.size(); ++row) {
        joints[row] = text.find(",1,", text.find(",right,", joints[0])) + 2;
        text[joints[row] - 1] = '0';
    }
    text.replace(joints[1], text.find('\n', joints[1]) - joints[1], std::string(9 * tracking::kJointCount, ','));
    const Recording read = load(TemporaryFile(text).path());
    ASSERT_EQ(read.samples.size(), 6U);
    EXPECT_FALSE(read.samples[0][Side::right].active);
    EXPECT_FALSE(read.samples[1][Side::right].active);
    EXPECT_TRUE(read.samples[0][Side::left].active);
    EXPECT_TRUE(read.samples[2][Side::right].active);
}

TEST(RoundTrip, BvhGivesBackPositionsAndOrientations) {
    Recording recording;
    for (int i = 0; i < 20; ++i) {
        HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = 20'000'000 * i;
        for (const Side side : {Side::left, Side::right}) {
            HandFrame& hand = sample[side] = closing_hand(i, side);
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.translation() = Eigen::Vector3f(0.3F, 1.2F, -0.1F * static_cast<float>(i));
            pose.rotate(Eigen::AngleAxisf(0.4F * static_cast<float>(i), Eigen::Vector3f(1, 2, 3).normalized()));
            tracking::move_rigidly(pose, hand);
            for (auto& joint : hand.joints) joint.radius_m = 0.0F;
            hand.joints[8].position_m.x() += 0.001F * static_cast<float>(i % 3);  // a bone whose length changes
        }
    }
    const TemporaryFile file("", "a.bvh");
    save(recording, file.path());
    const Recording read = load(file.path());
    EXPECT_FLOAT_EQ(read.unit_m, 0.01F);
    expect_same(recording, read, {2e-6F, 1e-3F, 2});
}

// BVH cannot mark a hand as missing: a hand that was never there must not come back as a motionless hand.
TEST(RoundTrip, BvhOfOneHandHasOneHand) {
    Recording recording;
    for (int i = 0; i < 10; ++i) {
        HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = 20'000'000 * i;
        if (i != 4) sample[Side::right] = closing_hand(i, Side::right);  // lost for a moment: it stays in place
    }
    const TemporaryFile file("", "a.bvh"), again("", "b.bvh");
    save(recording, file.path());
    convert(file.path(), again.path(), {});
    for (const auto& path : {file.path(), again.path()}) {
        const Recording read = load(path);
        EXPECT_FALSE(read.has(Side::left));
        ASSERT_TRUE(read.has(Side::right));
        EXPECT_TRUE(read.samples[4][Side::right].active);
        EXPECT_LT((read.samples[9][Side::right][Joint::index_tip].position_m -
                   recording.samples[9][Side::right][Joint::index_tip].position_m)
                      .norm(),
                  2e-6F);
    }
}

// Fingers in one file and the wrist in another, as Monado's recorder writes them: together they give the hand again.
TEST(RoundTrip, MonadosLayoutGivesBackAHandFromItsTwoFiles) {
    Recording recording;
    for (int i = 0; i < 30; ++i) {
        HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = 20'000'000 * i;
        if (i == 11) continue;  // lost: no row
        HandFrame& hand = sample[Side::right] = closing_hand(i, Side::right);
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translation() = Eigen::Vector3f(0.3F, 1.2F, -0.01F * static_cast<float>(i));
        pose.rotate(Eigen::AngleAxisf(0.1F * static_cast<float>(i), Eigen::Vector3f(1, 2, 3).normalized()));
        tracking::move_rigidly(pose, hand);
    }
    const TemporaryFile fingers("", "a.csv"), wrist("", "b.csv");
    save(recording, fingers.path(), "openxr-csv");
    save(recording, wrist.path(), "openxr-wrist-csv");
    ImportOptions options;
    options.side = Side::right;
    options.wrist_path = wrist.path();
    const Recording read = load(fingers.path(), options);
    EXPECT_EQ(read.format, "openxr-csv");
    recording.samples.erase(recording.samples.begin() + 11);
    ASSERT_EQ(read.samples.size(), recording.samples.size());
    for (std::size_t i = 0; i < read.samples.size(); ++i)
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            const auto &a = recording.samples[i][Side::right].joints[j], &b = read.samples[i][Side::right].joints[j];
            EXPECT_LT((a.position_m - b.position_m).norm(), 1e-6F) << i << " " << j;
            EXPECT_LT(a.orientation.angularDistance(b.orientation), 1e-3F) << i << " " << j;
        }
    EXPECT_THROW(save(recording, fingers.path(), "papyrus"), ExportError);
}

TEST(RoundTrip, AFileThatIsThereStaysUntilTheNewOneIsWhole) {
    const TemporaryFile target("what was here", "a.csv");
    const TemporaryFile broken(openxr_csv(5, Side::left) + "rubbish\n");
    EXPECT_THROW(convert(broken.path(), target.path(), {}, {}, true), ImportError);
    EXPECT_EQ(bytes_of(target.path()), "what was here");
    for (const auto& entry : std::filesystem::directory_iterator(target.path().parent_path()))
        EXPECT_FALSE(entry.path().string().starts_with(target.path().string() + '.')) << entry.path();
}

TEST(RoundTrip, ASampleSavedIsTheSampleRead) {
    const Recording sample = sample_table()[0].make();
    for (const char* ending : {"a.csv", "a.jsonl", "a.npz", "a.glove"}) {
        const TemporaryFile file("", ending);
        save(sample, file.path());
        expect_same(sample, load(file.path()));
    }
}

TEST(RoundTrip, SaysWhyItCannotWrite) {
    const TemporaryFile good(openxr_csv(5, Side::left));
    EXPECT_THROW(convert(good.path(), "/nowhere/at/all.csv", {}), ExportError);
    EXPECT_THROW(convert(good.path(), "out.docx", {}), ExportError);
}

std::vector<std::filesystem::path> real_files() {
    std::vector<std::filesystem::path> files;
    if (const char* folder = std::getenv("GLOVEBOX_REAL_DATA"))
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / "logs"))
            if (entry.path().extension() != ".cal" && entry.path().filename() != "manipnet_cup1_object.bvh")
                files.push_back(entry.path());
    return files;
}

TEST(RoundTrip, EveryRealFileComesBackTheSameFromEveryFormat) {
    if (real_files().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA names no folder with logs";
    for (const auto& path : real_files()) {
        if (refusal_of(path.filename().string()) != nullptr) continue;
        SCOPED_TRACE(path.filename());
        const Recording recording = load(path);
        for (const char* ending : {"a.csv", "a.jsonl", "a.npz", "a.glove"}) {
            const TemporaryFile file("", ending);
            convert(path, file.path(), {});
            expect_same(recording, load(file.path()));
        }
        const TemporaryFile file("", "a.bvh"), second("", "b.bvh");
        convert(path, file.path(), {});
        const Recording read = load(file.path());
        convert(file.path(), second.path(), {});
        expect_same(read, load(second.path()), {1e-6F, 1e-3F, 1});
        ASSERT_EQ(read.samples.size(), recording.samples.size());
        for (std::size_t i = 0; i < read.samples.size(); ++i)
            for (const Side side : {Side::left, Side::right}) {
                const HandFrame &a = recording.samples[i][side], &b = read.samples[i][side];
                if (!a.active) continue;
                for (std::size_t j = 0; j < tracking::kJointCount; ++j)
                    if (a.joints[j].position_valid()) {
                        ASSERT_LT((a.joints[j].position_m - b.joints[j].position_m).norm(), 5e-6F) << i << " " << j;
                    }
            }
    }
}

}  // namespace
}  // namespace glovebox::recordings
