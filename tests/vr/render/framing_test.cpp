// The first picture of every bundled recording, verified by projection.
#include "vr/render/framing.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "recordings/load.h"
#include "tests/vr/session/scripted_view.h"
#include "vr/platform/platform.h"
#include "vr/render/camera_operator.h"
#include "vr/session/open_session.h"
#include "vr/session/session_view.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Side;

// Returns pixels from the upper left.
Eigen::Vector2f pixel_of(const OrbitCamera& camera, const Vector3f& point_m, const Viewport& viewport) {
    const Eigen::Vector4f clip = camera.clip_from_view(viewport.width_px, viewport.height_px, viewport.free_px) *
                                 camera.view_from_world() * point_m.homogeneous();
    EXPECT_GT(clip.w(), 0.0F) << "behind the eye";
    return {0.5F * (1.0F + clip.x() / clip.w()) * static_cast<float>(viewport.width_px),
            0.5F * (1.0F - clip.y() / clip.w()) * static_cast<float>(viewport.height_px)};
}

bool is_free(const Eigen::Vector2f& pixel, const FreeArea& free) {
    return pixel.x() >= free.x && pixel.x() <= free.x + free.width && pixel.y() >= free.y &&
           pixel.y() <= free.y + free.height;
}

Viewport viewport_of(int width_px, int height_px, const ViewModel& model) {
    return {width_px, height_px, ui_layout(width_px, height_px, 0.0F, shape_of(model, {})).free_px};
}

constexpr std::pair<int, int> kSizes[] = {{1280, 720}, {1920, 1080}, {3840, 2160}, {640, 480}};

// Random points and directions: all points are in the picture, and the camera is as near as that allows.
TEST(Fitted, SeesEveryPointAndStandsNoFurtherThanItMust) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1.0F, 1.0F);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vector3f> points_m;
        for (int i = 0; i < 40; ++i) points_m.emplace_back(0.3F * any(random), 0.2F * any(random), 0.4F * any(random));
        OrbitCamera direction;
        direction.yaw_rad = 3.0F * any(random);
        direction.elevation_rad = any(random);
        const Viewport viewport{1280, 720, {100.0F, 60.0F, 600.0F + 200.0F * any(random), 500.0F}};
        const OrbitCamera camera = fitted(direction, points_m, viewport);
        int outside = 0;
        OrbitCamera nearer = camera;
        nearer.distance_m *= 0.85F;
        for (const Vector3f& point_m : points_m) {
            EXPECT_TRUE(is_free(pixel_of(camera, point_m, viewport), viewport.free_px));
            outside += !is_free(pixel_of(nearer, point_m, viewport), viewport.free_px);
        }
        EXPECT_GT(outside, 0) << "round " << round << " could have stood nearer";
    }
}

class BundledTake : public testing::TestWithParam<std::string_view> {};

// Every joint of every frame, and the boxes of the objects near the hands, at that time and at the start.
TEST_P(BundledTake, IsAllInThePartOfTheWindowThatNoCardCovers) {
    RecordingSettings from;
    from.recording = GetParam();
    SessionSettings settings;
    settings.headless = true;  // as fast as possible
    const auto session = open_recording_session(from, settings, now_ns);
    SessionView view(*session);
    view.wait_for_take();
    session->next();
    const ViewModel model = view.model(*session);
    ASSERT_NE(model.take, nullptr);
    ASSERT_FALSE(model.take->corners_m.empty());
    struct Picture {
        Viewport viewport;
        OrbitCamera camera;
    };
    std::vector<Picture> pictures;
    for (const auto& [width, height] : kSizes) {
        const Viewport viewport = viewport_of(width, height, model);
        EXPECT_GT(viewport.free_px.width * viewport.free_px.height, 0.18F * static_cast<float>(width * height));
        pictures.push_back({viewport, framed(model, viewport)});
    }
    int joints = 0, boxes = 0;
    session->restart();
    std::vector<collision::Obb> starts;
    while (session->next()) {
        std::vector<Vector3f> points_m;
        for (const tracking::HandFrame& hand : session->pipeline.hands.hands) {
            if (!hand.active) continue;
            Eigen::AlignedBox3f reach;
            for (const tracking::JointPose& joint : hand.joints) {
                if (!joint.position_valid()) continue;
                points_m.push_back(joint.position_m);
                reach.extend(joint.position_m);
                ++joints;
            }
            const std::vector<collision::Collider>& colliders = session->pipeline.world.colliders;
            for (std::size_t i = starts.size(); i < colliders.size(); ++i) starts.push_back(colliders[i].box);
            for (const collision::Collider& collider : colliders) {
                const collision::Aabb bounds = collision::aabb_of(collider.box);
                const Eigen::AlignedBox3f box(bounds.min_m, bounds.max_m);
                if (box.sizes().maxCoeff() >= 0.6F || box.exteriorDistance(reach) >= kNearInTake_m) continue;
                const auto object = static_cast<std::size_t>(&collider - colliders.data());
                for (const collision::Obb& shown : {collider.box, starts[object]})
                    for (int i = 0; i < 8; ++i) {
                        const Vector3f sign((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F,
                                            (i & 4) != 0 ? 1.0F : -1.0F);
                        points_m.push_back(shown.center_m + shown.axes * sign.cwiseProduct(shown.half_m));
                    }
                ++boxes;
            }
        }
        for (const auto& [viewport, camera] : pictures)
            for (const Vector3f& point_m : points_m)
                ASSERT_TRUE(is_free(pixel_of(camera, point_m, viewport), viewport.free_px))
                    << "frame " << session->frame() << " at " << viewport.width_px << "x" << viewport.height_px << ": "
                    << point_m.transpose() << " is at " << pixel_of(camera, point_m, viewport).transpose();
    }
    EXPECT_GT(joints, 26 * 100);
    EXPECT_GT(boxes, GetParam() == "explore" ? -1 : 100);  // a room is larger than a picture
}

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const recordings::SampleRow& row : recordings::sample_table()) names.push_back(row.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(All, BundledTake, testing::ValuesIn(names()),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST(HiddenShare, CountsJointsAndObjectsBehindOtherObjects) {
    collision::Obb wall;
    wall.axes.setIdentity();
    wall.half_m = {0.1F, 0.1F, 0.01F};
    wall.center_m.setZero();
    collision::Obb behind = wall;
    behind.center_m.z() = -0.2F;
    // Behind the wall, before it, pressed into its front, and beside it.
    const TakeMoment moment = {{{0.0F, 0.0F, -0.1F}, {0.0F, 0.0F, 0.05F}, {0.0F, 0.0F, 0.005F}, {0.3F, 0.0F, -0.1F}},
                               {wall, behind}};
    const std::array moments = {moment};
    EXPECT_FLOAT_EQ(hidden_share(moments, {0.0F, 0.0F, 1.0F}), 0.75F * 0.25F + 0.25F * 0.5F);
    EXPECT_FLOAT_EQ(hidden_share(moments, {0.0F, 1.0F, 0.0F}), 0.75F * 0.25F) << "from above, the one in the wall";
    EXPECT_EQ(hidden_share({}, {0.0F, 0.0F, 1.0F}), 0.0F);
}

TEST(Framed, TheCameraLooksOverAWallThatHidesTheHand) {
    ScriptedView view;
    TakeOverview take;
    for (const float x : {-0.15F, 0.15F})
        for (const float y : {0.0F, 0.3F})
            for (const float z : {-0.15F, 0.15F}) take.corners_m.emplace_back(x, y, z);
    take.toward_eye = Vector3f::UnitZ();
    collision::Obb wall;
    wall.axes.setIdentity();
    wall.half_m = {0.14F, 0.03F, 0.01F};
    wall.center_m = {0.0F, 0.03F, 0.05F};
    const std::array moments = {TakeMoment{{{0.0F, 0.02F, -0.05F}}, {wall}}};
    view.model.take = &take;
    const Viewport viewport = viewport_of(1280, 720, view.model);
    EXPECT_GT(hidden_share(moments, framed(view.model, viewport).eye_m()), 0.7F) << "the plain view";
    take.moments.assign(moments.begin(), moments.end());
    EXPECT_EQ(hidden_share(moments, framed(view.model, viewport).eye_m()), 0.0F);
}

TEST(Framed, TwoHandsAreSeenFromHigherUpThanOne) {
    ScriptedView one, two;
    two.hands[Side::left] = rest_hand(Side::left, {-0.2F, 0.09F, 0.02F});
    const Viewport viewport = viewport_of(1280, 720, one.model);
    EXPECT_GT(framed(two.model, viewport).elevation_rad, framed(one.model, viewport).elevation_rad + 0.2F);
}

TEST(Framed, AHandThatFillsThePictureHasItsSkinInIt) {
    ScriptedView view;
    const Viewport viewport = viewport_of(640, 480, view.model);
    const OrbitCamera camera = framed(view.model, viewport);
    const Eigen::Matrix3f world_from_view = camera.view_from_world().topLeftCorner<3, 3>().transpose();
    for (const tracking::JointPose& joint : view.hands[Side::right].joints)
        for (const float right_m : {-0.015F, 0.015F})
            EXPECT_TRUE(is_free(pixel_of(camera, joint.position_m + right_m * world_from_view.col(0), viewport),
                                viewport.free_px));
}

TEST(Take, HasTheTouchesThatTheSessionCounts) {
    RecordingSettings from;
    from.recording = "lift";
    SessionSettings settings;
    settings.headless = true;  // as fast as possible
    const auto session = open_recording_session(from, settings, now_ns);
    SessionView view(*session);
    while (session->next()) {
    }
    view.wait_for_take();
    const ViewModel& model = view.model(*session);
    ASSERT_NE(model.take, nullptr);
    std::size_t counted = 0;
    for (const auto& sum : session->touches.json(session->scene)) counted += sum["count"].get<std::size_t>();
    EXPECT_GT(counted, 3U);
    EXPECT_EQ(model.take->touches.size(), counted);
}

TEST(CameraOperator, FollowsAHandThatGoesAwayAndThenRests) {
    ScriptedView view;
    CameraOperator camera;
    const Viewport viewport = viewport_of(1280, 720, view.model);
    camera.follow();
    for (int i = 0; i < 200; ++i) camera.update(view.model, viewport, 0.016F);
    const OrbitCamera before = camera.camera();
    camera.update(view.model, viewport, 0.016F);
    EXPECT_EQ(camera.camera().target_m, before.target_m) << "nothing moves, and so does the camera";

    for (tracking::JointPose& joint : view.hands[Side::right].joints) joint.position_m.x() += 0.8F;
    camera.update(view.model, viewport, 0.016F);
    EXPECT_LT((camera.camera().target_m - before.target_m).norm(), 0.1F) << "gently";
    for (int i = 0; i < 600; ++i) camera.update(view.model, viewport, 0.016F);
    for (const tracking::JointPose& joint : view.hands[Side::right].joints)
        EXPECT_TRUE(is_free(pixel_of(camera.camera(), joint.position_m, viewport), viewport.free_px));
    const OrbitCamera after = camera.camera();
    camera.update(view.model, viewport, 0.016F);
    EXPECT_EQ(camera.camera().target_m, after.target_m);
    EXPECT_EQ(camera.camera().distance_m, after.distance_m);
}

TEST(CameraOperator, LeavesThePersonsViewAloneUntilAsked) {
    ScriptedView view;
    CameraOperator camera;
    const Viewport viewport = viewport_of(1280, 720, view.model);
    camera.update(view.model, viewport, 0.016F);
    camera.zoom(-3.0F);
    const float far_m = camera.camera().distance_m;
    for (tracking::JointPose& joint : view.hands[Side::right].joints) joint.position_m.x() += 0.3F;
    for (int i = 0; i < 50; ++i) camera.update(view.model, viewport, 0.016F);
    EXPECT_EQ(camera.camera().distance_m, far_m);
    EXPECT_EQ(camera.mode(), CameraOperator::Mode::free);
    camera.show_all();
    for (int i = 0; i < 300 && (i == 0 || camera.gliding()); ++i) camera.update(view.model, viewport, 0.016F);
    EXPECT_EQ(camera.mode(), CameraOperator::Mode::all);
    for (const tracking::JointPose& joint : view.hands[Side::right].joints)
        EXPECT_TRUE(is_free(pixel_of(camera.camera(), joint.position_m, viewport), viewport.free_px));
}

TEST(CameraOperator, FitsAgainWhenTheWindowBecomesNarrow) {
    ScriptedView view;
    CameraOperator camera;
    camera.update(view.model, viewport_of(1920, 1080, view.model), 0.016F);
    const Viewport narrow = viewport_of(640, 480, view.model);
    camera.update(view.model, narrow, 0.016F);
    for (const tracking::JointPose& joint : view.hands[Side::right].joints)
        EXPECT_TRUE(is_free(pixel_of(camera.camera(), joint.position_m, narrow), narrow.free_px));
}

}  // namespace
}  // namespace glovebox::vr
