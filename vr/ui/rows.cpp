#include "vr/ui/rows.h"

#include <imgui_internal.h>

#include <algorithm>

namespace glovebox::vr {
namespace {

Box at_cursor(const Brush& b, float height) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    return {corner.x / b.scale(), corner.y / b.scale(), ImGui::GetContentRegionAvail().x / b.scale(), height};
}

}  // namespace

Box reserve(const Brush& b, float height) {
    const Box box = at_cursor(b, height);
    ImGui::Dummy({0.0F, b.px(height)});
    return box;
}

Rows::Rows(const Brush& brush, const char* id, std::span<const float> widths, float height) : brush_(brush) {
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadInnerX |
                                       ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_NoSavedSettings |
                                       ImGuiTableFlags_NoClip;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {0.0F, 0.0F});
    open_ = ImGui::BeginTable(id, static_cast<int>(widths.size()),
                              height > 0.0F ? kFlags | ImGuiTableFlags_ScrollY : kFlags,
                              {0.0F, std::max(0.0F, brush.px(height))});
    if (!open_) {
        ImGui::PopStyleVar();
        return;
    }
    for (const float width : widths)
        ImGui::TableSetupColumn("",
                                width > 0.0F ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                                width > 0.0F ? width * brush.scale() : 1.0F);
}

Rows::~Rows() {
    if (!open_) return;
    ImGui::EndTable();
    ImGui::PopStyleVar();
}

Box Rows::next_row(float height) {
    row_height_ = height;
    ImGui::TableNextRow(ImGuiTableRowFlags_None, brush_.px(height));
    const ImGuiTable& table = *ImGui::GetCurrentTable();
    return {table.WorkRect.Min.x / brush_.scale(), table.RowPosY1 / brush_.scale(),
            table.WorkRect.GetWidth() / brush_.scale(), height};
}

Box Rows::next_cell() {
    ImGui::TableNextColumn();
    return at_cursor(brush_, row_height_);
}

}  // namespace glovebox::vr
