// Scaling of the cost: 1 to 1000 hands, 100 to 1,000,000 triangles; and hands against themselves and each other.
//
// The hands are synthetic: fingers curl and spread, each hand in its own phase. The benchmark fails unless all refit
// methods find the same touching pairs of bones.
#include <algorithm>
#include <cmath>

#include "collision/body/refit_lanes.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/body_pairs.h"
#include "collision/query/collide.h"
#include "collision/survey/tree/sample_meshes.h"
#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"
#include "vr/bench/bench.h"
#include "vr/bench/plot.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using collision::BodyPose;
using Eigen::Vector3f;

tracking::HandFrame hand_at(float t_s, const Vector3f& wrist_m, tracking::Side side) {
    tracking::HandAngles angles = tracking::resting_angles();
    for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
        const float curl = 0.5F + 0.5F * std::sin(2.1F * t_s + 0.7F * static_cast<float>(i));
        angles.fingers[i] = {0.1F + 1.2F * curl, 0.2F * std::sin(1.3F * t_s), 0.1F + 1.3F * curl, 0.1F + 0.7F * curl};
    }
    angles.thumb.cmc_flex = 0.4F + 0.4F * std::sin(1.7F * t_s);
    angles.thumb.ip_flex = 0.4F + 0.4F * std::sin(2.3F * t_s);
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.translation() = wrist_m;
    world_from_wrist.linear() = Eigen::AngleAxisf(0.4F * std::sin(t_s), Vector3f::UnitY()).toRotationMatrix();
    tracking::HandFrame frame = tracking::pose_from_angles(tracking::default_profile(), angles, world_from_wrist, side);
    frame.active = true;
    return frame;
}

BodyPose pose_at(float t_s, const Vector3f& wrist_m, tracking::Side side = tracking::Side::right) {
    BodyPose pose;
    scenes::pose_hand(hand_at(t_s, wrist_m, side), pose);
    return pose;
}

// Returns the minimum over several rounds of the same work.
template <class Work>
double min_us(int rounds, const Work& work) {
    std::int64_t min_ns = std::numeric_limits<std::int64_t>::max();
    for (int round = 0; round < rounds; ++round) {
        const std::int64_t start_ns = thread_cpu_ns();
        work();
        min_ns = std::min(min_ns, thread_cpu_ns() - start_ns);
    }
    return 1e-3 * static_cast<double>(min_ns);
}

void add_hands(const BenchOptions& options, BenchResult& result) {
    Plot plot = {.name = "growth-hands",
                 .title = "Refit and self-collision of many 20-bone hands",
                 .x_label = "hands",
                 .y_label = "us for all",
                 .log_x = true,
                 .log_y = true,
                 .series = {{"refit, one by one"}, {"refit, a hand a lane"}, {"refit and self-collision"}}};
    const collision::ArticulatedBody& body = scenes::hand_body();
    const collision::PairMask mask(body);
    const collision::RefitMethod& cab = collision::refit_methods().front();
    // The batch needs rigid poses: bones in the frames of their boxes.
    collision::RigidBones bones;
    const BodyPose first = pose_at(0.0F, Vector3f::Zero());
    const auto frame_of = [](const collision::Obb& box) {
        Eigen::Isometry3f world_from_box = Eigen::Isometry3f::Identity();
        world_from_box.linear() = box.axes;
        world_from_box.translation() = box.center_m;
        return world_from_box;
    };
    for (const collision::Obb& box : first.leaf_boxes)
        bones.box_in_bone.push_back({Vector3f::Zero(), Eigen::Matrix3f::Identity(), box.half_m});
    for (const Vector3f& joint_m : first.joints_m) {
        // Here joints are fixed to the palm: the time does not depend on their positions.
        bones.joint_in_bone.push_back(frame_of(first.leaf_boxes.front()).inverse() * joint_m);
        bones.bone_of_joint.push_back(0);
    }
    for (const int hands : options.quick ? std::vector{1, 10} : std::vector{1, 3, 10, 30, 100, 300, 1000}) {
        std::vector<BodyPose> poses;
        std::vector<std::vector<Eigen::Isometry3f>> rigid;
        for (int i = 0; i < hands; ++i) {
            poses.push_back(pose_at(0.37F * static_cast<float>(i), {0.3F * static_cast<float>(i % 32), 0.0F, 0.0F}));
            auto& placed = rigid.emplace_back();
            for (const collision::Obb& box : poses.back().leaf_boxes) placed.push_back(frame_of(box));
        }
        std::vector<const Eigen::Isometry3f*> pointers;
        for (const auto& placed : rigid) pointers.push_back(placed.data());
        std::vector<collision::BodyBoxes> boxes(poses.size());
        collision::BodyBatch batch(body, bones, hands);
        std::vector<collision::BonePair> pairs;
        collision::CollideCounts counts;
        const int rounds = options.quick ? 3 : std::max(5, 2000 / hands);
        const auto refit_all = [&] {
            for (std::size_t i = 0; i < poses.size(); ++i) cab.refit(body, poses[i], boxes[i]);
        };
        const double single_us = min_us(rounds, refit_all);
        const double batch_us = min_us(rounds, [&] { batch.refit(pointers); });
        const double self_us = min_us(rounds, [&] {
            refit_all();
            for (const auto& of_hand : boxes) {
                pairs.clear();
                collision::find_self_candidates(cab, body, mask, of_hand, 0.0F, pairs, counts);
            }
        });
        result.rows.push_back({{"hands", hands},
                               {"refit_us", single_us},
                               {"refit_us_per_hand", single_us / hands},
                               {"batch_us_per_hand", batch_us / hands},
                               {"with_self_us_per_hand", self_us / hands}});
        for (std::size_t k = 0; k < 3; ++k)
            plot.series[k].points.emplace_back(hands, std::array{single_us, batch_us, self_us}[k]);
    }
    draw_if_requested(result, options, plot);
}

void add_triangles(const BenchOptions& options, BenchResult& result) {
    Plot plot = {.name = "growth-triangles",
                 .title = "A 20-bone hand on a ball of triangles",
                 .x_label = "triangles",
                 .y_label = "us per frame",
                 .log_x = true,
                 .log_y = true,
                 .series = {{"boxes and contacts"}}};
    for (const int rings : options.quick ? std::vector{8, 24} : std::vector{8, 23, 71, 224, 708}) {
        const double start_ns = static_cast<double>(now_ns());
        const auto tree = collision::MeshTree::build(collision::sphere(rings, rings, 0.06));
        const double build_ms = 1e-6 * (static_cast<double>(now_ns()) - start_ns);
        Eigen::Isometry3f world_from_ball = Eigen::Isometry3f::Identity();
        world_from_ball.translation() = Vector3f(0.0F, -0.06F, -0.11F);
        const collision::Shape shape = collision::MeshInstance{tree, world_from_ball};
        const std::vector<collision::Collider> objects = {{shape, collision::bounding_box(shape), ~0U}};
        const collision::RefitMethod& cab = collision::refit_methods().front();
        std::vector<BodyPose> poses;
        for (int i = 0; i < 64; ++i) poses.push_back(pose_at(0.05F * static_cast<float>(i), Vector3f::Zero()));
        collision::BodyBoxes boxes;
        std::vector<collision::Candidate> candidates;
        std::vector<collision::Contact> contacts;
        collision::CollideCounts counts;
        const double frame_us =
            min_us(options.quick ? 2 : 20,
                   [&] {
                       counts = {};
                       for (const BodyPose& pose : poses) {
                           candidates.clear();
                           contacts.clear();
                           cab.refit(scenes::hand_body(), pose, boxes);
                           collision::find_candidates(cab, scenes::hand_body(), pose, boxes, objects, 0.0F, candidates,
                                                      counts);
                           collision::find_contacts(pose, objects, candidates, 0.0F, 0.0F, contacts, counts);
                       }
                   }) /
            static_cast<double>(poses.size());
        const auto triangles = static_cast<double>(tree->mesh().triangles.size());
        result.rows.push_back({{"triangles", tree->mesh().triangles.size()},
                               {"frame_us", frame_us},
                               {"touching", static_cast<double>(counts.touching) / static_cast<double>(poses.size())},
                               {"box_tests", counts.n_v / static_cast<std::int64_t>(poses.size())},
                               {"triangle_tests", counts.n_p / static_cast<std::int64_t>(poses.size())},
                               {"build_ms", build_ms},
                               {"bytes_per_triangle", static_cast<double>(tree->memory_bytes()) / triangles}});
        plot.series[0].points.emplace_back(triangles, frame_us);
    }
    draw_if_requested(result, options, plot);
}

// Touching bones of one hand or of two, by every refit method and without a hierarchy.
void add_bodies(const BenchOptions& options, BenchResult& result) {
    const collision::ArticulatedBody& body = scenes::hand_body();
    const collision::PairMask mask(body);
    const int frames = options.quick ? 40 : 400;
    std::vector<BodyPose> right, left;
    for (int i = 0; i < frames; ++i) {
        const float t_s = 0.02F * static_cast<float>(i);
        right.push_back(pose_at(t_s, {0.05F, 0.0F, 0.0F}));
        left.push_back(pose_at(1.3F * t_s, {-0.05F + 0.04F * std::sin(t_s), 0.0F, 0.0F}, tracking::Side::left));
    }
    struct Count {
        std::int64_t candidates = 0, touching = 0, box_tests = 0;
        double us = 0.0;
    };
    std::vector<const collision::RefitMethod*> methods = {nullptr};  // null: all wanted pairs, no hierarchy
    for (const collision::RefitMethod& method : collision::refit_methods()) methods.push_back(&method);
    for (const bool self : {true, false}) {
        std::int64_t expected = -1;
        for (const collision::RefitMethod* method : methods) {
            collision::BodyBoxes boxes_right, boxes_left;
            Count count;
            std::vector<collision::BonePair> pairs;
            collision::CollideCounts counts, exact;
            for (std::size_t i = 0; i < right.size(); ++i) {
                pairs.clear();
                const std::int64_t start_ns = thread_cpu_ns();
                if (method == nullptr && self) {
                    collision::find_self_candidates(body, right[i], 0.0F, pairs, counts);
                } else if (method == nullptr) {
                    collision::find_body_candidates(right[i], left[i], 0.0F, pairs, counts);
                } else if (method->refit(body, right[i], boxes_right); self) {
                    collision::find_self_candidates(*method, body, mask, boxes_right, 0.0F, pairs, counts);
                } else {
                    method->refit(body, left[i], boxes_left);
                    collision::find_body_candidates(*method, body, boxes_right, body, boxes_left, 0.0F, pairs, counts);
                }
                count.us += 1e-3 * static_cast<double>(thread_cpu_ns() - start_ns);
                for (const collision::BonePair& pair : pairs) {
                    collision::Contact contact;
                    count.touching += collision::closest(
                        right[i].shapes[static_cast<std::size_t>(pair.bone_a)],
                        (self ? right : left)[i].shapes[static_cast<std::size_t>(pair.bone_b)], 0.0F, contact, exact);
                }
            }
            const std::string name(method == nullptr ? "pairs, no hierarchy" : method->name);
            if (expected < 0) expected = count.touching;
            if (count.touching != expected) {
                result.check_failed = true;
                result.notes.push_back(name + " finds " + std::to_string(count.touching) +
                                       " touching pairs, without a hierarchy " + std::to_string(expected));
            }
            result.rows.push_back({{"bodies", self ? "a hand against itself" : "two hands"},
                                   {"method", name},
                                   {"frames", frames},
                                   {"#coll", counts.candidates},
                                   {"touching", count.touching},
                                   {"box tests", counts.n_v},
                                   {"refit_and_test_us", count.us / frames}});
        }
    }
}

}  // namespace

BenchResult bench_growth(const BenchOptions& options) {
    BenchResult result;
    add_hands(options, result);
    add_triangles(options, result);
    add_bodies(options, result);
    return result;
}

}  // namespace glovebox::vr
