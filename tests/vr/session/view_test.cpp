// The arithmetic of the view: camera, histogram rows, box states, tiers, layout, digits.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "tests/vr/session/scripted_view.h"
#include "vr/platform/platform.h"
#include "vr/render/camera.h"
#include "vr/render/framing.h"
#include "vr/render/object_mesh.h"
#include "vr/render/quality_tier.h"
#include "vr/render/renderer.h"
#include "vr/render/shaders.h"
#include "vr/render/view_settings.h"
#include "vr/session/box_states.h"
#include "vr/session/open_session.h"
#include "vr/session/run.h"
#include "vr/session/session_view.h"
#include "vr/ui/histogram_view.h"
#include "vr/ui/panel.h"
#include "vr/ui/playback_bar.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using Eigen::Vector4f;

Eigen::Vector2f on_screen(const OrbitCamera& camera, const Vector3f& point_m, const FreeArea& free) {
    const Vector4f clip = camera.clip_from_view(1280, 720, free) * camera.view_from_world() * point_m.homogeneous();
    return clip.head<2>() / clip.w();
}

TEST(PlaybackBar, TellsTimesInWordsThatHaveRoom) {
    const auto words = [](double position_s, double duration_s) {
        const ClockText clock = clock_text(position_s, duration_s);
        return clock.position + " " + clock.total;
    };
    EXPECT_EQ(words(1.25, 4.3), "1.250 / 4.3 s");
    EXPECT_EQ(words(9999.9, 9999.94), "9999.900 / 9999.9 s");
    EXPECT_EQ(words(59.9, 9999.96), "0:00:59 / 2:46:39");
    EXPECT_EQ(words(3661.0, 360'000.0), "1:01:01 / 100:00:00");
    EXPECT_EQ(words(0.0, 0.0), " ") << "a single pose has no time";
}

TEST(OrbitCamera, TargetIsInTheMiddleOfTheFreeArea) {
    OrbitCamera camera;
    camera.yaw_rad = 0.7F;
    camera.target_m = {0.2F, 0.1F, -0.4F};
    EXPECT_LT(on_screen(camera, camera.target_m, {}).norm(), 1e-4F);
    const Eigen::Vector2f shifted = on_screen(camera, camera.target_m, {0.0F, 0.0F, 640.0F, 720.0F});
    EXPECT_NEAR(shifted.x(), -0.5F, 1e-4F);
}

TEST(OrbitCamera, UpIsUpAndRightIsRight) {
    OrbitCamera camera;  // looks along -Z
    EXPECT_GT(on_screen(camera, camera.target_m + Vector3f(0, 0.05F, 0), {}).y(), 0.05F);
    EXPECT_GT(on_screen(camera, camera.target_m + Vector3f(0.05F, 0, 0), {}).x(), 0.05F);
}

TEST(OrbitCamera, PanningMovesTheTargetWithTheMouse) {
    OrbitCamera camera;
    camera.yaw_rad = 1.0F;
    const Vector3f marked = camera.target_m;
    camera.pan(72.0F, 36.0F, 720.0F);
    const Eigen::Vector2f at = on_screen(camera, marked, {});
    EXPECT_NEAR(at.x(), 72.0F / 640.0F, 2e-3F);
    EXPECT_NEAR(at.y(), -36.0F / 360.0F, 2e-3F);
}

TEST(OrbitCamera, ZoomAndOrbitStayWithinReason) {
    OrbitCamera camera;
    for (int i = 0; i < 100; ++i) camera.zoom(1.0F);
    EXPECT_GE(camera.distance_m, 0.1F);
    for (int i = 0; i < 200; ++i) camera.orbit(10.0F, 40.0F, 720.0F);
    EXPECT_LT(camera.elevation_rad, 1.5708F);
}

TEST(Framing, LooksAtTheHandFromItsThumbsSide) {
    ScriptedView view;
    const OrbitCamera camera = framed(view.model, {});
    const Vector3f eye = camera.eye_m() - camera.target_m;
    EXPECT_LT(eye.x(), 0.0F) << "the thumb of a right hand that points along -Z is at -X";
    EXPECT_LT(eye.z(), 0.0F) << "from the front";
    EXPECT_GT(eye.y(), 0.0F);
    EXPECT_LT(on_screen(camera, view.hands[tracking::Side::right][tracking::Joint::middle_tip].position_m, {}).norm(),
              1.3F);
}

TEST(Framing, AFingerThatPointsFarDownIsInThePicture) {
    ScriptedView view;
    tracking::HandFrame& hand = view.hands[tracking::Side::right];
    Vector3f& tip_m = hand[tracking::Joint::index_tip].position_m;
    tip_m = hand[tracking::Joint::index_proximal].position_m - Vector3f(0.0F, 0.16F, 0.0F);
    const FreeArea free = ui_layout(1280, 720, 0.0F).free_px;
    const float bottom = 1.0F - 2.0F * (free.y + free.height) / 720.0F;
    EXPECT_GT(on_screen(framed(view.model, {1280, 720, free}), tip_m, free).y(), bottom) << "above the legend";
}

TEST(ClearestFrame, IsOneThatTouchesHoweverDeep) {
    recordings::Recording recording;
    for (int i = 0; i < 60; ++i) {
        tracking::HandPair hands;
        hands.time_ns = 11'000'000LL * i;
        const float moving_m = 1e-4F * static_cast<float>(i);  // a hand that is bitwise unchanged counts as frozen
        hands[tracking::Side::right] = rest_hand(tracking::Side::right, {0.1F, 0.4F + moving_m, 0.1F});
        if (i >= 30) hands[tracking::Side::left] = rest_hand(tracking::Side::left, {-0.2F, -0.02F, 0.1F + moving_m});
        recording.samples.push_back(hands);
    }
    scenes::Scene scene = table_and_ball({0.0F, 0.035F, -0.10F});
    scene.placement = scenes::Placement::recorded;
    Session replay(std::move(scene), std::move(recording), {}, now_ns);
    while (replay.next()) {
    }
    ASSERT_GT(replay.totals.counts.touching, 0U);
    EXPECT_GE(replay.totals.clearest_frame, 30) << "the left hand comes, deep in the table";
}

// Chooses a method at its first picture and closes at its second.
struct ChoosingView final : View {
    std::string_view method;
    std::vector<std::uint64_t> frames, measured;
    explicit ChoosingView(std::string_view chosen) : method(chosen) {}
    ViewCommands show(Session& session) override {
        frames.push_back(session.totals.frames);
        measured.push_back(session.pipeline.stats[scenes::Stage::total].count());
        ViewCommands commands;
        commands.method = method;
        commands.quit = frames.size() > 1;
        return commands;
    }
    bool open() const override { return true; }
};

TEST(StageStats, BeginAgainWithAnotherMethodOnly) {
    RecordingSettings from;
    from.recording = "flick";
    SessionSettings settings;
    settings.headless = settings.quiet = true;
    for (const std::string_view method : {"brute", "cab"}) {
        const auto session = open_recording_session(from, settings, now_ns);
        ASSERT_EQ(session->pipeline.world.method->name, "cab");
        ChoosingView view(method);
        run(*session, &view, settings);
        ASSERT_EQ(view.frames.size(), 2U);
        EXPECT_GT(view.measured[0], 0U);
        EXPECT_EQ(view.measured[1], view.frames[1] - (method == "cab" ? 0U : view.frames[0])) << method;
    }
}

// Their remainders modulo 4 are all sixteen, so they average what is dithered over 4 by 4 texels. The first four, which
// decide whether the others are sampled, cover all of these texels with their neighbours.
TEST(ShadowTaps, SeeEveryTexelOfTheDither) {
    const std::string source = shaders::table().fragment;
    const std::size_t from = source.find("kTaps["), to = source.find(");\n", from);
    ASSERT_LT(to, source.size());
    const std::string text = source.substr(from, to - from);
    const std::regex tap("vec2\\((-?\\d+)\\.0, (-?\\d+)\\.0\\)");
    std::vector<std::array<int, 2>> remainders;
    for (std::sregex_iterator each(text.begin(), text.end(), tap), end; each != end; ++each)
        remainders.push_back({(std::stoi((*each)[1]) + 16) % 4, (std::stoi((*each)[2]) + 16) % 4});
    ASSERT_EQ(remainders.size(), static_cast<std::size_t>(RenderQuality{}.shadow_taps));
    EXPECT_EQ(std::set(remainders.begin(), remainders.end()).size(), 16U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ((remainders[i][0] | remainders[i][1]) % 2, 0) << i;
}

// With two hands, an event must also name the hand whose fingertip it concerns.
TEST(SessionView, EventsTellTheHandWhereTheRecordingHasTwo) {
    for (const char* recording : {"carry", "flick"}) {
        RecordingSettings from;
        from.recording = recording;
        from.rate = recordings::ReplayRate{0.0};
        const auto replay = open_recording_session(from, {}, now_ns);
        for (int i = 0; i < 300; ++i) ASSERT_TRUE(replay->next());
        SessionView view(*replay);
        std::set<std::optional<tracking::Side>> sides;
        for (const EventLine& line : view.model(*replay).events) sides.insert(line.side);
        const std::set<std::optional<tracking::Side>> both = {tracking::Side::left, tracking::Side::right};
        const std::set<std::optional<tracking::Side>> unreported = {std::nullopt};
        EXPECT_EQ(sides, recording == std::string("carry") ? both : unreported) << recording;
    }
}

TEST(HistogramAxis, BinsAreWholePixelsAtEveryScale) {
    for (const float scale : {1.0F, 1.25F, 1.5F, 2.0F, 3.0F}) {
        const HistogramAxis axis = make_axis(966.0F, scale);
        EXPECT_GE(axis.pitch_px, 3);
        EXPECT_GE(axis.bar_px, 2);
        EXPECT_LT(axis.bar_px, axis.pitch_px) << "a gap of one pixel at least";
        for (int i = 1; i < HistogramAxis::kBins; ++i)
            EXPECT_EQ(axis.bar_left_px(i) - axis.bar_left_px(i - 1), axis.pitch_px);
    }
    EXPECT_EQ(make_axis(966.0F, 1.0F).width_px(), 132);
    EXPECT_EQ(make_axis(966.0F, 1.0F).left_px, 966);
}

TEST(HistogramAxis, EndsAreHalfAMicrosecondAndTwentyMilliseconds) {
    const HistogramAxis axis = make_axis(0.0F, 1.0F);
    EXPECT_EQ(axis.x_of(0.5), 0);
    EXPECT_EQ(axis.x_of(20000.0), axis.width_px());
    EXPECT_EQ(HistogramAxis::bin_of(0.0), 0);
    EXPECT_EQ(HistogramAxis::bin_of(1e9), HistogramAxis::kBins - 1);
    EXPECT_LT(axis.x_of(1e6 / 120), axis.x_of(1e6 / 90));
}

TEST(HistogramAxis, ASingleOutlierAmongThousandsStillShows) {
    DurationHistogram histogram;
    for (int i = 0; i < 5000; ++i) histogram.add(10'000);
    histogram.add(5'000'000);
    const auto heights = bar_heights(histogram);
    EXPECT_FLOAT_EQ(heights[static_cast<std::size_t>(HistogramAxis::bin_of(10.0))], 1.0F);
    EXPECT_NEAR(heights[static_cast<std::size_t>(HistogramAxis::bin_of(5000.0))], std::sqrt(1.0F / 5000.0F), 1e-4F);
}

TEST(Panel, FiguresKeepTwoToThreeDigits) {
    EXPECT_EQ(format_us(0.174), "0.17");
    EXPECT_EQ(format_us(8.46), "8.5");
    EXPECT_EQ(format_us(104.3), "104");
    EXPECT_EQ(format_us(12345.0), "12k");
}

TEST(UiLayout, FitsFromSmallToLargeWindows) {
    for (const auto& [width, height] :
         {std::pair{640, 480}, {960, 540}, {1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}}) {
        const UiLayout layout = ui_layout(width, height, 0.0F);
        const float scale = ui_scale_for(height);
        EXPECT_LE(layout.panel.right() * scale, static_cast<float>(width));
        EXPECT_LE(layout.panel.bottom() * scale, static_cast<float>(height));
        if (layout.has_panel()) {
            EXPECT_LE(layout.playback.box.right(), layout.panel.x);
        }
        EXPECT_EQ(layout.has_panel(), width > 640);
        EXPECT_GT(layout.playback.box.width, 500.0F) << width;
        EXPECT_GT(layout.free_px.height, 0.5F * static_cast<float>(height));
    }
    EXPECT_FLOAT_EQ(ui_layout(1280, 720, 0.0F).panel.x, 894.0F);
}

TEST(Fonts, DigitsAreTabularAtEverySize) {
    ImGuiContext* context = ImGui::CreateContext();
    for (const float scale : {1.0F, 2.0F}) {
        const Fonts fonts = load_fonts(scale);
        for (const ImFont* font : {fonts.body, fonts.heading, fonts.note, fonts.figure, fonts.big}) {
            const float zero = font->GetCharAdvance('0');
            EXPECT_GT(zero, 3.0F);
            for (ImWchar digit = '1'; digit <= '9'; ++digit) EXPECT_FLOAT_EQ(font->GetCharAdvance(digit), zero);
        }
        EXPECT_NE(fonts.body->FindGlyphNoFallback(0xB5), nullptr) << "micro sign";
    }
    ImGui::DestroyContext(context);
}

TEST(QualityTier, SoftwareStartsLowAndSlowFramesGoLower) {
    TierControl software(true);
    EXPECT_EQ(software.tier(), 3);
    for (int i = 0; i < 20; ++i) software.add_scene(90.0);
    EXPECT_EQ(software.tier(), kTierCount - 1);
    TierControl gpu(false);
    EXPECT_EQ(gpu.tier(), 0);
    for (int i = 0; i < 500; ++i) gpu.add_scene(3.0);
    EXPECT_EQ(gpu.tier(), 0);
}

TEST(QualityTier, OneSlowFrameChangesNothing) {
    TierControl control(false);
    for (int i = 0; i < 50; ++i) {
        control.add_scene(5.0);
        if (i % 3 == 0) control.add_scene(200.0);
    }
    EXPECT_EQ(control.tier(), 0);
}

TEST(QualityTier, ComesBackAfterALoadHasPassed) {
    TierControl control(true);
    for (int i = 0; i < 20; ++i) control.add_scene(150.0);
    ASSERT_EQ(control.tier(), 4);
    for (int i = 0; i < 200; ++i) control.add_scene(25.0);
    EXPECT_EQ(control.tier(), 3) << "but not to the tier that would be too slow";
}

TEST(QualityTier, LastTiersBoundThePixels) {
    const RenderQuality at_4k = quality_of_tier(3, 3840, 2160);
    EXPECT_LE(3840 * at_4k.scene_scale * 2160 * at_4k.scene_scale, 1.01F * 640 * 360);
}

TEST(BoxLevels, TheKeyVisitsEveryLevelOnce) {
    const int deepest = deepest_node();
    EXPECT_GE(deepest, 4);
    int level = BoxLevels::kLeaves;
    std::vector<int> seen;
    for (int i = 0; i < deepest + 4; ++i) {
        seen.push_back(level);
        EXPECT_EQ(next_box_level(next_box_level(level, deepest, false), deepest, true), level);
        level = next_box_level(level, deepest, false);
    }
    EXPECT_EQ(level, BoxLevels::kLeaves);
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(BoxStates, WorstBoneDecidesForItsAncestors) {
    ScriptedView view;
    scenes::HandState& hand = view.world.hands[static_cast<std::size_t>(tracking::Side::right)];
    hand.candidates = {{7, 1}, {11, 1}};
    hand.contacts.clear();
    collision::Contact contact;
    contact.bone = 7;
    contact.object = 1;
    contact.distance_m = -0.001F;
    contact.normal = Vector3f::UnitY();
    contact.on_body_m = contact.on_object_m = Vector3f::Zero();
    hand.contacts.push_back(contact);
    view.world.pairs.assign(view.world.pairs.size(), {});
    const std::size_t pair = (scenes::kHandBoneCount + 7) * view.scene.objects.size() + 1;
    ASSERT_LT(pair, view.world.pairs.size());
    view.world.pairs[pair].touching = 1;

    std::vector<BoxState> nodes;
    std::vector<BoxState> objects;
    box_states(view.scene, view.world, tracking::Side::right, nodes, objects);
    EXPECT_EQ(nodes[7], BoxState::touching);
    EXPECT_EQ(nodes[11], BoxState::false_positive);
    EXPECT_EQ(nodes[19], BoxState::idle);
    EXPECT_EQ(nodes.back(), BoxState::touching) << "the root";
    EXPECT_EQ(objects[1], BoxState::touching);
    EXPECT_EQ(objects[0], BoxState::idle);
    const BoxCounts counts = count_boxes(view.scene, view.world);
    EXPECT_EQ(counts.touching, 1);
    EXPECT_EQ(counts.false_positive, 1);
    EXPECT_EQ(counts.touching + counts.false_positive + counts.idle, scenes::kHandBoneCount);
}

// Triangles and normals must face outwards: a sphere culled on the wrong side still looks like a convincing ball.
void expect_outward(const DrawMesh& mesh, const Vector3f& inside_m, double volume_m3) {
    double volume = 0.0;
    for (const auto& t : mesh.triangles) {
        const Vector3f a = mesh.vertices[t[0]].position_m - inside_m;
        const Vector3f b = mesh.vertices[t[1]].position_m - inside_m;
        const Vector3f c = mesh.vertices[t[2]].position_m - inside_m;
        volume += static_cast<double>(a.dot(b.cross(c))) / 6.0;
        const Vector3f face = (b - a).cross(c - a);
        if (face.norm() < 1e-9F) continue;  // at a ball's poles
        EXPECT_GT(face.dot(mesh.vertices[t[0]].normal), 0.0F);
    }
    EXPECT_NEAR(volume, volume_m3, 0.02 * volume_m3);
}

TEST(DrawMesh, BallFacesOutwards) {
    const Vector3f center(0.1F, 0.2F, 0.3F);
    expect_outward(draw_mesh(collision::RoundCone{center, center, 0.03F, 0.03F}), center,
                   4.0 / 3.0 * 3.14159265 * 27e-6);
}

TEST(DrawMesh, CapsuleFacesOutwards) {
    const Vector3f a(0, 0, 0);
    const Vector3f b(0.03F, 0.04F, 0.0F);
    const double pi = 3.14159265;
    expect_outward(draw_mesh(collision::RoundCone{a, b, 0.01F, 0.01F}), 0.5F * (a + b),
                   pi * 1e-4 * 0.05 + 4.0 / 3.0 * pi * 1e-6);
}

TEST(DrawMesh, SharpAndRoundedBoxesFaceOutwards) {
    collision::RoundedBox box;
    box.core.center_m = {0.1F, 0.0F, -0.2F};
    box.core.half_m = {0.02F, 0.03F, 0.05F};
    expect_outward(draw_mesh(box), box.core.center_m, 8.0 * 0.02 * 0.03 * 0.05);
    box.radius_m = 0.01F;
    // Steiner's formula: volume + surface r + mean width part + ball.
    const double pi = 3.14159265;
    const double surface = 8.0 * (0.02 * 0.03 + 0.03 * 0.05 + 0.05 * 0.02);
    const double volume =
        8.0 * 0.02 * 0.03 * 0.05 + surface * 0.01 + pi * 1e-4 * 2.0 * (0.02 + 0.03 + 0.05) + 4.0 / 3.0 * pi * 1e-6;
    expect_outward(draw_mesh(box), box.core.center_m, volume);
}

TEST(DrawMesh, CreasesStaySharpAndCurvesSmooth) {
    // A cube of 12 triangles: no normal is a mean of two faces.
    collision::Mesh cube;
    for (int i = 0; i < 8; ++i)
        cube.vertices_m.emplace_back(static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1),
                                     static_cast<float>(i >> 2));
    cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const DrawMesh sharp = smoothed(cube);
    for (const DrawVertex& vertex : sharp.vertices) EXPECT_NEAR(vertex.normal.cwiseAbs().maxCoeff(), 1.0F, 1e-5F);
    EXPECT_EQ(sharp.vertices.size(), 24U) << "each corner once a face";
    ASSERT_EQ(sharp.triangles.size(), cube.triangles.size());
    for (std::size_t t = 0; t < cube.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(sharp.vertices[sharp.triangles[t][i]].position_m, cube.vertices_m[cube.triangles[t][i]]);
}

// Oracle: the corners of all triangles themselves.
TEST(DrawMesh, PartsHoldAllTrianglesAndAreSeenWhereTheyAre) {
    DrawMesh mesh;  // 100 x 100 squares of 1 cm
    for (int x = 0; x <= 100; ++x)
        for (int y = 0; y <= 100; ++y)
            mesh.vertices.push_back({{0.01F * static_cast<float>(x) - 0.5F, 0.01F * static_cast<float>(y) - 0.5F, 0.0F},
                                     Eigen::Vector3f::UnitZ()});
    for (std::uint32_t x = 0; x < 100; ++x)
        for (std::uint32_t y = 0; y < 100; ++y) {
            const std::uint32_t a = 101 * x + y;
            mesh.triangles.push_back({a, a + 101, a + 102});
            mesh.triangles.push_back({a, a + 102, a + 1});
        }
    auto sorted = mesh.triangles;
    std::ranges::sort(sorted);
    const std::vector<MeshPart> parts = sort_into_parts(mesh);
    EXPECT_GE(parts.size(), 10U);
    std::size_t next = 0;
    for (const MeshPart& part : parts) {
        EXPECT_EQ(part.first_triangle, next);
        EXPECT_LE(part.triangle_count, 2048U);
        next += part.triangle_count;
    }
    EXPECT_EQ(next, mesh.triangles.size());
    auto kept = mesh.triangles;
    std::ranges::sort(kept);
    EXPECT_EQ(kept, sorted);

    OrbitCamera camera;
    camera.target_m = {0.35F, 0.2F, 0.0F};
    camera.distance_m = 0.5F;
    const Eigen::Matrix4f clip_from_object =
        camera.clip_from_view(800, 600, {0.0F, 0.0F, 800.0F, 600.0F}) * camera.view_from_world();
    int skipped = 0, drawn = 0;
    for (const auto& [low, high] : {std::pair{-1.0F, 1.0F}, {-1.0F, -0.3F}, {-0.3F, 0.3F}, {0.3F, 1.0F}})
        for (const MeshPart& part : parts) {
            const bool seen = may_be_seen(part.box_m, clip_from_object, low, high);
            (seen ? drawn : skipped) += 1;
            if (seen) continue;
            for (std::size_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t)
                for (const std::uint32_t v : mesh.triangles[t]) {
                    const Eigen::Vector4f p = clip_from_object * mesh.vertices[v].position_m.homogeneous();
                    EXPECT_FALSE(p.cwiseAbs().head<3>().maxCoeff() < p.w() && p.y() > low * p.w() &&
                                 p.y() < high * p.w());
                }
        }
    EXPECT_GT(drawn, 10);
    EXPECT_GT(skipped, 10);
}

TEST(DrawMesh, SmoothSurfacesShareVertices) {
    // A gentle hill of 20 x 20 squares, whose triangles are given without shared vertices.
    collision::Mesh hill;
    const auto at = [](std::size_t x, std::size_t z) {
        const float u = 0.05F * static_cast<float>(x), w = 0.05F * static_cast<float>(z);
        return Eigen::Vector3f(u, 0.1F * u * w, w);
    };
    for (std::size_t x = 0; x < 20; ++x)
        for (std::size_t z = 0; z < 20; ++z)
            for (const auto& corners : {std::array{at(x, z), at(x, z + 1), at(x + 1, z)},
                                        std::array{at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)}}) {
                const auto first = static_cast<std::uint32_t>(hill.vertices_m.size());
                hill.vertices_m.insert(hill.vertices_m.end(), corners.begin(), corners.end());
                hill.triangles.push_back({first, first + 1, first + 2});
            }
    const DrawMesh smooth = smoothed(hill);
    EXPECT_EQ(smooth.vertices.size(), 21U * 21U);
    for (std::size_t t = 0; t < hill.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const DrawVertex& vertex = smooth.vertices[smooth.triangles[t][i]];
            const Eigen::Vector3f& p = hill.vertices_m[hill.triangles[t][i]];
            EXPECT_EQ(vertex.position_m, p);
            EXPECT_GT(vertex.normal.dot(Eigen::Vector3f(-0.1F * p.z(), 1.0F, -0.1F * p.x()).normalized()), 0.999F);
        }
}

}  // namespace
}  // namespace glovebox::vr
