#include "vr/session/prices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {
namespace {

using collision::Collider;
using Eigen::Vector3f;

constexpr float kReach_m = 0.02F;  // proximity margin, as in scenes
constexpr float kRadius_m = 0.05F;
constexpr int kFrames = 48;  // small steps, so that the exact query's caches are as useful as in a recording
constexpr int kPasses = 4;   // the first is a warm-up

// Times and counts of one kind of work, per frame.
class Tally {
  public:
    void add(double ns, std::int64_t count) {
        if (count > 0) frames_.push_back({ns / static_cast<double>(count), static_cast<double>(count)});
    }
    Price price() {
        if (frames_.empty()) return {};
        std::ranges::sort(frames_, {}, &Frame::each_ns);
        const auto at = [&](double share) {
            return frames_[static_cast<std::size_t>(share * static_cast<double>(frames_.size() - 1))].each_ns;
        };
        // Frames above the 95th percentile do not count: they contain pauses of the machine.
        double ns = 0.0, count = 0.0;
        for (const Frame& frame : frames_) {
            if (frame.each_ns > at(0.95)) break;
            ns += frame.each_ns * frame.count;
            count += frame.count;
        }
        return {ns / count, at(0.1), at(0.9)};
    }

  private:
    struct Frame {
        double each_ns, count;
    };
    std::vector<Frame> frames_;
};

collision::Mesh ball_of_triangles() {
    constexpr int kRound = 48, kRings = 24;
    collision::Mesh mesh;
    for (int ring = 0; ring <= kRings; ++ring)
        for (int i = 0; i < kRound; ++i) {
            const float down = std::numbers::pi_v<float> * static_cast<float>(ring) / kRings;
            const float round = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / kRound;
            mesh.vertices_m.push_back(kRadius_m * Vector3f(std::sin(down) * std::cos(round), std::cos(down),
                                                           std::sin(down) * std::sin(round)));
        }
    for (std::uint32_t ring = 0; ring < kRings; ++ring)
        for (std::uint32_t i = 0; i < kRound; ++i) {
            const std::uint32_t a = ring * kRound + i, b = ring * kRound + (i + 1) % kRound;
            mesh.triangles.push_back({a, b, b + kRound});
            mesh.triangles.push_back({a, b + kRound, a + kRound});
        }
    return mesh;
}

collision::BodyPose made_hand() {
    const tracking::HandProfile profile = tracking::default_profile();
    tracking::HandFrame hand = tracking::pose_from_angles(profile, tracking::resting_angles(),
                                                          Eigen::Isometry3f::Identity(), tracking::Side::right);
    tracking::fill_radii(profile, hand);
    collision::BodyPose pose;
    scenes::pose_hand(hand, pose);
    return pose;
}

// Places the object so that the hand approaches it, from 6 cm above to 1 cm inside its bounds.
Collider placed(collision::Shape shape, const collision::BodyPose& hand, int frame) {
    Vector3f low = hand.leaf_boxes[0].center_m, middle = Vector3f::Zero();
    for (const collision::Obb& box : hand.leaf_boxes) {
        low = low.cwiseMin(box.center_m);
        middle += box.center_m / static_cast<float>(hand.leaf_boxes.size());
    }
    const Vector3f at(middle.x(), low.y() - kRadius_m - 0.06F + 0.0015F * static_cast<float>(frame), middle.z());
    Collider collider;
    if (auto* cone = std::get_if<collision::RoundCone>(&shape)) {
        cone->a_m = cone->b_m = at;
        collider.box = {at, Eigen::Matrix3f::Identity(), Vector3f::Constant(kRadius_m)};
    } else if (auto* box = std::get_if<collision::RoundedBox>(&shape)) {
        box->core.center_m = at;
        collider.box = box->core;
    } else {
        auto& mesh = std::get<collision::MeshInstance>(shape);
        mesh.world_from_mesh.translation() = at;
        collider.box = collision::transformed(mesh.world_from_mesh, mesh.tree->tree().root_box());
    }
    collider.shape = std::move(shape);
    return collider;
}

}  // namespace

Prices measure_prices(const collision::RefitMethod& method, Clock clock) {
    const collision::ArticulatedBody& body = scenes::hand_body();
    const collision::BodyPose pose = made_hand();
    collision::RoundedBox block;
    block.core.axes = Eigen::Matrix3f::Identity();
    block.core.half_m = Vector3f::Constant(kRadius_m);
    const std::array<collision::Shape, 3> shapes = {
        collision::RoundCone{Vector3f::Zero(), Vector3f::Zero(), kRadius_m, kRadius_m}, block,
        collision::MeshInstance{collision::MeshTree::build(ball_of_triangles())}};

    Prices prices;
    prices.method = &method;
    Tally refits, object_tests, tree_tests, exact_tests;
    collision::BodyBoxes boxes;
    collision::DescentMemory memory(static_cast<std::size_t>(body.bone_count()));
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact> contacts;
    for (const collision::Shape& shape : shapes) {
        const bool is_mesh = std::holds_alternative<collision::MeshInstance>(shape);
        // The mesh comes last, when the cost of a test against an object's box is already known.
        const double object_ns = is_mesh ? object_tests.price().ns : 0.0;
        for (int i = 0; i < kFrames * kPasses; ++i) {
            const Collider object = placed(shape, pose, i % kFrames);
            collision::CollideCounts counts;
            candidates.clear();
            contacts.clear();
            const std::int64_t start_ns = clock();
            const int refitted = method.refit(body, pose, boxes);
            const std::int64_t refitted_ns = clock();
            collision::find_candidates(method, body, pose, boxes, {&object, 1}, kReach_m, candidates, counts, ~0U,
                                       &memory);
            const std::int64_t tested_ns = clock();
            collision::find_contacts(pose, {&object, 1}, candidates, kReach_m, 0.0F, contacts, counts, &memory);
            const std::int64_t done_ns = clock();
            if (i < kFrames) continue;
            refits.add(static_cast<double>(refitted_ns - start_ns), refitted);
            const auto tests_ns = static_cast<double>(tested_ns - refitted_ns);
            if (counts.n_v_tree > 0)
                tree_tests.add(std::max(0.0, tests_ns - object_ns * static_cast<double>(counts.n_v_object)),
                               counts.n_v_tree);
            else if (!is_mesh)
                object_tests.add(tests_ns, counts.n_v_object);
            exact_tests.add(static_cast<double>(done_ns - tested_ns), counts.n_p);
        }
    }
    prices.box_refitted = refits.price();
    prices.object_box_test = object_tests.price();
    prices.tree_box_test = tree_tests.price();
    prices.exact_test = exact_tests.price();
    return prices;
}

PricedFrame priced(const collision::CollideCounts& counts, const Prices& prices) {
    const auto us = [](std::int64_t count, double ns) { return 1e-3 * static_cast<double>(count) * ns; };
    const auto all = [&](auto price_of) {
        return us(counts.n_u, price_of(prices.box_refitted)) + us(counts.n_v_object, price_of(prices.object_box_test)) +
               us(counts.n_v_tree, price_of(prices.tree_box_test)) + us(counts.n_p, price_of(prices.exact_test));
    };
    return {us(counts.n_u, prices.box_refitted.ns),
            us(counts.n_v_object, prices.object_box_test.ns),
            us(counts.n_v_tree, prices.tree_box_test.ns),
            us(counts.n_p, prices.exact_test.ns),
            all([](const Price& price) { return price.low_ns; }),
            all([](const Price& price) { return price.high_ns; })};
}

}  // namespace glovebox::vr
