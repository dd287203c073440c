#include "vr/export/digest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "collision/mesh/mesh_tree.h"
#include "recordings/log/schema.h"
#include "scenes/hand_body.h"
#include "tracking/formatted.h"
#include "vr/export/digest_page.h"
#include "vr/export/packed.h"
#include "vr/export/touch_table.h"
#include "vr/render/framing.h"
#include "vr/render/object_mesh.h"
#include "vr/session/box_states.h"
#include "vr/session/report.h"
#include "vr/session/take.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using tracking::Side;

constexpr double kUnit_m = 1e-4;
constexpr double kQuaternionUnit = 1.0 / 16384.0;
constexpr double kRollUnit_rad = 1.0 / 512.0;
// Maximum number of values of joints and boxes, about 1.5 bytes each: a page stays below 5 MB.
constexpr std::size_t kMaxValues = 2'600'000;
// Values per frame: the five boxes of the palm have ten each, all others a roll.
constexpr std::size_t kHandValues = 3 * tracking::kJointCount + 5 * 10 + 15;
constexpr std::size_t kMaxTriangles = 120'000;  // of an object; larger ones are drawn as their box

using Series = std::vector<std::int32_t>;

std::int32_t units(double metres) {
    constexpr double kMax = 1e9;
    if (!std::isfinite(metres)) return 0;
    return static_cast<std::int32_t>(std::lround(std::clamp(metres / kUnit_m, -kMax, kMax)));
}

using Units = std::array<std::int32_t, 3>;

Units units(const Eigen::Vector3f& metres) {
    return {units(double{metres.x()}), units(double{metres.y()}), units(double{metres.z()})};
}

ordered_json vector_json(const Eigen::Vector3f& v) {
    return {v.x(), v.y(), v.z()};
}

// A hand's motion: the wrist, the other joints relative to it, and when it is tracked.
struct HandTrack {
    std::array<Series, 3 * tracking::kJointCount> coordinates;
    std::array<float, tracking::kJointCount> radius_m{};
    std::vector<std::array<std::int32_t, 2>> present;  // first and last frames
    bool there = false, seen = false;

    void add(const tracking::HandFrame& hand, std::int32_t frame) {
        if (hand.active != there) {
            if (hand.active) present.push_back({frame, frame});
            there = hand.active;
        }
        if (there) present.back()[1] = frame + 1;
        const auto wrist = static_cast<std::size_t>(tracking::Joint::wrist);
        std::array<std::int32_t, 3> origin{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            origin[axis] = units(double{hand.joints[wrist].position_m[static_cast<Eigen::Index>(axis)]});
        for (std::size_t joint = 0; joint < tracking::kJointCount; ++joint)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                Series& series = coordinates[3 * joint + axis];
                const bool known = there && hand.joints[joint].position_valid() && hand.joints[wrist].position_valid();
                if (!known) {
                    series.push_back(series.empty() ? 0 : series.back());
                    continue;
                }
                const std::int32_t at = units(double{hand.joints[joint].position_m[static_cast<Eigen::Index>(axis)]});
                series.push_back(joint == wrist ? at : at - origin[axis]);
            }
        if (!there || seen) return;
        seen = true;
        for (std::size_t joint = 0; joint < tracking::kJointCount; ++joint)
            radius_m[joint] = std::clamp(hand.joints[joint].radius_m, 0.002F, 0.05F);
    }
    ordered_json json(Side side) const {
        ordered_json hand = {{"side", name_of(side)}, {"present", present}, {"radius_m", radius_m}};
        hand["joints"] = ordered_json::array();
        for (const Series& series : coordinates) hand["joints"].push_back(packed(series));
        return hand;
    }
};

// Returns a box's roll about the line from a to b. Zero is the direction axis x line, for the coordinate axis most
// perpendicular to the line. Computed from integers, so that the page finds the same.
double roll_rad(const Units& a, const Units& b, const Eigen::Vector3f& side) {
    const Eigen::Vector3d line(double(b[0]) - a[0], double(b[1]) - a[1], double(b[2]) - a[2]);
    if (line.isZero()) return 0.0;
    Eigen::Index across = 0;
    for (Eigen::Index axis = 1; axis < 3; ++axis)
        if (std::abs(line[axis]) < std::abs(line[across])) across = axis;
    const Eigen::Vector3d along = line.normalized(), zero = Eigen::Vector3d::Unit(across).cross(along).normalized();
    return std::atan2(side.cast<double>().dot(along.cross(zero)), side.cast<double>().dot(zero));
}

// Adds a bone's box: for a cone between two joints only the roll, since the page knows the rest; otherwise all of it.
class BoxTrack {
  public:
    void add(const tracking::HandFrame& hand, const collision::BodyPose& pose, std::size_t bone, BoxState state) {
        state_.push_back(static_cast<std::int32_t>(state));
        const bool there = state != BoxState::absent;
        if (there && !known_) decide(hand, pose.shapes[bone]);
        if (from_ >= 0) {
            const auto at = [&](int joint) { return units(hand.joints[static_cast<std::size_t>(joint)].position_m); };
            again(roll_, there, [&] {
                const double roll = roll_rad(at(from_), at(to_), pose.leaf_boxes[bone].axes.col(1));
                return static_cast<std::int32_t>(std::lround(roll / kRollUnit_rad));
            });
            return;
        }
        const collision::Obb box = there ? pose.leaf_boxes[bone] : collision::Obb{};
        Eigen::Quaternionf turn(box.axes);
        if (turn.dot(last_) < 0.0F) turn.coeffs() = -turn.coeffs();
        if (there) last_ = turn;
        const Units center = units(box.center_m), half = units(box.half_m);
        for (std::size_t k = 0; k < whole_.size(); ++k)
            again(whole_[k], there, [&] {
                if (k < 3) return center[k];
                if (k >= 7) return half[k - 7];
                return static_cast<std::int32_t>(
                    std::lround(double{turn.coeffs()[static_cast<Eigen::Index>(k - 3)]} / kQuaternionUnit));
            });
    }
    ordered_json json() const {
        ordered_json box = {{"state", packed(state_)}};
        if (from_ >= 0) {
            box["joints"] = {from_, to_};
            box["roll"] = packed(roll_);
        } else {
            box["whole"] = ordered_json::array();
            for (const Series& series : whole_) box["whole"].push_back(packed(series));
        }
        return box;
    }

  private:
    // Where it is not tracked, values repeat, which takes the least space.
    template <typename Now>
    static void again(Series& series, bool there, const Now& now) {
        series.push_back(there ? now() : series.empty() ? 0 : series.back());
    }
    void decide(const tracking::HandFrame& hand, const collision::Shape& shape) {
        known_ = true;
        const auto* cone = std::get_if<collision::RoundCone>(&shape);
        if (cone == nullptr) return;
        int from = -1, to = -1;
        for (int joint = 0; joint < tracking::kJointCount; ++joint) {
            const tracking::JointPose& pose = hand.joints[static_cast<std::size_t>(joint)];
            if (pose.position_m == cone->a_m && pose.radius_m == cone->radius_a_m) from = joint;
            if (pose.position_m == cone->b_m && pose.radius_m == cone->radius_b_m) to = joint;
        }
        if (from < 0 || to < 0) return;
        from_ = from;
        to_ = to;
        roll_.assign(state_.size() - 1, 0);
        for (Series& series : whole_) series.clear();
    }

    Series state_, roll_;
    std::array<Series, 10> whole_;
    Eigen::Quaternionf last_ = Eigen::Quaternionf::Identity();
    int from_ = -1, to_ = -1;
    bool known_ = false;
};

struct ObjectTrack {
    Series state;  // BoxState, 0 where it is idle
    bool met = false;
    std::array<Series, 7> pose;
    bool moves = false;
    Eigen::Quaternionf last = Eigen::Quaternionf::Identity();

    void add(const Eigen::Isometry3f& world_from_object, BoxState now_is) {
        state.push_back(now_is == BoxState::idle ? 0 : static_cast<std::int32_t>(now_is));
        met = met || state.back() != 0;
        Eigen::Quaternionf turn(world_from_object.linear());
        if (turn.dot(last) < 0.0F) turn.coeffs() = -turn.coeffs();
        last = turn;
        std::array<std::int32_t, 7> now{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            now[axis] = units(double{world_from_object.translation()[static_cast<Eigen::Index>(axis)]});
        for (std::size_t k = 0; k < 4; ++k)
            now[3 + k] = static_cast<std::int32_t>(
                std::lround(double{turn.coeffs()[static_cast<Eigen::Index>(k)]} / kQuaternionUnit));
        for (std::size_t k = 0; k < 7; ++k) {
            moves = moves || (!pose[k].empty() && pose[k].back() != now[k]);
            pose[k].push_back(now[k]);
        }
    }
    ordered_json json() const {
        ordered_json channels = ordered_json::array();
        for (const Series& series : pose)
            channels.push_back(
                packed(moves ? std::span(series) : std::span(series).first(std::min<std::size_t>(1, series.size()))));
        return channels;
    }
};

// Adds vertices in integer units from the object's origin, and triangle indices.
ordered_json mesh_json(const collision::Shape& shape) {
    std::vector<Eigen::Vector3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    if (const auto* instance = std::get_if<collision::MeshInstance>(&shape)) {
        const collision::Mesh& mesh = instance->tree->mesh();
        if (mesh.triangles.size() > kMaxTriangles) return nullptr;
        for (const auto& vertex : mesh.vertices_m) vertices.push_back(instance->world_from_mesh * vertex.cast<float>());
        for (const auto& each : mesh.triangles)
            triangles.push_back({static_cast<std::uint32_t>(each[0]), static_cast<std::uint32_t>(each[1]),
                                 static_cast<std::uint32_t>(each[2])});
    } else {
        const DrawMesh mesh = draw_mesh(shape);
        for (const DrawVertex& vertex : mesh.vertices) vertices.push_back(vertex.position_m);
        triangles = mesh.triangles;
    }
    std::array<Series, 3> coordinates;
    Series corners;
    for (const Eigen::Vector3f& vertex : vertices)
        for (std::size_t axis = 0; axis < 3; ++axis)
            coordinates[axis].push_back(units(double{vertex[static_cast<Eigen::Index>(axis)]}));
    for (const auto& each : triangles)
        for (const std::uint32_t corner : each) corners.push_back(static_cast<std::int32_t>(corner));
    return {{"vertices", vertices.size()},
            {"triangles", triangles.size()},
            {"x", packed(coordinates[0])},
            {"y", packed(coordinates[1])},
            {"z", packed(coordinates[2])},
            {"corners", packed(corners)},
            {"smooth", !std::holds_alternative<collision::MeshInstance>(shape)}};
}

ordered_json object_json(const scenes::SceneObject& object, const ObjectTrack& track) {
    const collision::Obb box = collision::bounding_box(object.shape);
    const Eigen::Quaternionf turn(box.axes);
    return {{"name", object.name},
            {"color", vector_json(object.color)},
            {"mesh", mesh_json(object.shape)},
            {"box",
             {{"center_m", vector_json(box.center_m)},
              {"half_m", vector_json(box.half_m)},
              {"turn", {turn.x(), turn.y(), turn.z(), turn.w()}}}},
            {"moves", track.moves},
            {"state", track.met ? ordered_json(packed(track.state)) : ordered_json()},
            {"pose", track.json()}};
}

// Returns a camera that sees the whole recording, for a view with aspect ratio 1.5.
OrbitCamera page_camera(const Session& session) {
    const TakeOverview take = watch_take(session.scene, *session.file, session.pipeline.settings);
    ViewModel model;
    model.scene = &session.scene;
    model.take = &take;
    return framed(model, {1500, 1000, {}});
}

// Escapes text for a script block of a page, so that nothing can end the block.
std::string for_page(const ordered_json& json) {
    std::string text;
    for (const char c : text_of(json)) text += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : std::string(1, c);
    return text;
}

// Names are written %%NAME%% in the template; inserted text is not scanned again.
std::string filled(std::string_view page, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string text;
    for (std::size_t at = 0; at < page.size();) {
        const std::size_t open = page.find("%%", at);
        if (open == std::string_view::npos) return text.append(page.substr(at));
        text.append(page.substr(at, open - at));
        const std::size_t close = page.find("%%", open + 2);
        const std::string_view name = page.substr(open + 2, close - open - 2);
        for (const auto& [key, value] : values)
            if (key == name) text += value;
        at = close + 2;
    }
    return text;
}

}  // namespace

std::string read_three_js() {
    const char* given = std::getenv("GLOVEBOX_THREE_JS");
    for (const std::string& path :
         {std::string(given != nullptr ? given : ""), std::string("/usr/share/javascript/three/three.min.js"),
          std::string("/usr/share/nodejs/three/build/three.min.js")}) {
        if (path.empty() || !std::filesystem::is_regular_file(path)) continue;
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        if (text.str().find("</script") == std::string::npos) return text.str();
    }
    throw std::runtime_error(
        "three.js is not installed, and the page draws with it: install the package libjs-three, or name its "
        "three.min.js in the variable GLOVEBOX_THREE_JS");
}

ordered_json digest_data(Session& session, const DigestSettings& settings) {
    const tracking::PerSide<bool> used = session.pipeline.settings.use_hand;
    const std::size_t hands = (used[0] ? 1U : 0U) + (used[1] ? 1U : 0U);
    const std::size_t values = session.recording().samples.size() * hands * kHandValues;
    const std::size_t stride = std::max<std::size_t>(1, (values + kMaxValues - 1) / kMaxValues);
    // Microseconds fill 31 bits after 36 minutes.
    double time_unit_s = 1e-6;
    while (session.recording().duration_s() > 2e9 * time_unit_s) time_unit_s *= 10.0;

    TouchCollector collector(session, TouchBy::finger);
    tracking::PerSide<HandTrack> tracks;
    tracking::PerSide<std::array<BoxTrack, scenes::kHandBoneCount>> boxes;
    std::vector<ObjectTrack> objects(session.scene.objects.size());
    std::vector<BoxState> nodes, states;
    Series times, contact_counts;
    std::array<Series, 5> contacts;  // side and bone, object, x, y, z
    std::int32_t shown = 0;
    for (std::size_t frame = 0; session.next(); ++frame) {
        collector.add(session);
        if (frame % stride != 0) continue;
        times.push_back(static_cast<std::int32_t>(std::llround(session.time_s() / time_unit_s)));
        const scenes::World& world = session.pipeline.world;
        states.assign(objects.size(), BoxState::idle);
        for (const Side side : tracking::kSides) {
            if (!used[side]) continue;
            tracks[side].add(session.pipeline.hands[side], shown);
            box_states(session.scene, world, side, nodes, states);
            for (std::size_t bone = 0; bone < boxes[side].size(); ++bone)
                boxes[side][bone].add(session.pipeline.hands[side], world.hands[side].pose, bone, nodes[bone]);
        }
        for (std::size_t i = 0; i < objects.size(); ++i) objects[i].add(world.world_from_object[i], states[i]);
        std::int32_t count = 0;
        for (const Side side : tracking::kSides)
            for (const collision::Contact& contact : world.hands[side].contacts) {
                if (contact.distance_m > session.scene.thresholds.touch_enter_m) continue;
                ++count;
                contacts[0].push_back(static_cast<std::int32_t>(side) * 32 + contact.bone);
                contacts[1].push_back(contact.object);
                for (std::size_t axis = 0; axis < 3; ++axis)
                    contacts[2 + axis].push_back(units(double{contact.on_object_m[static_cast<Eigen::Index>(axis)]}));
            }
        contact_counts.push_back(count);
        ++shown;
    }
    const TouchList touches = collector.finish(session);
    const ordered_json report = report_json(session);
    const OrbitCamera camera = page_camera(session);

    ordered_json data = touch_json(touches);
    data["recording"]["rate_hz"] = report["recording"]["rate_hz"];
    data["recording"]["longest_gap_s"] = report["recording"]["longest_gap_s"];
    data["recording"]["notes"] = report["recording"]["notes"];
    data["unit_m"] = kUnit_m;
    data["quaternion_unit"] = kQuaternionUnit;
    data["roll_unit_rad"] = kRollUnit_rad;
    data["stride"] = stride;
    data["frames"] = shown;
    data["time_unit_s"] = time_unit_s;
    data["times"] = packed(times);
    data["hands"] = ordered_json::array();
    for (const Side side : tracking::kSides)
        if (used[side]) {
            data["hands"].push_back(tracks[side].json(side));
            for (const BoxTrack& box : boxes[side]) data["hands"].back()["boxes"].push_back(box.json());
        }
    data["objects"] = ordered_json::array();
    for (std::size_t i = 0; i < objects.size(); ++i)
        data["objects"].push_back(object_json(session.scene.objects[i], objects[i]));
    data["contacts"] = {{"total", contacts[0].size()}, {"counts", packed(contact_counts)}};
    constexpr std::array kChannels = {"bones", "objects", "x", "y", "z"};
    for (std::size_t i = 0; i < kChannels.size(); ++i) data["contacts"][kChannels[i]] = packed(contacts[i]);
    data["camera"] = {{"target_m", vector_json(camera.target_m)},
                      {"yaw_rad", camera.yaw_rad},
                      {"elevation_rad", camera.elevation_rad},
                      {"distance_m", camera.distance_m}};
    for (const char* key : {"stages_us", "counts", "quarantine", "method", "state_hash", "machine", "version"})
        data[key] = report[key];
    data["doctor"] = settings.doctor;
    data["command"] = settings.command;
    return data;
}

std::string digest_page(const ordered_json& data, const DigestSettings& settings) {
    const std::string json = for_page(data);
    const std::uint32_t crc = recordings::crc32({reinterpret_cast<const unsigned char*>(json.data()), json.size()});
    return filled(kDigestPage, {{"NONCE", tracking::formatted("glovebox%08x%08zx", crc, json.size())},
                                {"DATA", json},
                                {"THREE", settings.three_js},
                                {"STYLE", std::string(kDigestStyle)},
                                {"SCRIPT", std::string(kDigestScript)}});
}

}  // namespace glovebox::vr
