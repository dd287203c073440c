#include "vr/ui/fonts.h"

#include <gtest/gtest.h>

#include "vr/render/font_files.h"

namespace glovebox::vr {
namespace {

class FontsTest : public testing::Test {
  protected:
    FontsTest() { ImGui::CreateContext(); }
    ~FontsTest() override { ImGui::DestroyContext(); }

    // Returns the text as it is drawn after all of its characters were asked for.
    std::string drawn(const std::string& text) {
        add_characters(text, characters_);
        return drawable(*load_fonts(1.0F, characters_).note, text, numbers_);
    }

    Characters characters_;
    UndrawnNumbers numbers_;
};

TEST_F(FontsTest, LatinTextNeedsNoOtherFont) {
    EXPECT_EQ(drawn("Tür • 5 µm … −3 × 2"), "Tür • 5 µm … −3 × 2");
    EXPECT_TRUE(characters_.empty());
}

TEST_F(FontsTest, CyrillicAndGreekAreDrawn) {
    if (installed_font_family() == nullptr) GTEST_SKIP() << "no font here";
    EXPECT_EQ(drawn("Мяч, σφαίρα"), "Мяч, σφαίρα");
    EXPECT_TRUE(numbers_.empty());
}

// U+0378 is not assigned, so no font has it; beyond U+FFFF, this ImGui has no glyphs at all.
TEST_F(FontsTest, NamesThatNoFontHasAreNumberedAndStayApart) {
    EXPECT_EQ(drawn("\u0378\u0379 cup"), "#1 cup");
    EXPECT_EQ(drawn("red \U0010FFF0"), "red #2");
    EXPECT_EQ(drawn("index on \u0378\u0379"), "index on #1");
    EXPECT_EQ(drawn("b\xFFyte \xE4"), "b#3yte #4");
}

}  // namespace
}  // namespace glovebox::vr
