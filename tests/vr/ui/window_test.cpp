// The window with synthetic input, on SDL's offscreen driver: needs no display, but OpenGL.
#include "vr/ui/window.h"

#include <SDL.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recordings/load.h"
#include "scenes/scene.h"
#include "tests/vr/session/scripted_view.h"
#include "vr/export/camera_path.h"
#include "vr/platform/platform.h"
#include "vr/platform/temporary_folder.h"
#include "vr/session/open_session.h"
#include "vr/ui/window_view.h"

namespace glovebox::vr {
namespace {

class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        setenv("SDL_VIDEODRIVER", "offscreen", 1);
        try {
            window_.emplace(WindowOptions{.width_px = 1280, .height_px = 720});  // the offscreen display is smaller
        } catch (const std::runtime_error& error) {
            GTEST_SKIP() << "no OpenGL here: " << error.what();
        }
        view_.model.playback.playing = false;
        for (int i = 0; i < 3; ++i) window_->draw(view_.model);
    }
    void TearDown() override {
        window_.reset();
        unsetenv("SDL_VIDEODRIVER");
    }

    static void press_key(SDL_Keycode key, bool shift = false, bool repeat = false) {
        SDL_Event event{};
        event.type = SDL_KEYDOWN;
        event.key.keysym.sym = key;
        event.key.keysym.mod = shift ? KMOD_LSHIFT : KMOD_NONE;
        event.key.repeat = repeat ? 1 : 0;
        SDL_PushEvent(&event);
    }
    static void move_mouse(int x, int y, int dx = 0, int dy = 0) {
        SDL_Event event{};
        event.type = SDL_MOUSEMOTION;
        event.motion.x = x;
        event.motion.y = y;
        event.motion.xrel = dx;
        event.motion.yrel = dy;
        SDL_PushEvent(&event);
    }
    static void turn_wheel(int steps) {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.y = steps;
        SDL_PushEvent(&event);
    }
    static void mouse_button(bool down, int x, int y, std::uint8_t clicks = 1, std::uint8_t button = SDL_BUTTON_LEFT) {
        SDL_Event event{};
        event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = button;
        event.button.x = x;
        event.button.y = y;
        event.button.clicks = clicks;
        SDL_PushEvent(&event);
    }

    // Draws a few times and returns the first commands that `wanted` accepts.
    template <typename Wanted>
    std::optional<ViewCommands> draw_until(const Wanted& wanted) {
        for (int i = 0; i < 6; ++i) {
            const ViewCommands commands = window_->draw(view_.model);
            if (wanted(commands)) return commands;
        }
        return {};
    }
    static void drop(std::initializer_list<const char*> files) {
        for (const char* file : files) {
            SDL_Event event{};
            event.type = SDL_DROPFILE;
            event.drop.file = SDL_strdup(file);
            SDL_PushEvent(&event);
        }
    }
    template <typename Wanted>
    std::optional<ViewCommands> click(int x, int y, const Wanted& wanted) {
        move_mouse(x, y);
        window_->draw(view_.model);
        mouse_button(true, x, y);
        mouse_button(false, x, y);
        return draw_until(wanted);
    }

    ScriptedView view_;
    std::optional<Window> window_;
};

TEST_F(WindowTest, SpacePlaysAndArrowsStep) {
    press_key(SDLK_SPACE);
    EXPECT_TRUE(draw_until([](const ViewCommands& c) { return c.toggle_play; }));
    press_key(SDLK_LEFT);
    const auto back = draw_until([](const ViewCommands& c) { return c.step_frames != 0; });
    ASSERT_TRUE(back);
    EXPECT_EQ(back->step_frames, -1);
}

TEST_F(WindowTest, KeysThatComeFasterThanPicturesAllCount) {
    for (int i = 0; i < 3; ++i) press_key(SDLK_RIGHT);
    press_key(SDLK_LEFT);
    const auto on = draw_until([](const ViewCommands& c) { return c.step_frames != 0; });
    ASSERT_TRUE(on);
    EXPECT_EQ(on->step_frames, 2);
}

TEST_F(WindowTest, EndGoesToTheEnd) {
    press_key(SDLK_END);
    const auto sought = draw_until([](const ViewCommands& c) { return c.seek_s >= 0.0; });
    ASSERT_TRUE(sought);
    EXPECT_DOUBLE_EQ(sought->seek_s, view_.model.playback.duration_s);
}

TEST_F(WindowTest, EscapeAsksAndQLeaves) {
    press_key(SDLK_ESCAPE);
    EXPECT_FALSE(draw_until([](const ViewCommands& c) { return c.quit; }));
    EXPECT_TRUE(window_->open());
    press_key(SDLK_q);
    EXPECT_TRUE(draw_until([](const ViewCommands& c) { return c.quit; }));
}

TEST_F(WindowTest, DroppedFilesAreAskedFor) {
    struct Case {
        std::initializer_list<const char*> dropped;
        std::string recording, other_hand, scene;
        int not_opened;
    };
    const std::array cases = {
        Case{{"/tmp/take.csv"}, "/tmp/take.csv", "", "", 0},
        Case{{"/tmp/take.csv", "/tmp/cup.toml"}, "/tmp/take.csv", "", "/tmp/cup.toml", 0},
        Case{{"/tmp/L.csv", "/tmp/cup.toml", "/tmp/R.csv"}, "/tmp/L.csv", "/tmp/R.csv", "/tmp/cup.toml", 0},
        Case{{"/tmp/a.csv", "/tmp/b.csv", "/tmp/c.csv"}, "/tmp/a.csv", "", "", 2},
        Case{{"/tmp/cup.toml", "/tmp/box.toml", "/tmp/a.csv"}, "/tmp/a.csv", "", "/tmp/cup.toml", 1},
    };
    for (const Case& each : cases) {
        drop(each.dropped);
        const auto asked = draw_until([](const ViewCommands& c) { return !c.open_recording.empty(); });
        ASSERT_TRUE(asked);
        EXPECT_EQ(asked->open_recording, each.recording);
        EXPECT_EQ(asked->open_other_hand, each.other_hand);
        EXPECT_EQ(asked->open_scene, each.scene);
        EXPECT_EQ(asked->not_opened, each.not_opened) << each.recording;
    }
}

TEST_F(WindowTest, ControlDragMovesTheWristOfALiveGlove) {
    view_.model.live = true;
    SDL_SetModState(KMOD_CTRL);
    mouse_button(true, 400, 300);
    move_mouse(440, 280, 40, -20);
    mouse_button(false, 440, 280);
    const auto moved = draw_until([](const ViewCommands& c) { return !c.move_wrist_m.isZero(); });
    SDL_SetModState(KMOD_NONE);
    ASSERT_TRUE(moved);
    EXPECT_GT(moved->move_wrist_m.y(), 0.005F) << "up";
    EXPECT_GT(moved->move_wrist_m.norm(), 0.01F);
    EXPECT_LT(moved->move_wrist_m.norm(), 0.05F) << "about as far as it seems";
}

TEST_F(WindowTest, ControlWheelPushesTheWristOfALiveGloveAway) {
    view_.model.live = true;
    SDL_SetModState(KMOD_CTRL);
    move_mouse(400, 300);
    turn_wheel(3);
    const auto moved = draw_until([](const ViewCommands& c) { return !c.move_wrist_m.isZero(); });
    SDL_SetModState(KMOD_NONE);
    ASSERT_TRUE(moved);
    EXPECT_NEAR(moved->move_wrist_m.norm(), 0.03F, 1e-4F);
    EXPECT_LT(moved->move_wrist_m.y(), 0.0F) << "the eye looks down";
}

TEST_F(WindowTest, ControlRightDragTurnsTheWristOfALiveGlove) {
    view_.model.live = true;
    SDL_SetModState(KMOD_CTRL);
    mouse_button(true, 400, 300, 1, SDL_BUTTON_RIGHT);
    move_mouse(472, 300, 72, 0);
    mouse_button(false, 472, 300, 1, SDL_BUTTON_RIGHT);
    const auto turned = draw_until([](const ViewCommands& c) { return c.turn_wrist_rad != 0.0F; });
    SDL_SetModState(KMOD_NONE);
    ASSERT_TRUE(turned);
    EXPECT_NEAR(turned->turn_wrist_rad, 0.3F, 1e-3F);
    EXPECT_TRUE(turned->move_wrist_m.isZero());
}

TEST_F(WindowTest, ControlDragDoesNothingToARecording) {
    SDL_SetModState(KMOD_CTRL);
    mouse_button(true, 400, 300);
    move_mouse(440, 280, 40, -20);
    mouse_button(false, 440, 280);
    const auto moved = draw_until([](const ViewCommands& c) { return !c.move_wrist_m.isZero(); });
    SDL_SetModState(KMOD_NONE);
    EXPECT_FALSE(moved);
}

TEST_F(WindowTest, NumberKeysChooseTheMethod) {
    press_key(SDLK_2);
    const auto chosen = draw_until([](const ViewCommands& c) { return !c.method.empty(); });
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->method, "aabb");
}

TEST_F(WindowTest, AClickInTheSegmentedControlChoosesTheMethod) {
    const auto chosen = click(1165, 95, [](const ViewCommands& c) { return !c.method.empty(); });
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->method, "aabb");
}

TEST_F(WindowTest, AClickHitsWhatWasUnderThePressHoweverFarTheMouseIsWhenThePanelIsDrawn) {
    move_mouse(1165, 95);
    window_->draw(view_.model);
    mouse_button(true, 1165, 95);
    mouse_button(false, 1165, 95);
    move_mouse(960, 95);
    const auto chosen = draw_until([](const ViewCommands& c) { return !c.method.empty(); });
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->method, "aabb");
}

TEST_F(WindowTest, AdviceOffersItsMethodInOneClick) {
    view_.model.advice = "aabb is fastest on this recording: the whole frame 1.2x as fast as with cab";
    view_.model.advised_method = "aabb";
    const auto chosen = click(1228, 128, [](const ViewCommands& c) { return !c.method.empty(); });
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->method, "aabb");
}

TEST_F(WindowTest, AClickOnAnEventGoesThereAndTheWheelReachesOlderOnes) {
    std::vector<EventLine> events(100);
    for (std::size_t i = 0; i < events.size(); ++i) {
        events[i].time_s = 0.1 * static_cast<double>(i);
        events[i].who = "index tip";
        events[i].what = "on ball";
    }
    view_.model.events = events;
    const auto sought = [](const ViewCommands& c) { return c.seek_s >= 0.0; };
    const auto newest = click(1000, 590, sought);
    ASSERT_TRUE(newest);
    EXPECT_GT(newest->seek_s, 9.0);
    turn_wheel(-40);
    window_->draw(view_.model);
    const auto oldest = click(1000, 590, sought);
    ASSERT_TRUE(oldest);
    EXPECT_LT(oldest->seek_s, 1.0);
}

TEST_F(WindowTest, TheStartPageOpensARecordingByItsPicture) {
    const auto any = [](const ViewCommands& commands) { return !commands.open_recording.empty(); };
    std::set<std::string> opened;
    for (const int y : {250, 360, 480})
        for (int x = 330; x < 950; x += 90) {
            press_key(SDLK_n);
            for (int i = 0; i < 4; ++i) window_->draw(view_.model);
            if (const auto asked = click(x, y, any)) opened.insert(asked->open_recording);
            press_key(SDLK_ESCAPE);
            for (int i = 0; i < 2; ++i) window_->draw(view_.model);
        }
    std::set<std::string> bundled;
    for (const recordings::SampleRow& row : recordings::sample_table()) bundled.emplace(row.name);
    EXPECT_EQ(opened, bundled);
    press_key(SDLK_n);
    for (int i = 0; i < 4; ++i) window_->draw(view_.model);
    const auto second = click(475, 240, any);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->open_recording, recordings::sample_table()[1].name) << "the picture that was clicked on";
}

TEST_F(WindowTest, TheStartPageOpensWithArrowsAndEnter) {
    const auto any = [](const ViewCommands& c) { return !c.open_recording.empty() || !c.open_scene.empty(); };
    const auto choose = [&](std::initializer_list<SDL_Keycode> keys) {
        for (int i = 0; i < 4; ++i) window_->draw(view_.model);  // the page closes
        press_key(SDLK_n);
        for (int i = 0; i < 4; ++i) window_->draw(view_.model);
        for (const SDL_Keycode key : keys) press_key(key);
        press_key(SDLK_RETURN);
        return draw_until(any).value_or(ViewCommands{});
    };
    const auto recordings = recordings::sample_table();
    EXPECT_EQ(choose({SDLK_RIGHT}).open_recording, recordings[0].name) << "the first key shows the marker";
    EXPECT_EQ(choose({SDLK_RIGHT, SDLK_RIGHT}).open_recording, recordings[1].name);
    EXPECT_EQ(choose({SDLK_DOWN, SDLK_DOWN}).open_recording, recordings[5].name)
        << "from the second one in four columns";
    EXPECT_EQ(choose({SDLK_UP, SDLK_RIGHT, SDLK_RIGHT, SDLK_RIGHT, SDLK_DOWN}).open_scene,
              scenes::scene_table()[1].name);
}

TEST_F(WindowTest, EnterLeavesWhenItIsAsked) {
    press_key(SDLK_ESCAPE);
    for (int i = 0; i < 4; ++i) window_->draw(view_.model);
    press_key(SDLK_RETURN);
    EXPECT_TRUE(draw_until([](const ViewCommands& c) { return c.quit; }));
}

TEST_F(WindowTest, KKeepsTheViewForAVideo) {
    const std::filesystem::path before = std::filesystem::current_path();
    const TemporaryFolder folder;
    std::filesystem::current_path(folder.path);
    const auto press_at = [&](double time_s) {
        view_.model.playback.position_s = time_s;
        press_key(SDLK_k);
        window_->draw(view_.model);
    };
    press_at(4.0);
    mouse_button(true, 400, 300);
    move_mouse(500, 300, 100, 0);
    mouse_button(false, 500, 300);
    window_->draw(view_.model);
    press_at(1.0);
    press_at(4.0);  // again: stores the present view
    const std::vector<CameraKey> keys = read_camera_path("glovebox-camera.json");
    std::filesystem::current_path(before);
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_DOUBLE_EQ(keys[0].time_s, 1.0);
    EXPECT_DOUBLE_EQ(keys[1].time_s, 4.0);
    EXPECT_FLOAT_EQ(keys[0].camera.yaw_rad, keys[1].camera.yaw_rad);
    EXPECT_GT(std::abs(keys[0].camera.yaw_rad - OrbitCamera{}.yaw_rad), 0.01F) << "the mouse has turned it";
}

TEST_F(WindowTest, PressingTheTrackGoesThere) {
    // The track runs from 30 to 864 px in a window of 1280 x 720.
    const auto sought = click(447, 655, [](const ViewCommands& c) { return c.seek_s >= 0.0; });
    ASSERT_TRUE(sought);
    EXPECT_NEAR(sought->seek_s, 5.0, 0.05);
}

TEST_F(WindowTest, PlayButtonPlays) {
    EXPECT_TRUE(click(82, 684, [](const ViewCommands& c) { return c.toggle_play; }));
}

TEST_F(WindowTest, TStepsThroughTheBoxTestsAndEscapeLeaves) {
    view_.model.playback.playing = true;
    press_key(SDLK_t);
    const auto begun = draw_until([](const ViewCommands& c) { return c.keep_box_tests; });
    ASSERT_TRUE(begun);
    EXPECT_TRUE(begun->toggle_play) << "what is stepped through stands still";
    view_.model.playback.playing = false;
    std::array<BoxPair, 3> pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i].object = 0;
        pairs[i].body_node = static_cast<std::int32_t>(i);
        pairs[i].hand_box.center_m = pairs[i].object_box.center_m =
            Eigen::Vector3f(0.01F * static_cast<float>(i), 0, 0);
        pairs[i].hand_box.half_m = pairs[i].object_box.half_m = Eigen::Vector3f::Constant(0.03F);
        pairs[i].hand_box.axes = pairs[i].object_box.axes = Eigen::Matrix3f::Identity();
    }
    view_.model.box_pairs = pairs;
    for (int i = 0; i < 40; ++i) window_->draw(view_.model);
    const auto draws_again = [&] {
        const std::uint64_t before = window_->timings().scenes;
        for (int i = 0; i < 3; ++i) window_->draw(view_.model);
        const bool changed = window_->timings().scenes > before;
        for (int i = 0; i < 40; ++i) window_->draw(view_.model);
        return changed;
    };
    EXPECT_FALSE(draws_again()) << "nothing pressed";
    press_key(SDLK_t);
    EXPECT_TRUE(draws_again()) << "the second";
    press_key(SDLK_t, false, true);
    EXPECT_TRUE(draws_again()) << "the third, by holding the key";
    press_key(SDLK_t);
    EXPECT_FALSE(draws_again()) << "there is no fourth";
    press_key(SDLK_t, true);
    EXPECT_TRUE(draws_again()) << "back to the second";
    press_key(SDLK_ESCAPE);
    EXPECT_TRUE(draw_until([](const ViewCommands& c) { return !c.keep_box_tests && !c.quit; }));
    EXPECT_TRUE(window_->open());
}

TEST_F(WindowTest, DraggingTheSceneDrawsItAgainAndNothingElseDoes) {
    for (int i = 0; i < 40; ++i) window_->draw(view_.model);  // until the fine skin and full quality are drawn
    const std::uint64_t scenes_before = window_->timings().scenes;
    for (int i = 0; i < 5; ++i) window_->draw(view_.model);
    EXPECT_EQ(window_->timings().scenes, scenes_before) << "nothing changed";
    mouse_button(true, 400, 300);
    move_mouse(440, 300, 40, 0);
    window_->draw(view_.model);
    window_->draw(view_.model);
    EXPECT_GT(window_->timings().scenes, scenes_before);
    mouse_button(false, 440, 300);
}

TEST_F(WindowTest, ClosingItIsNoticed) {
    SDL_Event event{};
    event.type = SDL_QUIT;
    SDL_PushEvent(&event);
    EXPECT_TRUE(draw_until([](const ViewCommands& commands) { return commands.quit; }));
    EXPECT_FALSE(window_->open());
}

TEST_F(WindowTest, APictureCanBeTakenBesideIt) {
    ScreenshotOptions options;
    options.width_px = 320;
    options.height_px = 200;
    EXPECT_EQ(take_picture(view_.model, options).rgb.size(), 320U * 200U * 3U);
    window_->draw(view_.model);
    EXPECT_TRUE(window_->open());
}

class WindowViewTest : public testing::Test {
  protected:
    void SetUp() override {
        setenv("SDL_VIDEODRIVER", "offscreen", 1);
        SessionSettings settings;
        session_ = opened("flick", settings);
        settings.size = PictureSize{1280, 720};
        try {
            view_.emplace("flick", settings);
        } catch (const std::runtime_error& error) {
            GTEST_SKIP() << "no OpenGL here: " << error.what();
        }
    }
    void TearDown() override {
        view_.reset();
        unsetenv("SDL_VIDEODRIVER");
    }
    static std::unique_ptr<Session> opened(const char* name, const SessionSettings& settings) {
        RecordingSettings from;
        from.recording = name;
        return open_recording_session(from, settings, now_ns);
    }
    bool show(int times) {
        for (int i = 0; i < times; ++i)
            if (view_->show(*session_).quit) return true;
        return false;
    }
    static void drop(const char* file) {
        SDL_Event event{};
        event.type = SDL_DROPFILE;
        event.drop.file = SDL_strdup(file);
        SDL_PushEvent(&event);
    }

    std::unique_ptr<Session> session_;
    std::promise<void> read_;  // before the view, which waits for what is opening
    std::optional<WindowView> view_;
};

TEST_F(WindowViewTest, ASessionGoesOnWhileAnotherOneOpens) {
    std::string asked;
    view_->let_switch([&](const WindowView::Next& next) {
        asked = next.recording;
        read_.get_future().wait();
        return opened("grasp", {});
    });
    drop("take.csv");
    EXPECT_FALSE(show(5));
    EXPECT_EQ(view_->take_next(), nullptr);
    drop("other.csv");
    EXPECT_FALSE(show(5)) << "one at a time";
    read_.set_value();
    EXPECT_TRUE(show(1000));
    const auto next = view_->take_next();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->facts().name, "grasp");
    EXPECT_EQ(asked, "take.csv");
}

TEST_F(WindowViewTest, QEndsWhileTheFirstRecordingIsStillBeingRead) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.keysym.sym = SDLK_q;
    SDL_PushEvent(&event);
    std::unique_ptr<Session> session;
    const auto open = [&]() -> std::unique_ptr<Session> {
        read_.get_future().wait();
        return opened("grasp", {});
    };
    const auto view = WindowView::open_while("grasp", {}, open, session);
    EXPECT_FALSE(session);
    EXPECT_TRUE(view->is_opening());
    EXPECT_FALSE(view->open());
    read_.set_value();
}

TEST_F(WindowViewTest, ASessionKeepsItsPlaceWhenAnotherOneDoesNotOpen) {
    view_->let_switch([](const WindowView::Next&) -> std::unique_ptr<Session> { throw std::runtime_error("empty"); });
    session_->seek(300);
    drop("take.csv");
    EXPECT_FALSE(show(20));
    EXPECT_EQ(view_->take_next(), nullptr);
    EXPECT_EQ(session_->frame(), 300);
}

}  // namespace
}  // namespace glovebox::vr
