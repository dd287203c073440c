// Questions that [Schmidl04] leaves open for hands: fitting leaf boxes again in every frame, and the order in which
// five fingers are joined to one palm.
#include <algorithm>
#include <cmath>

#include "recordings/load.h"
#include "vr/bench/hand.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using collision::ArticulatedBody;
using collision::Obb;
using tracking::Joint;

// ---- hierarchies

// Bones: 0 palm, 1 to 3 thumb, then four per finger from the metacarpal; articulations are OpenXR's joints.
class BodyBuilder {
  public:
    BodyBuilder() { body_.bone_names = scenes::hand_body().bone_names; }
    std::int32_t join(std::int32_t a, std::int32_t b, Joint joint) {
        body_.nodes.push_back({a, b, static_cast<std::int32_t>(joint)});
        return scenes::kHandBoneCount + static_cast<std::int32_t>(body_.nodes.size()) - 1;
    }
    std::int32_t thumb() { return join(1, join(2, 3, Joint::thumb_distal), Joint::thumb_proximal); }
    // Finger 1 is the index finger. Joins from the tip to the proximal phalanx, or on to the metacarpal.
    std::int32_t finger(int number, bool with_metacarpal) {
        const std::int32_t metacarpal = 4 * number;
        const int proximal = static_cast<int>(Joint::index_proximal) + 5 * (number - 1);
        const auto joint = [&](int outwards) { return static_cast<Joint>(proximal + outwards); };
        const std::int32_t outer = join(metacarpal + 2, metacarpal + 3, joint(2));
        const std::int32_t phalanges = join(metacarpal + 1, outer, joint(1));
        return with_metacarpal ? join(metacarpal, phalanges, joint(0)) : phalanges;
    }
    ArticulatedBody take() { return std::move(body_); }

  private:
    ArticulatedBody body_;
};

// Joins every finger, with its metacarpal, one after the other to the palm.
ArticulatedBody one_by_one() {
    BodyBuilder body;
    std::int32_t hand = 0;
    for (int number = 1; number < tracking::kFingerCount; ++number)
        hand = body.join(hand, body.finger(number, true), Joint::wrist);
    body.join(hand, body.thumb(), Joint::thumb_metacarpal);
    return body.take();
}

// Joins neighbouring fingers, with their metacarpals, in pairs, then the pairs, then the palm.
ArticulatedBody in_pairs() {
    BodyBuilder body;
    const std::int32_t index = body.finger(1, true), middle = body.finger(2, true), ring = body.finger(3, true),
                       little = body.finger(4, true);
    const std::int32_t fingers =
        body.join(body.join(index, middle, Joint::wrist), body.join(ring, little, Joint::wrist), Joint::wrist);
    const std::int32_t palm = body.join(0, fingers, Joint::wrist);
    body.join(palm, body.thumb(), Joint::thumb_metacarpal);
    return body.take();
}

struct PalmRule {
    const char* name;
    ArticulatedBody body;
};

// ---- measuring

struct PalmCost {
    double refit_us = 0.0, test_us = 0.0;
    std::int64_t box_tests = 0, candidates = 0, inner_hits = 0, inner_false = 0;
    std::vector<double> refit_rounds_us, test_rounds_us;
};

// Counts the inner boxes that overlap an object's box, and the false positives: no bone below touches the object.
void count_inner(const HandTake& take, const ArticulatedBody& body, std::size_t frame,
                 const collision::BodyBoxes& boxes, const PaperWorkload& workload, PalmCost& cost) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    for (std::size_t object = 0; object < take.objects[frame].size(); ++object) {
        std::vector<std::uint8_t> touches(static_cast<std::size_t>(body.node_count()), 0);
        for (std::size_t bone = 0; bone < bones; ++bone)
            touches[bone] = boxes.present[bone] != 0 &&
                            workload.touch(static_cast<int>(frame), take.poses[frame],
                                           {static_cast<std::int32_t>(bone), static_cast<std::int32_t>(object)});
        for (std::size_t i = 0; i < body.nodes.size(); ++i) {
            const auto node = bones + i;
            touches[node] = touches[static_cast<std::size_t>(body.nodes[i].child_a)] |
                            touches[static_cast<std::size_t>(body.nodes[i].child_b)];
            if (boxes.present[node] == 0 || !collision::overlap(boxes.obb[node], take.objects[frame][object].box))
                continue;
            ++cost.inner_hits;
            cost.inner_false += touches[node] == 0 ? 1 : 0;
        }
    }
}

PalmCost measure_palm(const HandTake& take, const ArticulatedBody& body, int rounds) {
    const collision::RefitMethod& cab = *collision::find_refit_method("cab");
    const PaperWorkload workload = workload_of(take);
    PalmCost cost;
    std::vector<collision::BodyBoxes> boxes(take.poses.size());
    std::vector<collision::Candidate> candidates;
    const auto frames = static_cast<double>(take.poses.size());
    for (int round = 0; round <= rounds; ++round) {
        collision::CollideCounts counts;
        const double refit_s = thread_seconds([&] {
            for (std::size_t i = 0; i < take.poses.size(); ++i) cab.refit(body, take.poses[i], boxes[i]);
        });
        const double test_s = thread_seconds([&] {
            for (std::size_t i = 0; i < take.poses.size(); ++i) {
                candidates.clear();
                collision::find_candidates(cab, body, take.poses[i], boxes[i], take.objects[i], 0.0F, candidates,
                                           counts);
            }
        });
        cost.box_tests = counts.n_v;
        cost.candidates = counts.candidates;
        if (round == 0) continue;  // warms up
        cost.refit_rounds_us.push_back(1e6 * refit_s / frames);
        cost.test_rounds_us.push_back(1e6 * test_s / frames);
    }
    cost.refit_us = median(cost.refit_rounds_us);
    cost.test_us = median(cost.test_rounds_us);
    for (std::size_t i = 0; i < take.poses.size(); ++i) count_inner(take, body, i, boxes[i], workload, cost);
    return cost;
}

// Boxes that rounded bones reach out of, by more than 10 um.
struct Misfit {
    std::int64_t boxes = 0, outside = 0;
    double max_m = 0.0;

    double percent() const { return 100.0 * static_cast<double>(outside) / static_cast<double>(boxes); }
    void add(const Obb& box, const collision::Shape& bone) {
        const auto* cone = std::get_if<collision::RoundCone>(&bone);
        if (cone == nullptr) return;
        ++boxes;
        float out_m = 0.0F;
        for (const auto& [end_m, radius_m] :
             {std::pair{cone->a_m, cone->radius_a_m}, std::pair{cone->b_m, cone->radius_b_m}}) {
            const Eigen::Vector3f reach_m =
                (box.axes.transpose() * (end_m - box.center_m)).cwiseAbs().array() + radius_m;
            out_m = std::max(out_m, (reach_m - box.half_m).maxCoeff());
        }
        outside += out_m > 1e-5F ? 1 : 0;
        max_m = std::max(max_m, double{out_m});
    }
};

}  // namespace

void compare_leaf_boxes(BenchResult& result, const HandTake& take) {
    const std::vector<collision::BodyPose>& poses = take.poses;
    const std::size_t bones = poses.front().leaf_boxes.size();
    // Bones in the frame of their first box: rigid, as in [Schmidl04].
    std::vector<double> transformed_ns, fitted_ns;
    Misfit of_transformed, of_fitted;
    std::vector<Obb> boxes(bones);
    const auto has_all = [&](const collision::BodyPose& pose) {
        return std::ranges::all_of(pose.bone_present, [](std::uint8_t present) { return present != 0; });
    };
    const auto first = std::ranges::find_if(poses, has_all);
    if (first == poses.end()) {
        result.notes.push_back("leaf boxes: no frame of the recording has every bone");
        return;
    }
    const auto frame_of = [](const Obb& box) {
        Eigen::Isometry3f frame = Eigen::Isometry3f::Identity();
        frame.linear() = box.axes;
        frame.translation() = box.center_m;
        return frame;
    };
    std::vector<const collision::BodyPose*> whole;
    std::vector<Eigen::Isometry3f> placed;
    for (const collision::BodyPose& pose : poses) {
        if (!has_all(pose)) continue;
        whole.push_back(&pose);
        for (std::size_t i = 0; i < bones; ++i) {
            placed.push_back(frame_of(pose.leaf_boxes[i]));
            of_transformed.add({pose.leaf_boxes[i].center_m, pose.leaf_boxes[i].axes, first->leaf_boxes[i].half_m},
                               pose.shapes[i]);
            of_fitted.add(collision::bounding_box(pose.shapes[i], pose.leaf_boxes[i].axes.col(2)), pose.shapes[i]);
        }
    }
    for (int round = 0; round < 5; ++round) {
        const double transform_s = thread_seconds([&] {
            for (std::size_t k = 0; k < whole.size(); ++k)
                for (std::size_t i = 0; i < bones; ++i)
                    boxes[i] = collision::transformed(
                        placed[k * bones + i],
                        Obb{Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), first->leaf_boxes[i].half_m});
        });
        const double fit_s = thread_seconds([&] {
            for (const collision::BodyPose* pose : whole)
                for (std::size_t i = 0; i < bones; ++i)
                    boxes[i] = collision::bounding_box(pose->shapes[i], pose->leaf_boxes[i].axes.col(2));
        });
        transformed_ns.push_back(1e9 * transform_s / static_cast<double>(whole.size()));
        fitted_ns.push_back(1e9 * fit_s / static_cast<double>(whole.size()));
    }
    for (const auto& [name, ns, misfit] :
         {std::tuple{"transformed, of the first frame", median(transformed_ns), &of_transformed},
          std::tuple{"fitted to each frame's bones", median(fitted_ns), &of_fitted}})
        result.rows.push_back({{"leaf boxes", name},
                               {"ns a hand", ns},
                               {"boxes smaller than the bone, %", misfit->percent()},
                               {"by at most, mm", 1e3 * misfit->max_m}});
    result.claims.push_back(
        judge({"leaf boxes pre-computed offline enclose the bones of a tracked hand: boxes that do not, "
               "of " +
                   take.source,
               "\"can be pre-computed offline\"", exactly(0, " %")},
              exact(of_transformed.percent()), text("short by %.2g mm at most", 1e3 * of_transformed.max_m)));
    result.claims.push_back(judge({"leaf boxes fitted in each frame enclose the bones: boxes that do not",
                                   "this project's own aim", exactly(0, " %")},
                                  exact(of_fitted.percent())));
    result.claims.push_back(
        judge({"transforming leaf boxes is faster than fitting them to rounded bones", "-", more_than(1, "x")},
              ratio_of(fitted_ns, transformed_ns)));
}

void compare_palms(const BenchOptions& options, BenchResult& result) {
    const std::array<PalmRule, 3> rules = {{{"phalanges in pairs, metacarpals to the palm (ours)", scenes::hand_body()},
                                            {"whole fingers in pairs", in_pairs()},
                                            {"whole fingers one by one", one_by_one()}}};
    const int frames = options.frames > 0 ? options.frames : options.quick ? 600 : 4000;
    std::vector<std::string> labels;
    std::vector<double> false_share, us;
    std::array<std::vector<Measured>, 2> time, tests;
    Plot figure = rows_of("hand_palms", "Merging at the palm: inner boxes that meet an object for nothing",
                          "% of the inner boxes that overlap", {rules[0].name, rules[1].name, rules[2].name});
    for (const recordings::SampleRow& sample : recordings::sample_table()) {
        HandTake take;
        try {
            take = record_take(sample.make(), std::string(sample.scene), std::string(sample.name), frames);
        } catch (const std::runtime_error& error) {
            result.notes.push_back(error.what());
            continue;
        }
        std::vector<PalmCost> costs;
        for (std::size_t r = 0; r < rules.size(); ++r) {
            const PalmCost& cost = costs.emplace_back(measure_palm(take, rules[r].body, options.quick ? 5 : 9));
            const double share = 100.0 * static_cast<double>(cost.inner_false) /
                                 static_cast<double>(std::max<std::int64_t>(1, cost.inner_hits));
            result.rows.push_back({{"merge at the palm", rules[r].name},
                                   {"recording", sample.name},
                                   {"box tests a frame", static_cast<double>(cost.box_tests) / frames},
                                   {"candidates a frame", static_cast<double>(cost.candidates) / frames},
                                   {"inner false positives, %", share},
                                   {"refit_us", cost.refit_us},
                                   {"test_us", cost.test_us}});
            add_point(figure, sample.name, share, static_cast<double>(r));
        }
        for (std::size_t r = 1; r < rules.size(); ++r) {
            std::vector<double> whole, ours;
            for (std::size_t round = 0; round < costs[r].refit_rounds_us.size(); ++round) {
                whole.push_back(costs[r].refit_rounds_us[round] + costs[r].test_rounds_us[round]);
                ours.push_back(costs[0].refit_rounds_us[round] + costs[0].test_rounds_us[round]);
            }
            time[r - 1].push_back(ratio_of(whole, ours, std::string(sample.name)));
            if (costs[0].box_tests > 0)
                tests[r - 1].push_back(
                    exact(static_cast<double>(costs[r].box_tests) / static_cast<double>(costs[0].box_tests),
                          std::string(sample.name)));
        }
    }
    draw_if_requested(result, options, figure);
    for (std::size_t r = 1; r < rules.size(); ++r) {
        result.claims.push_back(judge({std::string(rules[r].name) + " needs more box tests than our rule",
                                       "no rule in the paper", more_than(1, "x")},
                                      tests[r - 1]));
        result.claims.push_back(
            judge({std::string(rules[r].name) + " takes as long as our rule, within 10 %, to refit and test",
                   "no rule in the paper", between(0.9, 1.1, "x")},
                  time[r - 1]));
    }
}

}  // namespace glovebox::vr
