#include "vr/ui/ui.h"

#include <imgui.h>
#include <imgui_internal.h>
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tracking/formatted.h"
#include "vr/render/overlay.h"
#include "vr/render/picking.h"
#include "vr/session/box_states.h"
#include "vr/ui/lab_panel.h"
#include "vr/ui/shortcuts.h"
#include "vr/ui/touch_lanes.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;

constexpr float kMargin = 14.0F;
constexpr float kPanelWidth = 372.0F;
constexpr float kWide = 790.0F;                   // window width from which the panel has its own place
constexpr float kTitle = 48.0F, kLegend = 26.0F;  // heights of the text over the scene, below the margin

template <typename Value>
struct Option {
    const char* name;
    Value value;
};

bool chosen_button(const char* name, bool chosen) {
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Button, color_of(palette::kAccent));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, color_of(palette::kAccent));
        ImGui::PushStyleColor(ImGuiCol_Text, color_of(0xFFFFFF));
    }
    const bool pressed = ImGui::SmallButton(name);
    if (chosen) ImGui::PopStyleColor(3);
    return pressed;
}

// Draws the name of a row in a two-column table, with a tooltip.
void row_name(const char* name, const char* hint) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    if (ImGui::IsItemHovered()) tooltip(hint);
    ImGui::TableNextColumn();
}

template <typename Value>
void choice(const char* name, const char* hint, Value& value, std::initializer_list<Option<Value>> options) {
    row_name(name, hint);
    ImGui::PushID(name);
    bool first = true;
    for (const auto& [label, option] : options) {
        if (!std::exchange(first, false)) ImGui::SameLine();
        if (chosen_button(label, value == option)) value = option;
    }
    ImGui::PopID();
}

void on_off(const char* name, const char* hint, bool& value) {
    choice<bool>(name, hint, value, {{"shown", true}, {"hidden", false}});
}

void level_row(const char* name, const char* hint, int& level, int deepest, std::initializer_list<Option<int>> named) {
    choice<int>(name, hint, level, named);
    ImGui::PushID(name);
    for (int i = 0; i <= deepest; ++i) {
        ImGui::SameLine();
        if (chosen_button(std::to_string(i).c_str(), level == i)) level = i;
    }
    ImGui::PopID();
}

}  // namespace

UiShape shape_of(const ViewModel& model, const ViewSettings& settings) {
    return {lane_count(model), settings.panel};
}

UiLayout ui_layout(int width_px, int height_px, float scale, const UiShape& shape) {
    const float s = scale > 0.0F ? scale : ui_scale_for(height_px);
    const float width = static_cast<float>(width_px) / s;
    const float height = static_cast<float>(height_px) / s;
    UiLayout layout;
    // Lanes with names need 13 px each. If that takes too much of the window, names appear only under the pointer.
    // With two hands, two lanes share a name.
    const bool pairs = shape.lanes > 6;
    const float named_pitch = !pairs ? 13.0F : height >= 860.0F ? 10.0F : 8.0F;
    const bool named = static_cast<float>(shape.lanes) * named_pitch <= 0.14F * height;
    const float pitch = named ? named_pitch : pairs ? 6.0F : 8.0F;
    const bool wide = width >= kWide;
    const bool shown = shape.panel == PanelShown::shown || (shape.panel == PanelShown::automatic && wide);
    const float bar = playback_bar_height(shape.lanes, pitch);
    const float panel_x = width - kMargin - kPanelWidth;
    const float bar_right = wide && shown ? panel_x : width;
    const Box playback = {kMargin, height - kMargin - bar, bar_right - 2.0F * kMargin, bar};
    layout.playback = playback_layout(playback, shape.lanes, pitch);
    layout.panel = {panel_x, kMargin, shown ? kPanelWidth : 0.0F,
                    (wide ? height - kMargin : playback.y - 8.0F) - kMargin};
    const float top = kMargin + kTitle;
    constexpr float kMinFree = 0.35F;  // of the width: a scene in less than this would be too small
    const float right = shown && panel_x > kMinFree * width ? panel_x : width;
    layout.free_px = {kMargin * s, top * s, (right - 2.0F * kMargin) * s, (playback.y - 12.0F - kLegend - top) * s};
    return layout;
}

Ui::Ui(float scale) : context_(nullptr), wanted_scale_(scale) {
    IMGUI_CHECKVERSION();
    ImGuiContext* before = ImGui::GetCurrentContext();
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.UserData = &undrawn_;  // for drawn_text()
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    ImGui_ImplOpenGL3_Init("#version 330 core");
    if (before != nullptr) ImGui::SetCurrentContext(before);
}

Ui::~Ui() {
    ImGui::SetCurrentContext(context_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(context_);
}

void Ui::make_current() {
    ImGui::SetCurrentContext(context_);
}

bool Ui::captures_mouse() const {
    ImGui::SetCurrentContext(context_);
    return ImGui::GetIO().WantCaptureMouse;
}

bool Ui::covers(float x_px, float y_px) const {
    if (shown_ != Popover::none) return true;
    ImGui::SetCurrentContext(context_);
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return true;
    const auto inside = [&](const Box& box) {
        return x_px >= box.x * scale_ && x_px < box.right() * scale_ && y_px >= box.y * scale_ &&
               y_px < box.bottom() * scale_;
    };
    return inside(layout_.panel) || inside(layout_.playback.box);
}

bool Ui::busy() const {
    return playback_bar_.dragging || (!line_.empty() && std::chrono::steady_clock::now() >= line_until_);
}

bool Ui::close_popover() {
    make_current();
    const bool any = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (any) ImGui::ClosePopupToLevel(0, false);
    shown_ = Popover::none;
    return any;
}

void Ui::show_message(std::string line, std::chrono::seconds shown) {
    line_ = std::move(line);
    line_until_ = std::chrono::steady_clock::now() + shown;
}

// Collects the characters of all names, and returns whether the fonts have to be loaded again because of them.
bool Ui::needs_characters(const ViewModel& model) {
    const std::size_t before = characters_.size();
    for (const std::string_view text :
         {std::string_view(model.title), std::string_view(model.subtitle), std::string_view(model.link_title),
          std::string_view(model.link), std::string_view(line_)})
        add_characters(text, characters_);
    if (std::exchange(scene_, model.scene) != model.scene && model.scene != nullptr)
        for (const scenes::SceneObject& object : model.scene->objects) add_characters(object.name, characters_);
    return characters_.size() != before;
}

ViewCommands Ui::build(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, int width_px,
                       int height_px) {
    make_current();
    const float scale = wanted_scale_ > 0.0F ? wanted_scale_ : ui_scale_for(height_px);
    const bool more_characters = needs_characters(model);
    if (scale != scale_ || more_characters) {
        const bool again = scale_ > 0.0F;
        scale_ = scale;
        apply_theme(scale);
        fonts_ = load_fonts(scale, characters_);
        if (again) {  // the backend makes a texture by itself only for its first frame
            ImGui_ImplOpenGL3_DestroyFontsTexture();
            ImGui_ImplOpenGL3_CreateFontsTexture();
        }
    }
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_px), static_cast<float>(height_px)};
    layout_ = ui_layout(width_px, height_px, scale, shape_of(model, settings));
    if (covers(io.MousePos.x, io.MousePos.y)) settings.pointed = {};
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::PushFont(fonts_.note);
    ViewCommands commands;
    draw_cards(Brush(*ImGui::GetBackgroundDrawList(), fonts_, scale), model, settings, camera, commands);
    draw_popovers(model, settings, camera, commands);
    ImGui::PopFont();
    ImGui::Render();
    return commands;
}

// The card must not hide the hand of which it speaks.
Box Ui::box_test_card(const ViewModel& model, const OrbitCamera& camera, float right, float baseline) {
    constexpr float kTop = 68.0F, kAboveLegend = 27.0F;
    const ImVec2 size_px = ImGui::GetIO().DisplaySize;
    const auto width_px = static_cast<int>(size_px.x), height_px = static_cast<int>(size_px.y);
    const auto [x, y, width, height] =
        taken_by_hands(model, camera.clip_from_view(width_px, height_px, layout_.free_px) * camera.view_from_world(),
                       width_px, height_px);
    const Box taken = {x / scale_, y / scale_, width / scale_, height / scale_};
    const Box area = {kMargin, kTop, right - 2.0F * kMargin, baseline - kAboveLegend - kTop};
    const ImVec2 size = box_test_size(model, area.width);
    box_test_corner_ = freest_corner(box_test_corner_, area, size.x, size.y, taken);
    return card_in(*box_test_corner_, area, size.x, size.y);
}

void Ui::draw_cards(const Brush& background, const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera,
                    ViewCommands& commands) {
    constexpr float kLeft = 20.0F;
    const float right = layout_.has_panel() ? layout_.panel.x : ImGui::GetIO().DisplaySize.x / scale_;
    // The card is slightly transparent, but text below it must not show through.
    background.list().PushClipRect({0.0F, 0.0F}, {right * scale_, ImGui::GetIO().DisplaySize.y});
    draw_title(background, right - kMargin - 2.0F * kLeft, model, settings.chosen);
    const float baseline = layout_.playback.box.y - 16.0F;
    if (model.lab != nullptr || (model.scene != nullptr && model.world != nullptr))
        draw_on_field(background, {kLeft, baseline - 17.0F, 0.0F, 25.0F}, [&] {
            return model.lab != nullptr ? draw_lab_legend(background, kLeft, baseline, model)
                                        : draw_legend(background, kLeft, baseline, right - kMargin, model, settings);
        });
    if (settings.box_test >= 0 && model.world != nullptr)
        draw_box_test(background, box_test_card(model, camera, right, baseline), model, settings.box_test);
    else
        box_test_corner_.reset();
    if (std::chrono::steady_clock::now() >= line_until_) line_.clear();
    if (!line_.empty()) {
        constexpr float kPitch = 19.0F;
        const std::vector<std::string> lines = background.wrapped(fonts_.note, line_, right - 3.0F * kLeft, 4);
        const float more = kPitch * static_cast<float>(lines.size() - 1), at = baseline - 34.0F - more;
        const auto draw_lines = [&] {
            float end = kLeft;
            for (float y = at; const std::string& each : lines) {
                end = std::max(end, kLeft + background.text(fonts_.note, kLeft, y, palette::kText, each));
                y += kPitch;
            }
            return end;
        };
        constexpr float kOverCard = 0.96F;  // a card may be below it
        draw_on_field(background, {kLeft, at - 17.0F, 0.0F, 25.0F + more}, draw_lines, kOverCard);
    }
    background.list().PopClipRect();
    if (settings.pointed.bone >= 0 || settings.pointed.object >= 0)
        if (const std::string what = name_of(settings.pointed, model);
            !what.empty() && !ImGui::GetIO().WantCaptureMouse)
            tooltip(what);
    if (layout_.has_panel()) draw_panel(background, layout_.panel, model, panel_, commands);
    const BarPresses pressed =
        draw_playback_bar(background, layout_.playback, model, settings, playback_bar_, commands);
    if (pressed.more) toggle(Popover::more);
    if (pressed.open) toggle(Popover::open);
    if (pressed.panel) settings.panel = layout_.has_panel() ? PanelShown::hidden : PanelShown::shown;
    requests_.show_all = requests_.show_all || pressed.show_all;
    requests_.follow = requests_.follow || pressed.follow;
}

void Ui::draw_popovers(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera,
                       ViewCommands& commands) {
    struct Row {
        Popover popover;
        const char* name;
        bool in_the_middle;
    };
    constexpr Row kRows[] = {{Popover::more, "more", false},
                             {Popover::help, "help", true},
                             {Popover::open, "open", true},
                             {Popover::leave, "leave", true}};
    const Popover requested = std::exchange(requested_, Popover::none);
    Popover open = Popover::none;
    const Box& bar = layout_.playback.box;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    // The menu is above the bar, or over it where there is not enough room above.
    constexpr float kMenuHeight = 360.0F;
    const float foot = scale_ * (bar.y > kMenuHeight ? bar.y - 8.0F : bar.bottom());
    for (const Row& row : kRows) {
        // The press on the dots has closed the popover already; `shown_` still names it.
        if (requested == row.popover && shown_ != row.popover) {
            ImGui::OpenPopup(row.name);
            start_.hide_marker();
        }
        if (row.in_the_middle)
            ImGui::SetNextWindowPos({0.5F * size.x, 0.5F * size.y}, ImGuiCond_Always, {0.5F, 0.5F});
        else
            ImGui::SetNextWindowPos({bar.right() * scale_, foot}, ImGuiCond_Always, {1.0F, 1.0F});
        const float highest = (row.in_the_middle ? size.y : foot) - 8.0F * scale_;
        ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {size.x - 8.0F * scale_, highest});
        if (!ImGui::BeginPopup(row.name, ImGuiWindowFlags_NoMove)) continue;
        open = row.popover;
        if (requested == row.popover && shown_ == row.popover) {
            ImGui::CloseCurrentPopup();
            open = Popover::none;
        }
        if (row.popover == Popover::more) draw_more(model, settings, camera);
        if (row.popover == Popover::help) draw_help(model);
        if (row.popover == Popover::open) draw_open(model, commands);
        if (row.popover == Popover::leave) draw_leave(commands);
        ImGui::EndPopup();
    }
    shown_ = open;
}

void Ui::draw_more(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera) {
    const bool lab = model.lab != nullptr;  // has no hand, and opens nothing
    if (!lab) {
        if (ImGui::SmallButton("Open...")) toggle(Popover::open);
        ImGui::SameLine();
    }
    if (ImGui::SmallButton("Save a picture")) requests_.picture = true;
    ImGui::SameLine();
    if (ImGui::SmallButton("Keys and mouse")) toggle(Popover::help);
    ImGui::SameLine();
    if (ImGui::SmallButton("Quit")) toggle(Popover::leave);
    ImGui::Separator();
    if (ImGui::BeginTable("settings", 2, ImGuiTableFlags_SizingFixedFit)) {
        row_name("View", "Where the camera stands");
        if (ImGui::SmallButton("show all")) requests_.show_all = true;
        if (!lab) {
            ImGui::SameLine();
            if (ImGui::SmallButton("follow")) requests_.follow = true;
        }
        for (const auto& [name, preset] : {std::pair{"front", ViewPreset::front}, std::pair{"side", ViewPreset::side},
                                           std::pair{"top", ViewPreset::top}, std::pair{"palm", ViewPreset::palm}}) {
            if (lab && preset == ViewPreset::palm) continue;
            ImGui::SameLine();
            if (ImGui::SmallButton(name)) requests_.preset = preset;
        }
        choice<PanelShown>(
            "Panel", "The card with what a frame costs", settings.panel,
            {{"automatic", PanelShown::automatic}, {"shown", PanelShown::shown}, {"hidden", PanelShown::hidden}});
        if (!lab) draw_more_of_hand(settings);
        ImGui::EndTable();
    }
    ImGui::Separator();
    if (!lab) draw_quarantine(model);
    ImGui::TextDisabled("Camera: yaw %.0f°, elevation %.0f°, distance %.2f m, at (%.2f, %.2f, %.2f) m",
                        static_cast<double>(camera.yaw_rad) * 57.2958,
                        static_cast<double>(camera.elevation_rad) * 57.2958, static_cast<double>(camera.distance_m),
                        static_cast<double>(camera.target_m.x()), static_cast<double>(camera.target_m.y()),
                        static_cast<double>(camera.target_m.z()));
}

// The rows that concern hands, boxes and contacts.
void Ui::draw_more_of_hand(ViewSettings& settings) {
    choice<SolidHand>("Solid hand", "The hand as it was tracked, or as it would be if it could not enter objects",
                      settings.solid_hand, {{"tracked", SolidHand::tracked}, {"kept outside", SolidHand::proxy}});
    on_off("Outline", "The other of the two hands, where they differ", settings.outline);
    choice<SkinTone>("Colour", "Colour of the hand", settings.tone,
                     {{"clay", SkinTone::clay}, {"glove grey", SkinTone::grey}});
    on_off("Skin", "The hand itself; without it boxes and contacts are seen alone", settings.skin);
    on_off("Colliders", "The shapes of the bones that are tested against the objects", settings.colliders);
    on_off("Contacts", "Where the hand touches, and how hard it is pushed", settings.contacts);
    on_off("Joint axes", "X red, Y green, Z blue of every tracked joint", settings.joint_axes);
    level_row("Hand boxes", "Which level of the hand's box hierarchy is drawn; 0 is the whole hand",
              settings.boxes.level, deepest_node(),
              {{"leaves", BoxLevels::kLeaves}, {"all", BoxLevels::kAll}, {"none", BoxLevels::kNone}});
    on_off("Idle boxes", "Boxes of bones that are near to nothing", settings.idle_boxes);
    on_off("Object boxes", "The boxes round the objects", settings.object_boxes);
    level_row("Object trees",
              "Boxes of a mesh's tree that the hand was tested against: blue and orange overlap it, grey do not",
              settings.object_tree_level, 7, {{"outer box", -1}});
    row_name("Box tests", "One pair of boxes after the other, in the order in which this frame tested them");
    if (chosen_button("step through (T)", settings.box_test >= 0)) requests_.box_tests = true;
}

void Ui::draw_quarantine(const ViewModel& model) {
    std::string line = "Quarantined";
    for (int i = 0; i < tracking::kQuarantineCount; ++i) {
        const auto count = model.quarantine[static_cast<std::size_t>(i)];
        if (count == 0) continue;
        std::string name(tracking::name_of(static_cast<tracking::Quarantine>(i)));
        std::ranges::replace(name, '_', ' ');
        line += (line.size() > 11 ? ", " : ": ") + std::to_string(count) + " " + name;
    }
    ImGui::TextUnformatted(line.size() > 11 ? line.c_str() : "Quarantined: nothing");
    if (ImGui::IsItemHovered()) tooltip("Samples that the guard did not let through, by cause");
}

void Ui::draw_help(const ViewModel& model) {
    const auto row = [](const char* with, const char* does) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(with);
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", does);
    };
    const auto begin = [](const char* name) { return ImGui::BeginTable(name, 2, ImGuiTableFlags_SizingFixedFit); };
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {6.0F * scale_, 1.0F * scale_});
    if (begin("mouse")) {
        for (const MouseUse& use : mouse_uses())
            if (model.lab == nullptr || use.in_lab) row(use.with, use.does);
        if (model.live)
            for (const MouseUse& use : wrist_uses()) row(use.with, use.does);
        ImGui::EndTable();
    }
    ImGui::Separator();
    if (begin("keys")) {
        row("1 to 9, 0",
            model.lab != nullptr ? "method, as numbered in the panel" : "refit method, as numbered in the panel");
        for (const Shortcut& shortcut : shortcuts())
            if (*shortcut.keys != 0 && (model.lab == nullptr || shortcut.in_lab)) row(shortcut.keys, shortcut.does);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
}

void Ui::draw_open(const ViewModel& model, ViewCommands& commands) {
    start_.draw(Brush(*ImGui::GetWindowDrawList(), fonts_, scale_), model.title, commands);
    if (!commands.open_recording.empty() || !commands.open_scene.empty()) ImGui::CloseCurrentPopup();
}

void Ui::draw_leave(ViewCommands& commands) {
    ImGui::TextUnformatted("Leave Glovebox?");
    if (chosen_button("Quit (Q, Enter)", true)) commands.quit = true;
    ImGui::SameLine();
    if (ImGui::SmallButton("Stay (Esc)")) ImGui::CloseCurrentPopup();
}

void Ui::render() {
    make_current();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace glovebox::vr
