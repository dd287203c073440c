#include "tracking/quoted.h"

#include <gtest/gtest.h>

#include <string>

namespace glovebox::tracking {
namespace {

const std::string kPlain = "Handgriff 7 (groß), 杯, \xF0\x9F\x96\x90";  // characters of two, three and four bytes

TEST(Printable, LeavesNamesAsTheyAre) {
    EXPECT_EQ(printable(kPlain), kPlain);
    EXPECT_EQ(printable(""), "");
    EXPECT_EQ(printable("a\\b 'c' \"d\" `e`"), "a\\b 'c' \"d\" `e`");
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(printable("a\x1b]0;title\x07z"), "a\\x1b]0;title\\x07z");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\x0dd");
    EXPECT_EQ(printable("\xC2\x9B"
                        "31m"),
              "\\xc2\\x9b31m");                                                   // CSI as one character
    EXPECT_EQ(printable("cup\xE2\x80\xAEyrt.exe"), "cup\\xe2\\x80\\xaeyrt.exe");  // right-to-left override
    EXPECT_EQ(printable(std::string("a\0b\x7f", 4)), "a\\x00b\\x7f");
    EXPECT_EQ(printable_lines("one\ntwo\x1b[2J\n"), "one\ntwo\\x1b[2J\n");
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
    EXPECT_EQ(printable("\xFF\xFE"), "\\xff\\xfe");
    EXPECT_EQ(printable("a\xC3"), "a\\xc3");                           // cut in the middle
    EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");                    // '/' in two bytes
    EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");           // in three
    EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
    EXPECT_EQ(printable("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");  // beyond Unicode
}

TEST(CsvCell, IsOneCellOfTextInOneLine) {
    EXPECT_EQ(csv_cell("cup"), "cup");
    EXPECT_EQ(csv_cell("cup, \"red\""), "\"cup, \"\"red\"\"\"");
    EXPECT_EQ(csv_cell("a\nb\rc"), "a\\nb\\x0dc");
    EXPECT_EQ(csv_cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
    for (const char* formula : {"=1+1", "+1", "-1", "@SUM(1)"})
        EXPECT_EQ(csv_cell(formula), std::string("'") + formula);
    EXPECT_EQ(csv_cell("a=b"), "a=b");
}

TEST(XmlText, IsTextOnly) {
    EXPECT_EQ(xml_text("<script>&'\""), "&lt;script&gt;&amp;&#39;&quot;");
    EXPECT_EQ(xml_text("a\x01\xFF"
                       "b"),
              "a\\x01\\xffb");
    EXPECT_EQ(xml_text("\xEF\xBF\xBF"), "\xEF\xBF\xBD");
    EXPECT_EQ(xml_text(kPlain), kPlain);
}

TEST(GnuplotString, EndsWhereTheNameEnds) {
    EXPECT_EQ(gnuplot_string("cup's `touch x`"), "'cup''s `touch x`'");
    EXPECT_EQ(gnuplot_string("a\n!touch x"), "'a\\n!touch x'");
}

TEST(ShellWord, IsOneWordOfTheSameBytes) {
    EXPECT_EQ(shell_word("a'b; touch x\n\xFF"), "'a'\\''b; touch x\n\xFF'");
}

TEST(TomlString, EscapesQuotesAndControls) {
    EXPECT_EQ(toml_string("a\"b\\c\n\x1b"), "\"a\\\"b\\\\c\\u000a\\u001b\"");
    EXPECT_EQ(toml_string("\xFF"), "\"\\ufffd\"");
    EXPECT_EQ(toml_string(kPlain), '"' + kPlain + '"');
}

}  // namespace
}  // namespace glovebox::tracking
