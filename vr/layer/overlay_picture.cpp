#include "vr/layer/overlay_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

// Compiled in, so that the application need not load another library.
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include "recordings/output.h"
#include "recordings/own_mark.h"
#include "tracking/hand_parts.h"
#include "vr/render/font_files.h"
#include "vr/render/palette.h"

namespace glovebox::vr::layer {
namespace {

constexpr int kWidth_px = OverlayPicture::kWidth_px, kHeight_px = OverlayPicture::kHeight_px;
constexpr int kMargin_px = 20;
constexpr float kFullBar_m = 0.010F;  // depth of a full bar

std::uint8_t channel(std::uint32_t hex, int c) {
    return static_cast<std::uint8_t>(hex >> (16 - 8 * c) & 0xFFU);
}

// Removes the next code point from UTF-8 text and returns it; '?' if it is above U+07FF.
int next_code(std::string_view& text) {
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (byte < 0x80) return byte;
    int code = '?';
    if ((byte & 0xE0U) == 0xC0U && !text.empty())
        code = static_cast<int>((byte & 0x1FU) << 6U | (static_cast<unsigned char>(text.front()) & 0x3FU));
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) text.remove_prefix(1);
    return code;
}

template <class... Values>
std::array<char, 64> text_of(const char* format, Values... values) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text;
}

}  // namespace

enum class Align : std::uint8_t { left, right };

// Draws glyphs and boxes into a picture. x is from the left, y from the top.
class OverlayPainter::Pen {
  public:
    explicit Pen(OverlayPicture& out) : out_(out) {}

    void box(int x, int y, int width, int height, std::uint32_t hex) {
        for (int row = std::max(y, 0); row < std::min(y + height, kHeight_px); ++row)
            for (int column = std::max(x, 0); column < std::min(x + width, kWidth_px); ++column) {
                std::uint8_t* to = at(column, row);
                for (int c = 0; c < 3; ++c) to[c] = channel(hex, c);
                to[3] = 255;
            }
    }

    /// `y` is the baseline. Text beyond `limit_px` is cut off.
    void text(const Font& font, int x, int y, std::uint32_t hex, std::string_view words, Align align = Align::left,
              int limit_px = kWidth_px) {
        float pen = static_cast<float>(x) - (align == Align::right ? width(font, words) : 0.0F);
        const float end = align == Align::right ? static_cast<float>(kWidth_px) : static_cast<float>(x + limit_px);
        while (!words.empty()) {
            const Glyph* glyph = find(font, next_code(words));
            if (glyph == nullptr) continue;
            if (pen + glyph->advance_px > end) return;
            put(font, *glyph, static_cast<int>(std::lround(pen)), y, hex);
            pen += glyph->advance_px;
        }
    }

  private:
    std::uint8_t* at(int x, int y) {
        return &out_.rgba[4 * (static_cast<std::size_t>(kHeight_px - 1 - y) * kWidth_px + static_cast<std::size_t>(x))];
    }
    static const Glyph* find(const Font& font, int code) {
        if (code < Font::kFirst || code > Font::kLast) code = '?';
        return &font.glyphs[static_cast<std::size_t>(code - Font::kFirst)];
    }
    static float width(const Font& font, std::string_view words) {
        float sum = 0.0F;
        while (!words.empty()) sum += find(font, next_code(words))->advance_px;
        return sum;
    }
    void put(const Font& font, const Glyph& glyph, int x, int y, std::uint32_t hex) {
        for (int row = 0; row < glyph.height_px; ++row)
            for (int column = 0; column < glyph.width_px; ++column) {
                const int to_x = x + glyph.left_px + column, to_y = y + glyph.top_px + row;
                if (to_x < 0 || to_x >= kWidth_px || to_y < 0 || to_y >= kHeight_px) continue;
                const int share = font.coverage[glyph.first + static_cast<std::size_t>(row * glyph.width_px + column)];
                std::uint8_t* to = at(to_x, to_y);
                for (int c = 0; c < 3; ++c)
                    to[c] = static_cast<std::uint8_t>((share * channel(hex, c) + (255 - share) * to[c] + 127) / 255);
            }
    }

    OverlayPicture& out_;
};

OverlayPainter::Font OverlayPainter::make_font(const char* file, float size_px) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    stbtt_fontinfo info{};
    if (bytes.empty() || stbtt_InitFont(&info, data, stbtt_GetFontOffsetForIndex(data, 0)) == 0)
        throw std::runtime_error(std::string(file) + ": is no typeface that can be read");
    const float scale = stbtt_ScaleForMappingEmToPixels(&info, size_px);
    Font font;
    for (int code = Font::kFirst; code <= Font::kLast; ++code) {
        Glyph& glyph = font.glyphs[static_cast<std::size_t>(code - Font::kFirst)];
        int advance = 0, bearing = 0, right = 0, bottom = 0;
        stbtt_GetCodepointHMetrics(&info, code, &advance, &bearing);
        stbtt_GetCodepointBitmapBox(&info, code, scale, scale, &glyph.left_px, &glyph.top_px, &right, &bottom);
        glyph.width_px = right - glyph.left_px;
        glyph.height_px = bottom - glyph.top_px;
        glyph.advance_px = scale * static_cast<float>(advance);
        glyph.first = font.coverage.size();
        font.coverage.resize(glyph.first + static_cast<std::size_t>(glyph.width_px * glyph.height_px));
        if (glyph.width_px > 0 && glyph.height_px > 0)
            stbtt_MakeCodepointBitmap(&info, font.coverage.data() + glyph.first, glyph.width_px, glyph.height_px,
                                      glyph.width_px, scale, scale, code);
    }
    // All digits get the widest digit's advance, so that changing numbers do not shift.
    float widest = 0.0F;
    for (int code = '0'; code <= '9'; ++code)
        widest = std::max(widest, font.glyphs[static_cast<std::size_t>(code - Font::kFirst)].advance_px);
    for (int code = '0'; code <= '9'; ++code)
        font.glyphs[static_cast<std::size_t>(code - Font::kFirst)].advance_px = widest;
    return font;
}

OverlayPainter::OverlayPainter() {
    const FontFamily* family = installed_font_family();
    if (family == nullptr) throw std::runtime_error("no typeface is installed for the panel; install fonts-inter");
    body_ = make_font(family->file(FontWeight::medium), 21.0F);
    heading_ = make_font(family->file(FontWeight::semibold), 22.0F);
    note_ = make_font(family->file(FontWeight::medium), 18.0F);
}

void OverlayPainter::draw(const SceneFacts& scene, const FrameLedger::Facts& frames, OverlayPicture& out) const {
    Pen pen(out);
    constexpr int kRight_px = kWidth_px - kMargin_px, kRow_px = 29;
    pen.box(0, 0, kWidth_px, kHeight_px, palette::kCard);

    // Touches.
    pen.text(heading_, kMargin_px, 34, palette::kText, scene.scene.data(), Align::left, 400);
    const char* seen = scene.hands[0] && scene.hands[1] ? "both hands"
                       : scene.hands[0]                 ? "left hand"
                       : scene.hands[1]                 ? "right hand"
                                                        : "no hand";
    pen.text(note_, kRight_px, 34, palette::kSecondary, seen, Align::right);
    int y = 68;
    if (scene.touch_count == 0) pen.text(body_, kMargin_px, y, palette::kSecondary, "no touch yet");
    for (std::size_t i = 0; i < scene.touch_count; ++i, y += kRow_px) {
        const OverlayTouch& touch = scene.touches[i];
        const std::uint32_t ink = touch.continues ? palette::kText : palette::kTertiary;
        const std::string_view part = tracking::kHandPartNames[static_cast<std::size_t>(touch.part)];
        const char* side = touch.side == tracking::Side::left ? "left" : "right";
        if (touch.continues) pen.box(kMargin_px - 10, y - 17, 5, 20, palette::kTouching);
        pen.text(body_, kMargin_px, y, ink, text_of("%s %.*s", side, static_cast<int>(part.size()), part.data()).data(),
                 Align::left, 130);
        pen.text(body_, kMargin_px + 136, y, ink, touch.object.data(), Align::left, 130);
        pen.text(body_, kMargin_px + 366, y, ink,
                 text_of("%.*f s", touch.duration_s < 1000.0 ? 2 : 0, touch.duration_s).data(), Align::right);
        const float depth_m = touch.continues ? touch.depth_m : touch.deepest_m;
        pen.text(body_, kMargin_px + 470, y, ink, text_of("%.1f mm", 1e3 * static_cast<double>(depth_m)).data(),
                 Align::right);
        constexpr int kBar_px = 112;
        pen.box(kRight_px - kBar_px, y - 13, kBar_px, 12, palette::kField);
        const float share = std::clamp(depth_m / kFullBar_m, 0.0F, 1.0F);
        pen.box(kRight_px - kBar_px, y - 13, static_cast<int>(share * static_cast<float>(kBar_px)), 12,
                touch.continues ? palette::kTouching : palette::kIdle);
    }
    pen.box(kMargin_px, 204, kRight_px - kMargin_px, 1, palette::kLine);

    // The scene's step, which runs on the panel's thread.
    constexpr int kTop_px = 228, kLine_px = 25, kColumn_px = 300;
    pen.text(heading_, kMargin_px, kTop_px, palette::kText, "Step, \u00B5s");
    pen.text(note_, kMargin_px + 190, kTop_px, palette::kSecondary, "p50", Align::right);
    pen.text(note_, kMargin_px + 280, kTop_px, palette::kSecondary, "p99", Align::right);
    y = kTop_px + kLine_px + 2;
    for (const SceneFacts::Cost& cost : scene.stages) {
        if (cost.stage.empty()) continue;
        pen.text(note_, kMargin_px, y, palette::kText, cost.stage);
        pen.text(note_, kMargin_px + 190, y, palette::kText, text_of("%.1f", cost.p50_us).data(), Align::right);
        pen.text(note_, kMargin_px + 280, y, palette::kText, text_of("%.1f", cost.p99_us).data(), Align::right);
        y += kLine_px;
    }

    // The application's frames.
    const int x = kMargin_px + kColumn_px + 24;
    pen.box(x - 20, kTop_px - 18, 1, kHeight_px - kTop_px, palette::kLine);
    pen.text(heading_, x, kTop_px, palette::kText, "Frames");
    y = kTop_px + kLine_px + 2;
    const auto row = [&](const char* name, const char* value, std::uint32_t ink) {
        pen.text(note_, x, y, palette::kText, name);
        pen.text(note_, kRight_px, y, ink, value, Align::right);
        y += kLine_px;
    };
    const auto ms = [](std::int64_t ns) { return text_of("%.2f ms", 1e-6 * static_cast<double>(ns)); };
    const auto ink_of = [&](bool is_late) { return is_late ? palette::kTouching : palette::kText; };
    row("display period", ms(frames.period_ns).data(), palette::kText);
    row("work, p50", ms(frames.work_p50_ns).data(), ink_of(frames.work_p50_ns > frames.period_ns));
    row("work, p99", ms(frames.work_p99_ns).data(), ink_of(frames.work_p99_ns > frames.period_ns));
    row("count", text_of("%lld", static_cast<long long>(frames.frames)).data(), palette::kText);
    row("longer than period", text_of("%lld", static_cast<long long>(frames.too_long)).data(),
        ink_of(frames.too_long > 0));
    row("missed", text_of("%lld", static_cast<long long>(frames.missed)).data(), ink_of(frames.missed > 0));
}

void write_png(const OverlayPicture& picture, const std::filesystem::path& path) {
    constexpr std::size_t kRowBytes = std::size_t{4} * kWidth_px;
    std::vector<std::uint8_t> rows(picture.rgba.size());
    for (std::size_t y = 0; y < kHeight_px; ++y)
        std::copy_n(&picture.rgba[(kHeight_px - 1 - y) * kRowBytes], kRowBytes, &rows[y * kRowBytes]);
    std::string png;
    const auto append = [](void* to, void* bytes, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &png, kWidth_px, kHeight_px, 4, rows.data(), static_cast<int>(kRowBytes)) == 0)
        throw recordings::ExportError(path.string() + ": there is no memory for the picture");
    recordings::Output out(path);
    out.write(recordings::marked_png(std::move(png)));
    out.commit();
}

}  // namespace glovebox::vr::layer
