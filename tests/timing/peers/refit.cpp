// Refit of a 20-bone hand after it moved: leaf boxes transformed to the world, then 19 merges up the hand's hierarchy.
#include <fcl/math/bv/OBB.h>

#include "collision/body/refit_lanes.h"
#include "scenes/hand_body.h"
#include "tests/timing/peers/moving_hand.h"
#include "tests/timing/peers/peers.h"

namespace glovebox::timing {
namespace {

using collision::ArticulatedBody;
using collision::Obb;

// FCL's boxes for the same hierarchy, by FCL's own merge.
template <class Scalar>
struct FclHand {
    std::vector<fcl::OBB<Scalar>> leaves, boxes;

    explicit FclHand(const MovingHand& hand) {
        for (const Obb& box : hand.bones.box_in_bone)
            leaves.emplace_back(box.axes.cast<Scalar>(), box.center_m.cast<Scalar>(), box.half_m.cast<Scalar>());
        boxes.resize(static_cast<std::size_t>(scenes::hand_body().node_count()));
    }
    void refit(const std::vector<fcl::Transform3<Scalar>>& world_from_bone) {
        const ArticulatedBody& body = scenes::hand_body();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            boxes[i].axis.noalias() = world_from_bone[i].linear() * leaves[i].axis;
            boxes[i].To.noalias() = world_from_bone[i] * leaves[i].To;
            boxes[i].extent = leaves[i].extent;
        }
        for (std::size_t i = 0; i < body.nodes.size(); ++i)
            boxes[leaves.size() + i] = boxes[static_cast<std::size_t>(body.nodes[i].child_a)] +
                                       boxes[static_cast<std::size_t>(body.nodes[i].child_b)];
    }
};

template <class Scalar>
std::vector<std::vector<fcl::Transform3<Scalar>>> converted(const MovingHand& hand) {
    std::vector<std::vector<fcl::Transform3<Scalar>>> frames;
    for (const auto& placed : hand.world_from_bone) {
        auto& frame = frames.emplace_back();
        for (const Eigen::Isometry3f& pose : placed) frame.emplace_back(pose.matrix().cast<Scalar>());
    }
    return frames;
}

}  // namespace

void run_refit(const PeerOptions& options, PeerReport& report) {
    const int frame_count = options.quick ? 16 : 512, rounds = options.quick ? 3 : 61;
    const MovingHand hand = moving_hand(frame_count);
    const ArticulatedBody& body = scenes::hand_body();
    const auto their_frames = converted<double>(hand);
    const auto their_frames_float = converted<float>(hand);
    FclHand<double> theirs(hand);
    FclHand<float> theirs_float(hand);
    collision::BodyBoxes boxes;
    const std::vector<Contender> contenders = {
        {"glovebox cab",
         [&] {
             for (const auto& world_from_bone : hand.world_from_bone)
                 collision::refit_cab_rigid(body, hand.bones, world_from_bone.data(), boxes);
         }},
        {"FCL, OBB<double>::operator+",
         [&] {
             for (const auto& frame : their_frames) theirs.refit(frame);
         }},
        {"FCL, OBB<float>::operator+",
         [&] {
             for (const auto& frame : their_frames_float) theirs_float.refit(frame);
         }},
    };
    // About 400 operations per group of four merges; seven groups, four operations per cycle. But five levels form a
    // chain of about 150 cycles each, which cannot be shortened.
    // A merge is about 430 scalar operations, a transform 66; poses and leaf boxes are read, 39 boxes written.
    const Floor one{750.0, 19.0 * 430.0 + 20.0 * 66.0, 20.0 * (64.0 + 60.0) + 39.0 * 60.0};
    report.add({"refit of one 20-bone hand", "hand", static_cast<double>(frame_count), false, 6.0, one}, contenders,
               race(contenders, rounds));

    // Many hands: the same frames, each hand at another time.
    const int bodies = 64;
    collision::BodyBatch batch(body, hand.bones, bodies);
    std::vector<const Eigen::Isometry3f*> poses(static_cast<std::size_t>(bodies));
    const auto frame_of = [&](std::size_t frame, int k) {
        return (frame + 7 * static_cast<std::size_t>(k)) % hand.frames();
    };
    const auto many_of = [&](auto& their_hand, const auto& frames) {
        for (int k = 0; k < bodies; ++k) their_hand.refit(frames[frame_of(0, k)]);
    };
    const std::vector<Contender> many = {
        {"glovebox cab, " + std::to_string(collision::batch_lanes()) + " at once",
         [&] {
             for (int k = 0; k < bodies; ++k)
                 poses[static_cast<std::size_t>(k)] = hand.world_from_bone[frame_of(0, k)].data();
             batch.refit(poses);
         }},
        {"FCL, OBB<double>::operator+", [&] { many_of(theirs, their_frames); }},
        {"FCL, OBB<float>::operator+", [&] { many_of(theirs_float, their_frames_float); }},
    };
    // 19 merges of about 300 operations and 20 transforms of about 60, two per cycle, divided by the SIMD lanes.
    report.add({"refit of 64 hands together",
                "hand",
                static_cast<double>(bodies),
                false,
                15.0,
                {(19.0 * 300.0 + 20.0 * 60.0) / 2.0 / collision::batch_lanes(), one.flops, one.bytes}},
               many, race(many, rounds));
}

}  // namespace glovebox::timing
