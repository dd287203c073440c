// Searches ten hours of a working hand by touch and by replay. The results must agree; the costs are compared.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

#include "collision/survey/clips/walks.h"
#include "scenes/hand_body.h"
#include "tracking/formatted.h"
#include "tracking/forward_kinematics.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/clips/take_search.h"
#include "vr/platform/parallel.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/platform/temporary_folder.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using tracking::Side;

constexpr double kRate_hz = 60.0;
const Eigen::Vector3f kValve_m = {0.15F, 0.25F, -0.40F};  // on the wall behind the bench
const Eigen::Vector3f kBall_m = {-0.2F, 0.04F, 0.05F};

scenes::Scene workbench() {
    scenes::Scene scene;
    scene.name = "workbench";
    scene.placement = scenes::Placement::recorded;
    const auto add = [&scene](const char* name, collision::Shape shape, const Eigen::Vector3f& at_m) {
        scenes::SceneObject object;
        object.name = name;
        object.shape = std::move(shape);
        object.world_from_object.translation() = at_m;
        scene.objects.push_back(std::move(object));
    };
    collision::RoundedBox top;
    top.core.half_m = {0.60F, 0.01F, 0.40F};
    add("table", top, {0.0F, -0.02F, 0.0F});
    add("valve", collision::RoundCone{{-0.03F, 0, 0}, {0.03F, 0, 0}, 0.012F, 0.012F}, kValve_m);
    add("ball", collision::RoundCone{{0, 0, 0}, {0, 0, 0}, 0.035F, 0.035F}, kBall_m);
    collision::RoundedBox box;
    box.core.half_m = {0.04F, 0.03F, 0.06F};
    box.radius_m = 0.004F;
    add("box", box, {0.35F, 0.03F, 0.1F});
    return scene;
}

// Returns a hand that moves from place to place over the bench, opening and closing, sometimes to the valve or ball.
recordings::Recording is_active(std::uint64_t seed, double seconds) {
    clips::Dice dice(seed);
    recordings::Recording recording;
    recording.path = "take " + std::to_string(seed);
    recording.profiles = {tracking::default_profile(), tracking::default_profile()};
    const auto number = [&dice](double low, double high) { return static_cast<float>(dice.uniform(low, high)); };
    struct Station {
        Eigen::Vector3f wrist_m;
        Eigen::Quaternionf turn;
        float bend;
    };
    const auto draw = [&]() -> Station {
        const Eigen::Quaternionf turn(Eigen::AngleAxisf(number(-0.7, 0.7), Eigen::Vector3f::UnitY()) *
                                      Eigen::AngleAxisf(number(-0.5, 0.2), Eigen::Vector3f::UnitX()));
        const float bend = number(0.1, 1.3);
        // The tip of the index finger is a hand's length in front of the wrist.
        const Eigen::Vector3f reach_m = turn * Eigen::Vector3f(0.02F, 0.0F, 0.17F);
        if (dice.below(200) == 0) return {kValve_m + reach_m, turn, 0.15F};
        if (dice.below(20) == 0) return {kBall_m + reach_m, turn, 0.15F};
        return {{number(-0.55, 0.55), number(0.10, 0.45), number(-0.05, 0.40)}, turn, bend};
    };
    const auto frames = static_cast<int>(seconds * kRate_hz);
    Station from = draw(), to = draw();
    double begun_s = 0.0, lasts_s = 1.0;
    for (int k = 0; k < frames; ++k) {
        const double t_s = k / kRate_hz;
        if (t_s >= begun_s + lasts_s) {
            from = to;
            to = draw();
            begun_s = t_s;
            lasts_s = dice.uniform(0.6, 2.0);
        }
        const auto u = static_cast<float>((t_s - begun_s) / lasts_s);
        const float s = u * u * u * (10.0F - 15.0F * u + 6.0F * u * u);  // minimum jerk
        tracking::HandAngles angles = tracking::resting_angles();
        const float bend = from.bend + s * (to.bend - from.bend);
        for (tracking::FingerAngles& finger : angles.fingers) {
            finger.mcp_flex = bend;
            finger.pip_flex = 0.8F * bend;
            finger.dip_flex = 0.5F * bend;
        }
        Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
        world_from_wrist.linear() = from.turn.slerp(s, to.turn).toRotationMatrix();
        world_from_wrist.translation() = from.wrist_m + s * (to.wrist_m - from.wrist_m) +
                                         0.0005F * Eigen::Vector3f(number(-1, 1), number(-1, 1), number(-1, 1));
        tracking::HandPair sample;
        sample.time_ns = static_cast<std::int64_t>(std::llround(1e9 * t_s));
        sample[Side::right] = tracking::pose_from_angles(recording.profiles[1], angles, world_from_wrist, Side::right);
        sample[Side::right].source = tracking::Source::synthetic;
        sample[Side::right].active = true;
        recording.samples.push_back(sample);
    }
    return recording;
}

struct Search {
    const char* text;
    const char* object;
    const char* bones;
};
constexpr std::array<Search, 3> kSearches = {{{"index tip within 5 mm of the valve", "valve", "index tip"},
                                              {"any bone within 5 mm of the valve", "valve", "all"},
                                              {"any bone within 5 mm of the ball", "ball", "all"}}};

// Measures wall time, which a user waits, and CPU time, which does not depend on other programs. Ratios are of CPU
// times.
struct Stopwatch {
    std::int64_t start_ns = now_ns();
    std::clock_t start = std::clock();
    double wall_s() const { return 1e-9 * static_cast<double>(now_ns() - start_ns); }
    double cpu_s() const { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }
};

}  // namespace

BenchResult bench_touch_search(const BenchOptions& options) {
    const double take_s = options.quick ? 60.0 : 600.0;
    const double requested_takes = std::ceil(options.frames / (take_s * kRate_hz));
    const int takes = options.frames > 0 ? static_cast<int>(requested_takes) : options.quick ? 2 : 60;
    const scenes::Scene scene = workbench();
    const TemporaryFolder folder;
    const auto file = [&folder](int k) { return folder.path / ("take" + std::to_string(k) + ".touch"); };
    std::array<NearQuestion, kSearches.size()> questions;
    for (std::size_t q = 0; q < questions.size(); ++q)
        questions[q] = {
            &scene, {find_object(scene, kSearches[q].object)}, 0.005F, {true, true}, bones_named(kSearches[q].bones)};
    // One replay answers all questions, because it computes all contacts of every frame.
    NearQuestion everything = questions[1];
    everything.objects = {find_object(scene, "valve"), find_object(scene, "ball")};

    BenchResult result;
    std::vector<std::vector<Meeting>> replayed;
    double index_s = 0.0, replay_s = 0.0, replay_wall_s = 0.0;
    std::size_t index_bytes = 0;
    std::int64_t frames = 0;
    Progress progress("take", takes);
    for (int k = 0; k < takes; ++k) {
        recordings::Recording recording = is_active(static_cast<std::uint64_t>(k) + 1, take_s);
        frames += static_cast<std::int64_t>(recording.samples.size());
        const Stopwatch making;
        const TakeIndex index = TakeIndex::build(recording);
        index.save(file(k));
        index_s += making.cpu_s();
        index_bytes += index.size_bytes();
        const Stopwatch replaying;
        replayed.push_back(replay_meetings(std::move(recording), everything));
        replay_s += replaying.cpu_s();
        replay_wall_s += replaying.wall_s();
        progress.at(k + 1);
    }
    progress.clear();

    const auto search_all = [&](const NearQuestion& question, std::vector<std::vector<Meeting>>& found) {
        parallel_for(found.size(), static_cast<int>(std::thread::hardware_concurrency()),
                     [&](std::size_t begin, std::size_t end) {
                         clips::TouchCounts uncounted;
                         for (std::size_t k = begin; k < end; ++k)
                             found[k] =
                                 find_meetings(TakeIndex::open_file(file(static_cast<int>(k))), question, uncounted);
                     });
    };

    const int rounds = options.quick ? 2 : 5;
    std::vector<Measured> faster, wrong;
    for (std::size_t q = 0; q < questions.size(); ++q) {
        std::vector<double> wall_s, cpu_s, all_cores_s;
        clips::TouchCounts counts;
        std::size_t found_count = 0, wrong_takes = 0;
        std::int64_t near_frames = 0;
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::vector<Meeting>> found(static_cast<std::size_t>(takes));
            const Stopwatch on_all_cores;
            search_all(questions[q], found);
            all_cores_s.push_back(on_all_cores.wall_s());
            const std::vector<std::vector<Meeting>> found_together = std::move(found);
            found.assign(static_cast<std::size_t>(takes), {});
            counts = {};
            const Stopwatch searching;
            for (int k = 0; k < takes; ++k)
                found[static_cast<std::size_t>(k)] = find_meetings(TakeIndex::open_file(file(k)), questions[q], counts);
            wall_s.push_back(searching.wall_s());
            cpu_s.push_back(searching.cpu_s());
            if (round > 0) continue;
            for (std::size_t k = 0; k < found.size(); ++k) {
                found_count += found[k].size();
                for (const Meeting& meeting : found[k]) near_frames += meeting.last - meeting.first + 1;
                std::vector<Meeting> expected = replayed[k];
                std::erase_if(expected, [&](const Meeting& meeting) {
                    return meeting.other != questions[q].objects[0] || (questions[q].bones >> meeting.bone & 1U) == 0;
                });
                if (found[k] != expected || found_together[k] != expected) ++wrong_takes;
            }
        }
        result.rows.push_back({{"question", kSearches[q].text},
                               {"hours", takes * take_s / 3600.0},
                               {"intervals", found_count},
                               {"bone_frames", near_frames},
                               {"search_ms", 1e3 * median(wall_s)},
                               {"search_cpu_ms", 1e3 * median(cpu_s)},
                               {"all_cores_ms", 1e3 * median(all_cores_s)},
                               {"replay_ms", 1e3 * replay_wall_s},
                               {"replay_cpu_ms", 1e3 * replay_s},
                               {"times_faster", replay_s / median(cpu_s)},
                               {"posed_share", static_cast<double>(counts.frames_posed) / static_cast<double>(frames)},
                               {"same_as_replay", wrong_takes == 0}});
        result.check_failed = result.check_failed || wrong_takes > 0;
        std::vector<double> of_rounds;
        for (const double s : cpu_s) of_rounds.push_back(replay_s / s);
        faster.push_back(median_of(of_rounds, kSearches[q].text));
        wrong.push_back(exact(static_cast<double>(wrong_takes), kSearches[q].text));
    }
    result.claims.push_back(judge({"searching recordings for a touch is at least 100 times faster than replaying them",
                                   "this project's own aim, of ten hours", at_least(100, "x")},
                                  faster));
    result.claims.push_back(judge({"recordings in which the search answers otherwise than replaying every frame",
                                   "this project's own aim", exactly(0)},
                                  wrong));
    result.notes.push_back(
        tracking::formatted("Indices: %.0f MB for %lld frames (%.0f bytes a frame), made in %.1f s of processor time.",
                            1e-6 * static_cast<double>(index_bytes), static_cast<long long>(frames),
                            static_cast<double>(index_bytes) / static_cast<double>(frames), index_s));
    result.notes.push_back(
        "The recordings are generated: one hand at 60 Hz going from place to place over a workbench, "
        "every two hundredth time to the valve and every twentieth to the ball. What is often near "
        "costs more to search.");
    return result;
}

}  // namespace glovebox::vr
