#include "vr/ui/icon.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/test_folder.h"
#include "vr/render/palette.h"

namespace glovebox::vr {
namespace {

std::array<int, 4> pixel_at(const std::vector<std::uint8_t>& pixels, int size, double x, double y) {
    const auto first =
        4 * (static_cast<std::size_t>(y * size) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x * size));
    return {pixels[first], pixels[first + 1], pixels[first + 2], pixels[first + 3]};
}

TEST(Icon, AFingerTouchesABallOnARoundedCard) {
    for (const int size : {16, 64, 256}) {
        const auto pixels = icon_rgba(size);
        ASSERT_EQ(pixels.size(), static_cast<std::size_t>(4 * size * size));
        EXPECT_EQ(pixel_at(pixels, size, 0.01, 0.01)[3], 0) << "the corner is clear";
        EXPECT_EQ(pixel_at(pixels, size, 0.7, 0.72), (std::array{0x8F, 0xC1, 0xB6, 255})) << "the ball";
        EXPECT_EQ(pixel_at(pixels, size, 0.23, 0.25), (std::array{0xDF, 0xC8, 0xB9, 255})) << "the finger";
        if (size < 64) continue;  // at these sizes the contact is less than two pixels
        const auto touch = pixel_at(pixels, size, 0.457, 0.477);
        EXPECT_EQ(touch[0] << 16 | touch[1] << 8 | touch[2], static_cast<int>(palette::kTouching)) << "the contact";
    }
}

// The window's icon and the desktop file's are the same drawing, so their colours are equal.
TEST(Icon, TheDesktopFileHasTheSameColours) {
    const std::string text = tests::text_of_file(GLOVEBOX_SOURCE "/vr/package/glovebox.svg");
    for (const char* color : {"#8FC1B6", "#DFC8B9", "#D55E00", "#F6F8FA"})
        EXPECT_NE(text.find(color), std::string::npos) << color;
}

}  // namespace
}  // namespace glovebox::vr
