// The ground-truth test: a hand and a cup recorded by others.
//
// Two kinds of frame are found from the joints alone, by brute force over every triangle. "Held": the last joints of
// the thumb and another finger are within 15 mm of the cup. "Away": every last joint is beyond 50 mm.
// The replay must find thumb and finger touching in the former and nothing touching in the latter.
#include <gtest/gtest.h>

#include <cstdlib>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/triangle.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

using tracking::Joint;

constexpr std::array kLastJoints = {Joint::thumb_distal, Joint::index_distal, Joint::middle_distal, Joint::ring_distal,
                                    Joint::little_distal};

double brute_distance_m(const Eigen::Vector3f& point_in_cup_m, const collision::Mesh& cup) {
    const Eigen::Vector3d point = point_in_cup_m.cast<double>();
    double best = 1e9;
    for (int t = 0; t < static_cast<int>(cup.triangles.size()); ++t) {
        const collision::Triangle triangle = collision::triangle_of(cup, t);
        best = std::min(best, (collision::closest_on_triangle(point, triangle).point - point).norm());
    }
    return best;
}

std::int64_t no_clock() {
    return 0;
}

TEST(Truth, ARecordedCupIsTouchedWhenItIsHeldAndNeverWhenItIsAway) {
    if (std::getenv("GLOVEBOX_REAL_DATA") == nullptr)
        GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: the ManipNet take is not part of the project";
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = std::string(std::getenv("GLOVEBOX_REAL_DATA")) + "/logs/manipnet_cup1_rightHand.bvh";
    settings.scene = GLOVEBOX_SOURCE "/scenes/files/manipnet_cup.toml";
    const auto replay = open_recording_session(from, settings, no_clock);
    const auto& cup = std::get<collision::MeshInstance>(replay->scene.objects[0].shape).tree->mesh();
    const tracking::Side side =
        replay->recording().has(tracking::Side::right) ? tracking::Side::right : tracking::Side::left;

    int held = 0, held_touching = 0, away = 0, away_touching = 0, frames = 0;
    while (replay->next()) {
        ++frames;
        std::array<double, 5> distance_m{};
        const Eigen::Isometry3f cup_from_world = replay->pipeline.world.world_from_object[0].inverse();
        for (std::size_t finger = 0; finger < kLastJoints.size(); ++finger) {
            const auto& joint = replay->pipeline.hands[side][kLastJoints[finger]];
            distance_m[finger] = brute_distance_m(cup_from_world * joint.position_m, cup);
        }
        bool thumb = false, finger = false;
        for (const collision::Contact& contact :
             replay->pipeline.world.hands[static_cast<std::size_t>(side)].contacts) {
            if (contact.distance_m > replay->scene.thresholds.touch_enter_m) continue;
            thumb = thumb || scenes::finger_of_bone(contact.bone) == 0;
            finger = finger || scenes::finger_of_bone(contact.bone) > 0;
        }
        const double nearest_other = *std::min_element(distance_m.begin() + 1, distance_m.end());
        if (distance_m[0] < 0.015 && nearest_other < 0.015) {
            ++held;
            held_touching += thumb && finger ? 1 : 0;
        }
        if (std::min(distance_m[0], nearest_other) > 0.050) {
            ++away;
            away_touching += thumb || finger ? 1 : 0;
        }
    }
    std::printf("held %d of %d frames, touching in %d; away %d, touching in %d\n", held, frames, held_touching, away,
                away_touching);
    EXPECT_NEAR(static_cast<double>(held) / frames, 0.37, 0.01) << "computed independently from the files";
    EXPECT_NEAR(static_cast<double>(away) / frames, 0.45, 0.01);
    EXPECT_GT(held_touching, 0.99 * held);
    EXPECT_EQ(away_touching, 0);
}

}  // namespace
}  // namespace glovebox::vr
