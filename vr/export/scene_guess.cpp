#include "vr/export/scene_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "recordings/diagnose.h"
#include "recordings/load.h"
#include "recordings/track.h"
#include "scenes/hand_body.h"
#include "scenes/haptics.h"
#include "scenes/placement.h"
#include "scenes/tree_cache.h"
#include "tracking/formatted.h"
#include "tracking/hand_parts.h"
#include "tracking/quoted.h"
#include "vr/platform/mesh_process.h"
#include "vr/session/open_recording.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
namespace fs = std::filesystem;
using tracking::Joint;
using tracking::Side;

struct Unit {
    float metres;
    const char* name;
};
constexpr std::array kUnits = {Unit{1.0F, "a metre"}, Unit{0.1F, "a decimetre"}, Unit{0.01F, "a centimetre"},
                               Unit{0.001F, "a millimetre"}, Unit{0.0254F, "an inch"}};
// Lengths of an adult's fingertips beyond the distal joint, thumb first.
constexpr std::array<float, 5> kTips_m = {0.022F, 0.020F, 0.021F, 0.020F, 0.018F};
constexpr float kHand_m = 0.187F;                            // wrist to middle fingertip of that adult
constexpr float kMinObject_m = 0.015F, kMaxObject_m = 0.6F;  // sizes of objects that a hand can hold
constexpr int kSamples = 400;
constexpr float kReach_m = 5.0F;

std::string name_of_unit(float metres) {
    for (const Unit& unit : kUnits)
        if (std::abs(unit.metres - metres) < 1e-6F * unit.metres) return unit.name;
    return formatted("%g m", double{metres});
}

float longest_side(const collision::Mesh& mesh) {
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& vertex : mesh.vertices_m) box.extend(vertex);
    return box.isEmpty() ? 0.0F : box.sizes().maxCoeff();
}

// Distances of each part of the hands to the object, at one time.
struct Look {
    std::array<float, tracking::kHandPartCount> distance_m{};
    float nearest() const { return *std::ranges::min_element(distance_m); }
};

std::vector<Look> samples_of(const recordings::Recording& recording, const scenes::Scene& scene) {
    const scenes::HandPlacement placement = scenes::find_placement(scene, recording.samples);
    const scenes::SceneObject& object = scene.objects.front();
    const std::size_t step = std::max<std::size_t>(1, recording.samples.size() / kSamples);
    std::vector<Look> looks;
    collision::BodyPose pose;
    collision::CollideCounts counts;
    for (std::size_t i = 0; i < recording.samples.size(); i += step) {
        tracking::HandPair hands = recording.samples[i];
        for (const Side side : tracking::kSides) tracking::fill_radii(recording.profiles[side], hands[side]);
        scenes::place(placement, hands);
        const collision::Shape shape = collision::transformed(
            object.track ? object.track->at(hands.time_ns) : object.world_from_object, object.shape);
        for (const Side side : tracking::kSides) {
            if (!hands[side].active) continue;
            Look look;
            look.distance_m.fill(kReach_m);
            scenes::pose_hand(hands[side], pose, recording.profiles[side].shape);
            for (std::size_t bone = 0; bone < pose.shapes.size(); ++bone) {
                float& least = look.distance_m[static_cast<std::size_t>(scenes::part_of_bone(static_cast<int>(bone)))];
                collision::Contact contact;
                if (pose.bone_present[bone] != 0 &&
                    collision::closest(pose.shapes[bone], shape, least, contact, counts))
                    least = std::min(least, contact.distance_m);
            }
            looks.push_back(look);
        }
    }
    return looks;
}

float nearest_of(const std::vector<Look>& looks) {
    float least = kReach_m;
    for (const Look& look : looks) least = std::min(least, look.nearest());
    return least;
}

// Returns whether thumb and another finger are both near enough that the object is held.
std::vector<Look> held(const std::vector<Look>& looks) {
    constexpr float kHeld_m = 0.008F;  // from skin to surface
    std::vector<Look> result;
    for (const Look& look : looks)
        if (look.distance_m[0] < kHeld_m &&
            *std::min_element(look.distance_m.begin() + 1, look.distance_m.begin() + 5) < kHeld_m)
            result.push_back(look);
    return result;
}

struct Threshold {
    float touch_m = 0.0F;
    std::string reason;
};

Threshold threshold_of(const std::vector<Look>& looks) {
    constexpr float kMax_m = 0.008F, kStep_m = 0.001F;
    constexpr double kShare = 0.95;
    const std::vector<Look> holds = held(looks);
    const float nearest_m = nearest_of(looks);
    if (holds.size() >= 10) {
        for (int steps = 0; static_cast<float>(steps) * kStep_m <= kMax_m; ++steps) {
            const float touch_m = static_cast<float>(steps) * kStep_m;
            const auto touching = std::ranges::count_if(holds, [touch_m](const Look& look) {
                return look.distance_m[0] <= touch_m &&
                       *std::min_element(look.distance_m.begin() + 1, look.distance_m.begin() + 5) <= touch_m;
            });
            const double share = static_cast<double>(touching) / static_cast<double>(holds.size());
            if (share >= kShare || touch_m + 0.5F * kStep_m > kMax_m)
                return {touch_m, formatted("Touching begins at %.0f mm: in %.0f %% of the %zu looks in which thumb and "
                                           "a finger are within 8 mm, both then touch.",
                                           1e3 * double{touch_m}, 100.0 * share, holds.size())};
        }
    }
    if (nearest_m <= 0.0F)
        return {0.0F, "Touching begins at 0 mm: the hand reaches the surface, and is not seen to hold the object."};
    if (nearest_m <= kMax_m) {
        const float touch_m = kStep_m * std::ceil(nearest_m / kStep_m);
        return {touch_m, formatted("Touching begins at %.0f mm: the hand comes as near as %.1f mm.",
                                   1e3 * double{touch_m}, 1e3 * double{nearest_m})};
    }
    return {0.0F, formatted("Touching begins at 0 mm; but the hand stays %.0f mm away, so nothing will be touched: are "
                            "units, axes and track right?",
                            1e3 * double{nearest_m})};
}

// Says why depths in a mesh with holes are smaller than a user expects.
std::string about_open_mesh(const std::string& mesh) {
    return mesh +
           " is open, so it has no inside: a bone is at most as deep in it as its radius. To change that, close its "
           "holes.";
}

// Returns "comes within 6.5 mm of it" or "reaches 3.0 mm into it".
std::string nearness(float distance_m) {
    const double mm = 1e3 * std::abs(double{distance_m});
    return distance_m > 0.0F ? formatted("comes within %.1f mm of it", mm) : formatted("reaches %.1f mm into it", mm);
}

std::string relative_path(const fs::path& file, const fs::path& scene) {
    std::error_code error;
    const fs::path folder = fs::absolute(scene).parent_path();
    const fs::path relative = fs::relative(fs::absolute(file), folder, error);
    return (error || relative.empty() ? fs::absolute(file) : relative).string();
}

// Reads a data set's names of its objects: {"265826671143948": {"instance_name": "mouse", ...}, ...}.
std::string name_of_object(const nlohmann::json& instances, const std::string& object) {
    const auto found = instances.find(object);
    if (found == instances.end() || !found->is_object()) return object;
    const std::string name = found->value("instance_name", std::string());
    return name.find_first_not_of(" \t") == std::string::npos ? object : tracking::printable(name);
}

nlohmann::json instances_of(const fs::path& folder) {
    const fs::path path = folder / "instance.json";
    constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20U;
    if (!fs::is_regular_file(path) || fs::file_size(path) > kMaxBytes) return nlohmann::json::object();
    std::ifstream in(path);
    try {
        nlohmann::json instances = nlohmann::json::parse(in);
        return instances.is_object() ? instances : nlohmann::json::object();
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(path.string() + ": " + tracking::printable(error.what()));
    }
}

fs::path mesh_of_object(const fs::path& folder, const std::string& object, const std::string& name) {
    for (const std::string& stem : {object, name})
        for (const char* ending : {".glb", ".gltf", ".obj", ".ply", ".stl"}) {
            // The names are untrusted: a path that leads out of the folder names no mesh.
            const fs::path path = folder / (stem + ending);
            if (path.filename() == stem + ending && fs::is_regular_file(path)) return path;
        }
    return {};
}

// Colours that tell objects and their lanes apart, and that are none of those of the boxes' states.
constexpr std::array<const char*, 6> kObjectColors = {"#8FC1B6", "#D9B98C", "#A99AC6", "#C98C92", "#A3B07F", "#8494A6"};

// Several objects with motions from one table and meshes from a folder.
SceneGuess scene_of_take(const SceneOptions& request) {
    SceneGuess guess;
    const auto because = [&guess](std::string reason) { guess.reasons.push_back(std::move(reason)); };
    const fs::path track =
        request.track.empty() ? fs::path(request.recording).parent_path() / "dynamic_objects.csv" : request.track;
    if (!fs::is_regular_file(track))
        throw std::runtime_error(request.mesh.string() +
                                 " is a folder: meshes of several objects need the file of their "
                                 "motion (--track, or dynamic_objects.csv beside the recording)");
    const std::vector<std::string> objects = recordings::objects_of_tracks(track);
    if (objects.empty())
        throw std::runtime_error(track.string() +
                                 ": a folder of meshes needs a table of several objects' motion, such "
                                 "as HOT3D's dynamic_objects.csv; for one object give its mesh");
    recordings::ImportOptions options;
    options.unit_m = request.unit_m;
    if (request.axes) options.axes = *request.axes;
    const recordings::Recording recording = open_recording(request.recording, options);
    because(formatted("Hands and objects are where they were recorded: both files are in one world, in metres%s.",
                      request.unit_m ? ", the hands as given" : ""));

    const nlohmann::json instances = instances_of(request.mesh);
    const float mesh_unit_m = request.mesh_unit_m.value_or(1.0F);
    std::string blocks, without_mesh;
    std::set<std::string> names;
    for (const std::string& object : objects) {
        std::string name = name_of_object(instances, object);
        const fs::path mesh = mesh_of_object(request.mesh, object, name);
        if (mesh.empty()) {
            without_mesh += (without_mesh.empty() ? "" : ", ") + name;
            continue;
        }
        if (names.contains(name)) name = object;
        for (int again = 2; !names.insert(name).second; ++again) name = object + "-" + std::to_string(again);
        scenes::Scene alone;
        scenes::SceneObject& moving = alone.objects.emplace_back();
        const auto tree = scenes::load_mesh_tree(mesh, mesh_unit_m, load_mesh_apart);
        moving.shape = collision::MeshInstance{tree, Eigen::Isometry3f::Identity()};
        if (!options.axes.as_they_are()) moving.shape = scenes::in_our_axes(options.axes, moving.shape);
        recordings::ImportOptions track_options = options;
        track_options.unit_m = 1.0F;
        moving.track = recordings::load_track(track.string() + "#" + object, track_options);
        alone.placement = scenes::Placement::recorded;
        if (!tree->closed()) because(about_open_mesh(name));
        because(formatted("%s is %.1f cm long; a hand %s.", name.c_str(), 100.0 * double{longest_side(tree->mesh())},
                          nearness(nearest_of(samples_of(recording, alone))).c_str()));
        blocks += "\n[[object]]\nname = " + tracking::toml_string(name) +
                  "\nshape = \"mesh\"\nfile = " + tracking::toml_string(relative_path(mesh, request.out)) +
                  formatted("\nunit_m = %g\n", double{mesh_unit_m}) + "color = \"" +
                  kObjectColors[(names.size() - 1) % kObjectColors.size()] + "\"\nmotion = \"recorded\"\ntrack = " +
                  tracking::toml_string(relative_path(track, request.out) + "#" + object) + "\ntrack_unit_m = 1\n";
    }
    if (blocks.empty())
        throw std::runtime_error(request.mesh.string() + ": no mesh in it is named as an object of " +
                                 track.filename().string() + ": " + without_mesh);
    if (!without_mesh.empty()) because("Left out, as the folder has no mesh of them: " + without_mesh + ".");
    because("Touching begins at 0 mm: hands and objects were both measured.");
    guess.toml = "# A scene made by glovebox scene new, from " +
                 tracking::printable(fs::path(request.recording).filename().string()) + " and " +
                 tracking::printable(track.filename().string()) + ".\n";
    for (const std::string& reason : guess.reasons) guess.toml += "# - " + tracking::printable(reason) + "\n";
    guess.toml += "name = " + tracking::toml_string(request.out.stem().string()) +
                  "\n\n[hand]\nplacement = \"recorded\"\n" +
                  formatted("recording_unit_m = %g\n", double{recording.unit_m});
    if (!request.axes_name.empty()) guess.toml += "recording_axes = " + tracking::toml_string(request.axes_name) + "\n";
    guess.toml += blocks;
    return guess;
}

using Tips = std::array<float, tracking::kFingerCount>;

// Returns the name of the recording's axes; empty if they are as its format says. A file that is named after one hand,
// but whose fingers bend as the other's, has left-handed axes.
std::string axes_of(const SceneOptions& request, const recordings::HandDiagnosis& hand,
                    std::vector<std::string>& reasons) {
    if (!request.axes_name.empty()) {
        reasons.push_back("The axes are " + request.axes_name + ", as given.");
        return request.axes_name;
    }
    std::string file = fs::path(request.recording).filename().string();
    std::ranges::transform(file, file.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool says_right = file.find("right") != std::string::npos,
               says_side = says_right || file.find("left") != std::string::npos;
    const Side said = says_right ? Side::right : Side::left;
    if (!hand.bend_side) {
        reasons.emplace_back("The axes are as the format says: the fingers are too straight to tell.");
        return {};
    }
    const std::string bent(name_of(*hand.bend_side));
    constexpr double kSure = 0.6;
    if (says_side && *hand.bend_side != said && hand.bend_agreement >= kSure) {
        reasons.push_back(
            formatted("The axes are left-handed (unity): the file is named a %s hand, and its fingers bend as a "
                      "%s hand's (%.0f %% of the bend).",
                      std::string(name_of(said)).c_str(), bent.c_str(), 100.0 * hand.bend_agreement));
        return "unity";
    }
    reasons.push_back(formatted("The axes are right-handed, as the format says: the fingers bend as a %s hand's%s.",
                                bent.c_str(), says_side ? ", and so the file is named" : ""));
    return {};
}

// Returns lengths of the fingertips that are added beyond the last joints; 0 if the recording has fingertips.
Tips tips_of(const recordings::HandDiagnosis& hand, std::vector<std::string>& reasons) {
    constexpr std::array kTipJoints = {Joint::thumb_tip, Joint::index_tip, Joint::middle_tip, Joint::ring_tip,
                                       Joint::little_tip};
    Tips tips{};
    if (std::ranges::none_of(kTipJoints,
                             [&hand](Joint joint) { return hand.placed[static_cast<std::size_t>(joint)]; })) {
        reasons.emplace_back("The recording has fingertips.");
        return tips;
    }
    // The length includes fingertips that were placed by rule: an adult's are as good.
    const float size = hand.length_m / kHand_m,
                scale = size > 0.88F && size < 1.15F ? 1.0F : std::clamp(size, 0.6F, 1.3F);
    for (std::size_t i = 0; i < tips.size(); ++i) tips[i] = 0.001F * std::round(1000.0F * scale * kTips_m[i]);
    reasons.push_back(
        formatted("The recording ends at the last joints, so fingertips are added: %.0f, %.0f, %.0f, %.0f, %.0f mm "
                  "from thumb to little, an adult's for a hand of this size.",
                  1e3 * double{tips[0]}, 1e3 * double{tips[1]}, 1e3 * double{tips[2]}, 1e3 * double{tips[3]},
                  1e3 * double{tips[4]}));
    return tips;
}

// Returns the units in which the mesh would have the size of an object that a hand can hold, the recording's first.
std::vector<float> mesh_units(float raw_size, float recording_unit_m) {
    std::vector<float> units;
    const auto consider = [&](float metres) {
        const bool sensible = raw_size * metres >= kMinObject_m && raw_size * metres <= kMaxObject_m;
        if (sensible && std::ranges::find(units, metres) == units.end()) units.push_back(metres);
    };
    consider(recording_unit_m);
    for (const Unit& unit : kUnits) consider(unit.metres);
    if (units.empty()) units.push_back(raw_size > kMaxObject_m * 50.0F ? 0.001F : 1.0F);
    return units;
}

// Units and placement of the mesh, and how the hands then meet it.
struct Fit {
    float mesh_unit_m = 1.0F, track_unit_m = 1.0F;
    scenes::Placement placement = scenes::Placement::recorded;
    std::vector<Look> looks;
    double misfit = std::numeric_limits<double>::infinity();
    bool closed = true;  // the mesh has an inside
};

Fit fit_of(const SceneOptions& request, const recordings::Recording& recording, const tracking::Axes& axes,
           float mesh_unit_m, float track_unit_m, scenes::Placement placement) {
    Fit fit{mesh_unit_m, track_unit_m, placement, {}, 0.0};
    scenes::Scene scene;
    scenes::SceneObject& object = scene.objects.emplace_back();
    const auto tree = scenes::load_mesh_tree(request.mesh, mesh_unit_m, load_mesh_apart);
    fit.closed = tree->closed();
    object.shape = collision::MeshInstance{tree, Eigen::Isometry3f::Identity()};
    if (!axes.as_they_are()) object.shape = scenes::in_our_axes(axes, object.shape);
    if (!request.track.empty()) {
        recordings::ImportOptions track_options;
        track_options.unit_m = track_unit_m;
        track_options.axes = axes;
        object.motion = scenes::Motion::recorded;
        object.track = recordings::load_track(request.track, track_options);
    }
    scene.placement = placement;
    scene.anchor_m = {0.0F, 0.0F, 0.0F};
    fit.looks = samples_of(recording, scene);
    // Hands that touch reach the surface, and neither stay away nor penetrate. Use the tenth percentile of the smallest
    // distances.
    std::vector<float> nearest;
    for (const Look& look : fit.looks) nearest.push_back(look.nearest());
    std::ranges::sort(nearest);
    if (!nearest.empty()) fit.misfit = std::abs(double{nearest[nearest.size() / 10]});
    return fit;
}

// Returns the fit at the recorded place in which the hands meet the surface best.
Fit best_fit(const SceneOptions& request, const recordings::Recording& recording, const tracking::Axes& axes,
             float unit_m, std::span<const float> units) {
    Fit best;
    for (const float mesh_unit_m : units) {
        std::vector<float> track_units = {mesh_unit_m};
        if (!request.track.empty())
            for (const float each : {unit_m, 0.01F})
                if (std::ranges::find(track_units, each) == track_units.end()) track_units.push_back(each);
        for (const float track_unit_m : track_units) {
            // A hand and an object that were recorded together usually share a unit, so another one must fit much
            // better.
            constexpr double kOtherUnit_m = 0.02, kOtherTrackUnit_m = 0.01;
            Fit fit = fit_of(request, recording, axes, mesh_unit_m, track_unit_m, scenes::Placement::recorded);
            if (mesh_unit_m != unit_m) fit.misfit += kOtherUnit_m;
            if (track_unit_m != unit_m) fit.misfit += kOtherTrackUnit_m;
            if (fit.misfit < best.misfit) best = std::move(fit);
        }
    }
    return best;
}

}  // namespace

SceneGuess guess_scene(const SceneOptions& request) {
    if (fs::is_directory(request.mesh)) return scene_of_take(request);
    SceneGuess guess;
    const auto because = [&guess](std::string reason) { guess.reasons.push_back(std::move(reason)); };

    // The recording: unit, axes, fingertips.
    recordings::ImportOptions options;
    options.unit_m = request.unit_m;
    if (request.axes) options.axes = *request.axes;
    recordings::Recording recording = open_recording(request.recording, options);
    const recordings::Diagnosis diagnosis = recordings::diagnose(recording);
    const float unit_m = recording.unit_m;
    const Side side =
        diagnosis.hands[Side::right].active >= diagnosis.hands[Side::left].active ? Side::right : Side::left;
    const recordings::HandDiagnosis& hand = diagnosis.hands[side];
    because(formatted("The recording's unit is %s%s: the hand is %.1f cm long from the wrist to the middle fingertip.",
                      name_of_unit(unit_m).c_str(), request.unit_m ? ", as given" : "", 100.0 * double{hand.length_m}));
    const std::string axes = axes_of(request, hand, guess.reasons);
    const Tips tips = tips_of(hand, guess.reasons);
    options.unit_m = unit_m;
    options.tip_length_m = tips;
    if (!axes.empty()) options.axes = tracking::find_axes(axes).value();
    recording = open_recording(request.recording, options);

    // The mesh: its unit and position.
    const float raw_size = longest_side(load_mesh_apart(request.mesh, 1.0F));
    if (!(raw_size > 0.0F)) throw std::runtime_error(request.mesh.string() + ": the mesh has no size");
    const std::vector<float> units =
        request.mesh_unit_m ? std::vector{*request.mesh_unit_m} : mesh_units(raw_size, unit_m);
    Fit best = best_fit(request, recording, options.axes, unit_m, units);
    constexpr double kElsewhere_m = 0.10;
    const bool elsewhere = request.track.empty() && double{nearest_of(best.looks)} > kElsewhere_m;
    if (elsewhere)
        best = fit_of(request, recording, options.axes, units.front(), units.front(), scenes::Placement::fingertips);
    const double size_cm = 100.0 * double{raw_size} * double{best.mesh_unit_m};
    because(
        formatted("The mesh's unit is %s%s: the object is then %.1f cm long%s.", name_of_unit(best.mesh_unit_m).c_str(),
                  request.mesh_unit_m ? ", as given" : "", size_cm,
                  units.size() > 1 && !elsewhere ? ", and of the sizes that a hand takes this one fits it best" : ""));
    if (!best.closed) because(about_open_mesh("The mesh"));
    if (!request.track.empty())
        because(formatted("It moves as %s says, one unit of which is %s: the hand then %s.",
                          tracking::printable(request.track.filename().string()).c_str(),
                          name_of_unit(best.track_unit_m).c_str(), nearness(nearest_of(best.looks)).c_str()));
    else if (elsewhere)
        because(
            "Hand and mesh were in different places, so the fingertips are brought to the mesh; a --track of the "
            "mesh, or both in one place, would be true.");
    else
        because("Hand and mesh are in one place: the hand " + nearness(nearest_of(best.looks)) + ".");
    const Threshold threshold = threshold_of(best.looks);
    because(threshold.reason);

    std::string& toml = guess.toml;
    toml = "# A scene made by glovebox scene new, from " +
           tracking::printable(fs::path(request.recording).filename().string()) + " and " +
           tracking::printable(request.mesh.filename().string()) + ".\n# What was guessed, and why:\n";
    for (const std::string& reason : guess.reasons) toml += "# - " + tracking::printable(reason) + "\n";
    toml += "name = " + tracking::toml_string(request.mesh.stem().string()) + "\n\n[thresholds]\n" +
            formatted("touch_enter_m = %.3f\ntouch_exit_m = %.3f\nhover_enter_m = 0.015\nhover_exit_m = 0.020\n",
                      double{threshold.touch_m}, double{threshold.touch_m} + 0.003) +
            "\n[hand]\nplacement = \"" + (best.placement == scenes::Placement::recorded ? "recorded" : "fingertips") +
            "\"\n" + formatted("recording_unit_m = %g\n", double{unit_m});
    if (elsewhere) toml += "anchor_m = [0.0, 0.0, 0.0]\n";
    if (!axes.empty()) toml += "recording_axes = " + tracking::toml_string(axes) + "\n";
    if (tips[0] > 0.0F)
        toml += formatted("tip_length_m = [%.3f, %.3f, %.3f, %.3f, %.3f]\n", double{tips[0]}, double{tips[1]},
                          double{tips[2]}, double{tips[3]}, double{tips[4]});
    toml += "\n[[object]]\nname = " + tracking::toml_string(request.mesh.stem().string()) +
            "\nshape = \"mesh\"\nfile = " + tracking::toml_string(relative_path(request.mesh, request.out)) +
            formatted("\nunit_m = %g\n", double{best.mesh_unit_m});
    if (!request.track.empty())
        toml += "motion = \"recorded\"\ntrack = " + tracking::toml_string(relative_path(request.track, request.out)) +
                formatted("\ntrack_unit_m = %g\n", double{best.track_unit_m});
    return guess;
}

}  // namespace glovebox::vr
