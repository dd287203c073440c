// The curl at which each finger touches: its cost in a room scan, and its difference from dense sampling over whole
// recordings.
//
// The reference bends a recorded finger in 500 steps, the outer joints first and about their axes in the frame. In each
// step it measures every phalanx against every object. It starts at the recorded curl or with a straight finger.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/query/collide.h"
#include "scenes/curl_limit.h"
#include "tracking/forward_kinematics.h"
#include "vr/bench/bench.h"
#include "vr/bench/soak_scene.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/pipeline.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;

constexpr int kSamples = 500;
constexpr float kMaxApart = 0.01F;  // as a share of the curl's range
constexpr double kMaxCost_us = 150.0;
constexpr std::array kScenes = {"table-and-ball", "held-ball", "cup-to-grasp"};

struct BentFinger {
    std::array<Vector3f, 4> joint_m;
    std::array<float, 4> radius_m;
    std::array<Vector3f, 3> axis;
    std::array<float, 3> bent_rad, closed_rad;  // now, and when the finger is closed

    BentFinger(const HandFrame& hand, std::size_t finger) {
        const auto first = static_cast<std::size_t>(finger == 0 ? Joint::thumb_metacarpal : Joint::index_proximal) +
                           (finger == 0 ? 0 : 5 * (finger - 1));
        for (std::size_t k = 0; k < 4; ++k) {
            const tracking::JointPose& joint = hand[static_cast<Joint>(first + k)];
            joint_m[k] = joint.position_m;
            radius_m[k] = joint.radius_m;
            if (k < 3) axis[k] = joint.orientation * Vector3f::UnitX();
        }
        const tracking::HandAngles angles = tracking::angles_of_hand(hand);
        if (finger == 0)
            bent_rad = {angles.thumb.cmc_flex, angles.thumb.mcp_flex, angles.thumb.ip_flex};
        else
            bent_rad = {angles.fingers[finger - 1].mcp_flex, angles.fingers[finger - 1].pip_flex,
                        angles.fingers[finger - 1].dip_flex};
        closed_rad = finger == 0 ? tracking::kClosedThumb_rad : tracking::kClosedFinger_rad;
        for (std::size_t k = 0; k < 3; ++k) bent_rad[k] = std::clamp(bent_rad[k], 0.0F, closed_rad[k]);
    }
    float curl() const {
        float sum = 0.0F;
        for (std::size_t k = 0; k < 3; ++k) sum += bent_rad[k] / closed_rad[k] / 3.0F;
        return sum;
    }
    // Returns the joints after a share of the remaining flexion to a fist or, if negative, to a straight finger.
    std::array<Vector3f, 4> joints_at(float share) const {
        std::array<Vector3f, 4> at_m = joint_m;
        for (std::size_t k = 3; k-- > 0;) {
            const float turn_rad = share > 0.0F ? share * (closed_rad[k] - bent_rad[k]) : share * bent_rad[k];
            const Eigen::Matrix3f turn = Eigen::AngleAxisf(-turn_rad, axis[k]).toRotationMatrix();
            for (std::size_t i = k + 1; i < 4; ++i) at_m[i] = joint_m[k] + turn * (at_m[i] - joint_m[k]);
        }
        return at_m;
    }
    float gap_m(float share, std::span<const collision::Collider> objects, collision::CollideCounts& counts) const {
        const std::array<Vector3f, 4> at_m = joints_at(share);
        float min_m = 0.05F;
        for (std::size_t k = 0; k < 3; ++k)
            for (const collision::Collider& object : objects) {
                const collision::Shape bone = collision::RoundCone{at_m[k], at_m[k + 1], radius_m[k], radius_m[k + 1]};
                collision::Contact contact;
                if (collision::closest(bone, object.shape, min_m, contact, counts)) min_m = contact.distance_m;
            }
        return min_m;
    }
};

struct Agreement {
    int fingers = 0, limited = 0, inside = 0, apart = 0, grazed = 0;
    float max_difference = 0.0F;
};

// The limit must lie between the curl at which the gap counts as closed and the curl at which the surfaces meet. If a
// finger grazes a surface, these are far apart; such fingers are counted separately.
void compare(const HandFrame& hand, std::span<const collision::Collider> objects, Agreement& sum) {
    collision::CollideCounts counts;
    const scenes::CurlLimits limits = scenes::curl_limits(hand, objects, counts);
    for (std::size_t number = 0; number < limits.size(); ++number) {
        if (!limits[number].known) continue;
        const BentFinger finger(hand, number);
        const float now = finger.curl(), touch = limits[number].touch;
        // A finger within the gap that counts as touching is bent from straight, like one inside an object.
        const bool starts_inside = finger.gap_m(0.0F, objects, counts) <= scenes::kCurlGap_m;
        float meets = -1.0F, closes = -1.0F;
        for (int k = 0; k <= kSamples && (meets < 0.0F || closes < 0.0F); ++k) {
            const float share = static_cast<float>(k) / kSamples;
            const float gap_m = finger.gap_m(starts_inside ? share - 1.0F : share, objects, counts);
            const float at = starts_inside ? now * share : now + share * (1.0F - now);
            if (meets < 0.0F && gap_m <= 0.0F) meets = at;
            if (closes < 0.0F && gap_m <= scenes::kCurlGap_m) closes = at;
        }
        const float end = starts_inside ? now : 1.0F;
        if (meets < 0.0F) meets = end;
        if (closes < 0.0F) closes = end;
        const float apart = std::max({0.0F, std::min(meets, closes) - touch, touch - std::max(meets, closes)});
        ++sum.fingers;
        sum.inside += starts_inside ? 1 : 0;
        sum.limited += !starts_inside && meets < 1.0F ? 1 : 0;
        sum.grazed += std::abs(meets - closes) > kMaxApart ? 1 : 0;
        sum.apart += apart > kMaxApart ? 1 : 0;
        sum.max_difference = std::max(sum.max_difference, apart);
    }
}

Agreement over_recording(const std::string& recording, const char* scene, std::uint64_t every) {
    SessionSettings settings;
    settings.headless = true;
    settings.scene = scene;
    RecordingSettings from;
    from.recording = recording;
    from.rate = recordings::ReplayRate{0.0};
    const auto session = open_recording_session(from, settings, now_ns);
    Agreement sum;
    while (session->next()) {
        if (session->totals.frames % every != 0) continue;
        for (const HandFrame& hand : session->pipeline.hands.hands)
            if (hand.active) compare(hand, session->pipeline.world.colliders, sum);
    }
    return sum;
}

DurationHistogram cost_beside_room_scan(std::int64_t frames) {
    const scenes::Scene scene = soak_scene();
    PipelineSettings settings;
    settings.profiles.fill(tracking::default_profile());
    Pipeline pipeline(scene, settings, now_ns);
    const SoakHands hands;
    DurationHistogram cost;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        pipeline.frame(hands.at(frame), frame == 0 ? 0.0 : kSoakFrame_s);
        for (const HandFrame& hand : pipeline.hands.hands) {
            if (!hand.active) continue;
            collision::CollideCounts counts;
            const std::int64_t begin_ns = thread_cpu_ns();
            scenes::curl_limits(hand, pipeline.world.colliders, counts);
            cost.add(thread_cpu_ns() - begin_ns);
        }
        pipeline.close_frame();
    }
    return cost;
}

}  // namespace

BenchResult bench_curl_limit(const BenchOptions& options) {
    BenchResult result;
    const std::int64_t frames = options.frames > 0 ? options.frames : options.quick ? 200 : 2000;
    std::vector<double> p99_us;
    for (int run = 0; run < 3; ++run) {
        const DurationHistogram cost = cost_beside_room_scan(frames);
        p99_us.push_back(cost.percentile_us(0.99));
        result.rows.push_back({{"five fingers in", "room scan, twenty loose objects"},
                               {"hands", cost.count()},
                               {"p50_us", cost.percentile_us(0.5)},
                               {"p99_us", p99_us.back()},
                               {"max_us", cost.max_us()}});
    }
    std::vector<std::string> recordings = options.files;
    if (recordings.empty())
        for (const recordings::SampleRow& sample : recordings::sample_table()) recordings.emplace_back(sample.name);
    int apart = 0, fingers = 0;
    float max_difference = 0.0F;
    for (const std::string& recording : recordings)
        for (const char* scene : kScenes) {
            const Agreement sum = over_recording(recording, scene, options.quick ? 50 : 1);
            result.rows.push_back({{"recording", recording},
                                   {"scene", scene},
                                   {"fingers", sum.fingers},
                                   {"limited", sum.limited},
                                   {"inside", sum.inside},
                                   {"grazed", sum.grazed},
                                   {"over_1_percent", sum.apart},
                                   {"most_percent", 100.0 * static_cast<double>(sum.max_difference)}});
            apart += sum.apart;
            fingers += sum.fingers;
            max_difference = std::max(max_difference, sum.max_difference);
        }
    result.claims.push_back(judge({"how far a limit is from dense sampling, of the range", "this project's own aim",
                                   at_most(100.0 * static_cast<double>(kMaxApart), " %")},
                                  exact(100.0 * static_cast<double>(max_difference)), "of " + std::to_string(fingers)));
    result.claims.push_back(judge({"five fingers beside the room scan in 99 of 100 frames", "this project's own aim",
                                   less_than(kMaxCost_us, " us")},
                                  median_of(p99_us)));
    result.check_failed = apart > 0 || fingers == 0;
    return result;
}

}  // namespace glovebox::vr
