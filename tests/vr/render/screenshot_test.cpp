#include "vr/render/screenshot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "scenes/hand_shape_fit.h"
#include "tests/vr/session/scripted_view.h"
#include "tracking/hand_geometry.h"
#include "vr/render/framing.h"
#include "vr/render/overlay.h"
#include "vr/render/palette.h"
#include "vr/render/picture_maker.h"
#include "vr/render/renderer.h"
#include "vr/session/box_pairs.h"
#include "vr/session/take.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

// Returns no picture if OpenGL is not available; the reason is in `why`.
std::optional<Picture> try_picture(const ViewModel& model, const ScreenshotOptions& options, std::string& why) {
    try {
        return take_picture(model, options);
    } catch (const std::runtime_error& error) {
        why = error.what();
        return {};
    }
}

#define PICTURE_OR_SKIP(name, model, options)                            \
    std::string name##_why;                                              \
    const auto name##_maybe = try_picture(model, options, name##_why);   \
    if (!name##_maybe) GTEST_SKIP() << "no OpenGL here: " << name##_why; \
    const Picture& name = *name##_maybe

Vector3f color_at(const Picture& picture, int x, int y) {
    const auto i =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width_px) + static_cast<std::size_t>(x));
    return Vector3f(picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]) / 255.0F;
}

struct Pixel {
    int x, y;
};
Pixel pixel_of(const OrbitCamera& camera, const Vector3f& point_m, const ScreenshotOptions& options) {
    const Eigen::Vector4f clip = camera.clip_from_view(options.width_px, options.height_px, {}) *
                                 camera.view_from_world() * point_m.homogeneous();
    return {static_cast<int>((0.5F + 0.5F * clip.x() / clip.w()) * static_cast<float>(options.width_px)),
            static_cast<int>((0.5F - 0.5F * clip.y() / clip.w()) * static_cast<float>(options.height_px))};
}

ScreenshotOptions bare(const OrbitCamera& camera) {
    ScreenshotOptions options;
    options.width_px = 480;
    options.height_px = 320;
    options.panel = false;
    options.camera = camera;
    options.settings.boxes.level = BoxLevels::kNone;
    options.settings.contacts = false;
    return options;
}

OrbitCamera camera_at(const Vector3f& target_m) {
    OrbitCamera camera;
    camera.target_m = target_m;
    camera.elevation_rad = 0.5F;
    return camera;
}

TEST(Screenshot, BallIsTealWhereItStandsAndLitFromTheUpperLeft) {
    ScriptedView view(false);
    const Vector3f ball_m(0.0F, 0.035F, -0.10F);
    const ScreenshotOptions options = bare(camera_at(ball_m));
    PICTURE_OR_SKIP(picture, view.model, options);
    const Pixel middle = pixel_of(*options.camera, ball_m, options);
    const Vector3f color = color_at(picture, middle.x, middle.y);
    EXPECT_GT(color.y(), color.x() + 0.06F) << "teal, not grey: " << color.transpose();
    const Vector3f upper_left = color_at(picture, middle.x - 14, middle.y - 14);
    const Vector3f lower_right = color_at(picture, middle.x + 14, middle.y + 14);
    EXPECT_GT(upper_left.sum(), lower_right.sum() + 0.15F);
}

TEST(Screenshot, HandIsSkinColouredAndCastsAShadowOnTheTable) {
    ScriptedView with_hand;
    ScriptedView without_hand(false);
    const OrbitCamera camera = camera_at({0.0F, 0.05F, -0.05F});
    const ScreenshotOptions options = bare(camera);
    PICTURE_OR_SKIP(shown, with_hand.model, options);
    PICTURE_OR_SKIP(empty, without_hand.model, options);
    const tracking::HandFrame& hand = with_hand.hands[tracking::Side::right];
    const Pixel back =
        pixel_of(camera, hand[tracking::Joint::middle_metacarpal].position_m + Vector3f(0, 0.012F, 0), options);
    const Vector3f skin = color_at(shown, back.x, back.y);
    EXPECT_GT(skin.x(), skin.z() + 0.05F) << skin.transpose();
    EXPECT_GT(skin.x(), 0.6F);

    // The light comes from the left, so the shadow is right of the hand: count pixels that became darker on the table.
    int darker = 0;
    for (int y = 0; y < options.height_px; ++y)
        for (int x = 0; x < options.width_px; ++x) {
            const Vector3f a = color_at(shown, x, y);
            const Vector3f b = color_at(empty, x, y);
            const bool grey = std::abs(a.x() - a.z()) < 0.05F && std::abs(b.x() - b.z()) < 0.05F;
            darker += grey && b.sum() - a.sum() > 0.3F;
        }
    EXPECT_GT(darker, 300);
}

// The picture shows the bones that collide: here they are half as thick again as the joints' radii.
TEST(Screenshot, AHandWithFittedBonesIsAsThickAsThese) {
    for (const tracking::Side side : tracking::kSides) {
        ScriptedView usual(false), fitted(false);
        tracking::HandFrame hand = rest_hand(side, {0.0F, 0.09F, 0.02F});
        usual.hands[side] = fitted.hands[side] = hand;
        tracking::orient_from_positions(hand);
        tracking::HandShape& shape = fitted.model.profiles[side].shape.emplace(scenes::usual_shape(hand));
        for (tracking::BoneShape& bone : shape) {
            bone.from_radius_m *= 1.5F;
            bone.to_radius_m *= 1.5F;
        }
        OrbitCamera camera = camera_at({0.0F, 0.09F, -0.10F});
        camera.elevation_rad = 1.5F;
        const ScreenshotOptions options = bare(camera);
        PICTURE_OR_SKIP(thin, usual.model, options);
        PICTURE_OR_SKIP(thick, fitted.model, options);
        const auto skin_pixels = [&](const Picture& picture) {
            int count = 0;
            for (int y = 0; y < options.height_px; ++y)
                for (int x = 0; x < options.width_px; ++x) {
                    const Vector3f color = color_at(picture, x, y);
                    count += color.x() > color.z() + 0.05F ? 1 : 0;
                }
            return count;
        };
        EXPECT_GT(skin_pixels(thin), 2000);
        EXPECT_GT(skin_pixels(thick), skin_pixels(thin) * 115 / 100) << name_of(side);
    }
}

TEST(Screenshot, LeftHandIsTheRightOneInAMirror) {
    ScriptedView right;
    ScriptedView left(false);
    left.hands[tracking::Side::left] = rest_hand(tracking::Side::left, {0.0F, 0.09F, 0.02F});
    const ScreenshotOptions options = bare(camera_at({0.0F, 0.08F, -0.06F}));
    PICTURE_OR_SKIP(a, right.model, options);
    PICTURE_OR_SKIP(b, left.model, options);
    // Light is not mirrored, so compare silhouettes: the skin-coloured pixels.
    const auto is_skin = [](const Vector3f& c) { return c.x() - c.z() > 0.045F; };
    int both = 0;
    int either = 0;
    for (int y = 0; y < options.height_px; ++y)
        for (int x = 0; x < options.width_px; ++x) {
            const bool in_a = is_skin(color_at(a, x, y));
            const bool in_b = is_skin(color_at(b, options.width_px - 1 - x, y));
            both += in_a && in_b;
            either += in_a || in_b;
        }
    EXPECT_GT(either, 3000);
    EXPECT_GT(static_cast<double>(both) / either, 0.85);
}

TEST(Screenshot, PanelStandsAtTheRightWithItsSelectedMethod) {
    ScriptedView view;
    ScreenshotOptions options;
    PICTURE_OR_SKIP(picture, view.model, options);
    ASSERT_EQ(picture.width_px, 1280);
    ASSERT_EQ(picture.height_px, 720);
    const Vector3f card = color_at(picture, 904, 360);
    EXPECT_GT(card.minCoeff(), 0.95F) << card.transpose();
    int dark = 0;  // letters
    for (int y = 20; y < 700; ++y)
        for (int x = 900; x < 1260; ++x) dark += color_at(picture, x, y).maxCoeff() < 0.4F;
    EXPECT_GT(dark, 1000);
    const Vector3f play = color_at(picture, 82, 672);
    EXPECT_LT(play.maxCoeff(), 0.3F) << "the play button is dark";
}

TEST(Screenshot, PanelSaysHowManyEventsWereKeptQuiet) {
    ScriptedView view;
    const ScreenshotOptions options;
    view.world.suppressed_events = 0;
    PICTURE_OR_SKIP(none, view.model, options);
    view.world.suppressed_events = 123;
    PICTURE_OR_SKIP(some, view.model, options);
    int lowest_y = 0, highest_y = 720, differ = 0;
    for (int y = 0; y < 720; ++y)
        for (int x = 0; x < 1280; ++x) {
            if (color_at(none, x, y).isApprox(color_at(some, x, y))) continue;
            ++differ;
            EXPECT_GT(x, 900);
            lowest_y = std::max(lowest_y, y);
            highest_y = std::min(highest_y, y);
        }
    EXPECT_GT(differ, 100);
    EXPECT_LT(lowest_y - highest_y, 16) << "one line of text";
}

TEST(Screenshot, TouchingBonesWearOrangeBoxes) {
    ScriptedView view(false);
    // A hand pressed onto the ball.
    view.hands[tracking::Side::right] = rest_hand(tracking::Side::right, {0.0F, 0.070F, 0.02F});
    for (int i = 0; i < 3; ++i) view.report = scenes::step(view.scene, view.world, view.hands, 1.0 / 90.0);
    ASSERT_FALSE(view.world.hands[1].contacts.empty());
    OrbitCamera camera = framed(view.model, {});
    ScreenshotOptions options = bare(camera);
    options.settings.boxes.level = BoxLevels::kLeaves;
    options.settings.contacts = true;
    PICTURE_OR_SKIP(picture, view.model, options);
    int orange = 0;
    for (int y = 0; y < options.height_px; ++y)
        for (int x = 0; x < options.width_px; ++x) {
            const Vector3f c = color_at(picture, x, y);
            orange += c.x() > 0.65F && c.z() < 0.35F && c.y() < 0.6F;
        }
    EXPECT_GT(orange, 100);
}

TEST(Screenshot, EveryTreeLevelDrawsSomethingElse) {
    ScriptedView view;
    ScreenshotOptions options = bare(framed(view.model, {}));
    std::vector<std::vector<std::uint8_t>> pictures;
    for (const int level : {BoxLevels::kNone, BoxLevels::kLeaves, 0, 1, 2, BoxLevels::kAll}) {
        options.settings.boxes.level = level;
        PICTURE_OR_SKIP(picture, view.model, options);
        for (const auto& other : pictures) EXPECT_NE(other, picture.rgb) << level;
        pictures.push_back(picture.rgb);
    }
}

TEST(Screenshot, ALongTitleEndsBeforeThePanel) {
    ScriptedView view;
    view.model.title = std::string(300, 'W');
    const ScreenshotOptions options;
    PICTURE_OR_SKIP(picture, view.model, options);
    const auto dark_in = [&](int from_x, int to_x) {
        int dark = 0;
        for (int y = 15; y < 36; ++y)
            for (int x = from_x; x < to_x; ++x) dark += color_at(picture, x, y).maxCoeff() < 0.4F;
        return dark;
    };
    EXPECT_GT(dark_in(780, 830), 50);
    EXPECT_EQ(dark_in(868, 894), 0) << "letters run under the panel";
}

TEST(Screenshot, NamesInOtherScriptsAreNotAllTheSame) {
    ScriptedView view;
    const ScreenshotOptions options;
    std::vector<std::vector<std::uint8_t>> titles;
    for (const char* title : {"аб", "вг", "αβ"}) {
        view.model.title = title;
        PICTURE_OR_SKIP(picture, view.model, options);
        titles.emplace_back(picture.rgb.begin() + 3L * 1280 * 15, picture.rgb.begin() + 3L * 1280 * 36);
    }
    EXPECT_NE(titles[0], titles[1]);
    EXPECT_NE(titles[1], titles[2]);
}

// A new script, or a window of another height, loads other fonts.
TEST(Screenshot, ThePanelStaysLightWhenItsFontsChange) {
    ScriptedView view;
    FrameOptions options;
    options.panel = true;
    try {
        PictureMaker maker(1280, 720, true);
        for (const char* title : {"ab", "аб"}) {
            view.model.title = title;
            EXPECT_GT(color_at(maker.take(view.model, options), 1200, 30).minCoeff(), 0.9F) << title;
        }
    } catch (const std::runtime_error& error) {
        GTEST_SKIP() << "no OpenGL here: " << error.what();
    }
}

TEST(Screenshot, TheCardAboutABoxTestIsWhereTheHandIsNot) {
    const Box area = {14.0F, 68.0F, 860.0F, 430.0F};
    const Box hand = {100.0F, 80.0F, 220.0F, 180.0F};
    EXPECT_EQ(freest_corner({}, area, 470.0F, 111.0F, {}), Corner::top_left);
    EXPECT_EQ(freest_corner({}, area, 470.0F, 111.0F, hand), Corner::top_right);
    EXPECT_EQ(freest_corner(Corner::bottom_left, area, 470.0F, 111.0F, hand), Corner::bottom_left) << "no need to jump";
    const Box both = {100.0F, 80.0F, 700.0F, 180.0F};
    EXPECT_EQ(freest_corner({}, area, 470.0F, 111.0F, both), Corner::bottom_left);
    const Box card = card_in(Corner::bottom_right, area, 470.0F, 111.0F);
    EXPECT_EQ(card.right(), area.right());
    EXPECT_EQ(card.bottom(), area.bottom());
}

TEST(Screenshot, LanesOfTwoHandsNameFingerAndHand) {
    ScriptedView view;
    view.model.has_lanes = {true, true};
    const ScreenshotOptions options;
    PICTURE_OR_SKIP(picture, view.model, options);
    const UiLayout layout = ui_layout(options.width_px, options.height_px, 0.0F, shape_of(view.model, {}));
    const Box& lanes = layout.playback.lanes;
    const auto has_letters = [&](float from_x, float to_x, float y) {
        for (int x = static_cast<int>(from_x); x < static_cast<int>(to_x); ++x)
            if (color_at(picture, x, static_cast<int>(y)).maxCoeff() < 0.7F) return true;
        return false;
    };
    const float pitch = lanes.height / 12.0F;
    for (int part = 0; part < 6; ++part) {
        const float middle = lanes.y + (2.0F * static_cast<float>(part) + 1.0F) * pitch;
        EXPECT_TRUE(has_letters(lanes.x - 62.0F, lanes.x - 26.0F, middle)) << "finger " << part;
        EXPECT_TRUE(has_letters(lanes.x - 24.0F, lanes.x - 14.0F, middle - 0.5F * pitch)) << "L of finger " << part;
        EXPECT_TRUE(has_letters(lanes.x - 14.0F, lanes.x - 4.0F, middle + 0.5F * pitch)) << "R of finger " << part;
    }
}

TEST(Screenshot, LanesWithoutTouchesSayWhatThatMeans) {
    ScriptedView view;
    view.model.has_lanes = {false, true};
    const UiLayout layout = ui_layout(1280, 720, 0.0F, shape_of(view.model, {}));
    const Box& lanes = layout.playback.lanes;
    TakeOverview take;
    view.model.take = &take;
    const auto letters = [&](const Picture& picture) {
        int dark = 0;
        const int middle = static_cast<int>(lanes.y + 0.5F * lanes.height), left = static_cast<int>(lanes.x);
        for (int y = middle - 8; y < middle + 8; ++y)
            for (int x = left + 200; x < left + 500; ++x) dark += color_at(picture, x, y).maxCoeff() < 0.6F;
        return dark;
    };
    PICTURE_OR_SKIP(without, view.model, {});
    EXPECT_GT(letters(without), 100);
    Touch touch{};
    touch.side = tracking::Side::right;
    touch.begin_ns = 0;
    touch.end_ns = 1;
    take.touches = {touch};
    PICTURE_OR_SKIP(with, view.model, {});
    EXPECT_LT(letters(with), 40) << "only the line of the position";
}

TEST(Screenshot, TheLegendCanBeReadOverWhatIsDark) {
    ScriptedView view(false);
    for (scenes::SceneObject& object : view.scene.objects) object.color = {0.05F, 0.05F, 0.05F};
    ScreenshotOptions options;
    options.camera = OrbitCamera{};
    options.camera->target_m = {0.0F, 0.035F, -0.10F};
    options.camera->distance_m = 0.08F;  // the ball fills the picture
    PICTURE_OR_SKIP(picture, view.model, options);
    const auto mean_of_row = [&](int y) {
        float sum = 0.0F;
        for (int x = 30; x < 480; ++x) sum += color_at(picture, x, y).mean() / 450.0F;
        return sum;
    };
    EXPECT_LT(mean_of_row(560), 0.4F) << "the ball is there";
    EXPECT_GT(mean_of_row(611), 0.7F) << "above the letters";
    EXPECT_LT(mean_of_row(619), mean_of_row(611) - 0.05F) << "the letters";
}

// Idle boxes are many; even faint dashes in front of an object that hides them would look like dirt on it.
TEST(Screenshot, IdleBoxesBehindSomethingAreNotDrawn) {
    ScriptedView view;
    scenes::SceneObject wall;
    wall.name = "wall";
    collision::RoundedBox slab;
    slab.core.half_m = {0.5F, 0.5F, 0.01F};
    wall.shape = slab;
    wall.world_from_object.translation() = Vector3f(0.0F, 0.3F, 0.25F);
    view.scene.objects.push_back(wall);
    view.world = scenes::World(view.scene);
    view.hands[tracking::Side::right] = rest_hand(tracking::Side::right, {0.0F, 0.30F, 0.0F});
    view.report = scenes::step(view.scene, view.world, view.hands, 1.0 / 90.0);
    ASSERT_TRUE(view.world.hands[1].contacts.empty());
    ScreenshotOptions options = bare(camera_at({0.0F, 0.30F, 0.0F}));
    options.camera->elevation_rad = 0.0F;
    options.settings.boxes.level = BoxLevels::kLeaves;
    options.settings.object_boxes = false;
    PICTURE_OR_SKIP(shown, view.model, options);
    options.settings.idle_boxes = false;
    PICTURE_OR_SKIP(hidden, view.model, options);
    EXPECT_EQ(shown.rgb, hidden.rgb);
    options.camera->yaw_rad = 3.1416F;
    PICTURE_OR_SKIP(none, view.model, options);
    options.settings.idle_boxes = true;
    PICTURE_OR_SKIP(some, view.model, options);
    EXPECT_NE(some.rgb, none.rgb) << "from the other side they are seen";
}

// A map of the light that ends within a shadow cuts it off in a straight line.
TEST(Screenshot, ABallCastsItsWholeShadowHoweverFarFromTheMiddleOrHighItIs) {
    for (const Vector3f& ball_m : {Vector3f(-0.3F, 0.6F, 0.0F), Vector3f(0.0F, 0.035F, -0.44F)}) {
        ScriptedView with(false), without(false);
        with.world.world_from_object[1].translation() = ball_m;
        without.world.world_from_object[1].translation() = Vector3f(0.0F, -5.0F, 0.0F);
        OrbitCamera camera = camera_at({0.0F, 0.1F, 0.0F});
        camera.distance_m = 1.0F;
        camera.elevation_rad = 0.9F;
        const ScreenshotOptions options = bare(camera);
        PICTURE_OR_SKIP(shaded, with.model, options);
        PICTURE_OR_SKIP(clear, without.model, options);
        const Vector3f to_light = light_for(camera.eye_m(), camera.target_m);
        const Vector3f middle_m = ball_m - to_light * (ball_m.y() / to_light.y());
        // The shadow is an ellipse, as wide as the ball across the light's direction.
        const Vector3f across_m = 0.024F * to_light.cross(Vector3f::UnitY()).normalized();
        for (const Vector3f& at_m : {middle_m, Vector3f(middle_m + across_m), Vector3f(middle_m - across_m)}) {
            const Pixel at = pixel_of(camera, at_m, options);
            if (at.x < 0 || at.x >= options.width_px || at.y < 0 || at.y >= options.height_px) continue;
            const Vector3f seen = color_at(shaded, at.x, at.y);
            if (seen.y() > seen.x() + 0.05F) continue;  // the ball is before its shadow
            EXPECT_LT(seen.sum(), color_at(clear, at.x, at.y).sum() - 0.25F)
                << "ball at " << ball_m.transpose() << ", shadow at " << at_m.transpose();
        }
    }
}

// The shaders take few balls, and a scene may have many.
TEST(Screenshot, EveryBallDarkensTheTableWhereItStands) {
    ScriptedView many(false), none(false);
    const scenes::SceneObject ball = many.scene.objects[1];
    many.scene.objects.pop_back();
    none.scene.objects.pop_back();
    std::vector<Vector3f> at_m;
    for (const float z : {-0.08F, 0.08F})
        for (const float x : {-0.24F, -0.08F, 0.08F, 0.24F}) {
            at_m.emplace_back(x, 0.035F, z);
            many.scene.objects.push_back(ball);
            many.scene.objects.back().world_from_object.translation() = at_m.back();
        }
    many.world = scenes::World(many.scene);
    none.world = scenes::World(none.scene);
    OrbitCamera camera = camera_at({0.0F, 0.0F, 0.0F});
    camera.distance_m = 1.0F;
    camera.elevation_rad = 0.9F;
    const ScreenshotOptions options = bare(camera);
    PICTURE_OR_SKIP(shaded, many.model, options);
    PICTURE_OR_SKIP(clear, none.model, options);
    Vector3f lit_side = light_for(camera.eye_m(), camera.target_m);
    lit_side.y() = 0.0F;
    for (const Vector3f& each_m : at_m) {
        const Vector3f foot_m(each_m.x(), 0.0F, each_m.z());
        const Pixel at = pixel_of(camera, foot_m + 0.040F * lit_side.normalized(), options);
        EXPECT_LT(color_at(shaded, at.x, at.y).sum(), color_at(clear, at.x, at.y).sum() - 0.06F) << each_m.transpose();
    }
}

// A picture of a large scene has a map of the light with large texels. What they cover of a finger must not shade it.
TEST(Screenshot, SomethingThinIsAsLightInALargePictureAsInASmallOne) {
    ScriptedView view(false);
    scenes::SceneObject finger = view.scene.objects[1], far_ball = finger;
    finger.name = "finger";
    finger.shape = collision::RoundCone{{-0.05F, 0.0F, 0.0F}, {0.05F, 0.0F, 0.0F}, 0.009F, 0.009F};
    finger.world_from_object.translation() = Vector3f(0.0F, 0.3F, 0.0F);
    far_ball.world_from_object.translation() = Vector3f(0.45F, 0.035F, -0.4F);
    view.scene.objects = {view.scene.objects[0], finger, far_ball};
    view.world = scenes::World(view.scene);
    std::vector<Vector3f> colors;
    for (const float distance_m : {0.5F, 1.6F}) {
        OrbitCamera camera = camera_at({0.0F, 0.3F, 0.0F});
        camera.distance_m = distance_m;
        ScreenshotOptions options = bare(camera);
        options.width_px = 1440;
        options.height_px = 960;
        PICTURE_OR_SKIP(picture, view.model, options);
        for (const float x_m : {-0.04F, -0.02F, 0.0F, 0.02F, 0.04F}) {
            const Pixel at = pixel_of(camera, {x_m, 0.3F, 0.0F}, options);
            colors.push_back(color_at(picture, at.x, at.y));
        }
    }
    for (std::size_t i = 0; i < 5; ++i) EXPECT_GT(colors[5 + i].sum(), colors[i].sum() - 0.05F) << i;
}

// The end of the drawn arm fades out. It must not cut a patch out of the tint of a box.
TEST(Screenshot, ABoxTintsTheEndOfTheArmLikeWhatIsBehindIt) {
    ScriptedView with(false), without(false);
    const Vector3f wrist_m(0.0F, 0.5F, 0.0F);
    with.hands[tracking::Side::right] = rest_hand(tracking::Side::right, wrist_m);
    BoxPair pair;
    pair.hand_box.axes.setIdentity();
    pair.hand_box.center_m = wrist_m;
    pair.hand_box.half_m.setConstant(0.2F);
    pair.object_box = pair.hand_box;
    pair.state = BoxState::touching;
    for (ScriptedView* view : {&with, &without}) view->model.box_pairs = {&pair, 1};
    OrbitCamera camera = camera_at(wrist_m + Vector3f(0.0F, 0.0F, 0.08F));
    camera.yaw_rad = 1.5F;
    camera.distance_m = 1.0F;
    ScreenshotOptions options = bare(camera);
    options.settings.box_test = 0;
    PICTURE_OR_SKIP(arm, with.model, options);
    PICTURE_OR_SKIP(bare_box, without.model, options);
    const Pixel at = pixel_of(camera, wrist_m + Vector3f(0.0F, 0.0F, 0.084F), options);
    const Vector3f difference = color_at(arm, at.x, at.y) - color_at(bare_box, at.x, at.y);
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 0.03F) << difference.transpose();
}

// The picture while something moves may have less than half of the window's pixels, and lines are as much thinner.
TEST(Screenshot, TheOutlineOfTheOtherHandIsALineInACoarsePicture) {
    ScriptedView view;
    scenes::ProxyHands proxy;
    proxy.hands = view.hands;
    proxy.apart[tracking::Side::right] = true;
    for (tracking::JointPose& joint : proxy.hands[tracking::Side::right].joints) joint.position_m.y() += 0.08F;
    view.model.proxy = &proxy;
    ScreenshotOptions options = bare(camera_at({0.0F, 0.12F, -0.05F}));
    const auto dark_pixels = [&](float scale) {
        options.ui_scale = scale;
        std::string why;
        const auto picture = try_picture(view.model, options, why);
        int count = picture ? 0 : -1;
        for (int y = 0; picture && y < options.height_px; ++y)
            for (int x = 0; x < options.width_px; ++x) count += color_at(*picture, x, y).maxCoeff() < 0.5F ? 1 : 0;
        return count;
    };
    const int usual = dark_pixels(1.0F), coarse = dark_pixels(0.4F);
    if (usual < 0) GTEST_SKIP() << "no OpenGL here";
    EXPECT_GT(usual, 150);
    EXPECT_GT(coarse, usual * 2 / 3);
}

TEST(Screenshot, EmptyViewModelStillDraws) {
    const ViewModel nothing;
    ScreenshotOptions options;
    PICTURE_OR_SKIP(picture, nothing, options);
    EXPECT_EQ(picture.rgb.size(), 1280U * 720U * 3U);
}

TEST(Screenshot, OldPictureStaysWhenTheNewOneCannotBeWritten) {
    const Picture picture{2, 2, std::vector<std::uint8_t>(12, 100)};
    const auto path = std::filesystem::path(testing::TempDir()) / "glovebox-picture.png";
    write_png(picture, path);
    EXPECT_GT(std::filesystem::file_size(path), 50U);
    EXPECT_THROW(write_png(picture, path / "no" / "such.png"), std::runtime_error);
    EXPECT_TRUE(std::filesystem::exists(path));
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
        EXPECT_EQ(entry.path().string().find("glovebox-picture.png.part"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::vr
