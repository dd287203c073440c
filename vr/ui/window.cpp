#include "vr/ui/window.h"

#include <SDL.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "recordings/output.h"
#include "scenes/mesh_scene.h"
#include "tracking/formatted.h"
#include "vr/export/camera_path.h"
#include "vr/platform/platform.h"
#include "vr/render/camera_operator.h"
#include "vr/render/gl.h"
#include "vr/render/gl_context.h"
#include "vr/render/picking.h"
#include "vr/render/quality_tier.h"
#include "vr/render/renderer.h"
#include "vr/render/skin_library.h"
#include "vr/session/box_states.h"
#include "vr/ui/icon.h"
#include "vr/ui/lab_view.h"
#include "vr/ui/shortcuts.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

using SteadyClock = std::chrono::steady_clock;

double ms_between(SteadyClock::time_point begin, SteadyClock::time_point end) {
    return std::chrono::duration<double, std::milli>(end - begin).count();
}
std::int64_t ns_between(SteadyClock::time_point begin, SteadyClock::time_point end) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
}

constexpr int kWidth_px = 1280, kHeight_px = 720;
constexpr int kMinWidth_px = 640, kMinHeight_px = 480;

// Failures are ignored: the icon is the only thing missing then.
void set_icon(SDL_Window& window) {
    constexpr int kSize = 64;
    std::vector<std::uint8_t> pixels = icon_rgba(kSize);
    SDL_Surface* surface =
        SDL_CreateRGBSurfaceWithFormatFrom(pixels.data(), kSize, kSize, 32, 4 * kSize, SDL_PIXELFORMAT_RGBA32);
    if (surface == nullptr) return;
    SDL_SetWindowIcon(&window, surface);
    SDL_FreeSurface(surface);
}

// Makes a window with its frame no larger than the display without its task bars.
void fit_on_display(SDL_Window& window) {
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(std::max(0, SDL_GetWindowDisplayIndex(&window)), &room) != 0) return;
    const auto& [x, y, wide, high] = room;
    int top = 0, left = 0, bottom = 0, right = 0, width = 0, height = 0;
    SDL_GetWindowBordersSize(&window, &top, &left, &bottom, &right);  // zeros where they are not known
    SDL_GetWindowSize(&window, &width, &height);
    const int most_width = std::max(kMinWidth_px, wide - left - right),
              most_height = std::max(kMinHeight_px, high - top - bottom);
    if (width <= most_width && height <= most_height) return;
    SDL_SetWindowSize(&window, std::min(width, most_width), std::min(height, most_height));
    SDL_SetWindowPosition(&window, x + left, y + top);
}

// Returns "glovebox.png", "glovebox-2.png" ...: the first name that is free.
std::filesystem::path free_name(const std::string& stem, const char* ending) {
    std::filesystem::path path = stem + ending;
    for (int i = 2; std::filesystem::exists(path); ++i) path = stem + "-" + std::to_string(i) + ending;
    return path;
}

/// Everything that a scene's picture depends on and that changes from frame to frame.
struct SceneKey {
    std::int64_t hands_ns = -1, world_ns = -1;
    std::uint64_t state_hash = 0;
    double position_s = -1.0;
    int frame = -1, width_px = 0, height_px = 0, skin_version = 0;
    std::array<float, 7> camera{};
    ViewSettings settings{};
    std::uint64_t lab_version = 0;
    std::size_t box_pairs = 0;

    bool operator==(const SceneKey&) const = default;
};

// Merges the commands of two panel frames within one draw(): the later one wins, and toggles cancel out.
void merge(ViewCommands& into, const ViewCommands& requested) {
    into.quit = into.quit || requested.quit;
    into.toggle_play = into.toggle_play != requested.toggle_play;
    into.toggle_loop = into.toggle_loop != requested.toggle_loop;
    into.step_frames += requested.step_frames;
    if (!requested.open_recording.empty()) {
        into.open_recording = requested.open_recording;
        into.open_other_hand = requested.open_other_hand;
    }
    if (!requested.open_scene.empty()) into.open_scene = requested.open_scene;
    if (requested.seek_s >= 0.0) into.seek_s = requested.seek_s;
    if (requested.speed > 0.0) into.speed = requested.speed;
    if (!requested.method.empty()) into.method = requested.method;
    if (requested.lab_choice >= 0) into.lab_choice = requested.lab_choice, into.lab_option = requested.lab_option;
}

// Returns the inner parts of panel and bar, without their rounded corners, in scene pixels from below.
std::array<Eigen::Vector4i, 2> covered_by(const UiLayout& layout, int height_px, float ui_scale, float scene_scale) {
    const auto inside = [&](const Box& box) {
        constexpr float kInset = 6.0F;
        const float s = ui_scale * scene_scale;
        const float low = scene_scale * static_cast<float>(height_px) - (box.bottom() - kInset) * s;
        return Eigen::Vector4i(static_cast<int>((box.x + kInset) * s), static_cast<int>(low),
                               static_cast<int>((box.width - 2.0F * kInset) * s),
                               static_cast<int>((box.height - 2.0F * kInset) * s));
    };
    return {inside(layout.panel), inside(layout.playback.box)};
}

constexpr double kStillBeforeRefining_ms = 250.0;
constexpr int kPanelFramesAfterInput = 3;   // ImGui reacts to hover one frame late and opens popups over two frames
constexpr std::uint64_t kWarmUpScenes = 3;  // shaders are compiled in the first ones
constexpr double kUsualRate_hz = 60.0;      // for displays that do not report a rate
constexpr int kBands = 3;
constexpr int kRefiningBands = 12;

}  // namespace

struct Window::State {
    GlContext context;
    std::optional<Renderer> renderer;  // created after the first picture, because compiling its shaders takes a while
    Ui ui;
    SkinLibrary skins;
    TierControl tier;
    WindowTimings timings;
    bool open = true;

    ViewSettings settings;
    CameraOperator camera;
    ViewPreset preset = ViewPreset::free;  // last direction chosen
    Viewport viewport;
    double picture_ms = 1e3 / kUsualRate_hz;  // display period

    std::unique_ptr<gl::Target> shown, drawing, samples;
    SceneKey key;
    bool refined = false, skins_were_settled = false;
    int skin_version = 0;
    bool changing = false;  // the picture before this one showed a scene that had changed
    SteadyClock::time_point last_change = SteadyClock::now(), last_draw = SteadyClock::now(),
                            last_input = SteadyClock::now();
    SteadyClock::time_point last_picture = SteadyClock::now(), last_update = SteadyClock::now(),
                            last_shown = SteadyClock::now();
    float shown_progress = -1.0F;  // progress of the overview shown in the lanes

    std::array<bool, 3> held{};  // buttons that were pressed on a card and are down
    bool pointer_moved = false;  // the object under it may have changed
    float dragged_px = 0.0F;     // since the press; below a threshold it is a click
    float wheel = 0.0F;
    float mouse_x = -1.0F, mouse_y = -1.0F;
    bool drags_wrist = false;
    std::vector<CameraKey> camera_keys;                  // sorted by time
    std::filesystem::path camera_file;                   // file of the keys; empty: none yet
    bool picture_wanted = false, picture_ready = false;  // of the window; ready: the scene is drawn in full quality
    int dragging = -1;                                   // the button that orbits or pans the scene, or moves the wrist
    int panel_frames_due = kPanelFramesAfterInput;
    SDL_Cursor *arrow = nullptr, *hand = nullptr;
    ViewCommands commands;

    explicit State(const WindowOptions& options)
        : context(GlContext::Kind::window, options.title, options.width_px > 0 ? options.width_px : kWidth_px,
                  options.height_px > 0 ? options.height_px : kHeight_px),
          ui(options.ui_scale),
          tier(context.software()) {
        timings.renderer = context.renderer_name();
        SDL_SetWindowMinimumSize(context.window(), kMinWidth_px, kMinHeight_px);
        if (options.width_px <= 0 || options.height_px <= 0) fit_on_display(*context.window());
        set_icon(*context.window());
        SDL_GL_SetSwapInterval(context.software() ? 0 : 1);
        arrow = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_ARROW);
        hand = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_HAND);
        SDL_DisplayMode mode;
        const int display = SDL_GetWindowDisplayIndex(context.window());
        if (display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 && mode.refresh_rate > 0)
            picture_ms = 1e3 / static_cast<double>(mode.refresh_rate);
    }
    ~State() {
        SDL_FreeCursor(arrow);
        SDL_FreeCursor(hand);
    }

    bool handle_input(const ViewModel& model);
    void open_dropped(std::span<const std::string> paths);
    bool use_in_popover(SDL_Keycode code);
    void move_wrist(SDL_Keycode code, bool shift);
    void drag_wrist(float right_px, float down_px, float height_px);
    void handle_key(const SDL_KeyboardEvent& key, const ViewModel& model);
    void step_box_test(int steps, const ViewModel& model);
    void perform(Action action, bool shift, const ViewModel& model);
    void escape();
    void handle_motion(const SDL_MouseMotionEvent& motion);
    void handle_button(const SDL_MouseButtonEvent& button, const ViewModel& model);
    void handle_wheel(float steps, const ViewModel& model);
    void point(const ViewModel& model);
    void apply_requests(const WindowRequests& requests, const ViewModel& model);
    void save_picture(int width, int height);
    void save_camera(double time_s);
    float pixels_per_point() const;
    void drawable_size(int& width, int& height) const;
    SceneKey key_of(const ViewModel& model) const;
    bool draw_scene(const ViewModel& model, const RenderQuality& quality, int bands, bool may_abort);
    void build_panel(const ViewModel& model, int width, int height);
    void draw_panel_and_show(const ViewModel& model);
    void count_input_poll();
};

void Window::State::drawable_size(int& width, int& height) const {
    SDL_GL_GetDrawableSize(context.window(), &width, &height);
    width = std::max(width, 1);
    height = std::max(height, 1);
}

float Window::State::pixels_per_point() const {
    int points = 0;
    int width = 0;
    int height = 0;
    SDL_GetWindowSize(context.window(), &points, nullptr);
    drawable_size(width, height);
    return points > 0 ? static_cast<float>(width) / static_cast<float>(points) : 1.0F;
}

void Window::State::count_input_poll() {
    const SteadyClock::time_point now = SteadyClock::now();
    if (timings.scenes > kWarmUpScenes) timings.input.add(ns_between(last_input, now));
    last_input = now;
}

// Handles all pending input; returns true if there was any.
bool Window::State::handle_input(const ViewModel& model) {
    count_input_poll();
    bool any = false;
    std::vector<std::string> dropped;
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        any = true;
        switch (event.type) {
            case SDL_QUIT:
                commands.quit = true;
                break;
            case SDL_KEYDOWN:
                handle_key(event.key, model);
                break;
            case SDL_MOUSEMOTION:
                handle_motion(event.motion);
                break;
            case SDL_MOUSEBUTTONDOWN:
            case SDL_MOUSEBUTTONUP:
                handle_button(event.button, model);
                break;
            case SDL_MOUSEWHEEL:
                handle_wheel(static_cast<float>(event.wheel.y), model);
                break;
            case SDL_DROPFILE:
                dropped.emplace_back(event.drop.file);
                SDL_free(event.drop.file);
                break;
            case SDL_WINDOWEVENT:
                if (event.window.event == SDL_WINDOWEVENT_LEAVE) mouse_x = mouse_y = -1.0F, pointer_moved = true;
                if (event.window.event == SDL_WINDOWEVENT_EXPOSED) key = {};
                break;
            default:
                break;
        }
    }
    if (!dropped.empty()) open_dropped(dropped);
    if (commands.quit) open = false;
    if (any) panel_frames_due = kPanelFramesAfterInput;
    return any;
}

// Opens both a recording and a scene if they are dropped together. Two recordings may be those of the two hands; of
// more, and of several scenes, the first is opened.
void Window::State::open_dropped(std::span<const std::string> paths) {
    const auto is_scene = [](const std::string& path) { return path.ends_with(".toml") || scenes::is_mesh_file(path); };
    commands.open_recording = commands.open_other_hand = commands.open_scene = {};
    const auto recordings = std::ranges::count_if(paths, std::not_fn(is_scene));
    for (const std::string& path : paths) {
        if (is_scene(path) && commands.open_scene.empty())
            commands.open_scene = path;
        else if (!is_scene(path) && commands.open_recording.empty())
            commands.open_recording = path;
        else if (!is_scene(path) && recordings == 2)
            commands.open_other_hand = path;
        else
            ++commands.not_opened;
    }
}

// Moves the wrist of a live glove: 5 mm per key press, 2 cm with shift; comma and full stop turn it.
void Window::State::move_wrist(SDL_Keycode code, bool shift) {
    const float step_m = shift ? 0.02F : 0.005F, turn_rad = shift ? 0.2F : 0.05F;
    if (code == SDLK_LEFT) commands.move_wrist_m.x() -= step_m;
    if (code == SDLK_RIGHT) commands.move_wrist_m.x() += step_m;
    if (code == SDLK_UP) commands.move_wrist_m.z() -= step_m;
    if (code == SDLK_DOWN) commands.move_wrist_m.z() += step_m;
    if (code == SDLK_PAGEUP) commands.move_wrist_m.y() += step_m;
    if (code == SDLK_PAGEDOWN) commands.move_wrist_m.y() -= step_m;
    if (code == SDLK_COMMA) commands.turn_wrist_rad += turn_rad;
    if (code == SDLK_PERIOD) commands.turn_wrist_rad -= turn_rad;
}

// Moves the hand with the mouse in the picture's plane, by about the same distance on the screen.
void Window::State::drag_wrist(float right_px, float down_px, float height_px) {
    const OrbitCamera& eye = camera.camera();
    const float metres_per_px = 2.0F * eye.distance_m * std::tan(0.5F * eye.vertical_view_rad) / height_px;
    const Eigen::Matrix3f world_from_view = eye.view_from_world().topLeftCorner<3, 3>().transpose();
    if (dragging == 0)
        commands.move_wrist_m += world_from_view * (metres_per_px * Eigen::Vector3f(right_px, -down_px, 0.0F));
    else
        commands.turn_wrist_rad += 3.0F * right_px / height_px;
}

void Window::State::handle_wheel(float steps, const ViewModel& model) {
    constexpr float kStep_m = 0.01F;
    if (ui.captures_mouse() || ui.covers(mouse_x, mouse_y)) {
        wheel += steps;
    } else if (model.live && (SDL_GetModState() & KMOD_CTRL) != 0) {
        const OrbitCamera& eye = camera.camera();
        commands.move_wrist_m += steps * kStep_m * (eye.target_m - eye.eye_m()).normalized();
    } else {
        camera.zoom(steps);
    }
}

// Handles the arrows and Enter while a popover is open that has something to choose.
bool Window::State::use_in_popover(SDL_Keycode code) {
    const bool enter = code == SDLK_RETURN || code == SDLK_KP_ENTER;
    if (ui.is_open(Ui::Popover::leave) && enter) return commands.quit = true;
    const int right = static_cast<int>(code == SDLK_RIGHT) - static_cast<int>(code == SDLK_LEFT);
    const int down = static_cast<int>(code == SDLK_DOWN) - static_cast<int>(code == SDLK_UP);
    if (!ui.is_open(Ui::Popover::open) || (right == 0 && down == 0 && !enter)) return false;
    if (enter)
        ui.start().choose_marked();
    else
        ui.start().move_marker(right, down);
    return true;
}

void Window::State::handle_key(const SDL_KeyboardEvent& event, const ViewModel& model) {
    const bool shift = (event.keysym.mod & KMOD_SHIFT) != 0;
    const SDL_Keycode code = event.keysym.sym;
    if (use_in_popover(code)) return;
    const bool moves_wrist = code == SDLK_LEFT || code == SDLK_RIGHT || code == SDLK_UP || code == SDLK_DOWN ||
                             code == SDLK_PAGEUP || code == SDLK_PAGEDOWN || code == SDLK_COMMA || code == SDLK_PERIOD;
    if (model.live && moves_wrist) return move_wrist(code, shift);
    if (code >= SDLK_0 && code <= SDLK_9 && event.repeat == 0) {
        const auto row = code == SDLK_0 ? 9U : static_cast<std::size_t>(code - SDLK_1);  // in the order of the keyboard
        if (row < model.methods.size()) commands.method = model.methods[row].name;
        return;
    }
    const bool is_question = code == SDLK_SLASH && shift;
    const Shortcut* shortcut = find_shortcut(is_question ? SDLK_QUESTION : code);
    if (shortcut == nullptr || (model.lab != nullptr && !shortcut->in_lab)) return;
    if (event.repeat == 0 || shortcut->repeats) perform(shortcut->action, shift, model);
}

// Handles Escape: closes what is open, else ends stepping, else clears the selection, else asks whether to quit.
void Window::State::escape() {
    if (ui.close_popover()) return;
    if (settings.box_test >= 0)
        settings.box_test = -1;
    else if (settings.chosen.any())
        settings.chosen = {};
    else
        ui.toggle(Ui::Popover::leave);
}

// The first step pauses the recording and recomputes the current frame with its box tests logged.
void Window::State::step_box_test(int steps, const ViewModel& model) {
    if (model.world == nullptr) return;
    if (settings.box_test < 0) {
        settings.box_test = 0;
        if (model.playback.playing && !model.live) commands.toggle_play = true;
        return;
    }
    settings.box_test =
        std::clamp(settings.box_test + steps, 0, std::max(0, static_cast<int>(model.box_pairs.size()) - 1));
}

void Window::State::perform(Action action, bool shift, const ViewModel& model) {
    switch (action) {
        case Action::play:
            commands.toggle_play = !commands.toggle_play;
            settings.box_test = -1;
            break;
        case Action::back:
            commands.step_frames -= shift ? 10 : 1;
            settings.box_test = std::min(settings.box_test, 0);
            break;
        case Action::on:
            commands.step_frames += shift ? 10 : 1;
            settings.box_test = std::min(settings.box_test, 0);
            break;
        case Action::to_start:
            commands.seek_s = 0.0;
            break;
        case Action::to_end:
            commands.seek_s = model.playback.duration_s;
            break;
        case Action::loop:
            commands.toggle_loop = !commands.toggle_loop;
            break;
        case Action::faster:
        case Action::slower: {
            const double before = commands.speed > 0.0 ? commands.speed : model.playback.speed;
            commands.speed = std::clamp(before * (action == Action::faster ? 2.0 : 0.5), 0.0625, 16.0);
            break;
        }
        case Action::show_all:
            camera.show_all();
            break;
        case Action::follow:
            camera.follow();
            break;
        case Action::next_view:
            preset = static_cast<ViewPreset>(static_cast<int>(preset) % 4 + 1);
            camera.set_preset(preset);
            break;
        case Action::panel: {
            int width = 0, height = 0;
            drawable_size(width, height);
            const bool panel_shown = ui_layout(width, height, ui.scale(), shape_of(model, settings)).has_panel();
            settings.panel = panel_shown ? PanelShown::hidden : PanelShown::shown;
            break;
        }
        case Action::more:
            ui.toggle(Ui::Popover::more);
            break;
        case Action::help:
            ui.toggle(Ui::Popover::help);
            break;
        case Action::open:
            ui.toggle(Ui::Popover::open);
            break;
        case Action::picture:
            picture_wanted = true;
            break;
        case Action::camera_key:
            save_camera(model.playback.position_s);
            break;
        case Action::boxes:
            settings.boxes.level = next_box_level(settings.boxes.level, deepest_node(), shift);
            break;
        case Action::idle_boxes:
            settings.idle_boxes = !settings.idle_boxes;
            break;
        case Action::object_boxes:
            settings.object_boxes = !settings.object_boxes;
            break;
        case Action::box_test:
            step_box_test(shift ? -1 : 1, model);
            break;
        case Action::contacts:
            settings.contacts = !settings.contacts;
            break;
        case Action::joint_axes:
            settings.joint_axes = !settings.joint_axes;
            break;
        case Action::colliders:
            settings.colliders = !settings.colliders;
            break;
        case Action::skin:
            settings.skin = !settings.skin;
            break;
        case Action::solid_hand:
            settings.solid_hand = settings.solid_hand == SolidHand::tracked ? SolidHand::proxy : SolidHand::tracked;
            break;
        case Action::outline:
            settings.outline = !settings.outline;
            break;
        case Action::skin_tone:
            settings.tone = settings.tone == SkinTone::clay ? SkinTone::grey : SkinTone::clay;
            break;
        case Action::full_screen: {
            const bool full = (SDL_GetWindowFlags(context.window()) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
            SDL_SetWindowFullscreen(context.window(), full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
            break;
        }
        case Action::quit:
            commands.quit = true;
            break;
        case Action::escape:
            escape();
            break;
    }
}

void Window::State::apply_requests(const WindowRequests& requests, const ViewModel& model) {
    if (requests.show_all) camera.show_all();
    if (requests.follow) camera.follow();
    if (requests.preset != ViewPreset::free) camera.set_preset(preset = requests.preset);
    picture_wanted = picture_wanted || requests.picture;
    if (requests.box_tests && settings.box_test >= 0)
        settings.box_test = -1;
    else if (requests.box_tests)
        step_box_test(1, model);
}

void Window::State::handle_motion(const SDL_MouseMotionEvent& motion) {
    const float ratio = pixels_per_point();
    mouse_x = ratio * static_cast<float>(motion.x);
    mouse_y = ratio * static_cast<float>(motion.y);
    pointer_moved = true;
    if (dragging < 0) return;
    int width = 0;
    int height = 0;
    drawable_size(width, height);
    const float right = ratio * static_cast<float>(motion.xrel);
    const float down = ratio * static_cast<float>(motion.yrel);
    dragged_px += std::abs(right) + std::abs(down);
    const auto high = static_cast<float>(height);
    if (drags_wrist)
        drag_wrist(right, down, high);
    else if (dragging != 0 || (SDL_GetModState() & KMOD_SHIFT) != 0)
        camera.pan(right, down, high);
    else
        camera.orbit(right, down, high);
}

void Window::State::handle_button(const SDL_MouseButtonEvent& button, const ViewModel& model) {
    constexpr float kClick_px = 4.0F;
    const int index = button.button == SDL_BUTTON_LEFT     ? 0
                      : button.button == SDL_BUTTON_RIGHT  ? 1
                      : button.button == SDL_BUTTON_MIDDLE ? 2
                                                           : -1;
    if (index < 0) return;
    const float ratio = pixels_per_point();
    mouse_x = ratio * static_cast<float>(button.x);
    mouse_y = ratio * static_cast<float>(button.y);
    const bool down = button.type == SDL_MOUSEBUTTONDOWN;
    if (!down && dragging == index) {
        dragging = -1;
        if (index == 0 && dragged_px < kClick_px * ratio && !drags_wrist)
            settings.chosen = pick(model, camera.camera(), viewport, mouse_x, mouse_y);
        return;
    }
    if (down && dragging >= 0) return;
    if (!down || ui.covers(mouse_x, mouse_y)) {
        // ImGui gets every press and release where it happened, however far the mouse is when the panel is drawn.
        held[static_cast<std::size_t>(index)] = down;
        int width = 0, height = 0;
        drawable_size(width, height);
        build_panel(model, width, height);
        return;
    }
    dragging = index;
    dragged_px = 0.0F;
    drags_wrist = model.live && (SDL_GetModState() & KMOD_CTRL) != 0;
    if (index == 0 && button.clicks >= 2) camera.toggle();
}

// Shows the name of the object under the pointer.
void Window::State::point(const ViewModel& model) {
    if (!std::exchange(pointer_moved, false)) return;
    if (ui.covers(mouse_x, mouse_y)) return;  // the lanes show their own tooltips
    settings.pointed = {};
    if (dragging >= 0 || mouse_x < 0.0F) return;
    const Marked found = pick(model, camera.camera(), viewport, mouse_x, mouse_y);
    // Tables and rooms are under the pointer nearly always, so they are named only when clicked.
    if (found.object < 0 || !is_surroundings(*model.world, found.object)) settings.pointed = found;
}

SceneKey Window::State::key_of(const ViewModel& model) const {
    SceneKey now;
    now.hands_ns = model.hands == nullptr ? -1 : model.hands->time_ns;
    now.world_ns = model.world == nullptr ? -1 : model.world->time_ns;
    now.state_hash = model.report == nullptr ? 0 : model.report->state_hash;
    now.position_s = model.playback.position_s;
    now.frame = model.playback.frame;
    drawable_size(now.width_px, now.height_px);
    now.skin_version = skin_version;
    now.lab_version = model.lab == nullptr ? 0 : model.lab->version;
    const OrbitCamera& eye = camera.camera();
    now.camera = {eye.target_m.x(),  eye.target_m.y(), eye.target_m.z(),     eye.yaw_rad,
                  eye.elevation_rad, eye.distance_m,   eye.vertical_view_rad};
    now.box_pairs = model.box_pairs.size();
    now.settings = settings;
    return now;
}

// Draws into the hidden picture, then shows it. Between bands it polls the input: the panel reacts at once, over the
// previous picture of the scene. With `may_abort`, input cancels the drawing.
bool Window::State::draw_scene(const ViewModel& model, const RenderQuality& quality, int bands, bool may_abort) {
    int width = 0;
    int height = 0;
    drawable_size(width, height);
    const float ui_scale = ui.scale() > 0.0F ? ui.scale() : ui_scale_for(height);
    const int scene_width = std::max(1, static_cast<int>(std::lround(quality.scene_scale * static_cast<float>(width))));
    const int scene_height =
        std::max(1, static_cast<int>(std::lround(quality.scene_scale * static_cast<float>(height))));
    const auto fit = [&](std::unique_ptr<gl::Target>& target, int wanted_samples) {
        if (!target || target->width() != scene_width || target->height() != scene_height ||
            target->samples() != wanted_samples)
            target = std::make_unique<gl::Target>(scene_width, scene_height, wanted_samples);
    };
    fit(drawing, 0);
    if (quality.samples > 0) fit(samples, quality.samples);

    const OrbitCamera& from = camera.camera();
    const UiLayout layout = ui_layout(width, height, ui_scale, shape_of(model, settings));
    renderer->prepare(model, settings, frame_light(model, from), quality);
    Eye eye;
    eye.view_from_world = from.view_from_world();
    eye.clip_from_view = from.clip_from_view(width, height, layout.free_px);
    eye.width_px = scene_width;
    eye.height_px = scene_height;
    eye.px = ui_scale * quality.scene_scale;
    eye.reference_m = std::min(from.distance_m, kLineReference_m);
    eye.covered_px = covered_by(layout, height, ui_scale, quality.scene_scale);
    for (int band = 0; band < bands; ++band) {
        eye.band_y_px = scene_height * band / bands;
        eye.band_height_px = bands == 1 ? 0 : scene_height * (band + 1) / bands - eye.band_y_px;
        glBindFramebuffer(GL_FRAMEBUFFER, quality.samples > 0 ? samples->framebuffer() : drawing->framebuffer());
        renderer->draw(eye);
        if (bands == 1) break;
        glFinish();
        if (band + 1 == bands || !shown) continue;
        SDL_PumpEvents();
        if (SDL_HasEvents(SDL_KEYDOWN, SDL_MOUSEWHEEL) == SDL_FALSE) {
            count_input_poll();
            continue;
        }
        if (may_abort) return false;
        handle_input(model);
        if (ui.captures_mouse() || dragging < 0) draw_panel_and_show(model);
    }
    if (quality.samples > 0) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, samples->framebuffer());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, drawing->framebuffer());
        glBlitFramebuffer(0, 0, scene_width, scene_height, 0, 0, scene_width, scene_height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    }
    std::swap(drawing, shown);
    ++timings.scenes;
    return true;
}

// Passes the mouse to ImGui and builds a frame of the panel, without drawing it.
void Window::State::build_panel(const ViewModel& model, int width, int height) {
    ui.make_current();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = mouse_x < 0.0F ? ImVec2(-1e6F, -1e6F) : ImVec2(mouse_x, mouse_y);
    std::ranges::copy(held, io.MouseDown);
    io.MouseWheel = std::exchange(wheel, 0.0F);
    const SteadyClock::time_point now = SteadyClock::now();
    io.DeltaTime = std::clamp(static_cast<float>(1e-3 * ms_between(last_draw, now)), 1e-4F, 0.25F);
    last_draw = now;
    const ViewCommands requested = ui.build(model, settings, camera.camera(), width, height);
    merge(commands, requested);
    apply_requests(ui.take_requests(), model);
}

void Window::State::draw_panel_and_show(const ViewModel& model) {
    const SteadyClock::time_point begin_panel = SteadyClock::now();
    int width = 0;
    int height = 0;
    drawable_size(width, height);
    if (picture_wanted) ui.close_popover();
    build_panel(model, width, height);

    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    if (shown) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, shown->framebuffer());
        glBlitFramebuffer(0, 0, shown->width(), shown->height(), 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    } else {
        glClearColor(0.95F, 0.96F, 0.97F, 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    ui.render();
    SDL_SetCursor(ImGui::GetMouseCursor() == ImGuiMouseCursor_Hand ? hand : arrow);
    if (picture_wanted && picture_ready) save_picture(width, height);
    SDL_GL_SwapWindow(context.window());
    if (context.software()) glFinish();
    const SteadyClock::time_point end = SteadyClock::now();
    if (timings.scenes > kWarmUpScenes) timings.panel.add(ns_between(begin_panel, end));
    const auto age_ms = [] { return 1e-6 * static_cast<double>(process_age_ns()); };
    if (timings.frames++ == 0) timings.first_frame_ms = age_ms();
    if (shown && timings.first_scene_ms == 0.0) timings.first_scene_ms = age_ms();
    if (panel_frames_due > 0) --panel_frames_due;
}

// Saves the picture as on the screen, in full quality, under the next free name.
void Window::State::save_picture(int width, int height) {
    picture_wanted = false;
    const std::filesystem::path path = free_name("glovebox", ".png");
    try {
        write_png(read_picture(width, height), path);
        ui.show_message("Saved " + std::filesystem::absolute(path).string(), kLineShown);
    } catch (const std::exception& error) {
        ui.show_message(error.what(), kLineShown);
    }
    panel_frames_due = kPanelFramesAfterInput;
}

// Adds a key to this session's camera path, or replaces the key at that time.
void Window::State::save_camera(double time_s) {
    constexpr double kSameTime_s = 1e-3;
    std::erase_if(camera_keys, [&](const CameraKey& each) { return std::abs(each.time_s - time_s) < kSameTime_s; });
    const auto after = std::ranges::upper_bound(camera_keys, time_s, {}, &CameraKey::time_s);
    camera_keys.insert(after, {time_s, camera.camera()});
    if (camera_file.empty()) camera_file = free_name("glovebox-camera", ".json");
    try {
        recordings::Output out(camera_file);
        out.write(camera_path_text(camera_keys));
        out.commit();
        ui.show_message(tracking::formatted("%zu camera key%s, the newest at %.3f s: ", camera_keys.size(),
                                            camera_keys.size() == 1 ? "" : "s", time_s) +
                            std::filesystem::absolute(camera_file).string(),
                        kLineShown);
    } catch (const std::exception& error) {
        ui.show_message(error.what(), kLineShown);
    }
    panel_frames_due = kPanelFramesAfterInput;
}

Window::Window(const WindowOptions& options) : state_(std::make_unique<State>(options)) {}
Window::~Window() {
    state_->context.make_current();  // OpenGL objects must be freed with their context current
}

bool Window::open() const {
    return state_->open;
}

const WindowTimings& Window::timings() const {
    return state_->timings;
}

void Window::show_message(std::string line, std::chrono::seconds shown) {
    state_->ui.show_message(std::move(line), shown);
    state_->panel_frames_due = kPanelFramesAfterInput;
}

void Window::start_over(const std::string& title) {
    State& s = *state_;
    s.context.make_current();
    SDL_SetWindowTitle(s.context.window(), title.c_str());
    if (s.renderer) s.renderer->forget_scene();
    s.ui.forget_scene();
    s.camera.start_over();
    s.settings.box_test = -1;
    s.settings.pointed = s.settings.chosen = {};
    s.key = {};
    s.shown_progress = -1.0F;
    s.panel_frames_due = kPanelFramesAfterInput;
}

ViewCommands Window::draw(const ViewModel& model) {
    State& s = *state_;
    s.context.make_current();
    s.commands = {};
    const SteadyClock::time_point begin = SteadyClock::now();
    s.handle_input(model);
    s.commands.keep_box_tests = s.settings.box_test >= 0 || s.settings.object_tree_level >= 0;

    if (!s.renderer) {
        s.draw_panel_and_show(model);
        s.renderer.emplace();
    }
    s.skins.update(model, *s.renderer, false);
    if (s.skins.settled() != s.skins_were_settled) {
        s.skins_were_settled = s.skins.settled();
        ++s.skin_version;
    }
    int width = 0;
    int height = 0;
    s.drawable_size(width, height);
    const float scale = s.ui.scale() > 0.0F ? s.ui.scale() : ui_scale_for(height);
    s.viewport = {width, height, ui_layout(width, height, scale, shape_of(model, s.settings)).free_px};
    const double passed_ms = ms_between(std::exchange(s.last_update, begin), begin);
    s.camera.update(model, s.viewport, std::min(0.5F, static_cast<float>(1e-3 * passed_ms)));
    s.point(model);
    // Lanes fill up by themselves; they are redrawn no more often than is visible.
    constexpr float kProgressStep = 0.05F;
    const float progress = model.take != nullptr ? 2.0F : model.take_progress;
    if (std::abs(progress - s.shown_progress) > kProgressStep) {
        s.shown_progress = progress;
        s.panel_frames_due = std::max(s.panel_frames_due, 1);
    }

    const SceneKey now = s.key_of(model);
    const bool changed = now != s.key || !s.shown;
    const bool software = s.context.software();
    const int tier = s.picture_wanted ? 0 : s.tier.tier();
    // If the scene changes faster than the display, draw at the display's rate: a graphics card counts from the start
    // of the last picture, since not every display makes it wait; a processor that draws rests in between.
    const double early_ms = s.picture_ms - 1.0 - ms_between(software ? s.last_shown : s.last_picture, begin);
    if (changed && early_ms > 0.0 && s.panel_frames_due == 0) {
        SDL_WaitEventTimeout(nullptr, static_cast<int>(std::ceil(early_ms)));
        return s.commands;
    }
    s.timings.width_px = width;
    s.timings.height_px = height;
    const bool was_changing = std::exchange(s.changing, changed);
    const SteadyClock::time_point picture_before = std::exchange(s.last_picture, begin);
    if (changed && was_changing && s.timings.scenes > kWarmUpScenes)
        s.timings.interval.add(ns_between(picture_before, begin));
    if (changed) {
        const SteadyClock::time_point begin_scene = SteadyClock::now();
        s.draw_scene(model, quality_of_tier(tier, width, height), software && tier > 0 ? kBands : 1, false);
        if (!software) glFinish();
        if (s.timings.scenes > kWarmUpScenes) {
            const std::int64_t scene_ns = ns_between(begin_scene, SteadyClock::now());
            s.timings.scene.add(scene_ns);
            s.tier.add_scene(1e-6 * static_cast<double>(scene_ns));
        }
        s.key = now;
        s.refined = tier == 0;
        s.timings.tier = tier;
        s.last_change = SteadyClock::now();
    } else if (!s.refined && (s.picture_wanted ||
                              (s.skins_were_settled && ms_between(s.last_change, begin) > kStillBeforeRefining_ms))) {
        // Nothing moves: draw one picture at full quality, cancelled by any input.
        if (s.draw_scene(model, quality_of_tier(0, width, height), kRefiningBands, !s.picture_wanted)) {
            s.refined = true;
            s.timings.tier = 0;
            s.tier.rest();
            s.panel_frames_due = std::max(s.panel_frames_due, 1);
        } else {
            s.last_change = SteadyClock::now();
        }
    } else if (s.panel_frames_due == 0 && !s.ui.busy()) {
        SDL_WaitEventTimeout(nullptr, 30);
        s.last_input = SteadyClock::now();
        return s.commands;
    }
    s.picture_ready = s.refined;
    s.draw_panel_and_show(model);
    s.last_shown = SteadyClock::now();
    return s.commands;
}

}  // namespace glovebox::vr
