// The picture of `--see`: which finger touches which object, and what a frame costs. Drawn on the CPU.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "vr/layer/frame_ledger.h"
#include "vr/layer/overlay_scene.h"

namespace glovebox::vr::layer {

struct OverlayPicture {
    static constexpr int kWidth_px = 640, kHeight_px = 400;
    std::uint64_t number = 0;  ///< of the picture; 0: nothing is drawn yet
    /// sRGB, opaque, the lowest row first, as OpenGL has it.
    std::array<std::uint8_t, std::size_t{4} * kWidth_px * kHeight_px> rgba{};
};

/// Draws text and bars. Keeps its glyphs; drawing allocates nothing.
class OverlayPainter {
  public:
    /// Throws std::runtime_error where none of the typefaces that it knows is installed (vr/render/font_files.h).
    OverlayPainter();

    /// Fills the picture but for its number. The same facts give the same bytes. About a millisecond.
    void draw(const SceneFacts& scene, const FrameLedger::Facts& frames, OverlayPicture& out) const;

  private:
    struct Glyph {
        int left_px = 0, top_px = 0;  // from the pen on the base line
        int width_px = 0, height_px = 0;
        float advance_px = 0.0F;
        std::size_t first = 0;  // in coverage
    };
    struct Font {
        static constexpr int kFirst = 0x20, kLast = 0xFF;  // Latin-1
        std::array<Glyph, kLast - kFirst + 1> glyphs;
        std::vector<std::uint8_t> coverage;
    };
    class Pen;

    static Font make_font(const char* file, float size_px);

    Font body_, heading_, note_;
};

/// Writes a PNG of it. Throws recordings::ExportError.
void write_png(const OverlayPicture& picture, const std::filesystem::path& path);

}  // namespace glovebox::vr::layer
