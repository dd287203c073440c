// A synthetic body for tests of swept trees: a block and a few links that wander, bend and are sometimes missing.
#pragma once

#include <cmath>
#include <vector>

#include "collision/survey/clips/swept_tree.h"
#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {

struct MovingBones {
    static constexpr int kBones = 6;
    std::vector<BodyPose> poses;
    std::vector<std::int64_t> begin_ns;

    PoseOfFrame pose_of() const {
        return [this](std::int32_t frame, std::uint64_t, BodyPose& pose) {
            pose = poses[static_cast<std::size_t>(frame)];
        };
    }
    std::int32_t frames() const { return static_cast<std::int32_t>(poses.size()); }
    SweptTree tree(int leaf_frames = SweptTree::kLeafFrames) const {
        return SweptTree::build(kBones, frames(), pose_of(), leaf_frames);
    }
};

inline MovingBones moving_bones(Dice& dice, int frames, const Eigen::Vector3f& around_m, float spread_m,
                                double missing = 0.02) {
    MovingBones body;
    std::array<double, 9> phase{}, rate{};
    for (std::size_t k = 0; k < phase.size(); ++k) {
        phase[k] = dice.uniform(0.0, 6.3);
        rate[k] = dice.uniform(0.3, 2.0);
    }
    std::int64_t now_ns = 0;
    int gone = 0;
    for (int i = 0; i < frames; ++i) {
        const double t = i / 60.0;
        const auto wave = [&](std::size_t k) { return static_cast<float>(std::sin(phase[k] + rate[k] * t)); };
        const Eigen::Vector3f at_m = around_m + spread_m * Eigen::Vector3f(wave(0), wave(1), wave(2));
        const Eigen::Quaternionf turn = Eigen::Quaternionf(1.0F, wave(3), wave(4), wave(5)).normalized();
        BodyPose pose;
        RoundedBox block;
        block.core.center_m = at_m;
        block.core.axes = turn.toRotationMatrix();
        block.core.half_m = {0.04F, 0.035F, 0.01F};
        block.radius_m = 0.008F;
        pose.shapes.emplace_back(block);
        Eigen::Vector3f from_m = at_m + turn * Eigen::Vector3f(0.04F, 0.0F, 0.0F);
        for (std::size_t k = 1; k < MovingBones::kBones; ++k) {
            const float bend = 0.5F * (1.0F + wave(5 + k % 4));
            const Eigen::Vector3f to_m = from_m + turn * Eigen::Vector3f(0.03F * std::cos(bend), 0.03F * std::sin(bend),
                                                                         0.002F * static_cast<float>(k));
            pose.shapes.emplace_back(RoundCone{from_m, to_m, 0.010F - 0.001F * static_cast<float>(k), 0.008F});
            from_m = to_m;
        }
        pose.bone_present.assign(MovingBones::kBones, 1);
        if (gone > 0) --gone;
        if (dice.uniform(0.0, 1.0) < missing) gone = 5;
        if (gone > 0) pose.bone_present[dice.below(MovingBones::kBones)] = 0;
        if (gone == 3) pose.bone_present.assign(MovingBones::kBones, 0);
        body.poses.push_back(std::move(pose));
        body.begin_ns.push_back(now_ns);
        now_ns += static_cast<std::int64_t>(dice.uniform(10e6, 25e6));
    }
    return body;
}

}  // namespace glovebox::collision::clips
