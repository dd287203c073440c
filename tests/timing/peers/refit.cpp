// The boxes of a 20-bone hand after it moved: leaf boxes brought to the world, then 19 merges up the hand's hierarchy.
#include <fcl/math/bv/OBB.h>

#include "collision/refit.h"
#include "scenes/hand_body.h"
#include "tests/timing/peers/moving_hand.h"
#include "tests/timing/peers/peers.h"

namespace glovebox::timing {
namespace {

using collision::ArticulatedBody;
using collision::Obb;

// FCL's boxes up the same hierarchy, by its own merge.
template <class Scalar>
struct FclHand {
    std::vector<fcl::OBB<Scalar>> leaves, boxes;

    explicit FclHand(const MovingHand& hand) {
        for (const Obb& box : hand.leaf_in_bone)
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
    collision::BodyPose pose = hand.pose;
    collision::BodyBoxes boxes;
    const collision::RefitMethod& cab = collision::refit_methods().front();
    const std::vector<Contender> contenders = {
        {"glovebox cab",
         [&] {
             for (std::size_t frame = 0; frame < hand.frames(); ++frame) {
                 hand.place_boxes(frame, pose);
                 cab.refit(body, pose, boxes);
             }
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
    report.add({"refit of one 20-bone hand", "hand", static_cast<double>(frame_count), false, 6.0, 0.0}, contenders,
               race(contenders, rounds));
}

}  // namespace glovebox::timing
