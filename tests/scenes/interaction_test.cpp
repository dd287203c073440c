// Hands that act on dynamic objects: objects are pushed, never passed through, and gain no energy from nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

// Only the index finger moves along +x; the rest of the hand stays.
tracking::HandFrame finger_at(float tip_x_m, float height_m) {
    Claw claw;
    claw.middle_m = {-0.2F, height_m, 0.0F};
    tracking::HandFrame hand = claw.frame();
    for (const auto joint :
         {tracking::Joint::index_tip, tracking::Joint::index_distal, tracking::Joint::index_intermediate}) {
        hand[joint].position_m.x() = tip_x_m;
    }
    return hand;
}

Scene weightless(const SceneObject& object) {
    Scene scene;
    scene.objects = {object};
    scene.gravity_m_s2.setZero();
    scene.respawn_after_s = 100.0F;
    return scene;
}

TEST(Interaction, AFlickAtThreeMetresASecondSendsTheBallAlongThePush) {
    Scene scene;
    scene.objects = {ball_object(0.035F, {0.0F, 0.035F, 0.0F}, 0.06F),
                     box_object({2.0F, 0.05F, 2.0F}, {0.0F, -0.05F, 0.0F})};
    scene.objects[1].name = "table";
    scene.respawn_after_s = 100.0F;
    Session session(scene);
    constexpr float kSpeed_m_s = 3.0F;
    for (int i = 0; i < 10; ++i) session.step(finger_at(-0.15F, 0.035F));
    float x = -0.15F;
    int hit = -1;
    for (int i = 0; i < 12; ++i) {
        x = std::min(0.02F, x + kSpeed_m_s / 90.0F);
        session.step(finger_at(x, 0.035F));
        if (hit < 0 && session.velocity().norm() > 0.1F) hit = session.frame;
    }
    const Vector3f velocity_m_s = session.velocity();
    EXPECT_GT(velocity_m_s.x(), 2.0F);
    EXPECT_LT(velocity_m_s.x(), 1.35F * kSpeed_m_s);
    EXPECT_GT(velocity_m_s.normalized().x(), std::cos(0.2F));
    const auto flicks = session.of(EventKind::flick);
    ASSERT_EQ(flicks.size(), 1U);
    EXPECT_EQ(flicks[0].frame, hit);
    EXPECT_GT(flicks[0].event.impulse_n_s, 0.06F * 2.0F);
    EXPECT_NEAR(flicks[0].event.normal.x(), 1.0F, 0.05F);
}

TEST(Interaction, PushingSlowlyOrWithTheWholeHandIsNoFlick) {
    Session slow(weightless(ball_object(0.035F, {0.0F, 0.5F, 0.0F})));
    for (int i = 0; i < 60; ++i) slow.step(finger_at(-0.10F + 0.2F / 90.0F * static_cast<float>(i), 0.5F));
    EXPECT_GT(slow.velocity().x(), 0.15F);
    EXPECT_EQ(slow.of(EventKind::flick).size(), 0U);

    Session whole(weightless(ball_object(0.035F, {0.2F, 0.5F, 0.0F})));
    for (int i = 0; i < 30; ++i) {
        Claw claw;
        claw.middle_m.x() = -0.1F + 1.5F / 90.0F * static_cast<float>(i);
        whole.step(claw.frame());
    }
    EXPECT_GT(whole.velocity().x(), 1.0F);
    EXPECT_EQ(whole.of(EventKind::flick).size(), 0U);
}

TEST(Interaction, AFingertipAtFiveMetresASecondDoesNotPassASmallBall) {
    for (const double rate_hz : {30.0, 72.0, 90.0})
        for (const float start_m : {-0.30F, -0.29F, -0.28F, -0.27F}) {
            Session session(weightless(ball_object(0.010F, {0.0F, 0.5F, 0.0F}, 0.01F)), rate_hz);
            float x = start_m;
            for (int i = 0; i < 3; ++i) session.step(finger_at(x, 0.5F));
            const auto step_m = static_cast<float>(5.0 / rate_hz);
            while (x < 0.2F) session.step(finger_at(x += step_m, 0.5F));
            EXPECT_GT(session.place().x(), x + 0.9F * (0.010F + kTipRadius_m)) << rate_hz << " Hz from " << start_m;
            EXPECT_GT(session.velocity().x(), 4.5F);
            EXPECT_LT(session.velocity().x(), 1.35F * 5.0F);
            EXPECT_EQ(session.of(EventKind::touch_begin).size() > 0, true);
        }
}

TEST(Interaction, AFingertipAtFiveMetresASecondTakesAThinPlateAlong) {
    for (const double rate_hz : {72.0, 90.0}) {
        SceneObject plate = box_object({0.001F, 0.05F, 0.05F}, {0.0F, 0.5F, 0.0F}, Motion::dynamic);
        plate.mass_kg = 0.05F;
        Session session(weightless(plate), rate_hz);
        float x = -0.30F;
        for (int i = 0; i < 3; ++i) session.step(finger_at(x, 0.5F));
        const auto step_m = static_cast<float>(5.0 / rate_hz);
        while (x < 0.15F) {
            session.step(finger_at(x += step_m, 0.5F));
            // The plate's centre is never behind the fingertip.
            EXPECT_GT(session.place().x(), x - (x > -0.05F ? 0.002F : 1.0F)) << rate_hz << " Hz";
        }
        EXPECT_GT(session.velocity().x(), 4.0F);
    }
}

double energy_j(const Session& session) {
    double sum = 0.0;
    for (int i = 0; i < static_cast<int>(session.scene.objects.size()); ++i) sum += session.world.dynamics->energy_j(i);
    return sum;
}

TEST(Interaction, ADroppedObjectGainsNoEnergy) {
    for (const float restitution : {0.0F, 0.3F, 0.8F}) {
        Scene scene;
        scene.objects = {ball_object(0.035F, {0.0F, 0.5F, 0.0F}),
                         box_object({0.03F, 0.02F, 0.04F}, {0.2F, 0.4F, 0.0F}, Motion::dynamic),
                         box_object({1.0F, 0.05F, 1.0F}, {0.0F, -0.05F, 0.0F})};
        scene.objects[1].name = "brick";
        scene.objects[2].name = "table";
        scene.objects[1].world_from_object.rotate(Eigen::AngleAxisf(0.7F, Vector3f(1, 1, 0).normalized()));
        for (SceneObject& object : scene.objects) object.material.restitution = restitution;
        scene.respawn_after_s = 100.0F;
        Session session(scene);
        session.step(nullptr);
        const double start_j = energy_j(session);
        double before_j = start_j;
        for (int i = 0; i < 270; ++i) {
            session.step(nullptr);
            const double now_j = energy_j(session);
            EXPECT_LT(now_j, before_j + 0.005 * start_j) << "frame " << i;
            before_j = std::min(before_j, now_j);
        }
        EXPECT_LT(before_j, 0.3 * start_j);
    }
}

TEST(Interaction, ASqueezedObjectDoesNotShootAway) {
    // The claw closes on a box that it must not grab (its sides are slippery), deeper than the fingers are thick.
    for (const float offset_m : {0.0F, 0.012F}) {
        Scene scene;
        scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.5F, 0.0F}, Motion::dynamic)};
        scene.gravity_m_s2.setZero();
        scene.respawn_after_s = 100.0F;
        scene.objects[0].material.friction_static = 0.01F;
        scene.thresholds.grab_dwell_ns = 1'000'000'000'000;
        Session session(scene);
        float fastest_m_s = 0.0F;
        for (int i = 0; i < 90; ++i) {
            Claw claw;
            claw.middle_m = {0.0F, 0.5F, offset_m};
            claw.half_gap_m = std::max(0.025F, 0.05F - 0.0005F * static_cast<float>(i));
            session.step(claw.frame());
            fastest_m_s = std::max(fastest_m_s, session.velocity().norm());
        }
        EXPECT_LT(fastest_m_s, 0.65F);  // depenetration is limited to 0.5 m/s, plus the closing fingers
    }
}

TEST(Interaction, AReleasedObjectFallsInsteadOfFlyingOff) {
    Session session = with_a_box_to_hold();
    // Held deep inside the fingers, 15 cm up.
    for (int i = 0; i < 30; ++i) session.step(around_box(-0.010F + 0.0007F * static_cast<float>(i), 0.0F).frame());
    for (int i = 0; i <= 60; ++i) session.step(around_box(0.011F, 0.0025F * static_cast<float>(i)).frame());
    for (int i = 0; i < 10; ++i) session.step(around_box(0.011F, 0.15F).frame());
    ASSERT_TRUE(session.world.holds[1 * 2 + 0].holding);
    const double held_j = energy_j(session);
    // Tracking is lost while the fingers are still inside, then returns inside the falling plate.
    double most_j = 0.0;
    float fastest_aside_m_s = 0.0F;
    for (int i = 0; i < 90; ++i) {
        if (i < 30)
            session.step(nullptr);
        else
            session.step(around_box(0.011F, 0.15F).frame());
        most_j = std::max(most_j, energy_j(session));
        const Vector3f v = session.velocity();
        fastest_aside_m_s = std::max(fastest_aside_m_s, std::hypot(v.x(), v.z()));
    }
    EXPECT_LT(most_j, held_j * 1.005);
    EXPECT_LT(fastest_aside_m_s, 0.3F);
    EXPECT_NEAR(session.place().y(), 0.53F, 0.005F);
}

TEST(Interaction, OpeningTheFingersReleasesWithoutAKick) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 30; ++i) session.step(around_box(-0.010F + 0.0005F * static_cast<float>(i), 0.0F).frame());
    for (int i = 0; i <= 40; ++i) session.step(around_box(0.0045F, 0.0025F * static_cast<float>(i)).frame());
    ASSERT_TRUE(session.world.holds[1 * 2 + 0].holding);
    for (int i = 0; i < 10; ++i) session.step(around_box(0.0045F, 0.10F).frame());
    const double held_j = energy_j(session);
    double most_j = 0.0;
    for (int i = 0; i < 90; ++i) {
        session.step(around_box(0.0045F - 0.001F * static_cast<float>(std::min(i, 30)), 0.10F).frame());
        most_j = std::max(most_j, energy_j(session));
    }
    EXPECT_LT(most_j, held_j * 1.005);
    EXPECT_NEAR(session.place().y(), 0.53F, 0.005F);
    EXPECT_NEAR(session.place().x(), 0.0F, 0.03F);
}

// A hand at rest holds a box 10 cm up, each joint with 1 mm of tracker noise, and opens. A swing throws at the velocity
// when the fingers opened, even if the hand stops before the opening is confirmed.
TEST(Interaction, NoiseDoesNotThrowWhatIsReleasedAndASwingDoes) {
    std::mt19937 random(11);
    std::normal_distribution<float> noise_m(0.0F, 0.001F);
    for (const auto& [swing_m_s, last_swung] : {std::pair{0.0F, 120}, std::pair{1.5F, 120}, std::pair{1.5F, 90}}) {
        int released = 0;
        float aside2 = 0.0F, along_m_s = 0.0F;
        for (int run = 0; run < 20; ++run) {
            Session session = with_a_box_to_hold();
            for (int i = 0; i < 120 && session.of(EventKind::grab_end).empty(); ++i) {
                const float squeeze_m = std::min(0.001F, -0.010F + 0.001F * static_cast<float>(i));
                Claw claw =
                    around_box(i < 90 ? squeeze_m : -0.02F, 0.0025F * static_cast<float>(std::clamp(i - 30, 0, 40)));
                claw.middle_m.z() = -swing_m_s / 90.0F * static_cast<float>(std::max(0, std::min(i, last_swung) - 75));
                tracking::HandFrame hand = claw.frame();
                for (tracking::JointPose& joint : hand.joints)
                    for (int axis = 0; axis < 3; ++axis) joint.position_m[axis] += noise_m(random);
                session.step(hand);
            }
            if (session.of(EventKind::grab_end).empty() || session.frame < 90) continue;
            ++released;
            const Vector3f velocity_m_s = session.velocity();
            aside2 += velocity_m_s.x() * velocity_m_s.x();
            along_m_s -= velocity_m_s.z();
        }
        ASSERT_GT(released, 15);
        EXPECT_LT(std::sqrt(aside2 / static_cast<float>(released)), 0.25F);  // standard error over twenty runs: a sixth
        EXPECT_NEAR(along_m_s / static_cast<float>(released), swing_m_s, 0.2F);
    }
}

// The claw does not change its shape, so its contacts with the box must not change either. They once compared the hand
// with the box of the frame before, and a claw that moved along its grip at 0.4 m/s lost the box.
TEST(Interaction, AHandKeepsWhatItCarriesAtAnySpeed) {
    for (const double rate_hz : {30.0, 90.0})
        for (const float speed_m_s : {0.2F, 0.5F, 1.0F, 3.0F})
            for (const Vector3f& along :
                 {Vector3f::UnitX().eval(), Vector3f::UnitY().eval(), Vector3f::UnitZ().eval()}) {
                Session session = with_a_box_to_hold();
                session.rate_hz = rate_hz;
                const auto distances = [&session] {
                    std::vector<std::pair<int, float>> of_box;
                    for (const collision::Contact& contact : session.world.hands[1].contacts)
                        if (contact.object == 0) of_box.emplace_back(contact.bone, contact.distance_m);
                    return of_box;
                };
                for (int i = 0; i < 30; ++i)
                    session.step(around_box(std::min(0.001F, -0.010F + 0.0007F * static_cast<float>(i))).frame());
                for (int i = 1; i <= 40; ++i) session.step(around_box(0.001F, 0.0025F * static_cast<float>(i)).frame());
                session.step(around_box(0.001F, 0.10F).frame());
                ASSERT_TRUE(session.world.holds[1 * 2 + 0].holding);
                const auto at_rest = distances();
                ASSERT_GE(at_rest.size(), 2U);
                Claw claw = around_box(0.001F, 0.10F);
                float now_m_s = 0.0F;
                const auto dt_s = static_cast<float>(1.0 / rate_hz);
                for (float moved_m = 0.0F; moved_m < 0.6F; moved_m += now_m_s * dt_s) {
                    now_m_s = std::min(speed_m_s, now_m_s + 20.0F * dt_s);  // well below the force of a grip
                    claw.middle_m += now_m_s * dt_s * along;
                    session.step(claw.frame());
                    const auto now = distances();
                    ASSERT_EQ(now.size(), at_rest.size()) << rate_hz << " Hz, " << speed_m_s << " m/s";
                    for (std::size_t i = 0; i < now.size(); ++i) {
                        EXPECT_EQ(now[i].first, at_rest[i].first);
                        EXPECT_NEAR(now[i].second, at_rest[i].second, 3e-4F)
                            << rate_hz << " Hz, " << speed_m_s << " m/s";
                    }
                }
                EXPECT_TRUE(session.of(EventKind::grab_end).empty()) << rate_hz << " Hz, " << speed_m_s << " m/s";
            }
}

// The table stops the box, and the claw slides down along it by 2 mm in each frame. The contacts are off by no more.
TEST(Interaction, AnObjectThatIsBlockedIsWhereItIsSoonAfter) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 30; ++i)
        session.step(around_box(std::min(0.001F, -0.010F + 0.0007F * static_cast<float>(i))).frame());
    ASSERT_TRUE(session.world.holds[1 * 2 + 0].holding);
    for (int i = 1; i <= 5; ++i) session.step(around_box(0.001F, -0.002F * static_cast<float>(i)).frame());
    const auto box_y_m = [&session] {
        return std::get<collision::RoundedBox>(session.world.colliders[0].shape).core.center_m.y();
    };
    EXPECT_NEAR(session.place().y(), 0.53F, 0.002F);
    EXPECT_NEAR(box_y_m(), session.place().y(), 0.0025F);
    session.step(around_box(0.001F, -0.010F).frame());
    session.step(around_box(0.001F, -0.010F).frame());
    EXPECT_NEAR(session.place().y(), 0.53F, 0.002F);
    EXPECT_NEAR(box_y_m(), session.place().y(), 3e-4F);
}

// Two samples a microsecond apart, with two centimetres of tracker noise between them.
TEST(Interaction, SamplesThatAreTooNearInTimeThrowNothing) {
    Scene scene;
    scene.objects = {ball_object(0.02F, {0.0F, 0.5F, 0.0F})};
    scene.gravity_m_s2.setZero();
    World world(scene);
    float fastest_m_s = 0.0F, told_m_s = 0.0F;
    for (int i = 0; i < 12; ++i) {
        tracking::HandPair hands;
        hands.time_ns = 11'111'111 * std::int64_t{i} + (i == 10 ? -11'110'111 : 0);
        Claw claw;
        claw.middle_m.x() = -0.05F - 0.02F - kTipRadius_m + (i < 10 ? -0.01F : 0.01F);
        hands[tracking::Side::right] = claw.frame();
        const StepReport report = step(scene, world, hands, i == 0 ? 0.0 : i == 10 ? 1e-6 : 1.0 / 90.0);
        fastest_m_s = std::max(fastest_m_s, world.dynamics->velocity_at(0, {0.0F, 0.5F, 0.0F}).norm());
        for (const Event& event : report.events) told_m_s = std::max(told_m_s, event.relative_velocity_m_s.norm());
    }
    EXPECT_GT(fastest_m_s, 1.0F);  // the ball was hit
    EXPECT_LT(fastest_m_s, 60.0F);
    EXPECT_LT(told_m_s, 31.0F);
}

}  // namespace
}  // namespace glovebox::scenes
