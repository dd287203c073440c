#include "collision/survey/clips/touch_search.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "collision/mesh/mesh_tree.h"
#include "tests/collision/survey/clips/moving_bones.h"

namespace glovebox::collision::clips {
namespace {

using Frames = std::map<std::tuple<int, int, int>, float>;  // (other, bone, frame) -> distance

Frames unrolled(const std::vector<NearInterval>& intervals) {
    Frames frames;
    for (const NearInterval& interval : intervals)
        for (int frame = interval.first; frame <= interval.last; ++frame)
            EXPECT_TRUE(frames.emplace(std::tuple(interval.other, interval.bone, frame), 0.0F).second)
                << "two intervals hold the same frame";
    return frames;
}

// Expects equal frames, intervals of maximal length, and each with its least distance and the first frame that has it.
void expect_same(const std::vector<NearInterval>& found, const Frames& expected) {
    const Frames frames = unrolled(found);
    ASSERT_EQ(frames.size(), expected.size());
    for (const auto& [key, distance_m] : expected) ASSERT_TRUE(frames.contains(key));
    for (const NearInterval& interval : found) {
        EXPECT_FALSE(expected.contains({interval.other, interval.bone, interval.first - 1}));
        EXPECT_FALSE(expected.contains({interval.other, interval.bone, interval.last + 1}));
        float min_m = std::numeric_limits<float>::infinity();
        int at = -1;
        for (int frame = interval.first; frame <= interval.last; ++frame) {
            const float distance_m = expected.at({interval.other, interval.bone, frame});
            if (distance_m < min_m) at = frame;
            min_m = std::min(min_m, distance_m);
        }
        EXPECT_EQ(interval.distance_m, min_m);
        EXPECT_EQ(interval.nearest_frame, at);
    }
}

Frames every_frame(const MovingBones& body, std::span<const Shape> objects, float within_m, std::uint64_t bones) {
    Frames frames;
    CollideCounts counts;
    Contact contact;
    for (int frame = 0; frame < body.frames(); ++frame)
        for (int bone = 0; bone < MovingBones::kBones; ++bone) {
            const BodyPose& pose = body.poses[static_cast<std::size_t>(frame)];
            if ((bones >> bone & 1U) == 0 || pose.bone_present[static_cast<std::size_t>(bone)] == 0) continue;
            for (std::size_t i = 0; i < objects.size(); ++i)
                if (closest(pose.shapes[static_cast<std::size_t>(bone)], objects[i], within_m, contact, counts))
                    frames[{static_cast<int>(i), bone, frame}] = contact.distance_m;
        }
    return frames;
}

Mesh tetrahedron(float size_m) {
    Mesh mesh;
    mesh.vertices_m = {
        {size_m, size_m, size_m}, {size_m, -size_m, -size_m}, {-size_m, size_m, -size_m}, {-size_m, -size_m, size_m}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    return mesh;
}

std::vector<Shape> objects_about() {
    RoundedBox box;
    box.core.center_m = {0.2F, 0.1F, 0.0F};
    box.core.half_m = {0.05F, 0.02F, 0.03F};
    MeshInstance mesh;
    mesh.tree = MeshTree::build(tetrahedron(0.05F));
    mesh.world_from_mesh.translation() = Eigen::Vector3f(-0.2F, 0.0F, 0.1F);
    return {RoundCone{{0, 0.1F, 0}, {0, 0.1F, 0}, 0.05F, 0.05F}, box, mesh,
            RoundCone{{5, 5, 5}, {5, 6, 5}, 0.1F, 0.1F}};
}

TEST(TouchSearch, FindsWhatLookingAtEveryFrameFinds) {
    const std::vector<Shape> objects = objects_about();
    Dice dice(11);
    std::size_t hits = 0, looks = 0;
    std::int64_t exact = 0;
    for (int k = 0; k < 12; ++k) {
        const MovingBones body = moving_bones(dice, 900, {0, 0.05F, 0.05F}, 0.18F);
        const SweptTree tree = body.tree();
        for (const float within_m : {0.0F, 0.005F, 0.05F})
            for (const std::uint64_t bones : {~std::uint64_t{0}, std::uint64_t{0b100010}}) {
                TouchCounts counts;
                const auto found = find_near({tree.view(), body.pose_of()}, objects, within_m, bones, counts);
                const Frames expected = every_frame(body, objects, within_m, bones);
                expect_same(found, expected);
                hits += expected.size();
                exact += counts.exact_tests;
                looks += static_cast<std::size_t>(body.frames()) * MovingBones::kBones * objects.size();
            }
    }
    EXPECT_GT(hits, looks / 100);
    EXPECT_LT(hits, looks / 4);
    EXPECT_LT(static_cast<std::size_t>(exact), looks / 3) << "the tree should spare most of the looking";
}

TEST(TouchSearch, FindsTheSameFromATreeInAnotherFrameOfReference) {
    const std::vector<Shape> objects = objects_about();
    Dice dice(12);
    Eigen::Isometry3f tree_from_pose = Eigen::Isometry3f::Identity();
    tree_from_pose.linear() = Eigen::AngleAxisf(1.1F, Eigen::Vector3f(1, 2, 3).normalized()).toRotationMatrix();
    tree_from_pose.translation() = Eigen::Vector3f(1.0F, -2.0F, 0.5F);
    const MovingBones body = moving_bones(dice, 2000, {0, 0, 0}, 0.3F);
    const SweptTree tree =
        SweptTree::build(MovingBones::kBones, body.frames(), [&](std::int32_t frame, std::uint64_t, BodyPose& pose) {
            pose = body.poses[static_cast<std::size_t>(frame)];
            for (Shape& shape : pose.shapes) shape = transformed(tree_from_pose, shape);
        });
    TouchCounts counts;
    const auto found = find_near({tree.view(), body.pose_of(), tree_from_pose}, objects, 0.01F, ~0ULL, counts);
    const Frames expected = every_frame(body, objects, 0.01F, ~0ULL);
    EXPECT_GT(expected.size(), 100U);
    expect_same(found, expected);
}

// Coordinates of a national survey: their float spacing is coarser than any fixed tolerance. Bones are just within
// reach, where a slightly too large bound would miss them.
TEST(TouchSearch, FindsTheSameFarFromTheOrigin) {
    Dice dice(18);
    const auto number = [&dice](double low, double high) { return static_cast<float>(dice.uniform(low, high)); };
    int cases = 0, found_in_all = 0;
    for (const float away_m : {1e3F, 2e4F, 9e4F})
        for (int k = 0; k < 400; ++k) {
            const Eigen::Vector3f far_m =
                away_m * Eigen::Vector3f(number(-1, 1), number(-1, 1), number(-1, 1)).normalized();
            Eigen::Isometry3f scene_from_recording = Eigen::Isometry3f::Identity();
            scene_from_recording.linear() =
                Eigen::AngleAxisf(number(0, 6), Eigen::Vector3f::UnitY()).toRotationMatrix();
            scene_from_recording.translation() = -(scene_from_recording.linear() * far_m);
            const Eigen::Vector3f a = far_m + Eigen::Vector3f(number(-0.1, 0.1), number(-0.1, 0.1), 0.0F);
            const Eigen::Vector3f b = a + Eigen::Vector3f(number(-0.05, 0.05), number(-0.05, 0.05), 0.02F);
            const Shape bone = RoundCone{a, b, 0.01F, 0.01F};
            const Shape placed_bone = transformed(scene_from_recording, bone);
            const auto pose_as = [](const Shape& shape) {
                return [&shape](std::int32_t, std::uint64_t, BodyPose& pose) {
                    pose.shapes = {shape};
                    pose.bone_present = {1};
                };
            };
            const SweptTree tree = SweptTree::build(1, 3, pose_as(bone));
            const Eigen::Vector3f at = {number(-0.1, 0.1), 0.15F, number(-0.1, 0.1)};
            RoundedBox box;
            box.core.center_m = at;
            box.core.half_m = {0.03F, 0.02F, 0.04F};
            const Shape object = k % 2 == 0 ? Shape(RoundCone{at, at, 0.03F, 0.03F}) : Shape(box);
            CollideCounts collide;
            Contact contact;
            ASSERT_TRUE(closest(placed_bone, object, 1.0F, contact, collide));
            if (contact.distance_m < 0.0F) continue;
            ++cases;
            TouchCounts counts;
            const std::vector<Shape> objects = {object};
            const SweptBody body = {tree.view(), pose_as(placed_bone), scene_from_recording.inverse(Eigen::Isometry)};
            found_in_all += find_near(body, objects, contact.distance_m, kAllBones, counts).size() == 1 ? 1 : 0;
        }
    EXPECT_GT(cases, 500);
    EXPECT_EQ(found_in_all, cases);
}

// All frames are equal: of equal distances the first frame is the answer, also across many leaves.
TEST(TouchSearch, ABoneThatStandsStillIsNearestInItsFirstFrame) {
    constexpr int kFrames = 100, kGone = 60;
    const RoundCone bone{{0.0F, 0.0F, 0.0F}, {0.04F, 0.0F, 0.0F}, 0.009F, 0.007F};
    const PoseOfFrame pose_of = [&](std::int32_t frame, std::uint64_t, BodyPose& pose) {
        pose.shapes = {bone};
        pose.bone_present = {static_cast<std::uint8_t>(frame == kGone ? 0 : 1)};
    };
    const SweptTree tree = SweptTree::build(1, kFrames, pose_of);
    const Eigen::Vector3f at = {0.02F, 0.045F, 0.0F};
    const std::vector<Shape> balls = {RoundCone{at, at, 0.034F, 0.034F}};
    CollideCounts counts;
    Contact contact;
    ASSERT_TRUE(closest(Shape(bone), balls[0], 1.0F, contact, counts));
    for (const float within_m : {contact.distance_m, 0.01F}) {  // just within reach, and well within
        TouchCounts touch;
        const std::vector<NearInterval> found = find_near({tree.view(), pose_of}, balls, within_m, kAllBones, touch);
        ASSERT_EQ(found.size(), 2U) << within_m;
        EXPECT_EQ(found[0].first, 0);
        EXPECT_EQ(found[0].last, kGone - 1);
        EXPECT_EQ(found[0].nearest_frame, 0);
        EXPECT_EQ(found[1].nearest_frame, kGone + 1);
        EXPECT_EQ(found[1].last, kFrames - 1);
        for (const NearInterval& interval : found) EXPECT_EQ(interval.distance_m, contact.distance_m);
    }
    TouchCounts touch;
    const float too_near_m = std::nextafter(contact.distance_m, 0.0F);
    EXPECT_TRUE(find_near({tree.view(), pose_of}, balls, too_near_m, kAllBones, touch).empty());
}

TEST(TouchSearch, FollowsAnObjectThatMoves) {
    Dice dice(21);
    const MovingBones body = moving_bones(dice, 1500, {0, 0, 0}, 0.3F);
    // Moves around the bones one way, rotates the other way, then stands still for a while.
    const MovingObject object = {
        RoundCone{{-0.08F, 0, 0}, {0.08F, 0, 0}, 0.06F, 0.04F}, [](std::int32_t frame) {
            const float t = 0.011F * static_cast<float>(std::min(frame, 1100));
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.linear() = Eigen::AngleAxisf(3.0F * t, Eigen::Vector3f::UnitZ()).toRotationMatrix();
            pose.translation() = 0.25F * Eigen::Vector3f(std::cos(t), std::sin(2.0F * t), std::sin(t));
            return pose;
        }};
    Eigen::Isometry3f tree_from_pose = Eigen::Isometry3f::Identity();
    for (const bool elsewhere : {false, true}) {
        if (elsewhere) tree_from_pose.translation() = Eigen::Vector3f(1.0F, -2.0F, 0.5F);
        const SweptTree tree = SweptTree::build(MovingBones::kBones, body.frames(),
                                                [&](std::int32_t frame, std::uint64_t, BodyPose& pose) {
                                                    pose = body.poses[static_cast<std::size_t>(frame)];
                                                    for (Shape& shape : pose.shapes)
                                                        shape = transformed(tree_from_pose, shape);
                                                });
        for (const std::uint64_t bones : {std::uint64_t{0b111111}, std::uint64_t{0b100010}}) {
            Frames expected;
            CollideCounts counts;
            Contact contact;
            for (int frame = 0; frame < body.frames(); ++frame)
                for (std::size_t bone = 0; bone < MovingBones::kBones; ++bone) {
                    const BodyPose& pose = body.poses[static_cast<std::size_t>(frame)];
                    if ((bones >> bone & 1U) == 0 || pose.bone_present[bone] == 0) continue;
                    if (closest(pose.shapes[bone], transformed(object.pose_from_object(frame), object.shape), 0.02F,
                                contact, counts))
                        expected[{0, static_cast<int>(bone), frame}] = contact.distance_m;
                }
            TouchCounts looked;
            expect_same(find_near({tree.view(), body.pose_of(), tree_from_pose}, object, 0.02F, bones, looked),
                        expected);
            EXPECT_GT(expected.size(), 20U);
            EXPECT_LT(looked.frames_posed, body.frames() / 2) << "most frames need no look";
        }
    }
}

TEST(TouchSearch, FindsWhenTwoHandsAreNearEachOther) {
    Dice dice(13);
    std::size_t hits = 0;
    for (int k = 0; k < 8; ++k) {
        const MovingBones a = moving_bones(dice, 600, {0, 0, 0}, 0.12F),
                          b = moving_bones(dice, 600, {0.1F, 0, 0}, 0.12F);
        const SweptTree tree_a = a.tree(), tree_b = b.tree();
        for (const float within_m : {0.0F, 0.02F}) {
            Frames expected;
            CollideCounts collide;
            Contact contact;
            for (std::size_t frame = 0; frame < 600; ++frame)
                for (std::size_t i = 0; i < MovingBones::kBones; ++i)
                    for (std::size_t j = 0; j < MovingBones::kBones; ++j)
                        if (a.poses[frame].bone_present[i] != 0 && b.poses[frame].bone_present[j] != 0 &&
                            closest(a.poses[frame].shapes[i], b.poses[frame].shapes[j], within_m, contact, collide))
                            expected[{static_cast<int>(j), static_cast<int>(i), static_cast<int>(frame)}] =
                                contact.distance_m;
            TouchCounts counts;
            expect_same(
                find_near({tree_a.view(), a.pose_of()}, {tree_b.view(), b.pose_of()}, within_m, ~0ULL, ~0ULL, counts),
                expected);
            hits += expected.size();
            EXPECT_LT(counts.exact_tests, 600 * 36 / 2);
        }
    }
    EXPECT_GT(hits, 1000U);
}

struct Take {
    MovingBones body;
    SweptTree tree;
    TakeBody take() const { return {{tree.view(), body.pose_of()}, {body.begin_ns}}; }
};

Take make_take(Dice& dice, int frames, const Eigen::Vector3f& around_m) {
    Take take{moving_bones(dice, frames, around_m, 0.2F), {}};
    take.tree = take.body.tree();
    return take;
}

// The oracle: every pair of frames and of bones, with times compared directly.
std::optional<Clash> every_pair(const Take& a, const Take& b, std::int64_t offset_ns, float within_m) {
    std::optional<Clash> best;
    CollideCounts collide;
    Contact contact;
    const FrameTimes times_a{a.body.begin_ns}, times_b{b.body.begin_ns};
    for (int i = 0; i < a.body.frames(); ++i)
        for (int j = 0; j < b.body.frames(); ++j) {
            const auto fi = static_cast<std::size_t>(i), fj = static_cast<std::size_t>(j);
            const std::int64_t at_ns = std::max(a.body.begin_ns[fi], b.body.begin_ns[fj] + offset_ns);
            if (at_ns >= std::min(times_a.end_ns(i), times_b.end_ns(j) + offset_ns)) continue;
            if (best && at_ns > best->at_ns) continue;
            for (std::size_t p = 0; p < MovingBones::kBones; ++p)
                for (std::size_t q = 0; q < MovingBones::kBones; ++q) {
                    if (a.body.poses[fi].bone_present[p] == 0 || b.body.poses[fj].bone_present[q] == 0) continue;
                    if (!closest(a.body.poses[fi].shapes[p], b.body.poses[fj].shapes[q], within_m, contact, collide))
                        continue;
                    if (!best || std::tie(at_ns, contact.distance_m) < std::tie(best->at_ns, best->distance_m))
                        best = Clash{0, 0, i, j, static_cast<int>(p), static_cast<int>(q), at_ns, contact.distance_m};
                }
        }
    return best;
}

TEST(TouchSearch, TheFirstClashOfTwoTakesIsTheOneThatEveryPairOfFramesGives) {
    Dice dice(14);
    int clashes = 0, cases = 0;
    for (int k = 0; k < 10; ++k) {
        const Take a = make_take(dice, 150, {0, 0, 0}), b = make_take(dice, 130, {0.3F, 0, 0});
        for (const double offset_s : {-5.0, -1.5, 0.0, 0.0123, 1.0, 2.2}) {
            const auto offset_ns = static_cast<std::int64_t>(1e9 * offset_s);
            TouchCounts counts;
            const std::vector takes_a = {a.take()}, takes_b = {b.take()};
            const auto found = find_clash(takes_a, takes_b, offset_ns, 0.0F, counts);
            const auto expected = every_pair(a, b, offset_ns, 0.0F);
            ASSERT_EQ(found.has_value(), expected.has_value()) << k << " " << offset_s;
            ++cases;
            if (!found) continue;
            ++clashes;
            EXPECT_EQ(found->at_ns, expected->at_ns);
            EXPECT_EQ(found->distance_m, expected->distance_m);
        }
    }
    EXPECT_GT(clashes, cases / 10);
    EXPECT_LT(clashes, cases * 9 / 10);
}

// The oracle: the offset ranges that each clashing pair of frames forbids, and the nearest offset outside all of them.
TEST(TouchSearch, TheLeastShiftIsTheNearestOffsetThatNoPairOfFramesForbids) {
    Dice dice(15);
    int shifted = 0;
    for (int k = 0; k < 12; ++k) {
        const Take a = make_take(dice, 90, {0, 0, 0}), b = make_take(dice, 80, {0.12F, 0, 0});
        const FrameTimes times_a{a.body.begin_ns}, times_b{b.body.begin_ns};
        std::vector<std::pair<std::int64_t, std::int64_t>> forbidden;  // open ranges
        CollideCounts collide;
        Contact contact;
        for (int i = 0; i < 90; ++i)
            for (int j = 0; j < 80; ++j) {
                const auto fi = static_cast<std::size_t>(i), fj = static_cast<std::size_t>(j);
                bool meet = false;
                for (std::size_t p = 0; p < MovingBones::kBones && !meet; ++p)
                    for (std::size_t q = 0; q < MovingBones::kBones && !meet; ++q)
                        meet = a.body.poses[fi].bone_present[p] != 0 && b.body.poses[fj].bone_present[q] != 0 &&
                               closest(a.body.poses[fi].shapes[p], b.body.poses[fj].shapes[q], 0.0F, contact, collide);
                if (meet)
                    forbidden.emplace_back(a.body.begin_ns[fi] - times_b.end_ns(j),
                                           times_a.end_ns(i) - b.body.begin_ns[fj]);
            }
        for (const std::int64_t offset_ns : {0LL, 300'000'000LL, -700'000'000LL}) {
            const auto is_free = [&](std::int64_t at_ns) {
                return std::none_of(forbidden.begin(), forbidden.end(),
                                    [&](const auto& range) { return range.first < at_ns && at_ns < range.second; });
            };
            std::int64_t expected_ns = 0;
            if (!is_free(offset_ns)) {
                std::int64_t best_ns = std::numeric_limits<std::int64_t>::max();
                for (const auto& [low, high] : forbidden)
                    for (const std::int64_t at_ns : {low, high})
                        if (is_free(at_ns) && (std::abs(at_ns - offset_ns) < std::abs(best_ns) ||
                                               (at_ns - offset_ns == -best_ns && best_ns < 0)))
                            best_ns = at_ns - offset_ns;
                expected_ns = best_ns;
                ++shifted;
            }
            TouchCounts counts;
            const std::vector takes_a = {a.take()}, takes_b = {b.take()};
            EXPECT_EQ(min_clear_shift_ns(takes_a, takes_b, offset_ns, 0.0F, counts), expected_ns) << k;
            EXPECT_FALSE(find_clash(takes_a, takes_b, offset_ns + expected_ns, 0.0F, counts).has_value());
        }
    }
    EXPECT_GT(shifted, 5);
}

// Two hands that rest inside each other: every frame of one clashes with every frame of the other, so the shift must
// pass all frames. That takes one step per frame, each to a neighbour; a search of all frames in each step would take
// as many times as long.
TEST(TouchSearch, TheLeastShiftOfLongTakesIsFoundStepByStep) {
    constexpr std::int32_t kFrames = 3000;
    const PoseOfFrame pose_of = [](std::int32_t, std::uint64_t, BodyPose& pose) {
        pose.shapes = {RoundCone{{0, 0, 0}, {0.04F, 0, 0}, 0.009F, 0.007F}};
        pose.bone_present = {1};
    };
    const SweptTree tree = SweptTree::build(1, kFrames, pose_of);
    std::vector<std::int64_t> begin_ns;
    for (std::int64_t k = 0; k < kFrames; ++k) begin_ns.push_back(k * 11'111'111 + k % 7);
    const std::vector<TakeBody> takes = {{{tree.view(), pose_of}, {begin_ns}}};
    TouchCounts counts;
    EXPECT_EQ(min_clear_shift_ns(takes, takes, 0, 0.0F, counts), begin_ns.back() + 100'000'000);
    EXPECT_LT(counts.frames_posed, 20 * kFrames);
    EXPECT_LT(counts.nodes, 20 * kFrames);
}

TEST(TouchSearch, AFrameIsHeldForALimitedTime) {
    // Two recordings of one frame each at the same position: the frame lasts exactly 100 ms.
    Dice dice(16);
    const Take a = make_take(dice, 1, {0, 0, 0});
    const std::vector takes = {a.take()};
    TouchCounts counts;
    EXPECT_TRUE(find_clash(takes, takes, 99'999'999, 0.0F, counts));
    EXPECT_FALSE(find_clash(takes, takes, 100'000'000, 0.0F, counts));
    EXPECT_FALSE(find_clash(takes, takes, -100'000'000, 0.0F, counts));
    EXPECT_EQ(min_clear_shift_ns(takes, takes, 0, 0.0F, counts), 100'000'000);
    EXPECT_EQ(min_clear_shift_ns(takes, takes, -60'000'000, 0.0F, counts), -40'000'000);
}

TEST(TouchSearch, QuestionsWithoutMeaningAreRefused) {
    Dice dice(17);
    const MovingBones a = moving_bones(dice, 20, {0, 0, 0}, 0.1F), b = moving_bones(dice, 21, {0, 0, 0}, 0.1F);
    const SweptTree tree_a = a.tree(), tree_b = b.tree();
    TouchCounts counts;
    EXPECT_THROW(find_near({tree_a.view(), a.pose_of()}, objects_about(), -0.001F, ~0ULL, counts),
                 std::invalid_argument);
    EXPECT_THROW(find_near({tree_a.view(), a.pose_of()}, objects_about(), std::nanf(""), ~0ULL, counts),
                 std::invalid_argument);
    EXPECT_THROW(find_near({tree_a.view(), a.pose_of()}, {tree_b.view(), b.pose_of()}, 0.0F, ~0ULL, ~0ULL, counts),
                 std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision::clips
