// Compares the bones' round cones with a wearer's skin from a data set (HOT3D): distances, and whether both touch the
// same objects.
#include "vr/bench/skin.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "recordings/formats/umetrack_model.h"
#include "recordings/track.h"
#include "scenes/hand_shape_fit.h"
#include "scenes/tree_cache.h"
#include "vr/bench/measure.h"
#include "vr/platform/mesh_process.h"
#include "vr/session/wearer_skin.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using recordings::UmeTrackModel;
using scenes::kHandBoneCount;
using tracking::HandFrame;
using tracking::Side;

constexpr float kBand_m = 0.002F;   // pairs nearer to contact are not compared: touch flickers there by 0.5 mm
constexpr float kReach_m = 0.030F;  // pairs farther apart are not counted as near
constexpr int kAnyPalm = 0, kNoBone = -1;

/// A hand at one instant: joints as in a recording, and the wearer's skin.
struct Instant {
    std::int64_t time_ns = 0;
    Side side = Side::left;
    HandFrame hand;
    std::vector<Eigen::Vector3f> skin_m;
    bool fitted_to = false;  ///< one of those that the bones are fitted to; distances are measured at the others
};

struct Take {
    std::string name;
    recordings::UmeTrackSkin skin;
    std::vector<int> bone_of_vertex;
    std::vector<Instant> instants;
    tracking::PerSide<scenes::PosedSkin> rest;
};

Take read_take(const fs::path& path) {
    Take take;
    take.name = path.parent_path().filename().string();
    const fs::path profile = path.parent_path() / "umetrack_hand_user_profile.json";
    const UmeTrackModel model = recordings::read_umetrack_model(profile);
    take.skin = recordings::read_umetrack_skin(profile);
    const std::vector<WearerSkin> skins = read_wearer_skin(profile);
    take.bone_of_vertex = skins.front().bone_of_point;
    for (const WearerSkin& skin : skins) take.rest[skin.rest.hand.side] = skin.rest;
    recordings::Input in(path);
    std::int64_t last_ns = -1;
    recordings::read_umetrack_poses(in, [&](std::int64_t time_ns, const recordings::UmeTrackHands& hands) {
        // HOT3D's Aria takes have every instant twice, a tenth of a millisecond apart.
        if (last_ns >= 0 && time_ns - last_ns < 1'000'000) return;
        last_ns = time_ns;
        for (const Side side : tracking::kSides) {
            if (!hands[side]) continue;
            Instant instant;
            instant.time_ns = time_ns;
            instant.side = side;
            scenes::PosedSkin posed = pose_wearer(model, take.skin, *hands[side], side);
            instant.hand = posed.hand;
            instant.skin_m = std::move(posed.points_m);
            take.instants.push_back(std::move(instant));
        }
    });
    return take;
}

// ---- the shapes that are compared

using Bones = std::vector<collision::Shape>;  // one for each bone of hand_body()

Bones default_bones(const HandFrame& hand) {
    collision::BodyPose pose;
    scenes::pose_hand(hand, pose);
    return pose.shapes;
}

Bones bones_of(const scenes::HandShape& shape, const HandFrame& hand) {
    Bones bones;
    for (int bone = 0; bone < kHandBoneCount; ++bone) bones.emplace_back(scenes::cone_of(shape, hand, bone));
    return bones;
}

// Marks four instants of each hand, evenly spaced, as those to which the bones are fitted.
void choose_instants(Take& take) {
    constexpr std::size_t kInstants = 4;
    for (const Side side : tracking::kSides) {
        std::vector<Instant*> own;
        for (Instant& instant : take.instants)
            if (instant.side == side) own.push_back(&instant);
        for (std::size_t k = 0; k < kInstants && own.size() > kInstants; ++k)
            own[(2 * k + 1) * own.size() / (2 * kInstants)]->fitted_to = true;
    }
}

// Fits the bones to the skin at rest and in the marked instants.
scenes::HandShape fitted(const Take& take, Side side) {
    WearerSkin skin{take.bone_of_vertex, take.rest[side], {}};
    for (const Instant& instant : take.instants)
        if (instant.fitted_to && instant.side == side) skin.bent.push_back({instant.hand, instant.skin_m});
    return fit_to_skin(skin);
}

// ---- distances

double distance_to(const collision::Shape& shape, const Eigen::Vector3f& point_m) {
    return scenes::signed_distance(std::get<collision::RoundCone>(shape), point_m);
}

// Returns the distance of a skin point to the bones that cover it.
double distance_to_cover(const Bones& bones, int bone, const Eigen::Vector3f& point_m) {
    double least = 1.0;
    for (int other = 0; other < kHandBoneCount; ++other)
        if (scenes::covers_skin_of(bone, other))
            least = std::min(least, distance_to(bones[static_cast<std::size_t>(other)], point_m));
    return least;
}

double percentile(std::vector<double>& values, double share) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

struct Region {
    const char* name;
    double max_p95_mm;  // required maximum
    bool (*has)(int bone);
};
constexpr std::array kRegions = {
    Region{"palm", 3.0, [](int bone) { return bone == kAnyPalm; }},
    Region{"thumb metacarpal", 3.0, [](int bone) { return bone == 1; }},
    Region{"thumb proximal and distal", 3.0, [](int bone) { return bone == 2 || bone == 3; }},
    Region{"proximal", 3.0, [](int bone) { return bone > 3 && bone % 4 == 1; }},
    Region{"intermediate", 1.0, [](int bone) { return bone > 3 && bone % 4 == 2; }},
    Region{"distal", 1.0, [](int bone) { return bone > 3 && bone % 4 == 3; }},
};

void compare_surfaces(const std::vector<Take>& takes, const char* name, bool is_fit,
                      const std::function<Bones(const Take&, const Instant&)>& bones_at, BenchResult& result) {
    for (const Region& region : kRegions) {
        std::vector<double> distances_mm, apart_mm;
        for (const Take& take : takes)
            for (const Instant& instant : take.instants) {
                if (instant.fitted_to) continue;
                const Bones bones = bones_at(take, instant);
                for (std::size_t i = 0; i < instant.skin_m.size(); ++i) {
                    const int bone = take.bone_of_vertex[i];
                    if (bone == kNoBone || !region.has(bone)) continue;
                    const double distance_mm = 1e3 * distance_to_cover(bones, bone, instant.skin_m[i]);
                    distances_mm.push_back(distance_mm);
                    apart_mm.push_back(std::abs(distance_mm));
                }
            }
        const double p95_mm = percentile(apart_mm, 0.95);
        result.rows.push_back({{"bones", name},
                               {"skin of", region.name},
                               {"points", apart_mm.size()},
                               {"skin outside (+) or inside, median mm", percentile(distances_mm, 0.5)},
                               {"apart, median mm", percentile(apart_mm, 0.5)},
                               {"apart, p95 mm", p95_mm}});
        if (is_fit)
            result.claims.push_back(judge({std::string("fitted bones and skin, p95 of their distance: ") + region.name,
                                           "this project's own aim", at_most(region.max_p95_mm, " mm")},
                                          exact(p95_mm)));
    }
}

// ---- touches

struct Object {
    std::string name;
    std::shared_ptr<const collision::MeshTree> tree;
    tracking::RigidTrack track;
    std::int64_t first_ns = 0;
};

std::vector<Object> objects_of(const fs::path& take, const fs::path& library) {
    std::vector<Object> objects;
    const fs::path tracks = take.parent_path() / "dynamic_objects.csv";
    for (const std::string& name : recordings::objects_of_tracks(tracks)) {
        const fs::path mesh = library / (name + ".glb");
        if (!fs::is_regular_file(mesh)) continue;
        recordings::StampedTrack stamped = recordings::load_stamped_track(tracks.string() + "#" + name, {});
        objects.push_back(
            {name, scenes::load_mesh_tree(mesh, 1.0F, load_mesh_apart), std::move(stamped.track), stamped.first_ns});
    }
    return objects;
}

// Returns the skin's minimum distance to the object for each bone, sampled at every triangle's corners, edge midpoints
// and centroid. Negative inside a closed mesh.
std::array<float, kHandBoneCount> skin_distances(const Take& take, const Instant& instant, const Object& object,
                                                 const Eigen::Isometry3f& mesh_from_world) {
    std::array<float, kHandBoneCount> least;
    least.fill(1.0F);
    const auto look = [&](const Eigen::Vector3f& point_m, int bone) {
        float& own = least[static_cast<std::size_t>(bone)];
        own = std::min(own, object.tree->signed_distance(mesh_from_world * point_m));
    };
    for (const auto& triangle : take.skin.triangles) {
        const int bone = take.bone_of_vertex[triangle[0]];
        if (bone == kNoBone) continue;
        const Eigen::Vector3f &a = instant.skin_m[triangle[0]], &b = instant.skin_m[triangle[1]],
                              &c = instant.skin_m[triangle[2]];
        for (const Eigen::Vector3f& point_m :
             {a, b, c, Eigen::Vector3f(0.5F * (a + b)), Eigen::Vector3f(0.5F * (b + c)),
              Eigen::Vector3f(0.5F * (c + a)), Eigen::Vector3f((a + b + c) / 3.0F)})
            look(point_m, bone);
    }
    return least;
}

float bone_distance(const Bones& bones, int bone, const collision::Shape& object) {
    collision::Contact contact;
    collision::CollideCounts counts;
    constexpr float kFar_m = 1.0F;
    return collision::closest(bones[static_cast<std::size_t>(bone)], object, kFar_m, contact, counts)
               ? contact.distance_m
               : kFar_m;
}

struct Agreement {
    std::int64_t pairs = 0, near = 0, decided = 0, same = 0, near_decided = 0, near_same = 0;
    std::map<std::string, std::int64_t> touched, nearly_touched, touched_by_skin, nearly_by_skin;  ///< hands
};

bool far_away(const Instant& instant, const Object& object, const Eigen::Isometry3f& world_from_mesh) {
    const collision::Obb box = collision::transformed(world_from_mesh, object.tree->root_box());
    return std::ranges::all_of(instant.skin_m, [&](const Eigen::Vector3f& point_m) {
        return ((box.axes.transpose() * (point_m - box.center_m)).cwiseAbs() - box.half_m).maxCoeff() > kReach_m;
    });
}

// The palm counts as one bone: it does not matter which of its five cones is nearest.
void compare_touches(const Take& take, const std::vector<Object>& objects,
                     const std::function<Bones(const Take&, const Instant&)>& bones_at, Agreement& sum) {
    for (const Instant& instant : take.instants) {
        const Bones bones = bones_at(take, instant);
        for (const Object& object : objects) {
            const Eigen::Isometry3f world_from_mesh = object.track.at(instant.time_ns - object.first_ns);
            const bool is_far = far_away(instant, object, world_from_mesh);
            std::array<float, kHandBoneCount> skin_m;
            skin_m.fill(1.0F);
            if (!is_far) skin_m = skin_distances(take, instant, object, world_from_mesh.inverse());
            const collision::Shape mesh = collision::MeshInstance{object.tree, world_from_mesh};
            float hand_m = 1.0F, hand_by_skin_m = 1.0F;
            for (int bone = 0; bone < kHandBoneCount; ++bone) {
                if (bone != kAnyPalm && scenes::is_of_palm(bone)) continue;
                float bones_m = bone_distance(bones, bone, mesh);
                if (bone == kAnyPalm)
                    for (int other = 4; other < kHandBoneCount; other += 4)
                        bones_m = std::min(bones_m, bone_distance(bones, other, mesh));
                const float by_skin_m = skin_m[static_cast<std::size_t>(bone)];
                const bool same = (bones_m <= 0.0F) == (by_skin_m <= 0.0F),
                           near = by_skin_m<kReach_m, decided = std::abs(by_skin_m)> kBand_m;
                ++sum.pairs;
                sum.near += near ? 1 : 0;
                sum.decided += decided ? 1 : 0;
                sum.same += decided && same ? 1 : 0;
                sum.near_decided += decided && near ? 1 : 0;
                sum.near_same += decided && near && same ? 1 : 0;
                hand_m = std::min(hand_m, bones_m);
                hand_by_skin_m = std::min(hand_by_skin_m, by_skin_m);
            }
            if (hand_m <= 0.0F) ++sum.touched[object.name];
            if (hand_m <= kBand_m) ++sum.nearly_touched[object.name];
            if (hand_by_skin_m <= 0.0F) ++sum.touched_by_skin[object.name];
            if (hand_by_skin_m <= kBand_m) ++sum.nearly_by_skin[object.name];
        }
    }
}

}  // namespace

BenchResult bench_skin(const BenchOptions& options) {
    BenchResult result;
    if (options.files.size() < 2) {
        result.notes.push_back(
            "Nothing was measured: takes of HOT3D are no part of the project. Name them, and last the folder of the "
            "objects' meshes: glovebox bench skin umetrack_hand_pose_trajectory.jsonl ... FOLDER");
        return result;
    }
    const fs::path library = options.files.back();
    std::vector<Take> takes;
    std::map<std::pair<const Take*, Side>, scenes::HandShape> shapes;
    for (std::size_t i = 0; i + 1 < options.files.size(); ++i) takes.push_back(read_take(options.files[i]));
    for (Take& take : takes) choose_instants(take);
    for (const Take& take : takes)
        for (const Side side : tracking::kSides) shapes[{&take, side}] = fitted(take, side);
    using BonesAt = std::function<Bones(const Take&, const Instant&)>;
    struct Rival {
        const char* name;
        BonesAt bones_at;
        bool is_fit;
    };
    const std::array<Rival, 2> rivals = {
        {{"joints and radii, as sessions have them",
          [](const Take&, const Instant& instant) { return default_bones(instant.hand); }, false},
         {"fitted to the wearer's skin",
          [&](const Take& take, const Instant& instant) {
              return bones_of(shapes.at({&take, instant.side}), instant.hand);
          },
          true}}};

    begin_part(
        result, "Bones and skin",
        "every vertex of the skin, against the bones of its own finger and the palm's. Fitted bones: to the skin at "
        "rest and in four instants of the take; measured in all other instants");
    for (const Rival& rival : rivals) compare_surfaces(takes, rival.name, rival.is_fit, rival.bones_at, result);

    begin_part(result, "Touches by bones and by skin",
               "skin: least signed distance of seven points a triangle, by brute force. Pairs of a bone and an object; "
               "the palm counts as one bone; decided is a pair whose skin is more than 2 mm off or in");
    std::vector<Measured> same;
    for (const Rival& rival : rivals)
        for (std::size_t i = 0; i < takes.size(); ++i) {
            Agreement sum;
            compare_touches(takes[i], objects_of(options.files[i], library), rival.bones_at, sum);
            const auto share = [](std::int64_t part, std::int64_t whole) {
                return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
            };
            const auto counted = [](const std::map<std::string, std::int64_t>& hands) {
                std::string text;
                for (const auto& [object, count] : hands)
                    text += (text.empty() ? "" : ", ") + object + " by " + std::to_string(count);
                return text.empty() ? std::string("nothing") : text;
            };
            result.rows.push_back(
                {{"bones", rival.name},
                 {"take", i + 1},
                 {"hands", takes[i].instants.size()},
                 {"pairs", sum.pairs},
                 {"within 3 cm", sum.near},
                 {"same, % of decided", share(sum.same, sum.decided)},
                 {"same, % of decided within 3 cm", sum.near_decided > 0
                                                        ? nlohmann::ordered_json(share(sum.near_same, sum.near_decided))
                                                        : nlohmann::ordered_json("-")},
                 {"touched", counted(sum.touched)},
                 {"within 2 mm", counted(sum.nearly_touched)},
                 {"touched by the skin", counted(sum.touched_by_skin)},
                 {"skin within 2 mm", counted(sum.nearly_by_skin)}});
            if (rival.is_fit && sum.near_decided > 0)
                same.push_back(exact(share(sum.near_same, sum.near_decided), "take " + std::to_string(i + 1)));
        }
    result.claims.push_back(judge({"fitted bones and skin touch the same, of the decided pairs within 3 cm",
                                   "this project's own aim", more_than(99, " %")},
                                  same));
    return result;
}

}  // namespace glovebox::vr
