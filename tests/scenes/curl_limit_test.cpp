#include "scenes/curl_limit.h"

#include <gtest/gtest.h>

#include <random>

#include "collision/mesh/mesh_tree.h"
#include "scenes/hand_body.h"
#include "scenes/hand_shape_fit.h"
#include "scenes/scene.h"
#include "scenes/step.h"
#include "tests/collision/made_meshes.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::scenes {
namespace {

using tracking::HandAngles;

constexpr std::array kClosedFinger = {1.5707963F, 1.7453293F, 1.2217305F};
constexpr std::array kClosedThumb = {0.8726646F, 1.0471976F, 1.3962634F};

std::array<float*, 3> flexions_of(HandAngles& angles, std::size_t finger) {
    if (finger == 0) return {&angles.thumb.cmc_flex, &angles.thumb.mcp_flex, &angles.thumb.ip_flex};
    tracking::FingerAngles& f = angles.fingers[finger - 1];
    return {&f.mcp_flex, &f.pip_flex, &f.dip_flex};
}

struct Hand {
    tracking::HandProfile profile = tracking::default_profile();
    HandAngles angles;
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    tracking::Side side = tracking::Side::right;
    std::optional<tracking::HandShape> shape;  // of the bones; else they follow joints and radii

    tracking::HandFrame frame() const { return pose_from_angles(profile, angles, world_from_wrist, side); }
    // Moves one finger from its present pose (0) towards straight (-1) or closed (1).
    Hand bent(std::size_t finger, float share) const {
        Hand hand = *this;
        const auto& closed = finger == 0 ? kClosedThumb : kClosedFinger;
        const auto joints = flexions_of(hand.angles, finger);
        for (std::size_t k = 0; k < 3; ++k)
            *joints[k] += share > 0.0F ? share * (closed[k] - *joints[k]) : share * *joints[k];
        return hand;
    }
    float curl(std::size_t finger) const {
        Hand copy = *this;
        const auto& closed = finger == 0 ? kClosedThumb : kClosedFinger;
        const auto joints = flexions_of(copy.angles, finger);
        float sum = 0.0F;
        for (std::size_t k = 0; k < 3; ++k) sum += *joints[k] / closed[k] / 3.0F;
        return sum;
    }
    // Returns the least gap between the finger's phalanges and any object.
    float gap_m(std::size_t finger, std::span<const collision::Collider> objects) const {
        collision::BodyPose pose;
        pose_hand(frame(), pose, shape);
        float min_m = 1.0F;
        collision::CollideCounts counts;
        for (std::size_t bone = 4 * finger + 1; bone < 4 * finger + 4; ++bone)
            for (const collision::Collider& object : objects) {
                collision::Contact contact;
                if (collision::closest(pose.shapes[bone], object.shape, min_m, contact, counts))
                    min_m = contact.distance_m;
            }
        return min_m;
    }
};

class CurlLimit : public testing::Test {
  protected:
    std::mt19937 random{11};
    float unit() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random); }
    float signed_unit() { return 2.0F * unit() - 1.0F; }

    // Makes a hand whose palm faces a point a few centimetres away, its fingers bent by up to `most`.
    Hand hand_at(const Eigen::Vector3f& target_m, float most) {
        Hand hand;
        hand.side = unit() < 0.5F ? tracking::Side::left : tracking::Side::right;
        for (std::size_t finger = 0; finger < 5; ++finger)
            for (float* const joint : flexions_of(hand.angles, finger)) *joint = most * unit();
        const Eigen::Quaternionf turn(signed_unit(), signed_unit(), signed_unit(), signed_unit());
        hand.world_from_wrist.linear() = turn.normalized().toRotationMatrix();
        const Eigen::Vector3f in_hand(0.03F * signed_unit(), -0.06F - 0.06F * unit(), -0.11F + 0.03F * signed_unit());
        hand.world_from_wrist.translation() = target_m - hand.world_from_wrist.linear() * in_hand;
        return hand;
    }
    // Moves both ends of each bone by up to 4 mm on each axis, and makes it up to a third thicker.
    tracking::HandShape moved(tracking::HandShape shape) {
        for (tracking::BoneShape& bone : shape) {
            for (Eigen::Vector3f* offset : {&bone.from_offset_m, &bone.to_offset_m})
                *offset += 0.004F * Eigen::Vector3f(signed_unit(), signed_unit(), signed_unit());
            bone.from_radius_m *= 1.0F + 0.3F * unit();
            bone.to_radius_m *= 1.0F + 0.3F * unit();
        }
        return shape;
    }
};

TEST_F(CurlLimit, AgreesWithDenseSampling) {
    int limited = 0, free = 0, inside = 0, grazes = 0, differ = 0;
    for (const char* const name : {"held-ball", "cup-to-grasp", "table-and-ball"}) {
        const Scene scene = load_scene(name);
        const World world(scene);
        for (int i = 0; i < 40; ++i) {
            Hand hand = hand_at(world.colliders.back().box.center_m, 0.5F);
            if (i % 2 == 1) hand.shape = moved(usual_shape(hand.frame()));
            collision::CollideCounts counts;
            const CurlLimits limits = curl_limits(hand.frame(), world.colliders, counts, hand.shape);
            const CurlLimits unfitted = curl_limits(hand.frame(), world.colliders, counts);
            for (std::size_t finger = 0; finger < 5; ++finger) {
                differ += std::abs(limits[finger].touch - unfitted[finger].touch) > 0.01F ? 1 : 0;
                const scenes::CurlLimit& limit = limits[finger];
                ASSERT_TRUE(limit.known);
                const float now = hand.curl(finger);
                EXPECT_NEAR(limit.now, now, 1e-3F);
                const bool starts_inside = hand.gap_m(finger, world.colliders) <= kCurlGap_m;
                // The limit is between the curl at which the gap closes and that at which the surfaces meet. The
                // finger closes from its present pose, or from straight if it touches there.
                constexpr int kSamples = 500;
                const auto first_within = [&](float gap_m) {
                    for (int k = 0; k <= kSamples; ++k) {
                        const float share = static_cast<float>(k) / kSamples;
                        const Hand at = hand.bent(finger, starts_inside ? share - 1.0F : share);
                        if (at.gap_m(finger, world.colliders) <= gap_m)
                            return starts_inside ? now * share : now + share * (1.0F - now);
                    }
                    return starts_inside ? now : 1.0F;
                };
                const float meets = first_within(0.0F), closed = first_within(kCurlGap_m);
                EXPECT_GE(limit.touch, std::min(meets, closed) - 0.005F) << name << ' ' << i << " finger " << finger;
                EXPECT_LE(limit.touch, std::max(meets, closed) + 0.005F) << name << ' ' << i << " finger " << finger;
                grazes += std::abs(meets - closed) > 0.01F ? 1 : 0;
                (starts_inside ? inside : meets < 1.0F ? limited : free) += 1;
                EXPECT_EQ(limit.object >= 0, starts_inside || limit.touch < 1.0F);
            }
        }
    }
    EXPECT_GT(limited, 80);
    EXPECT_GT(free, 40);
    EXPECT_GT(inside, 20);
    EXPECT_LT(grazes, 10);
    EXPECT_GT(differ, 40) << "fitted bones touch elsewhere";
}

TEST_F(CurlLimit, FarFromEverythingAsksNothing) {
    const World world(load_scene("held-ball"));
    Hand hand;
    hand.world_from_wrist.translation() = Eigen::Vector3f(0.0F, 5.0F, 0.0F);
    collision::CollideCounts counts;
    for (const scenes::CurlLimit& limit : curl_limits(hand.frame(), world.colliders, counts)) {
        EXPECT_TRUE(limit.known);
        EXPECT_EQ(limit.touch, 1.0F);
        EXPECT_EQ(limit.object, -1);
    }
    EXPECT_EQ(counts.n_p, 0);
}

// A closed mesh is solid; an open one consists of its triangles only.
TEST_F(CurlLimit, InsideASolidNothingIsFreeAndInsideAnOpenShellAllIs) {
    collision::Mesh ball = collision::icosphere(3, 0.5F);
    const Hand hand;
    for (const bool closed : {true, false}) {
        if (!closed) ball.triangles.pop_back();
        const auto tree = collision::MeshTree::build(ball);
        ASSERT_EQ(tree->closed(), closed);
        const collision::Shape shape = collision::MeshInstance{tree, Eigen::Isometry3f::Identity()};
        const std::array objects = {collision::Collider{shape, collision::bounding_box(shape)}};
        collision::CollideCounts counts;
        for (const scenes::CurlLimit& limit : curl_limits(hand.frame(), objects, counts)) {
            EXPECT_EQ(limit.touch, closed ? 0.0F : 1.0F);
            EXPECT_EQ(limit.object, closed ? 0 : -1);
        }
    }
}

TEST_F(CurlLimit, ALostJointIsNotKnownAndTheOthersAre) {
    const World world(load_scene("held-ball"));
    tracking::HandFrame frame = Hand().frame();
    frame[tracking::Joint::ring_distal].flags = 0;
    collision::CollideCounts counts;
    const CurlLimits limits = curl_limits(frame, world.colliders, counts);
    EXPECT_FALSE(limits[3].known);
    EXPECT_TRUE(limits[2].known);
    frame.active = false;
    for (const scenes::CurlLimit& limit : curl_limits(frame, world.colliders, counts)) EXPECT_FALSE(limit.known);
}

TEST_F(CurlLimit, DoesNotDependOnHowFarTheFingerHasClosed) {
    // A finger that closes steadily meets the ball at the same curl, from whichever pose the limit is computed.
    const World world(load_scene("held-ball"));
    int seen = 0;
    for (int i = 0; i < 20; ++i) {
        const Hand open = hand_at(world.colliders.back().box.center_m, 0.2F);
        collision::CollideCounts counts;
        for (std::size_t finger = 0; finger < 5; ++finger) {
            const scenes::CurlLimit first = curl_limits(open.frame(), world.colliders, counts)[finger];
            if (first.touch >= 1.0F || first.touch <= first.now + 0.1F) continue;
            const float half = 0.5F * (first.touch - first.now) / (1.0F - first.now);
            const scenes::CurlLimit later =
                curl_limits(open.bent(finger, half).frame(), world.colliders, counts)[finger];
            EXPECT_NEAR(later.touch, first.touch, 5e-3F);
            ++seen;
        }
    }
    EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace glovebox::scenes
