#include "vr/ui/theme.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {

float ui_scale_for(int height_px) {
    return std::clamp(static_cast<float>(height_px) / 1080.0F, 1.0F, 3.0F);
}

void apply_theme(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsLight(&style);
    style.WindowRounding = 12.0F;
    style.PopupRounding = 12.0F;
    style.FrameRounding = 7.0F;
    style.WindowPadding = {16.0F, 14.0F};
    style.FramePadding = {10.0F, 6.0F};
    style.ItemSpacing = {8.0F, 7.0F};
    style.WindowBorderSize = 0.0F;
    style.FrameBorderSize = 0.0F;
    style.WindowMinSize = {4.0F, 4.0F};
    const auto set = [&style](ImGuiCol slot, std::uint32_t rgb, float alpha = 1.0F) {
        style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(color_of(rgb, alpha));
    };
    set(ImGuiCol_Text, palette::kText);
    set(ImGuiCol_TextDisabled, palette::kTertiary);
    set(ImGuiCol_WindowBg, palette::kCard, 0.94F);
    set(ImGuiCol_PopupBg, palette::kCard, 0.98F);
    set(ImGuiCol_Border, palette::kLine);  // tells a menu or tooltip from the card under it
    set(ImGuiCol_BorderShadow, palette::kLine, 0.0F);
    set(ImGuiCol_FrameBg, palette::kField);
    set(ImGuiCol_FrameBgHovered, palette::kLine);
    set(ImGuiCol_FrameBgActive, palette::kLine);
    set(ImGuiCol_Button, palette::kField);
    set(ImGuiCol_ButtonHovered, palette::kLine);
    set(ImGuiCol_ButtonActive, palette::kLine);
    set(ImGuiCol_Header, palette::kField);
    set(ImGuiCol_HeaderHovered, palette::kLine);
    set(ImGuiCol_HeaderActive, palette::kLine);
    set(ImGuiCol_CheckMark, palette::kAccent);
    set(ImGuiCol_SliderGrab, palette::kAccent);
    set(ImGuiCol_Separator, palette::kLine);
    style.ScaleAllSizes(scale);
    style.PopupBorderSize = std::max(1.0F, std::round(scale));
    ImGui::GetStyle() = style;
}

float Brush::px(float logical) const {
    return std::round(logical * scale_);
}

namespace {

float width_px(ImFont& font, std::string_view drawn) {
    return font.CalcTextSizeA(font.FontSize, 1e6F, 0.0F, drawn.data(), drawn.data() + drawn.size()).x;
}

}  // namespace

float Brush::width_of(ImFont* font, std::string_view whole) const {
    return width_px(*font, drawn_text(*font, whole)) / scale_;
}

float Brush::text(ImFont* font, float x, float baseline, std::uint32_t color, std::string_view whole, Align align,
                  float alpha) const {
    const std::string text = drawn_text(*font, whole);
    const float width = width_px(*font, text) / scale_;
    const float left = align == Align::left ? x : align == Align::right ? x - width : x - 0.5F * width;
    // Align to whole pixels, with a common baseline for all sizes.
    const ImVec2 corner(px(left), px(baseline) - std::round(font->Ascent));
    list_.AddText(font, font->FontSize, corner, color_of(color, alpha), text.data(), text.data() + text.size());
    return width;
}

std::string Brush::shortened(ImFont* font, std::string_view whole, float width) const {
    std::string text = drawn_text(*font, whole);
    if (width_of(font, text) <= width) return text;
    do {
        // Whole characters only: continuation bytes of UTF-8 begin with the bits 10.
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
        if (!text.empty()) text.pop_back();
    } while (!text.empty() && width_of(font, text + "…") > width);
    return text + "…";
}

std::vector<std::string> Brush::wrapped(ImFont* font, std::string_view whole, float width, std::size_t most) const {
    const std::string text = drawn_text(*font, whole);
    const char *at = text.c_str(), *const end = at + text.size();
    std::vector<std::string> lines;
    while (lines.size() + 1 < most) {
        const char* next = font->CalcWordWrapPositionA(1.0F, at, end, width * scale_);
        if (next == end) break;
        if (next == at) ++next;  // not even one letter has room
        lines.emplace_back(at, next);
        for (at = next; at < end && *at == ' ';) ++at;
    }
    lines.push_back(shortened(font, {at, end}, width));
    return lines;
}

float Brush::text_within(ImFont* font, float x, float baseline, float width, std::uint32_t color,
                         std::string_view whole) const {
    return text(font, x, baseline, color, shortened(font, whole, width));
}

void Brush::fill(const Box& box, std::uint32_t color, float rounding, float alpha) const {
    list_.AddRectFilled({px(box.x), px(box.y)}, {px(box.right()), px(box.bottom())}, color_of(color, alpha),
                        rounding * scale_);
}
void Brush::hairline(float x0, float x1, float y, std::uint32_t color, float alpha) const {
    list_.AddRectFilled({px(x0), px(y)}, {px(x1), px(y) + std::max(1.0F, std::floor(scale_))}, color_of(color, alpha));
}
void Brush::circle(float x, float y, float radius, std::uint32_t color, float alpha) const {
    list_.AddCircleFilled(at(x, y), radius * scale_, color_of(color, alpha), 0);
}
void Brush::ring(float x, float y, float radius, float width, std::uint32_t color, float alpha) const {
    list_.AddCircle(at(x, y), radius * scale_, color_of(color, alpha), 0, width * scale_);
}
void Brush::triangle(ImVec2 a, ImVec2 b, ImVec2 c, std::uint32_t color, float alpha) const {
    list_.AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), color_of(color, alpha));
}
void Brush::line(float x0, float y0, float x1, float y1, float width, std::uint32_t color, float alpha) const {
    list_.AddLine(at(x0, y0), at(x1, y1), color_of(color, alpha), width * scale_);
}

void Brush::card(const Box& box) const {
    constexpr int kRings = 14;
    for (int i = kRings; i >= 1; --i) {
        const float grow = static_cast<float>(i);
        const float fade = 1.0F - grow / (kRings + 1);
        list_.AddRect(at(box.x - grow, box.y - grow + 2.0F), at(box.right() + grow, box.bottom() + grow + 2.0F),
                      color_of(0x1F2933, 0.030F * fade * fade), (12.0F + grow) * scale_, 0, 1.5F * scale_);
    }
    list_.AddRectFilled(at(box.x, box.y), at(box.right(), box.bottom()), color_of(palette::kCard, 0.94F),
                        12.0F * scale_);
    list_.AddRect(at(box.x, box.y), at(box.right(), box.bottom()), color_of(palette::kIdle, 0.22F), 12.0F * scale_, 0,
                  std::max(1.0F, std::floor(scale_)));
}

bool begin_plain_window(const char* name, const Box& box, float scale) {
    ImGui::SetNextWindowPos({box.x * scale, box.y * scale});
    ImGui::SetNextWindowSize({box.width * scale, box.height * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    const bool open =
        ImGui::Begin(name, nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                         ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    return open;
}

void end_plain_window() {
    ImGui::End();
}

bool begin_card(const char* name, const Box& box, float scale) {
    ImGui::SetNextWindowPos({box.x * scale, box.y * scale});
    ImGui::SetNextWindowSize({box.width * scale, box.height * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16.0F * scale, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, 8.0F * scale);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, color_of(0, 0.0F));
    return ImGui::Begin(name, nullptr,
                        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                            ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                            ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void end_card() {
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

void tooltip(std::string_view sentence) {
    // In units of the font, which has the window's scale. The card under the pointer has set its own padding.
    const float font_px = ImGui::GetFontSize();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.9F * font_px, 0.6F * font_px});
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(28.0F * font_px);
    const std::string text = drawn_text(*ImGui::GetFont(), sentence);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void hint(const Brush& b, const Box& box, const char* sentence) {
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(b.at(box.x, box.y), b.at(box.right(), box.bottom())))
        tooltip(sentence);
}

bool click_area(const char* id, const Box& box, float scale, bool* hovered) {
    ImGui::SetCursorScreenPos({box.x * scale, box.y * scale});
    const bool clicked =
        ImGui::InvisibleButton(id, {std::max(1.0F, box.width * scale), std::max(1.0F, box.height * scale)});
    if (hovered != nullptr) *hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return clicked;
}

}  // namespace glovebox::vr
