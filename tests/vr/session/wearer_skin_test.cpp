// Bones fitted to a hand mesh that was made of known bones, as a user does it: mesh, `calibrate --skin`, `--profile`.
#include "vr/session/wearer_skin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>

#include "recordings/formats/webxr.h"
#include "recordings/user_profile.h"
#include "tests/vr/run_program.h"
#include "tracking/forward_kinematics.h"
#include "tracking/hand_geometry.h"

namespace glovebox::vr {
namespace {

using collision::RoundCone;
using testing::HasSubstr;
using tracking::HandFrame;
using tracking::Side;

/// A hand at rest as a rig has it: positions, and orientations computed from them.
HandFrame rest_hand(Side side) {
    tracking::HandAngles angles;  // nearly flat; the bend shows the side
    for (tracking::FingerAngles& finger : angles.fingers) finger.pip_flex = 0.2F;
    HandFrame hand =
        tracking::pose_from_angles(tracking::default_profile(), angles, Eigen::Isometry3f::Identity(), side);
    for (tracking::JointPose& joint : hand.joints) joint.flags = tracking::joint_flags::kPositionValid;
    tracking::orient_from_positions(hand);
    tracking::fill_radii(tracking::default_profile(), hand);
    return hand;
}

/// The usual bones, 2 mm below the joints and a fifth thicker at their inner ends.
scenes::HandShape thick_shape(const HandFrame& rest) {
    scenes::HandShape shape = scenes::usual_shape(rest);
    for (scenes::BoneShape& bone : shape) {
        bone.from_offset_m.y() -= 0.002F;
        bone.to_offset_m.y() -= 0.002F;
        bone.from_radius_m *= 1.2F;
    }
    return shape;
}

/// Points of the skin with their normals, and the joint that moves each.
struct Surface {
    std::vector<Eigen::Vector3f> points, normals;
    std::vector<std::uint8_t> joints;
};

/// Rings round each bone, where no other bone covers them.
Surface surface_of(const scenes::HandShape& shape, const HandFrame& rest) {
    Surface surface;
    for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
        const RoundCone cone = scenes::cone_of(shape, rest, bone);
        const Eigen::Vector3f axis = cone.b_m - cone.a_m;
        const float sine = (cone.radius_a_m - cone.radius_b_m) / axis.norm();
        const Eigen::Vector3f along = axis.normalized(), x = along.unitOrthogonal(), y = along.cross(x);
        const tracking::Joint joint =
            scenes::is_of_palm(bone) ? tracking::Joint::wrist : scenes::ends_of_bone(bone).from;
        for (int ring = 0; ring <= 8; ++ring)
            for (int k = 0; k < 16; ++k) {
                const float t = static_cast<float>(ring) / 8.0F,
                            turn = static_cast<float>(k) * std::numbers::pi_v<float> / 8.0F;
                const Eigen::Vector3f normal =
                    std::sqrt(1.0F - sine * sine) * (std::cos(turn) * x + std::sin(turn) * y) + sine * along;
                const Eigen::Vector3f point =
                    cone.a_m + t * axis + ((1.0F - t) * cone.radius_a_m + t * cone.radius_b_m) * normal;
                bool covered = false;
                for (int other = 0; other < scenes::kHandBoneCount; ++other)
                    covered = covered || (other != bone &&
                                          scenes::signed_distance(scenes::cone_of(shape, rest, other), point) < 1e-4);
                if (covered) continue;
                surface.points.push_back(point);
                surface.normals.push_back(normal);
                surface.joints.push_back(static_cast<std::uint8_t>(static_cast<int>(joint) - 1));
            }
    }
    return surface;
}

template <class Item>
void append(const std::vector<Item>& items, std::string& bytes, nlohmann::json& views) {
    views.push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", items.size() * sizeof(Item)}});
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
    while (bytes.size() % 4 != 0) bytes.push_back('\0');
}

/// Writes a GLB file with the 25 joints of WebXR, each a child of the scene.
void write_rig(const std::filesystem::path& path, const HandFrame& rest, const Surface& surface, float scale = 1.0F) {
    using nlohmann::json;
    const std::size_t count = surface.points.size();
    std::string bytes;
    json views = json::array();
    std::vector<std::array<float, 3>> points, normals;
    std::vector<std::array<std::uint8_t, 4>> joints;
    std::vector<std::array<float, 4>> weights(count, {1.0F, 0.0F, 0.0F, 0.0F});
    std::array<float, 3> low{1e9F, 1e9F, 1e9F}, high{-1e9F, -1e9F, -1e9F};
    for (std::size_t i = 0; i < count; ++i) {
        const Eigen::Vector3f at = scale * surface.points[i], &normal = surface.normals[i];
        points.push_back({at.x(), at.y(), at.z()});
        normals.push_back({normal.x(), normal.y(), normal.z()});
        joints.push_back({surface.joints[i], 0, 0, 0});
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], points.back()[k]);
            high[k] = std::max(high[k], points.back()[k]);
        }
    }
    std::vector<std::uint16_t> corners;
    for (std::size_t i = 0; i + 2 < count; ++i)
        for (std::size_t k = 0; k < 3; ++k) corners.push_back(static_cast<std::uint16_t>(i + k));
    json nodes = json::array(), numbers = json::array();
    std::vector<std::array<float, 16>> inverse;
    for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
        const Eigen::Vector3f at = scale * rest.joints[j].position_m;
        numbers.push_back(j - 1);
        nodes.push_back({{"name", recordings::kWebxrJoints[j - 1]}, {"translation", {at.x(), at.y(), at.z()}}});
        inverse.push_back({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at.x(), -at.y(), -at.z(), 1});
    }
    append(points, bytes, views);
    append(normals, bytes, views);
    append(joints, bytes, views);
    append(weights, bytes, views);
    append(corners, bytes, views);
    append(inverse, bytes, views);
    nodes.push_back({{"name", "hand"}, {"mesh", 0}, {"skin", 0}});
    json roots = numbers;
    roots.push_back(nodes.size() - 1);
    constexpr int kFloat = 5126, kByte = 5121, kShort = 5123;
    const json file = {
        {"asset", {{"version", "2.0"}}},
        {"scene", 0},
        {"scenes", {{{"nodes", roots}}}},
        {"nodes", nodes},
        {"skins", {{{"joints", numbers}, {"inverseBindMatrices", 5}}}},
        {"meshes",
         {{{"primitives",
            {{{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"JOINTS_0", 2}, {"WEIGHTS_0", 3}}}, {"indices", 4}}}}}}},
        {"accessors",
         {{{"bufferView", 0},
           {"componentType", kFloat},
           {"count", count},
           {"type", "VEC3"},
           {"min", low},
           {"max", high}},
          {{"bufferView", 1}, {"componentType", kFloat}, {"count", count}, {"type", "VEC3"}},
          {{"bufferView", 2}, {"componentType", kByte}, {"count", count}, {"type", "VEC4"}},
          {{"bufferView", 3}, {"componentType", kFloat}, {"count", count}, {"type", "VEC4"}},
          {{"bufferView", 4}, {"componentType", kShort}, {"count", corners.size()}, {"type", "SCALAR"}},
          {{"bufferView", 5}, {"componentType", kFloat}, {"count", inverse.size()}, {"type", "MAT4"}}}},
        {"bufferViews", views},
        {"buffers", {{{"byteLength", bytes.size()}}}}};
    std::string text = file.dump();
    while (text.size() % 4 != 0) text.push_back(' ');
    std::ofstream out(path, std::ios::binary);
    const auto word = [&out](std::size_t value) {
        const auto number = static_cast<std::uint32_t>(value);
        out.write(reinterpret_cast<const char*>(&number), sizeof number);
    };
    out.write("glTF", 4);
    word(2);
    word(12 + 8 + text.size() + 8 + bytes.size());
    word(text.size());
    out.write("JSON", 4);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    word(bytes.size());
    out.write("BIN\0", 4);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Returns the 95th percentile of the distances of a bone's skin, of which bends fold a little inwards.
double p95_mm(const WearerSkin& skin, const scenes::HandShape& shape, int bone) {
    std::vector<double> apart_m = skin_distances_m(skin, shape, bone);
    for (double& distance_m : apart_m) distance_m = std::abs(distance_m);
    std::ranges::sort(apart_m);
    return 1e3 * apart_m.at(apart_m.size() * 95 / 100);
}

double worst_p95_mm(const WearerSkin& skin, const scenes::HandShape& shape) {
    double worst_mm = 0.0;
    for (int bone = 0; bone < scenes::kHandBoneCount; ++bone)
        if (bone == 0 || !scenes::is_of_palm(bone)) worst_mm = std::max(worst_mm, p95_mm(skin, shape, bone));
    return worst_mm;
}

/// Returns how far the bones reach out of the skin, at most: from points of their surface that no other bone covers to
/// the nearest point of the skin, whose points are some millimetres apart.
double reach_out_mm(const WearerSkin& skin, const scenes::HandShape& shape) {
    const HandFrame& rest = skin.rest.hand;
    const tracking::JointPose& wrist = rest[tracking::Joint::wrist];
    const Eigen::Isometry3f from_wrist = (Eigen::Translation3f(wrist.position_m) * wrist.orientation).inverse();
    double most_m = 0.0;
    for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
        const RoundCone cone = scenes::cone_of(shape, rest, bone);
        for (int i = 0; i < 400; ++i) {
            // Points of a ball that rolls along the cone, by a golden spiral.
            const float t = static_cast<float>(i % 20) / 19.0F,
                        z = 1.0F - 2.0F * (static_cast<float>(i) + 0.5F) / 400.0F,
                        turn = 2.39996F * static_cast<float>(i), r = std::sqrt(1.0F - z * z);
            const Eigen::Vector3f point = cone.a_m + t * (cone.b_m - cone.a_m) +
                                          ((1.0F - t) * cone.radius_a_m + t * cone.radius_b_m) *
                                              Eigen::Vector3f(r * std::cos(turn), r * std::sin(turn), z);
            bool covered = false;
            for (int other = 0; other < scenes::kHandBoneCount; ++other)
                covered = covered || scenes::signed_distance(scenes::cone_of(shape, rest, other), point) < -1e-4;
            // The skin is open at the wrist.
            if (covered || (from_wrist * point).z() > -0.02F) continue;
            double nearest_m = 1.0;
            for (const Eigen::Vector3f& at : skin.rest.points_m)
                nearest_m = std::min(nearest_m, double{(at - point).norm()});
            most_m = std::max(most_m, nearest_m);
        }
    }
    return 1e3 * most_m;
}

// A skin that is made of known bones is found again, at rest and bent by its joints.
TEST(WearerSkin, BonesAreFittedToTheMeshOfAHand) {
    const TestFolder folder("wearer_skin");
    for (const Side side : tracking::kSides) {
        const HandFrame rest = rest_hand(side);
        const scenes::HandShape made = thick_shape(rest);
        const auto path = folder.path / (std::string(name_of(side)) + ".glb");
        write_rig(path, rest, surface_of(made, rest));
        const std::vector<WearerSkin> skins = read_wearer_skin(path);
        ASSERT_EQ(skins.size(), 1U);
        const WearerSkin& skin = skins.front();
        EXPECT_EQ(skin.rest.hand.side, side);
        EXPECT_GT(skin.rest.points_m.size(), 1000U);
        ASSERT_EQ(skin.bent.size(), 3U);
        // Fingers bend towards the palm, which is down.
        const auto tip = tracking::Joint::middle_tip;
        EXPECT_LT(skin.bent[0].hand[tip].position_m.y(), skin.rest.hand[tip].position_m.y() - 0.03F);
        EXPECT_LT((skin.bent[2].hand[tip].position_m - skin.rest.hand[tracking::Joint::wrist].position_m).norm(),
                  0.12F);
        const double made_mm = worst_p95_mm(skin, made);
        const double usual_mm = worst_p95_mm(skin, scenes::usual_shape(skin.rest.hand));
        EXPECT_GT(usual_mm, made_mm + 1.0) << "or nothing is to be found";
        const scenes::HandShape found = fit_to_skin(skin);
        EXPECT_LT(worst_p95_mm(skin, found), made_mm + 0.4 * (usual_mm - made_mm));
        EXPECT_LT(reach_out_mm(skin, found), reach_out_mm(skin, made) + 2.0);
    }
}

/// Returns the largest coordinates of the hand's skin at rest in an exported GLB.
nlohmann::json extent_of_hand(const std::filesystem::path& path) {
    const std::string glb = text_of_file(path);
    std::uint32_t size = 0;
    std::memcpy(&size, glb.data() + 12, sizeof size);
    const auto json = nlohmann::json::parse(glb.substr(20, size));
    for (const auto& mesh : json["meshes"])
        if (std::string(mesh["name"]).ends_with(" hand"))
            return json["accessors"][mesh["primitives"][0]["attributes"]["POSITION"].get<std::size_t>()]["max"];
    return {};
}

TEST(WearerSkin, CalibrateFitsAProfileThatReplaysAndLogsUse) {
    const TestFolder folder("calibrate_skin");
    const HandFrame rest = rest_hand(Side::right);
    write_rig(folder.path / "hand_right.glb", rest, surface_of(thick_shape(rest), rest));
    const ProgramResult fitted = run_program("calibrate --skin hand_right.glb -o me.json", folder.path);
    ASSERT_EQ(fitted.exit_code, 0) << fitted.error;
    EXPECT_THAT(fitted.out, HasSubstr("right hand, distance of skin and bones in 4 poses"));
    EXPECT_THAT(fitted.out, HasSubstr("left hand: the same, mirrored"));
    const tracking::UserProfile user = recordings::load_user_profile(folder.path / "me.json");
    ASSERT_TRUE(user[Side::right].hand && user[Side::right].hand->shape && user[Side::left].hand);
    EXPECT_EQ(user[Side::left].hand->shape, tracking::mirrored(*user[Side::right].hand->shape));
    EXPECT_EQ(user[Side::right].hand->origin, "bones fitted to hand_right.glb");

    // An export shows these bones: the same profile without them gives another skin.
    tracking::UserProfile plain = user;
    for (const Side side : tracking::kSides) plain[side].hand->shape.reset();
    recordings::save_user_profile(plain, folder.path / "plain.json");
    for (const char* name : {"me", "plain"}) {
        const std::string stem = name;
        ASSERT_EQ(run_program("convert flick " + stem + ".glb --profile " + stem + ".json", folder.path).exit_code, 0);
    }
    EXPECT_EQ(extent_of_hand(folder.path / "me.glb").size(), 3U);
    EXPECT_NE(extent_of_hand(folder.path / "me.glb"), extent_of_hand(folder.path / "plain.glb"));

    const auto report_of = [&](const std::string& arguments) {
        const ProgramResult run = run_program("replay " + arguments + " --headless --report r.json", folder.path);
        EXPECT_EQ(run.exit_code, 0) << run.error;
        return nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    };
    const auto usual = report_of("flick"), own = report_of("flick --profile me.json --record own.glove --check");
    EXPECT_NE(usual["state_hash"], own["state_hash"]) << "thicker bones touch earlier";
    EXPECT_GT(own["counts"]["true"], 0);
    const auto again = report_of("own.glove --fail-if 'recorded.different>0'");
    EXPECT_EQ(again["state_hash"], own["state_hash"]) << "the log keeps the bones";
}

TEST(WearerSkin, FilesThatHaveNoneAreNamedInOneLine) {
    const TestFolder folder("calibrate_no_skin");
    const HandFrame rest = rest_hand(Side::right);
    write_rig(folder.path / "large.glb", rest, surface_of(thick_shape(rest), rest), 100.0F);
    std::ofstream(folder.path / "empty.glb") << "";
    std::ofstream(folder.path / "other.json") << "{\"a\": 1}";
    for (const auto& [name, said] : {std::pair{"large.glb", "scale the mesh"},
                                     {"empty.glb", "empty.glb"},
                                     {"other.json", "other.json"},
                                     {"missing.glb", "missing.glb"}}) {
        const ProgramResult run = run_program("calibrate -o me.json --skin " + std::string(name), folder.path);
        EXPECT_EQ(run.exit_code, 1) << name;
        EXPECT_THAT(run.error, HasSubstr(said));
        EXPECT_EQ(std::count(run.error.begin(), run.error.end(), '\n'), 1) << run.error;
        EXPECT_FALSE(std::filesystem::exists(folder.path / "me.json"));
    }
}

// The wearers of HOT3D's two recordings, and WebXR's generic hands.
TEST(WearerSkin, BonesAreFittedToRealWearers) {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    const std::filesystem::path data = folder == nullptr ? "" : folder;
    if (!std::filesystem::exists(data / "hot3d")) GTEST_SKIP() << "no HOT3D in GLOVEBOX_REAL_DATA";
    std::vector<WearerSkin> skins;
    for (const char* name : {"hot3d/umetrack_hand_user_profile.json", "hot3d/quest3/umetrack_hand_user_profile.json",
                             "meshes/webxr_generic_hand_left.glb", "meshes/webxr_generic_hand_right.glb"})
        for (WearerSkin& skin : read_wearer_skin(data / name)) skins.push_back(std::move(skin));
    ASSERT_EQ(skins.size(), 6U);
    for (const WearerSkin& skin : skins) {
        const scenes::HandShape before = scenes::usual_shape(skin.rest.hand), after = fit_to_skin(skin);
        EXPECT_LT(reach_out_mm(skin, after), 12.0) << "an end that is hidden in another bone ran away";
        for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
            if (bone != 0 && scenes::is_of_palm(bone)) continue;
            // Over all wearers it is 3 and 1 mm (`glovebox bench skin`).
            EXPECT_LT(p95_mm(skin, after, bone), bone == 0 || bone % 4 == 1 || bone < 4 ? 3.5 : 1.1) << bone;
            EXPECT_LT(p95_mm(skin, after, bone), p95_mm(skin, before, bone)) << bone;
        }
    }
}

}  // namespace
}  // namespace glovebox::vr
