#include "scenes/gather_surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "tests/scenes/claw.h"
#include "tests/scenes/made_hand.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

// Makes a bumpy sheet with far more triangles near a fingertip than can be passed on.
collision::Mesh bumpy_sheet(int n) {
    collision::Mesh mesh;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k) {
            const float x = -0.1F + 0.2F * static_cast<float>(i) / static_cast<float>(n);
            const float z = -0.1F + 0.2F * static_cast<float>(k) / static_cast<float>(n);
            mesh.vertices_m.push_back({x, 0.004F * std::sin(60.0F * x) * std::cos(50.0F * z), z});
        }
    const auto at = [n](int i, int k) { return static_cast<std::uint32_t>(i * (n + 1) + k); };
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
            mesh.triangles.push_back({at(i + 1, k), at(i, k + 1), at(i + 1, k + 1)});
        }
    return mesh;
}

TEST(GatherSurfaces, GivesTheNearestTrianglesOfAMesh) {
    Scene scene;
    SceneObject object;
    object.name = "sheet";
    object.shape = collision::MeshInstance{collision::MeshTree::build(bumpy_sheet(60)), Eigen::Isometry3f::Identity()};
    object.world_from_object = Eigen::Translation3f(0.1F, 0.45F, 0.05F) * Eigen::AngleAxisf(0.4F, Vector3f::UnitZ());
    scene.objects = {object};
    Session session(scene);
    Claw claw;
    claw.middle_m = {0.06F, 0.47F, 0.04F};
    session.step(claw.frame());

    HapticFrame frame;
    gather_surfaces(session.scene, session.world, frame);
    const PadSurfaces& tip = frame.hands[1].pads[7];
    ASSERT_TRUE(tip.valid);
    ASSERT_EQ(tip.count, kMaxPieces);
    const collision::Mesh mesh = bumpy_sheet(60);
    std::vector<double> expected, found;
    for (const auto& triangle : mesh.triangles) {
        SurfacePiece piece;
        FlatTriangle flat;
        for (std::size_t i = 0; i < 3; ++i) flat.corners_m[i] = object.world_from_object * mesh.vertices_m[triangle[i]];
        piece.shape = flat;
        expected.push_back(nearest(piece, tip.center_m.cast<double>()).distance_m);
    }
    for (int i = 0; i < tip.count; ++i)
        found.push_back(nearest(tip.pieces[static_cast<std::size_t>(i)], tip.center_m.cast<double>()).distance_m);
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](double a, double b) { return a < b - 1e-6; }));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

TEST(GatherSurfaces, TakesSolidsAsTheyAreWithTheirMaterialAndVelocity) {
    Scene scene;
    scene.objects = {box_object({0.05F, 0.2F, 0.2F}, {0.15F, 0.5F, 0.0F}), ball_object(0.02F, {-0.08F, 0.5F, 0.0F})};
    scene.objects[0].material.stiffness_n_per_m = 123.0F;
    Session session(scene);
    Claw claw;
    claw.middle_m.x() = 0.035F;  // the index fingertip is 7 mm from the box
    session.step(claw.frame());
    session.step(claw.frame());
    HapticFrame frame;
    gather_surfaces(session.scene, session.world, frame);
    const PadSurfaces& index = frame.hands[1].pads[7];
    ASSERT_EQ(index.count, 1);
    EXPECT_EQ(index.pieces[0].object, 0);
    EXPECT_TRUE(std::holds_alternative<collision::RoundedBox>(index.pieces[0].shape));
    EXPECT_EQ(index.materials[0].stiffness_n_per_m, 123.0F);
    EXPECT_EQ(frame.hands[1].pads[15].count, 0);
    EXPECT_FALSE(frame.hands[0].present);

    claw.middle_m.x() = 0.0F;  // the thumb's tip is near the falling ball
    session.step(claw.frame());
    gather_surfaces(session.scene, session.world, frame);
    const PadSurfaces& thumb = frame.hands[1].pads[3];
    ASSERT_EQ(thumb.count, 1);
    EXPECT_NEAR(thumb.pieces[0].velocity_m_s.y(), session.velocity(1).y(), 1e-5F);
    EXPECT_LT(thumb.pieces[0].velocity_m_s.y(), -0.1F);
}

TEST(GatherSurfaces, WhatIsClearIsPassedOverAndNoForceChanges) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.1F, 0.5F}, {0.0F, 0.0F, 0.0F}), ball_object(0.02F, {0.04F, 0.12F, -0.1F})};
    Session session(scene);
    HapticFrame frame;
    ForceLoop quick, whole;
    int felt = 0, clear = 0;
    for (int i = 0; i < 120; ++i) {
        const float height_m = 0.125F + 0.022F * std::sin(0.15F * static_cast<float>(i));
        session.step(made_hand(tracking::Side::right, Eigen::Isometry3f(Eigen::Translation3f(0.0F, height_m, 0.0F))));
        gather_surfaces(session.scene, session.world, frame);
        frame.number = static_cast<std::uint64_t>(i + 1);
        frame.period_ns = 11'111'111;
        HapticFrame unknown = frame;
        for (PadSurfaces& pad : unknown.hands[1].pads) {
            clear += pad.clear_m > 0.004F ? 1 : 0;
            pad.clear_m = 0.0F;
        }
        for (int tick = 0; tick < 11; ++tick) {
            const std::int64_t now_ns = (11 * i + tick) * 1'000'000LL;
            const auto a = render(quick, frame, now_ns, 1e-3, {})[1], b = render(whole, unknown, now_ns, 1e-3, {})[1];
            for (std::size_t part = 0; part < tracking::kHandPartCount; ++part) {
                EXPECT_EQ(a.parts[part].force_n, b.parts[part].force_n);
                EXPECT_EQ(a.parts[part].vibration_n, b.parts[part].vibration_n);
                felt += b.parts[part].force_n.norm() > 0.01 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(felt, 500);
    EXPECT_GT(clear, 500);
}

TEST(GatherSurfaces, TellsHowHardALightThingWasStruck) {
    Scene scene;
    scene.objects = {ball_object(0.02F, {0.0F, 0.5F, -0.05F})};
    scene.gravity_m_s2.setZero();
    Session session(scene);
    Claw claw;
    claw.half_gap_m = 0.0F;
    HapticFrame frame;
    ForceLoop loop;
    double strongest_n = 0.0;
    int strikes = 0;
    for (int i = 0; i < 20; ++i) {
        claw.middle_m.z() = 0.05F - 0.01F * static_cast<float>(i);  // 0.9 m/s towards the ball
        session.step(claw.frame());
        gather_surfaces(session.scene, session.world, frame);
        frame.number = static_cast<std::uint64_t>(i + 1);
        frame.period_ns = 11'111'111;
        const Strike& strike = frame.hands[1].pads[7].strike;
        if (strike.speed_m_s > 0.0F) {
            ++strikes;
            EXPECT_NEAR(strike.speed_m_s, 0.9F, 0.1F);
            EXPECT_EQ(frame.hands[1].pads[5].strike.speed_m_s, 0.0F);
        }
        for (int tick = 0; tick < 11; ++tick) {
            const auto forces = render(loop, frame, (11 * i + tick) * 1'000'000LL, 1e-3, {});
            strongest_n = std::max(strongest_n, std::abs(forces[1].parts[1].vibration_n));
        }
    }
    EXPECT_EQ(strikes, 1) << "a touch begins once";
    EXPECT_GT(strongest_n, 0.5) << "1 N at 1 m/s, and its tone is not sampled at its top";
    EXPECT_LT(strongest_n, 1.0);
}

TEST(GatherSurfaces, GivesEveryBoneWhatIsNearIt) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.1F, 0.5F}, {0.0F, 0.0F, 0.0F})};
    Session session(scene);
    session.step(made_hand(tracking::Side::right, Eigen::Isometry3f(Eigen::Translation3f(0.0F, 0.115F, 0.0F))));
    HapticFrame frame;
    gather_surfaces(session.scene, session.world, frame);
    const auto& shapes = session.world.hands[1].pose.shapes;
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone) {
        const PadSurfaces& pad = frame.hands[1].pads[bone];
        ASSERT_TRUE(pad.valid);
        EXPECT_EQ(pad.count, 1) << bone;
        // The pad is inside its bone: it extends no farther than the bone's own skin.
        const auto [center_m, radius_m] = std::pair(pad.center_m, pad.radius_m);
        const auto& cone = std::get<collision::RoundCone>(shapes[bone]);
        EXPECT_LE(radius_m, std::max(cone.radius_a_m, cone.radius_b_m));
        EXPECT_NEAR((center_m - cone.a_m).norm() + (center_m - cone.b_m).norm(), (cone.a_m - cone.b_m).norm(), 1e-5F);
        EXPECT_GT(radius_m, 0.004F);
    }
}

}  // namespace
}  // namespace glovebox::scenes
