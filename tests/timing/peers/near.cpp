// Which of many resting boxes are near the bones of a hand: our broad phase against those of other libraries.
//
// Ours tests the bones' oriented boxes and their hierarchy against a tree of the objects. The libraries test either the
// bones' oriented boxes or their axis-aligned bounds, which find more. Answers are compared with brute force.
#include <algorithm>

#include "collision/query/collide.h"
#include "collision/survey/fit/random.h"
#include "scenes/hand_body.h"
#include "tests/timing/peers/moving_hand.h"
#include "tests/timing/peers/peers.h"
#include "tests/timing/peers/plain.h"

namespace glovebox::timing {
namespace {

using collision::Collider;

// Makes boxes of 4 to 20 cm, aligned with the axes, around the hand. The room grows with their number.
std::vector<Collider> random_objects(int count) {
    collision::Random random(9);
    const double room_m = 0.25 * std::cbrt(static_cast<double>(count) / 100.0);
    std::vector<Collider> objects;
    for (int i = 0; i < count; ++i) {
        const auto at = [&] { return static_cast<float>(random.between(-room_m, room_m)); };
        const auto half = [&] { return static_cast<float>(random.between(0.02, 0.1)); };
        const collision::Obb box{{at(), at(), at()}, Eigen::Matrix3f::Identity(), {half(), half(), half()}};
        objects.push_back({collision::RoundedBox{box, 0.0F}, box, ~0U});
    }
    return objects;
}

// Pairs that differ, without those whose boxes touch within rounding.
std::int64_t count_different(std::vector<BonePair> found, const std::vector<BonePair>& right, const auto& is_clear) {
    std::sort(found.begin(), found.end());
    std::vector<BonePair> different;
    std::set_symmetric_difference(found.begin(), found.end(), right.begin(), right.end(),
                                  std::back_inserter(different));
    return std::count_if(different.begin(), different.end(), is_clear);
}

void run_count(int count, const PeerOptions& options, PeerReport& report) {
    const MovingHand hand = moving_hand(options.quick ? 8 : 128);
    const std::vector<Collider> objects = random_objects(count);
    collision::ObjectTree tree;
    tree.update(objects);
    const collision::RefitMethod& cab = collision::refit_methods().front();
    struct Frame {
        collision::BodyPose pose;
        collision::BodyBoxes boxes;
        std::vector<PlainBox> plain_bones;
    };
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < hand.frames(); ++i) {
        Frame& frame = frames.emplace_back(Frame{hand.pose, {}, {}});
        hand.place_shapes(i, frame.pose);
        hand.place_boxes(i, frame.pose);
        cab.refit(scenes::hand_body(), frame.pose, frame.boxes);
        for (const collision::Obb& box : frame.pose.leaf_boxes) frame.plain_bones.push_back(plain(box));
    }

    std::vector<std::vector<BonePair>> found(frames.size());  // of the contender that ran last
    std::vector<Contender> contenders;
    const auto add = [&](std::string name, auto find) {
        contenders.push_back({std::move(name), [&frames, &found, find] {
                                  for (std::size_t i = 0; i < frames.size(); ++i) {
                                      found[i].clear();
                                      find(frames[i], found[i]);
                                  }
                              }});
    };
    collision::CollideCounts counts;
    collision::DescentMemory memory{static_cast<std::size_t>(scenes::kHandBoneCount)};
    std::vector<collision::Candidate> candidates;
    add("glovebox", [&](const Frame& frame, std::vector<BonePair>& out) {
        candidates.clear();
        collision::find_candidates(cab, scenes::hand_body(), frame.pose, frame.boxes, objects, 0.0F, candidates, counts,
                                   ~0U, &memory, &tree);
        for (const collision::Candidate& candidate : candidates) out.push_back({candidate.bone, candidate.object});
    });
    std::vector<PlainBox> plain_objects;
    for (const Collider& object : objects) plain_objects.push_back(plain(object.box));
    for (const PeerLibrary& library : peer_libraries())
        if (library.near_boxes != nullptr)
            for (const bool oriented : {true, false})
                add(std::string(library.name) + (oriented ? ", oriented boxes" : ", axis-aligned boxes"),
                    [oriented, query = library.near_boxes(plain_objects)](
                        const Frame& frame, std::vector<BonePair>& out) { query(frame.plain_bones, oriented, out); });
    if (contenders.size() == 1) return;

    const std::string work = "a hand near " + std::to_string(count) + " boxes";
    for (Contender& contender : contenders) {
        contender.run();
        contender.contacts = contender.differ = 0;
        const bool aligned = contender.name.ends_with("axis-aligned boxes");
        for (std::size_t i = 0; i < frames.size(); ++i) {
            std::vector<BonePair> right;
            const auto overlap = [&](const BonePair& pair, float grow_m) {
                const collision::Obb& box = objects[static_cast<std::size_t>(pair[1])].box;
                collision::Obb bone = frames[i].pose.leaf_boxes[static_cast<std::size_t>(pair[0])];
                if (aligned) bone = collision::obb_of(collision::aabb_of(bone));
                bone.half_m.array() += grow_m;
                return collision::overlap(bone, box);
            };
            for (std::int32_t bone = 0; bone < scenes::kHandBoneCount; ++bone)
                for (std::int32_t object = 0; object < count; ++object)
                    if (overlap({bone, object}, 0.0F)) right.push_back({bone, object});
            contender.contacts += std::ssize(found[i]);
            contender.differ += count_different(
                found[i], right, [&](const BonePair& pair) { return overlap(pair, -1e-5F) == overlap(pair, 1e-5F); });
        }
        if (contender.differ != 0)
            report.disagree(work + ", " + contender.name + ": " + std::to_string(contender.differ) + " pairs");
    }
    report.add({work, "frame", static_cast<double>(frames.size()), true, 1.0, {}}, contenders,
               race(contenders, options.quick ? 3 : 21));
}

}  // namespace

void run_near(const PeerOptions& options, PeerReport& report) {
    for (const int count : {1'000, 10'000}) run_count(count, options, report);
}

}  // namespace glovebox::timing
