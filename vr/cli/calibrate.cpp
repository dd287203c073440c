// `glovebox calibrate LOG -o PROFILE`: computes a user's bones, glove calibration and tracker offset from recordings.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "recordings/formats/cyberglove_text.h"
#include "recordings/log/glove_words.h"
#include "recordings/log/log_reader.h"
#include "recordings/user_profile.h"
#include "tracking/glove/guided_poses.h"
#include "tracking/hand_geometry.h"
#include "tracking/names.h"
#include "tracking/tracker_offset.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/session/open_session.h"
#include "vr/session/wearer_skin.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr double kDegrees = 57.29577951;
constexpr double kSettle_s = 1.2, kLeave_s = 0.2;  // of a guided pose: time until it is held, and before the next one

struct Calibrate {
    std::string log, out, hand, name, wrist, skin;
    double seconds = 10.0;
    bool poses = false;
};

std::string name_of_file(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

// Returns when each pose of the sequence was held, according to the log's annotations; empty if it has none.
std::vector<tracking::SampleSpan> poses_in_notes(const std::vector<recordings::Annotation>& notes,
                                                 const std::vector<tracking::SensorSample>& samples) {
    std::vector<tracking::SampleSpan> spans;
    const auto time_of = [&notes](const std::string& text) {
        for (const recordings::Annotation& note : notes)
            if (note.text == text) return 1e-9 * static_cast<double>(note.time_ns);
        return -1.0;
    };
    const auto poses = tracking::guided_poses();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const std::string next = i + 1 < poses.size() ? std::string(poses[i + 1].name) : "end";
        const double from_s = time_of("pose " + std::string(poses[i].name)), to_s = time_of("pose " + next);
        if (from_s < 0.0 || to_s < 0.0) return {};
        const auto inside = [&](const tracking::SensorSample& sample) {
            return sample.time_s >= from_s + kSettle_s && sample.time_s <= to_s - kLeave_s;
        };
        const auto first = std::find_if(samples.begin(), samples.end(), inside);
        const auto last = std::find_if_not(first, samples.end(), inside);
        if (first == last) return {};
        spans.push_back(
            {static_cast<std::size_t>(first - samples.begin()), static_cast<std::size_t>(last - samples.begin()) - 1});
    }
    return spans;
}

void show(const tracking::CalibrationFit& fit) {
    std::printf("  sensor  rad a step     rad      left over\n");
    for (std::size_t s = 0; s < fit.sensors.size(); ++s)
        std::printf("  %4zu    %10.6f  %8.4f  %6.1f degrees%s\n", s, static_cast<double>(fit.sensors[s].gain_rad),
                    static_cast<double>(fit.sensors[s].bias_rad), kDegrees * static_cast<double>(fit.residual_rad[s]),
                    fit.still[s] ? "  (did not move: switched off)" : "");
}

// Calibrates the glove's sensors from the guided poses.
void calibrate_sensors(const Calibrate& calibrate, const std::vector<tracking::SensorSample>& samples,
                       const std::vector<recordings::Annotation>& notes, tracking::UserHand& user) {
    const auto poses = tracking::guided_poses();
    std::vector<tracking::SampleSpan> spans = poses_in_notes(notes, samples);
    const bool noted = !spans.empty();
    if (!noted) spans = tracking::find_held_poses(samples);
    if (spans.size() != poses.size())
        throw std::runtime_error(calibrate.log + ": " + std::to_string(spans.size()) + " poses are held in it, and " +
                                 std::to_string(poses.size()) +
                                 " are needed: " + tracking::listed(tracking::names_of(poses)) +
                                 "; hold each for two seconds and move in between");
    std::vector<std::vector<float>> targets;
    for (const tracking::GuidedPose& pose : poses)
        targets.push_back(tracking::guided_targets_rad(pose, samples.front().raw.size()));
    if (targets.front().empty())
        throw std::runtime_error(calibrate.log + ": " + std::to_string(samples.front().raw.size()) +
                                 " sensors; OpenGloves has 25, a CyberGlove 18, 22 or 23");
    std::printf("poses %s\n", noted ? "as the log noted them" : "as they were held");
    for (std::size_t i = 0; i < spans.size(); ++i)
        std::printf("  %-13s %7.2f to %7.2f s\n", std::string(poses[i].name).c_str(), samples[spans[i].first].time_s,
                    samples[spans[i].last].time_s);
    const tracking::CalibrationFit fit = tracking::fit_calibration(samples, spans, targets);
    show(fit);
    user.sensors = fit.sensors;
}

// Measures bones and thickness in the first seconds in which the hand is tracked.
void fit_bones(const Calibrate& calibrate, const recordings::Recording& recording, Side side,
               tracking::UserHand& user) {
    const auto after = std::find_if(recording.samples.begin(), recording.samples.end(), [&](const auto& sample) {
        return static_cast<double>(sample.time_ns) > 1e9 * calibrate.seconds;
    });
    const std::span<const tracking::HandPair> samples(recording.samples.begin(), after);
    tracking::HandProfile hand = tracking::fit_profile(samples, side);
    if (hand.origin == tracking::default_profile().origin)
        throw std::runtime_error(calibrate.log + ": there is no " + std::string(name_of(side)) + " hand in its first " +
                                 std::to_string(static_cast<int>(calibrate.seconds)) + " s; try --seconds");
    hand.origin += " of " + name_of_file(calibrate.log);
    float middle_m = 0.0F;
    for (const auto joint : {tracking::Joint::middle_proximal, tracking::Joint::middle_intermediate,
                             tracking::Joint::middle_distal, tracking::Joint::middle_tip})
        middle_m += hand.length_to_parent_m[static_cast<std::size_t>(joint)];
    std::printf("%s hand: bones %.1f %% of the default hand's, middle finger with its metacarpal %.1f cm; %s\n",
                std::string(name_of(side)).c_str(), 100.0 * static_cast<double>(hand.scale),
                100.0 * static_cast<double>(middle_m), hand.origin.c_str());
    user.hand = hand;
}

tracking::RigidTrack wrist_of(const recordings::Recording& recording, Side side) {
    tracking::RigidTrack track;
    for (const tracking::HandPair& sample : recording.samples) {
        const tracking::JointPose& wrist = sample[side][tracking::Joint::wrist];
        if (!sample[side].active || !wrist.position_valid() || !wrist.orientation_valid()) continue;
        if (!wrist.position_m.allFinite() || !(std::abs(wrist.orientation.norm() - 1.0F) < 0.01F)) continue;
        if (!track.time_ns.empty() && sample.time_ns <= track.time_ns.back()) continue;
        track.time_ns.push_back(sample.time_ns);
        track.world_from_object.emplace_back(Eigen::Translation3f(wrist.position_m) * wrist.orientation.normalized());
    }
    return track;
}

// Computes the tracker's offset on the arm from simultaneous recordings of the true wrist and of the tracker.
void fit_tracker(const Calibrate& calibrate, const recordings::Recording& recording, Side side,
                 tracking::UserHand& user) {
    const auto offset =
        tracking::fit_tracker_offset(wrist_of(recording, side), recordings::load_track(calibrate.wrist));
    if (!offset)
        throw std::runtime_error(
            calibrate.wrist +
            ": the offset cannot be determined: wrist and tracker must overlap by some seconds in which "
            "the hand turns about more than one axis");
    const Eigen::Vector3f at_m = offset->tracker_from_wrist.translation();
    std::printf(
        "tracker: the wrist is at (%.1f, %.1f, %.1f) mm in its frame, turned by %.1f degrees; it lags by %.0f ms\n"
        "  left over: %.1f mm, %.1f degrees, in %zu pairs of instants\n",
        1e3 * static_cast<double>(at_m.x()), 1e3 * static_cast<double>(at_m.y()), 1e3 * static_cast<double>(at_m.z()),
        kDegrees * static_cast<double>(Eigen::AngleAxisf(offset->tracker_from_wrist.rotation()).angle()),
        1e3 * offset->lag_s, 1e3 * static_cast<double>(offset->residual_m),
        kDegrees * static_cast<double>(offset->residual_rad), offset->pairs);
    user.tracker_from_wrist = offset->tracker_from_wrist;
    user.tracker_lag_s = offset->lag_s;
}

// Returns the median and the 95th percentile of the distances, in millimetres.
std::pair<double, double> apart_mm(std::vector<double> distances_m) {
    if (distances_m.empty()) return {};
    for (double& distance_m : distances_m) distance_m = std::abs(distance_m);
    std::ranges::sort(distances_m);
    const auto at = [&](double share) {
        return 1e3 * distances_m[static_cast<std::size_t>(share * static_cast<double>(distances_m.size() - 1))];
    };
    return {at(0.5), at(0.95)};
}

// Fits the bones to a hand mesh and prints how far they are from it before and after.
void fit_skin(const Calibrate& calibrate, tracking::UserProfile& user) {
    const std::vector<WearerSkin> skins = read_wearer_skin(calibrate.skin);
    tracking::PerSide<bool> fitted{};
    for (const WearerSkin& skin : skins) {
        const tracking::HandFrame& rest = skin.rest.hand;
        if (!calibrate.hand.empty() && calibrate.hand != name_of(rest.side) && skins.size() > 1) continue;
        std::fprintf(stderr, "fitting the bones of the %s hand to %zu points of its skin\n",
                     std::string(name_of(rest.side)).c_str(), skin.rest.points_m.size());
        const scenes::HandShape before = scenes::usual_shape(rest), after = fit_to_skin(skin);
        std::printf(
            "%s hand, distance of skin and bones in %zu poses (median, 95th percentile):\n"
            "                        before            after\n",
            std::string(name_of(rest.side)).c_str(), 1 + skin.bent.size());
        for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
            if (bone != 0 && scenes::is_of_palm(bone)) continue;
            const auto [median_mm, far_mm] = apart_mm(skin_distances_m(skin, before, bone));
            const auto [fitted_mm, far_fitted_mm] = apart_mm(skin_distances_m(skin, after, bone));
            std::printf("  %-20s %4.1f, %4.1f mm     %4.1f, %4.1f mm\n",
                        scenes::hand_body().bone_names[static_cast<std::size_t>(bone)].c_str(), median_mm, far_mm,
                        fitted_mm, far_fitted_mm);
        }
        tracking::HandPair one;
        one[rest.side] = rest;
        std::optional<tracking::HandProfile>& hand = user[rest.side].hand;
        if (!hand) hand = tracking::fit_profile({&one, 1}, rest.side);
        hand->shape = after;
        hand->origin = "bones fitted to " + name_of_file(calibrate.skin);
        fitted[rest.side] = true;
    }
    // A mesh of one hand is good for the other, too.
    for (const Side side : tracking::kSides) {
        const Side other = side == Side::left ? Side::right : Side::left;
        if (fitted[side] || !fitted[other] || (!calibrate.hand.empty() && skins.size() > 1)) continue;
        if (!user[side].hand) user[side].hand = user[other].hand;
        user[side].hand->shape = tracking::mirrored(*user[other].hand->shape);
        user[side].hand->origin = user[other].hand->origin + ", mirrored";
        std::printf("%s hand: the same, mirrored\n", std::string(name_of(side)).c_str());
    }
}

Side side_of(const Calibrate& calibrate, const recordings::Recording& recording) {
    if (calibrate.hand == "left") return Side::left;
    if (calibrate.hand == "right") return Side::right;
    return recording.has(Side::right) ? Side::right : Side::left;
}

bool has_measured_bones(const recordings::Recording& recording, Side side) {
    // A glove of angles has the default hand's bones, and a file of wrists a resting hand's, which is not tracked.
    const auto is_tracked = [](const tracking::JointPose& joint) {
        return (joint.flags & tracking::joint_flags::kPositionTracked) != 0;
    };
    return std::any_of(recording.samples.begin(), recording.samples.end(), [&](const auto& sample) {
        const tracking::HandFrame& hand = sample[side];
        return hand.active && hand.source != tracking::Source::glove &&
               std::any_of(hand.joints.begin() + 2, hand.joints.end(), is_tracked);
    });
}

int run(const Calibrate& calibrate) {
    check_files({{"LOG", calibrate.log}, {"--wrist", calibrate.wrist}, {"--skin", calibrate.skin}},
                {{"--output", calibrate.out}});
    recordings::ImportOptions options;
    if (calibrate.hand == "left") options.side = Side::left;
    if (calibrate.hand == "right") options.side = Side::right;
    // A calibration uses raw sensor words, so the file need not be readable as hands yet.
    std::vector<tracking::SensorSample> sensors;
    std::vector<recordings::Annotation> notes;
    std::optional<Side> worn_on;
    if (std::filesystem::exists(calibrate.log)) {
        recordings::Input in(calibrate.log);
        if (recordings::is_glove_log(in.head(), in.size())) {
            recordings::GloveWords words = recordings::read_glove_words(calibrate.log);
            sensors = std::move(words.samples);
            if (!sensors.empty()) worn_on = words.side;
            notes = recordings::read_annotations(calibrate.log);
        } else if (calibrate.poses && recordings::is_cyberglove_text(in.head(), in.size())) {
            sensors = recordings::read_cyberglove_sensors(in);
            worn_on = options.side.value_or(Side::right);
        }
    }
    if (calibrate.poses && sensors.empty())
        throw std::runtime_error(calibrate.log +
                                 ": holds no raw sensor words of a glove (a log of `glovebox live`, or "
                                 "CyberGlove text)");
    tracking::UserProfile user;
    if (std::filesystem::exists(calibrate.out)) user = recordings::load_user_profile(calibrate.out);
    if (!calibrate.name.empty()) user.name = calibrate.name;

    if (!calibrate.skin.empty()) fit_skin(calibrate, user);
    if (calibrate.log.empty()) {
        // There is only a skin.
    } else if (!sensors.empty()) {
        calibrate_sensors(calibrate, sensors, notes, user[options.side.value_or(*worn_on)]);
    } else {
        const recordings::Recording recording = open_recording(calibrate.log, options);
        const Side side = side_of(calibrate, recording);
        if (!recording.has(side))
            throw std::runtime_error(calibrate.log + ": there is no " + std::string(name_of(side)) + " hand in it");
        if (!calibrate.wrist.empty()) fit_tracker(calibrate, recording, side, user[side]);
        if (has_measured_bones(recording, side))
            fit_bones(calibrate, recording, side, user[side]);
        else if (calibrate.wrist.empty())
            throw std::runtime_error(calibrate.log +
                                     ": no finger bone was measured in it; give a recording of finger "
                                     "joints, or for the sensors of a glove --poses");
        const Side other = side == Side::left ? Side::right : Side::left;
        if (calibrate.hand.empty() && recording.has(other))
            std::printf("only the %s hand is fitted; for the %s one run it again with --hand %s\n",
                        std::string(name_of(side)).c_str(), std::string(name_of(other)).c_str(),
                        std::string(name_of(other)).c_str());
    }
    recordings::save_user_profile(user, calibrate.out);
    std::printf("%s\n", calibrate.out.c_str());
    return kExitFine;
}

int list_poses() {
    for (const tracking::GuidedPose& pose : tracking::guided_poses())
        std::printf("%-13s %s\n", std::string(pose.name).c_str(), std::string(pose.instruction).c_str());
    return kExitFine;
}

}  // namespace

std::function<int()> declare_calibrate(CLI::App& app) {
    const auto calibrate = std::make_shared<Calibrate>();
    const auto list = std::make_shared<bool>(false);
    auto* log = app.add_option("LOG", calibrate->log,
                               "log of a glove in which the guided poses are held, or a recording of a hand");
    auto* out =
        app.add_option("-o,--output,--out", calibrate->out, "profile to write, or to add to if it is there (JSON)");
    app.add_option("--hand", calibrate->hand, "which hand")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--name", calibrate->name, "of the user")->check([](const std::string& name) {
        return name.find_first_not_of(" \t") == std::string::npos ? "is blank" : std::string();
    });
    app.add_option("--seconds", calibrate->seconds, "of a hand's recording to fit bones and thickness to (10)")
        ->check(number_above(0.0, 1e6));
    app.add_flag("--poses", calibrate->poses,
                 "the file is a glove in the guided poses (not needed for logs of gloves)");
    app.add_option("--wrist", calibrate->wrist, "a tracker recorded together with LOG: finds where it is strapped on");
    auto* list_option = app.add_flag("--list", *list, "list the poses of the guided calibration");
    auto* skin = app.add_option("--skin", calibrate->skin,
                                "fit the bones to this hand mesh: rigged glTF (25 WebXR joint names, in metres), or "
                                "HOT3D's umetrack_hand_user_profile.json");
    app.callback([log, out, skin, list_option] {
        if (list_option->count() > 0) return;
        if (log->count() == 0 && skin->count() == 0) throw CLI::RequiredError("LOG (or --skin, or --list)");
        if (out->count() == 0) throw CLI::RequiredError("--output");
    });
    app.footer(
        "Examples:\n"
        "  glovebox live /dev/ttyUSB0 --guide --record poses.glove && glovebox calibrate poses.glove -o me.json\n"
        "  glovebox calibrate headset.glove -o me.json                      bones and thickness\n"
        "  glovebox calibrate --skin hand.glb -o me.json                    bones as thick as the skin of a mesh\n"
        "  glovebox calibrate headset.glove --wrist tracker.csv -o me.json  where the tracker sits");
    return [calibrate, list] { return *list ? list_poses() : run(*calibrate); };
}

}  // namespace glovebox::vr
