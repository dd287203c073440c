// Animated FBX: a bundled recording through fbx_files.h and back. tests/vr/export/fbx_test.cpp compares with Assimp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/recordings/fbx_files.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

void expect_same(const Recording& read, const Recording& truth) {
    ASSERT_EQ(read.samples.size(), truth.samples.size());
    for (std::size_t i = 0; i < truth.samples.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(read.samples[i].time_ns), static_cast<double>(truth.samples[i].time_ns), 2.0);
        for (const tracking::Side side : tracking::kSides)
            for (std::size_t j = 0; j < tracking::kJointCount; ++j)
                ASSERT_LT(
                    (read.samples[i][side].joints[j].position_m - truth.samples[i][side].joints[j].position_m).norm(),
                    1e-4F)
                    << "sample " << i << " " << name_of(side) << " joint " << j;
    }
}

TEST(Fbx, GivesBackABundledRecording) {
    Recording truth = bundled("carry");
    ASSERT_GT(truth.samples.size(), 600U);
    FbxRecipe plain, wide, max, pivots;
    plain.settings = plain.deflate = false;
    wide.version = 7700;
    wide.unit_cm = 100.0;
    max.z_up = true;
    max.unit_cm = 2.54;
    pivots.pivots = true;
    for (const FbxRecipe& recipe : {plain, wide, max, pivots}) {
        const Recording read = load(TemporaryFile(fbx(truth, recipe)).path());
        EXPECT_EQ(read.format, "fbx");
        EXPECT_FLOAT_EQ(read.unit_m, static_cast<float>(0.01 * recipe.unit_cm));
        expect_same(read, truth);
    }
}

// With RotationActive off, pre-rotations and orders are stored but not used.
TEST(Fbx, IgnoresRotationSettingsThatAreOff) {
    const Recording truth = closing_hands(5);
    FbxRecipe recipe;
    recipe.settings = false;
    std::string file = fbx(truth, recipe);
    for (std::size_t at = file.find("RotationOrder"); at != std::string::npos; at = file.find("RotationOrder", at + 1))
        file[file.find("I", at + 13 + 5 + 4) + 1] = 3;
    expect_same(load(TemporaryFile(file).path()), truth);
}

TEST(Fbx, InterpolatesBetweenKeysThatAreFarApart) {
    const Recording truth = closing_hands(2);
    FbxRecipe recipe;
    recipe.settings = false;
    const std::int64_t second = 46'186'158'000;
    const Recording read = load(TemporaryFile(fbx(fbx_bones(truth, recipe), {0, second}, recipe)).path());
    ASSERT_EQ(read.samples.size(), 31U);
    EXPECT_NEAR(static_cast<double>(read.samples[15].time_ns), 5e8, 10.0);
    EXPECT_THAT(read.notes, Contains(HasSubstr("1000 ms apart")));
}

TEST(Fbx, ReadsOneOfSeveralFiguresAndSaysSo) {
    const Recording truth = closing_hands(6);
    Recording other = truth;
    for (tracking::HandPair& sample : other.samples)
        for (const tracking::Side side : tracking::kSides)
            for (tracking::JointPose& joint : sample[side].joints) joint.position_m.x() += 1.0F;
    FbxRecipe recipe;
    recipe.settings = false;
    std::vector<FbxBone> bones = fbx_bones(truth, recipe);
    for (FbxBone& bone : bones) bone.name.insert(0, "Bob:");
    // Bob lacks a joint, which must not be taken from Anna.
    for (FbxBone& bone : bones)
        if (bone.name == "Bob:left_ring_tip") bone.name = "Bob:end";
    const auto first = static_cast<int>(bones.size());
    for (FbxBone bone : fbx_bones(other, recipe)) {
        bone.name.insert(0, "Anna:");
        if (bone.parent >= 0) bone.parent += first;
        bones.push_back(std::move(bone));
    }
    bones[0].name = "Bob:Armature";
    for (const bool swapped : {false, true}) {
        if (swapped)
            for (FbxBone& bone : bones)
                if (bone.name.starts_with("Bob:")) bone.name.replace(0, 3, "Al");
        const Recording read = load(TemporaryFile(fbx(bones, fbx_ticks(truth, recipe), recipe)).path());
        EXPECT_THAT(read.notes, Contains(AllOf(HasSubstr("2 takes or figures"), HasSubstr(swapped ? "Al" : "Anna"))));
        const auto tip = tracking::Joint::ring_tip;
        if (!swapped) {
            expect_same(read, other);
        } else {
            ASSERT_EQ(read.samples.size(), truth.samples.size());
            const auto& placed = read.samples[2][tracking::Side::left][tip];
            EXPECT_EQ(placed.flags & tracking::joint_flags::kPositionTracked, 0) << "not the other figure's";
            EXPECT_LT((placed.position_m - truth.samples[2][tracking::Side::left][tip].position_m).norm(), 0.02F);
        }
    }
}

// A namespace for each hand, as rigs of two hands have.
TEST(Fbx, HandsWithANameSpaceEachAreOneFigure) {
    const Recording truth = closing_hands(6);
    FbxRecipe recipe;
    std::vector<FbxBone> bones = fbx_bones(truth, recipe);
    for (FbxBone& bone : bones)
        if (bone.name.starts_with("left") || bone.name.starts_with("right"))
            bone.name.insert(0, bone.name.starts_with("left") ? "rigL:" : "rigR:");
    const Recording read = load(TemporaryFile(fbx(bones, fbx_ticks(truth, recipe), recipe)).path());
    expect_same(read, truth);
    EXPECT_THAT(read.notes, testing::Not(Contains(HasSubstr("figures"))));
}

TEST(Fbx, RefusesWithAWord) {
    const Recording truth = closing_hands(3);
    std::string other = fbx(truth);
    for (std::size_t at = other.find("index"); at != std::string::npos; at = other.find("index", at))
        other.replace(at, 5, "hoofs");
    EXPECT_THAT(refusal(other), AllOf(HasSubstr("has no hand"), HasSubstr("BVH")));
    std::string still = fbx(truth);
    for (std::size_t at = still.find("AnimationLayer"); at != std::string::npos; at = still.find("AnimationLayer", at))
        still.replace(at, 14, "AnimationXayer");
    EXPECT_THAT(refusal(still), AllOf(HasSubstr("no animation"), HasSubstr("at rest")));
    FbxRecipe old;
    old.version = 6100;
    EXPECT_THAT(refusal(fbx(truth, old)), HasSubstr("of version 6.1"));
    EXPECT_THAT(refusal("; FBX 7.4.0 project file\n"), AllOf(HasSubstr("text form"), HasSubstr("BVH")));
    const std::string whole = fbx(truth);
    for (const std::size_t size : {whole.size() / 2, whole.rfind("Connections") - 11})
        EXPECT_THAT(refusal(std::string_view(whole).substr(0, size)), HasSubstr("cut off")) << size;
    std::string circle = whole;  // the wrist is its own parent
    const std::string wrist_below_root = FbxBytes::id(1002) + FbxBytes::id(1000);
    ASSERT_NE(circle.find(wrist_below_root), std::string::npos);
    circle.replace(circle.find(wrist_below_root), wrist_below_root.size(), FbxBytes::id(1002) + FbxBytes::id(1002));
    EXPECT_THAT(refusal(circle), HasSubstr("contain themselves"));
}

// One curve that says it is a billion keys long, and an animation that lasts months.
TEST(Fbx, SizesThatTheFileDoesNotHaveAreRefused) {
    const Recording truth = closing_hands(3);
    FbxRecipe recipe;
    std::string file = fbx(truth, recipe);
    const std::size_t at = file.find("KeyTime") + 8;
    file.replace(at, 4, FbxBytes::plain(std::uint32_t{1'000'000'000}));
    EXPECT_THAT(refusal(file), HasSubstr("too large"));
    const std::int64_t months = std::int64_t{46'186'158'000} * 10'000'000;
    EXPECT_THAT(refusal(fbx(fbx_bones(truth, recipe), {0, 5, months}, recipe)), HasSubstr("longer than a day"));
}

// A curve of 3 keys with 2 million flags, which deflate packs in 8 kB. Connected 100,000 times, it is read once; 10
// such curves are refused.
TEST(Fbx, CurvesThatDeflateWellTakeNoTime) {
    FbxBytes file(FbxRecipe{});
    using B = FbxBytes;
    const auto curves = [&file](int count, int connections) {
        file.bytes = std::string("Kaydara FBX Binary  \0\x1A\0", 23) + B::plain(std::uint32_t{7400});
        file.record("Objects", {}, [&] {
            file.record("Model", {B::id(1000), B::text("left_wrist")});
            file.record("AnimationStack", {B::id(1)});
            file.record("AnimationLayer", {B::id(2)});
            file.record("AnimationCurveNode", {B::id(3)});
            for (int i = 0; i < count; ++i)
                file.record("AnimationCurve", {B::id(10 + i)}, [&] {
                    file.record("KeyTime", {file.array('l', std::vector<std::int64_t>{0, 5000, 10000})});
                    file.record("KeyValueFloat", {file.array('f', std::vector<float>{1, 2, 3})});
                    file.record("KeyAttrFlags", {file.array('i', std::vector<std::int32_t>(2'000'000))});
                });
        });
        file.record("Connections", {}, [&] {
            file.record("C", {B::text("OO"), B::id(2), B::id(1)});
            file.record("C", {B::text("OO"), B::id(3), B::id(2)});
            file.record("C", {B::text("OP"), B::id(3), B::id(1000), B::text("Lcl Rotation")});
            for (int i = 0; i < connections; ++i)
                file.record("C", {B::text("OP"), B::id(10 + i % count), B::id(3), B::text("d|X")});
        });
        file.bytes.append(13, '\0');
        return file.bytes;
    };
    EXPECT_THAT(refusal(curves(1, 100'000)), HasSubstr("at least 10 joints"));
    EXPECT_THAT(refusal(curves(10, 10)), HasSubstr("too large for its size"));
}

TEST(Fbx, DamagedFilesAreReadOrRefused) {
    const std::string good = fbx(closing_hands(4));
    std::mt19937 random(29);
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string bad = good;
        for (int edit = 0; edit < 3; ++edit) bad[random() % bad.size()] = static_cast<char>(random());
        if (i % 5 == 0) bad.resize(random() % bad.size());
        refused += refusal(bad) != "no error" ? 1 : 0;
    }
    EXPECT_GT(refused, 50);
    EXPECT_LT(refused, 490);
}

}  // namespace
}  // namespace glovebox::recordings
