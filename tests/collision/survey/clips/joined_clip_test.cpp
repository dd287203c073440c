#include "collision/survey/clips/joined_clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {
namespace {

std::shared_ptr<const ClipTree> shared_tree(const ClipMethod& method, const Clip& clip) {
    return std::make_shared<const ClipTree>(method.build(clip, {}));
}

// Joins clips along a motion graph, each aligned to the end of the previous one.
JoinedClip walk(Dice& dice, const std::vector<std::shared_ptr<const ClipTree>>& library, int count) {
    std::vector<ClipPiece> pieces;
    for (int k = 0; k < count; ++k) {
        const auto& tree = library[dice.below(library.size())];
        pieces.push_back({tree, pieces.empty() ? ClipPlacement{}
                                               : snapped_on(pieces.back().tree->clip(), pieces.back().joined_from_piece,
                                                            tree->clip())});
    }
    return JoinedClip(std::move(pieces));
}

TEST(JoinedClip, AnswersAsOneClipDoes) {
    for (const std::string_view name : {"mobb", "umobb", "hybrid1", "hybrid2", "mobb-1"}) {
        const ClipMethod& method = *find_clip_method(name);
        const ClipMethod& brute = *find_clip_method("brute");
        Dice dice(21);
        std::vector<std::shared_ptr<const ClipTree>> library;
        for (const Clip& clip : short_clips(dice, 0.8)) library.push_back(shared_tree(method, clip));
        library.push_back(shared_tree(method, standing(12, 0.3)));
        int hits = 0;
        constexpr int kQueries = 400;
        for (int k = 0; k < kQueries; ++k) {
            const JoinedClip a = walk(dice, library, 1 + static_cast<int>(dice.below(12)));
            const JoinedClip b = walk(dice, library, 1 + static_cast<int>(dice.below(12)));
            const ClipPlacement pa = placed(dice.uniform(0, 7), {dice.normal(), dice.normal()}, dice.uniform(-2, 2));
            const ClipPlacement pb = placed(dice.uniform(0, 7), {dice.normal(), dice.normal()}, dice.uniform(-3, 3));
            ClipCounts counts, brute_counts;
            const bool hit =
                brute.collide(brute.build(a.flattened(), {}), pa, brute.build(b.flattened(), {}), pb, brute_counts);
            ASSERT_EQ(collide(method, a, pa, b, pb, counts), hit) << name << " query " << k;
            hits += hit ? 1 : 0;
        }
        EXPECT_GT(hits, kQueries * 2 / 10);
        EXPECT_LT(hits, kQueries * 9 / 10);
    }
}

// Points that jump between samples overlap in one sample only, so an error of one sample changes the answer.
TEST(JoinedClip, APieceBeginsOnTheSampleThatItBeginsOnWhateverTheClockSays) {
    const ClipMethod& mobb = *find_clip_method("mobb");
    const ClipMethod& brute = *find_clip_method("brute");
    Dice dice(24);
    const auto jumping = [&] {
        std::vector<ClipPiece> pieces;
        for (std::size_t k = 1 + dice.below(5); k > 0; --k) {
            Clip clip;
            for (std::size_t i = 1 + dice.below(12); i > 0; --i)
                clip.samples.push_back({{dice.uniform(0, 1), dice.uniform(0, 1)}, 0.06});
            pieces.push_back({shared_tree(mobb, clip), {}});
        }
        return JoinedClip(std::move(pieces));
    };
    for (const double clock_s : {0.0, 1e6, 1.7e9}) {
        int hits = 0;
        constexpr int kQueries = 2000;
        for (int k = 0; k < kQueries; ++k) {
            const JoinedClip a = jumping(), b = jumping();
            const double later_s = (static_cast<double>(dice.below(20)) - 10.0) / 30.0;
            const ClipPlacement pa = placed(0, {0, 0}, clock_s), pb = placed(0, {0, 0}, clock_s + later_s);
            ClipCounts counts;
            const bool hit =
                brute.collide(brute.build(a.flattened(), {}), pa, brute.build(b.flattened(), {}), pb, counts);
            ASSERT_EQ(collide(mobb, a, pa, b, pb, counts), hit) << clock_s << " query " << k;
            hits += hit ? 1 : 0;
        }
        EXPECT_GT(hits, kQueries / 10);
        EXPECT_LT(hits, kQueries * 9 / 10);
    }
}

TEST(JoinedClip, BoxesOnTopContainEverySample) {
    const ClipMethod& method = *find_clip_method("mobb");
    Dice dice(22);
    std::vector<std::shared_ptr<const ClipTree>> library;
    for (const Clip& clip : short_clips(dice, 0.5)) library.push_back(shared_tree(method, clip));
    for (int k = 0; k < 50; ++k) {
        const JoinedClip joined = walk(dice, library, 9);
        const Clip flat = joined.flattened();
        for (const JoinedClip::Node& node : joined.nodes())
            for (std::int32_t i = node.first; i < node.end; ++i) {
                const ClipSample& s = flat.samples[static_cast<std::size_t>(i)];
                const Eigen::Vector2d d = s.center_m - node.flat.center_m, a0 = node.flat.axis;
                ASSERT_LE(std::abs(a0.dot(d)) + s.radius_m, node.flat.half_m.x());
                ASSERT_LE(std::abs(a0.x() * d.y() - a0.y() * d.x()) + s.radius_m, node.flat.half_m.y());
            }
    }
}

TEST(JoinedClip, SnappedClipsGoOnWithoutAJump) {
    Dice dice(23);
    const Clip a = wandering(dice, 50, 0.3), b = wandering(dice, 40, 0.3);
    const ClipPlacement pa = placed(0.7, {1, 2}, 3.0);
    const ClipPlacement pb = snapped_on(a, pa, b);
    const Eigen::Vector2d before = pa * a.samples[48].center_m, end = pa * a.samples[49].center_m;
    const Eigen::Vector2d first = pb * b.samples[0].center_m, second = pb * b.samples[1].center_m;
    EXPECT_LT((first - end - (end - before)).norm(), 1e-12);
    EXPECT_GT((second - first).normalized().dot((end - before).normalized()), 1.0 - 1e-12);
    EXPECT_NEAR(pb.start_s, 3.0 + 50.0 / 30.0, 1e-12);
}

TEST(JoinedClip, PiecesThatCannotBeJoinedAreRefused) {
    const ClipMethod& mobb = *find_clip_method("mobb");
    Clip other = standing(5, 1.0);
    other.dt_s = 0.01;
    EXPECT_THROW(JoinedClip({}), std::invalid_argument);
    EXPECT_THROW(JoinedClip({{shared_tree(mobb, standing(5, 1)), {}}, {shared_tree(mobb, other), {}}}),
                 std::invalid_argument);
    EXPECT_THROW(JoinedClip({{shared_tree(*find_clip_method("brute"), other), {}}}), std::invalid_argument);
    EXPECT_THROW(JoinedClip({{shared_tree(mobb, other), placed(0, {std::nan(""), 0}, 0)}}), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision::clips
