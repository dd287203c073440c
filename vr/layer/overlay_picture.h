// The picture on the panel of `--see`, drawn on the CPU: a list of the fingers and the objects that they touch, and
// frame times.
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
    static constexpr int kSliceRows = 80;  ///< 200 kB
    static constexpr std::size_t kSlices = kHeight_px / kSliceRows;
    static_assert(kHeight_px % kSliceRows == 0);
    std::uint64_t number = 0;  ///< sequence number; 0: nothing is drawn yet
    /// Pixels in sRGB, opaque, with the bottom row first as in OpenGL.
    std::array<std::uint8_t, std::size_t{4} * kWidth_px * kHeight_px> rgba{};
    std::array<std::uint64_t, kSlices> hashes{};  ///< of the slices, from the bottom; set by hash_slices()

    void hash_slices();
};

/// Draws text and bars. Glyphs are rasterized once; drawing does not allocate.
class OverlayPainter {
  public:
    /// Throws std::runtime_error if no typeface of vr/render/font_files.h is installed or readable.
    OverlayPainter();

    /// Draws the whole picture, but does not change its number. The same facts give the same bytes. Takes about a
    /// millisecond.
    void draw(const SceneFacts& scene, const FrameLedger::Facts& frames, OverlayPicture& out) const;

  private:
    struct Glyph {
        int left_px = 0, top_px = 0;  // from the pen's position on the baseline
        int width_px = 0, height_px = 0;
        float advance_px = 0.0F;
        std::size_t first = 0;  // index in coverage
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

/// Writes the picture as a PNG file. Throws recordings::ExportError.
void write_png(const OverlayPicture& picture, const std::filesystem::path& path);

}  // namespace glovebox::vr::layer
