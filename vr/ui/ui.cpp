#include "vr/ui/ui.h"

#include <imgui.h>
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>

#include "vr/render/overlay.h"
#include "vr/session/box_states.h"
#include "vr/ui/lab_panel.h"

namespace glovebox::vr {
namespace {

constexpr float kMargin = 14.0F;
constexpr float kPanelWidth = 372.0F;
constexpr float kBarHeight = 64.0F;

// One row of a popover: a label on the left, buttons in a row on the right; the chosen one is marked.
template <typename Value>
void choice(const char* label, Value& value, std::initializer_list<std::pair<const char*, Value>> options,
            float label_width) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::PushID(label);
    float x = label_width;
    for (const auto& [name, option] : options) {
        ImGui::SameLine(x);
        const bool chosen = value == option;
        if (chosen) {
            ImGui::PushStyleColor(ImGuiCol_Button, color_of(palette::kAccent));
            ImGui::PushStyleColor(ImGuiCol_ButtonHovered, color_of(palette::kAccent));
            ImGui::PushStyleColor(ImGuiCol_Text, color_of(0xFFFFFF));
        }
        if (ImGui::Button(name)) value = option;
        if (chosen) ImGui::PopStyleColor(3);
        x = 0.0F;
    }
    ImGui::PopID();
}

void level_row(const char* label, int& level, int deepest, std::initializer_list<std::pair<const char*, int>> named,
               float label_width) {
    choice(label, level, named, label_width);
    ImGui::PushID(label);
    for (int i = 0; i <= deepest; ++i) {
        ImGui::SameLine(0.0F, i == 0 ? 10.0F : 3.0F);
        const bool chosen = level == i;
        if (chosen) {
            ImGui::PushStyleColor(ImGuiCol_Button, color_of(palette::kAccent));
            ImGui::PushStyleColor(ImGuiCol_Text, color_of(0xFFFFFF));
        }
        if (ImGui::Button(std::to_string(i).c_str())) level = i;
        if (chosen) ImGui::PopStyleColor(2);
    }
    ImGui::PopID();
}

}  // namespace

UiLayout ui_layout(int width_px, int height_px, float scale) {
    const float s = scale > 0.0F ? scale : ui_scale_for(height_px);
    const float width = static_cast<float>(width_px) / s;
    const float height = static_cast<float>(height_px) / s;
    UiLayout layout;
    layout.panel = {width - kMargin - kPanelWidth, kMargin, kPanelWidth, height - 2 * kMargin};
    layout.playback = {kMargin, height - kMargin - kBarHeight, layout.panel.x - 2 * kMargin, kBarHeight};
    // The middle of the free area sits a little high: the forearm leaves upwards, the shadow falls below.
    layout.free_px = {0.0F, 0.0F, layout.panel.x * s, (layout.playback.y + 26.0F) * s};
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

bool Ui::wants_mouse() const {
    ImGui::SetCurrentContext(context_);
    return ImGui::GetIO().WantCaptureMouse;
}

bool Ui::covers(float x_px, float y_px, int width_px, int height_px) const {
    ImGui::SetCurrentContext(context_);
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return true;
    const float scale = scale_ > 0.0F ? scale_ : ui_scale_for(height_px);
    const UiLayout layout = ui_layout(width_px, height_px, scale);
    const auto inside = [&](const Box& box) {
        return x_px >= box.x * scale && x_px < box.right() * scale && y_px >= box.y * scale &&
               y_px < box.bottom() * scale;
    };
    return inside(layout.panel) || inside(layout.playback);
}

bool Ui::busy() const {
    return playback_bar_.dragging;
}

ViewCommands Ui::build(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, int width_px,
                       int height_px) {
    make_current();
    const float scale = wanted_scale_ > 0.0F ? wanted_scale_ : ui_scale_for(height_px);
    if (scale != scale_) {
        const bool again = scale_ > 0.0F;
        scale_ = scale;
        apply_theme(scale);
        fonts_ = load_fonts(scale);
        if (again) ImGui_ImplOpenGL3_DestroyFontsTexture();
    }
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_px), static_cast<float>(height_px)};
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::PushFont(fonts_.note);

    ViewCommands commands;
    const UiLayout layout = ui_layout(width_px, height_px, scale);
    const Brush background(*ImGui::GetBackgroundDrawList(), fonts_, scale);
    // The card lets a little of what is under it through; of letters it should let nothing.
    background.list().PushClipRect({0.0F, 0.0F}, {layout.panel.x * scale, io.DisplaySize.y});
    constexpr float kLeft = 20.0F;
    draw_title(background, layout.panel.x - kMargin - 2.0F * kLeft, model);
    const float baseline = layout.playback.y - 18.0F;
    if (model.lab != nullptr || (model.scene != nullptr && model.world != nullptr))
        draw_on_field(background, {kLeft, baseline - 17.0F, 0.0F, 25.0F}, [&] {
            return model.lab != nullptr
                       ? draw_lab_legend(background, kLeft, baseline, model)
                       : draw_legend(background, kLeft, baseline, count_boxes(*model.scene, *model.world));
        });
    background.list().PopClipRect();
    draw_panel(background, layout.panel, model, panel_, commands);
    bool more = false;
    draw_playback_bar(background, layout.playback, model, playback_bar_, commands, more);
    if (more) open_more_ = true;
    draw_more(model, settings, camera, layout.playback);
    ImGui::PopFont();
    ImGui::Render();
    return commands;
}

void Ui::draw_more(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, const Box& anchor) {
    if (open_more_) ImGui::OpenPopup("more");
    open_more_ = false;
    ImGui::SetNextWindowPos({anchor.right() * scale_, (anchor.y - 8.0F) * scale_}, ImGuiCond_Always, {1.0F, 1.0F});
    if (!ImGui::BeginPopup("more", ImGuiWindowFlags_NoMove)) return;
    const float label_width = 118.0F * scale_;
    level_row("Hand boxes", settings.boxes.level, deepest_node(),
              {{"leaves", BoxLevels::kLeaves}, {"all", BoxLevels::kAll}, {"none", BoxLevels::kNone}}, label_width);
    choice("Object boxes", settings.object_boxes, {{"shown", true}, {"hidden", false}}, label_width);
    level_row("Object trees", settings.object_tree_level, 7, {{"outer box", -1}}, label_width);
    choice("Idle boxes", settings.idle_boxes, {{"shown", true}, {"hidden", false}}, label_width);
    choice("Contacts", settings.contacts, {{"shown", true}, {"hidden", false}}, label_width);
    choice("Hand", settings.tone, {{"clay", SkinTone::clay}, {"glove grey", SkinTone::grey}}, label_width);
    choice("Skin", settings.skin, {{"shown", true}, {"hidden", false}}, label_width);
    choice("Joint axes", settings.joint_axes, {{"shown", true}, {"hidden", false}}, label_width);
    ImGui::Separator();
    std::string line = "Quarantined";
    for (int i = 0; i < tracking::kQuarantineCount; ++i) {
        const auto count = model.quarantine[static_cast<std::size_t>(i)];
        if (count == 0) continue;
        std::string name(tracking::name_of(static_cast<tracking::Quarantine>(i)));
        std::ranges::replace(name, '_', ' ');
        line += (line.size() > 11 ? ", " : ": ") + std::to_string(count) + " " + name;
    }
    ImGui::TextUnformatted(line.size() > 11 ? line.c_str() : "Quarantined: nothing");
    ImGui::TextDisabled("Camera: yaw %.0f°, elevation %.0f°, distance %.2f m, at (%.2f, %.2f, %.2f) m",
                        static_cast<double>(camera.yaw_rad) * 57.2958,
                        static_cast<double>(camera.elevation_rad) * 57.2958, static_cast<double>(camera.distance_m),
                        static_cast<double>(camera.target_m.x()), static_cast<double>(camera.target_m.y()),
                        static_cast<double>(camera.target_m.z()));
    ImGui::TextDisabled(
        "Keys: space play, arrows step, L loop, B boxes, I idle, C contacts, 1–9 method, R view, Q quit");
    ImGui::EndPopup();
}

void Ui::render() {
    make_current();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace glovebox::vr
