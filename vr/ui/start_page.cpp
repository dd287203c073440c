#include "vr/ui/start_page.h"

#include <stb_image.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "recordings/load.h"
#include "scenes/scene.h"
#include "vr/ui/start_pictures.h"

namespace glovebox::vr {
namespace {

constexpr float kName = 22.0F, kGap = 8.0F;
constexpr float kSceneNames = 130.0F;     // width of the list of scenes
constexpr float kLargePictures = 980.0F;  // window width from which the pictures are large

std::optional<gl::Texture> unpacked(std::span<const unsigned char> jpeg) {
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> rgba(
        stbi_load_from_memory(jpeg.data(), static_cast<int>(jpeg.size()), &width, &height, &channels, 4),
        stbi_image_free);
    if (!rgba) return {};
    gl::Texture texture;
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.get());
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

}  // namespace

void StartPage::load() {
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        Tile tile{row.name, row.summary, {}};
        const auto found = std::ranges::find(kStartPictures, row.name, &StartPicture::recording);
        if (found != kStartPictures.end()) tile.picture = unpacked(found->jpeg);
        tiles_.push_back(std::move(tile));
    }
}

void StartPage::move_marker(int right, int down) {
    const int tiles = static_cast<int>(tiles_.size()), scenes = static_cast<int>(scenes::scene_table().size());
    if (!std::exchange(marked_, true)) return;  // the first key only shows it
    if (in_scenes_) {
        in_scenes_ = right >= 0;
        scene_ = std::clamp(scene_ + down, 0, scenes - 1);
        return;
    }
    const int in_row = tile_ % columns_ + right, next = tile_ + right + down * columns_;
    if (in_row == columns_ || (right > 0 && next == tiles))
        in_scenes_ = true;
    else if (in_row >= 0 && next >= 0 && next < tiles)
        tile_ = next;
}

void StartPage::draw(const Brush& brush, std::string_view recording, ViewCommands& commands) {
    if (tiles_.empty()) load();
    const bool chosen = std::exchange(chosen_, false);
    const float s = brush.scale();
    const bool large = ImGui::GetIO().DisplaySize.x / s >= kLargePictures;
    const std::size_t columns = large ? 4 : 3;
    columns_ = static_cast<int>(columns);
    const float width = large ? 176.0F : 116.0F, height = 0.5625F * width;
    ImGui::TextDisabled("A bundled recording, or drop a file here: a recording, a scene or a mesh.");
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        const Tile& tile = tiles_[i];
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(i / columns);
        const Box box = {begin.x / s + column * (width + kGap), begin.y / s + row * (height + kName), width, height};
        bool hovered = false;
        const bool clicked = click_area(tile.name.data(), {box.x, box.y, box.width, height + kName}, s, &hovered);
        const bool marked = marked_ && !in_scenes_ && static_cast<std::size_t>(tile_) == i;
        if (clicked || (marked && chosen)) commands.open_recording = tile.name;
        if (hovered) tooltip(tile.summary);
        hovered = hovered || marked;
        const Brush here(*ImGui::GetWindowDrawList(), brush.fonts(), s);
        here.fill(box, palette::kField, 6.0F);
        if (tile.picture)
            here.list().AddImageRounded(
                reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(tile.picture->id())),  // NOLINT: ImGui's way
                brush.at(box.x, box.y), brush.at(box.right(), box.bottom()), {0.0F, 0.0F}, {1.0F, 1.0F},
                color_of(0xFFFFFF), 6.0F * s);
        const bool shown = tile.name == recording;
        if (hovered || shown)
            here.list().AddRect(brush.at(box.x, box.y), brush.at(box.right(), box.bottom()),
                                color_of(hovered ? palette::kText : palette::kAccent), 6.0F * s, 0, 2.0F * s);
        here.text(shown ? here.fonts().figure : here.fonts().note, box.x + 2.0F, box.bottom() + 15.0F,
                  hovered || shown ? palette::kText : palette::kSecondary, tile.name);
    }
    const float rows = static_cast<float>((tiles_.size() + columns - 1) / columns);
    const float right = static_cast<float>(columns) * (width + kGap) + kGap;
    ImGui::SetCursorScreenPos({begin.x + right * s, begin.y});
    ImGui::BeginGroup();
    ImGui::TextDisabled("%s", (brush.shortened(brush.fonts().note, recording, kSceneNames) + " in the scene").c_str());
    for (int i = 0; const scenes::SceneRow& row : scenes::scene_table()) {
        const bool marked = marked_ && in_scenes_ && scene_ == i;
        ++i;
        if (ImGui::Selectable(std::string(row.name).c_str(), marked, 0, {kSceneNames * s, 0.0F}) || (marked && chosen))
            commands.open_scene = row.name;
        if (ImGui::IsItemHovered()) tooltip(row.summary);
    }
    ImGui::EndGroup();
    // The pictures are not part of ImGui's layout: without this, the window would be only as high as the names.
    ImGui::SetCursorScreenPos(begin);
    ImGui::Dummy({right * s, rows * (height + kName) * s});
}

}  // namespace glovebox::vr
