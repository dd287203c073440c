// `glovebox digest`: the page in a browser, by pictures and clicks; its positions against the session's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "recordings/writer.h"
#include "tests/vr/export/session_of.h"
#include "tests/vr/export/three_js.h"
#include "tests/vr/run_program.h"
#include "vr/export/digest.h"
#include "vr/export/packed.h"
#include "vr/platform/platform.h"
#include "vr/platform/tool.h"
#include "vr/session/box_states.h"
#include "vr/session/open_recording.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (has_tool(name)) return name;
    return {};
}

// Adds a script to the page and returns what it last writes into #result.
json result_of(const std::filesystem::path& folder, const std::string& page, const std::string& script) {
    const std::size_t at = page.find("nonce=\"") + 7;
    const std::string nonce = page.substr(at, page.find('"', at) - at);
    std::string tried = page;
    tried.insert(tried.rfind("</body>"),
                 "<pre id=\"result\"></pre><script nonce=\"" + nonce +
                     "\">document.getElementById('result').textContent = JSON.stringify((() => {" + script +
                     "})());</script>");
    std::ofstream(folder / "tried.html") << tried;
    const std::string command = "cd '" + folder.string() + "' && timeout 100 " + browser() +
                                " --headless --no-sandbox --disable-gpu-sandbox --use-angle=swiftshader "
                                "--enable-unsafe-swiftshader --user-data-dir=profile --window-size=1000,900 "
                                "--virtual-time-budget=4000 --dump-dom 'file://" +
                                (folder / "tried.html").string() + "' >dom.html 2>chromium.txt";
    EXPECT_EQ(std::system(command.c_str()), 0) << text_of_file(folder / "chromium.txt");
    const std::string dom = text_of_file(folder / "dom.html");
    const std::size_t from = dom.find("<pre id=\"result\">") + 17;
    std::string text = dom.substr(from, dom.find("</pre>", from) - from);
    for (const auto& [escaped, c] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&amp;", "&")})
        for (std::size_t i = 0; (i = text.find(escaped, i)) != std::string::npos; ++i)
            text.replace(i, strlen(escaped), c);
    return json::parse(text, nullptr, false);
}

TEST(Digest, IsOnePageWithoutAddressesAndWithoutEval) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    const TestFolder folder("digest");
    const ProgramResult made = run_program("digest flick -o flick.html", folder.path);
    ASSERT_EQ(made.exit_code, 0) << made.error;
    const std::string page = text_of_file(folder.path / "flick.html");
    EXPECT_LT(page.size(), 2'000'000U);
    EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'nonce-"));
    EXPECT_THAT(page, Not(HasSubstr("unsafe-eval")));
    for (const char* address : {"<link", "src=\"", "@import", "href=\"http"})
        EXPECT_THAT(page.substr(0, page.find("</style>")), Not(HasSubstr(address)));
    EXPECT_EQ(run_program("digest flick -o flick.html", folder.path).exit_code, 0) << "its own page is made again";
    std::ofstream(folder.path / "mine.html") << "<!doctype html><p>mine";
    EXPECT_EQ(run_program("digest flick -o mine.html", folder.path).exit_code, 1);
}

// The bundled recording of two hands, extended to ten minutes without a pause.
TEST(Digest, OfTenMinutesOfTwoHandsTakesLessThanFiveMegabytes) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    recordings::Recording recording = open_recording("carry");
    const std::vector<tracking::HandPair> once = recording.samples;
    const std::int64_t round_ns = once.back().time_ns + 11'111'111;
    for (std::int64_t round = 1; recording.duration_s() < 600.0; ++round)
        for (tracking::HandPair sample : once) {
            sample.time_ns += round * round_ns;
            recording.samples.push_back(sample);
        }
    Session session(scene_of_replay({}, "carry").scene, std::move(recording), {}, now_ns);
    const DigestSettings settings{{}, "digest", read_three_js()};
    const auto data = digest_data(session, settings);
    EXPECT_LE(data["stride"].get<int>(), 6) << "15 pictures a second";
    EXPECT_LT(digest_page(data, settings).size(), 5'000'000U);
}

TEST(Digest, InABrowserShowsTheSessionsPositionsToATenthOfAMillimetre) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    if (browser().empty()) GTEST_SKIP() << "no Chromium is installed";
    const TestFolder folder("digest_positions");
    ASSERT_EQ(run_program("digest carry -o page.html", folder.path).exit_code, 0);
    const json found =
        result_of(folder.path, text_of_file(folder.path / "page.html"),
                  "const g = window.glovebox, out = [];"
                  "for (let f = 0; f < g.frames; f += 37) for (const hand of g.hands) for (const j of [1, 5, 10, 25])"
                  "  out.push([hand.side, f, j, g.times[f]].concat(g.joint(hand, j, f)));"
                  "return out;");
    ASSERT_TRUE(found.is_array());
    const auto session = session_of("carry");
    std::vector<tracking::HandPair> frames;
    std::vector<double> times_s;
    while (session->next()) {
        frames.push_back(session->pipeline.hands);
        times_s.push_back(session->time_s());
    }
    std::size_t compared = 0;
    for (const json& row : found) {
        const tracking::Side side = row[0] == "left" ? tracking::Side::left : tracking::Side::right;
        const tracking::HandFrame& hand = frames.at(row[1].get<std::size_t>())[side];
        if (!hand.active) continue;
        const Eigen::Vector3f shown(row[4].get<float>(), row[5].get<float>(), row[6].get<float>());
        EXPECT_LT((shown - hand.joints[row[2].get<std::size_t>()].position_m).cwiseAbs().maxCoeff(), 5.1e-5F);
        EXPECT_NEAR(row[3].get<double>(), times_s.at(row[1].get<std::size_t>()), 1e-6);
        ++compared;
    }
    EXPECT_GT(compared, 100U);
}

// 32-bit microseconds end after 36 minutes.
TEST(Digest, InABrowserAnHourKeepsItsTimes) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    if (browser().empty()) GTEST_SKIP() << "no Chromium is installed";
    const TestFolder folder("digest_hour");
    recordings::Recording recording = open_recording("grasp");
    for (tracking::HandPair& sample : recording.samples) sample.time_ns *= 450;
    recordings::save(recording, folder.path / "hour.csv");
    ASSERT_EQ(run_program("digest hour.csv -o page.html", folder.path).exit_code, 0);
    const json times = result_of(folder.path, text_of_file(folder.path / "page.html"), "return window.glovebox.times;");
    ASSERT_EQ(times.size(), recording.samples.size());
    for (std::size_t i = 0; i < times.size(); ++i)
        ASSERT_NEAR(times[i].get<double>(), 1e-9 * static_cast<double>(recording.samples[i].time_ns), 1e-5) << i;
}

TEST(Digest, InABrowserHasTheBoxesThatTheSessionTested) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    if (browser().empty()) GTEST_SKIP() << "no Chromium is installed";
    const TestFolder folder("digest_boxes");
    ASSERT_EQ(run_program("digest grasp -o page.html", folder.path).exit_code, 0);
    const json found = result_of(
        folder.path, text_of_file(folder.path / "page.html"),
        "const g = window.glovebox, out = [];"
        "for (let f = 3; f < g.frames; f += 41) for (const hand of g.hands) hand.boxes.forEach((each, bone) => {"
        "  const box = g.box(hand, bone, f);"
        "  out.push([hand.side, f, bone, each.state[f]].concat(box.center, ...box.axes.map((axis, k) => axis.map((v) "
        "=> v "
        "* box.half[k]))));"
        "});"
        "return out;");
    ASSERT_TRUE(found.is_array());
    const auto session = session_of("grasp");
    std::vector<tracking::PerSide<collision::BodyPose>> poses;
    std::vector<tracking::PerSide<std::vector<BoxState>>> states;
    std::vector<BoxState> objects;
    while (session->next()) {
        auto& pose = poses.emplace_back();
        auto& state = states.emplace_back();
        for (const tracking::Side side : tracking::kSides) {
            pose[side] = session->pipeline.world.hands[side].pose;
            box_states(session->scene, session->pipeline.world, side, state[side], objects);
        }
    }
    std::array<int, 4> seen{};
    for (const json& row : found) {
        const tracking::Side side = row[0] == "left" ? tracking::Side::left : tracking::Side::right;
        const auto frame = row[1].get<std::size_t>(), bone = row[2].get<std::size_t>();
        const BoxState state = states.at(frame)[side].at(bone);
        ++seen.at(static_cast<std::size_t>(state));
        EXPECT_EQ(row[3], static_cast<int>(state)) << "frame " << frame << ", bone " << bone;
        if (state == BoxState::absent) continue;
        const collision::Obb& box = poses.at(frame)[side].leaf_boxes.at(bone);
        const auto column = [&](std::size_t at) {
            return Eigen::Vector3f(row[at].get<float>(), row[at + 1].get<float>(), row[at + 2].get<float>());
        };
        for (int corner = 0; corner < 8; ++corner) {
            Eigen::Vector3f shown = column(4), tested = box.center_m;
            for (int axis = 0; axis < 3; ++axis) {
                const float sign = (corner >> axis & 1) != 0 ? 1.0F : -1.0F;
                shown += sign * column(static_cast<std::size_t>(7 + 3 * axis));
                tested += sign * box.half_m[axis] * box.axes.col(axis);
            }
            EXPECT_LT((shown - tested).norm(), 2.5e-4F) << "frame " << frame << ", bone " << bone;
        }
    }
    EXPECT_GT(seen[1], 20) << "idle";
    EXPECT_GT(seen[2], 20) << "false positives";
    EXPECT_GT(seen[3], 10) << "touching";
}

TEST(Digest, InABrowserAnswersClicksAndKeysAndDraws) {
    if (!has_three()) GTEST_SKIP() << "libjs-three is not installed";
    if (browser().empty()) GTEST_SKIP() << "no Chromium is installed";
    const TestFolder folder("digest_clicks");
    std::ofstream(folder.path / "named.toml")
        << "name = \"</script><script>document.title='owned'</script>\"\n[hand]\nplacement = \"fingertips\"\n"
           "anchor_m = [0.0, 0.0, 0.0]\n[[object]]\nname = \"<img src=x onerror=alert(1)>\"\nshape = \"box\"\nhalf_m = "
           "[0.05, "
           "0.05, 0.05]\n";
    ASSERT_EQ(run_program("digest grasp --scene named.toml -o page.html", folder.path).exit_code, 0);
    const json found =
        result_of(folder.path, text_of_file(folder.path / "page.html"),
                  "const g = window.glovebox, out = {}; const key = (k, s) => document.dispatchEvent(new "
                  "KeyboardEvent('keydown', "
                  "{key: k, shiftKey: !!s, bubbles: true}));"
                  "const el = (id) => document.getElementById(id);"
                  "out.title = document.title; out.images = document.images.length;"
                  "const bars = document.querySelectorAll('#lanes .touch'); out.bars = bars.length;"
                  "out.rows = document.querySelectorAll('#touches tbody tr').length;"
                  "bars[2].dispatchEvent(new MouseEvent('click', {bubbles: true})); out.bar = g.state.time; out.now = "
                  "el('now').textContent;"
                  "key('Home'); out.home = g.state.time; key('ArrowRight'); out.step = g.state.frame; "
                  "key('ArrowRight', true); out.second "
                  "= g.state.time; key('End'); out.end = g.state.time; key('n'); key('p'); out.back = g.state.time;"
                  "const boxes = g.state.boxes; key('b'); out.boxes = boxes && !g.state.boxes; el('boxes').click();"
                  "out.boxes = out.boxes && g.state.boxes;"
                  "key('.'); out.speed = g.state.speed; el('play').click(); out.playing = g.state.playing; key(' '); "
                  "out.paused = "
                  "g.state.playing; document.querySelector('#touches tbody button').click(); out.row = g.state.time;"
                  "out.webgl = !!g.view; if (g.view) { const c = el('view'), d = document.createElement('canvas'); "
                  "d.width = c.width; "
                  "d.height = c.height; const x = d.getContext('2d'); x.drawImage(c, 0, 0); const p = "
                  "x.getImageData(0, 0, d.width, "
                  "d.height).data; const seen = new Set(); for (let i = 0; i < p.length; i += 4 * 97) seen.add(p[i] * "
                  "65536 + p[i + 1] * 256 + "
                  "p[i + 2]); out.colors = seen.size; }"
                  "return out;");
    ASSERT_TRUE(found.is_object());
    EXPECT_THAT(found["title"].get<std::string>(), HasSubstr("</script>")) << "the name is text";
    EXPECT_EQ(found["images"], 0) << "no name became markup";
    const auto session = session_of("grasp");
    EXPECT_GT(found["bars"].get<int>(), 2);
    EXPECT_EQ(found["bars"], found["rows"]);
    EXPECT_GT(found["bar"].get<double>(), 0.0);
    EXPECT_THAT(found["now"].get<std::string>(), HasSubstr(" on <img"));
    EXPECT_EQ(found["home"], 0.0);
    EXPECT_EQ(found["step"], 1);
    EXPECT_NEAR(found["second"].get<double>(), 1.0, 0.05);
    EXPECT_NEAR(found["end"].get<double>(), session->recording().duration_s(), 0.01);
    EXPECT_LT(found["back"].get<double>(), found["end"].get<double>());
    EXPECT_EQ(found["boxes"], true) << "B and the button hide and show them";
    EXPECT_EQ(found["speed"], 2.0);
    EXPECT_EQ(found["playing"], true);
    EXPECT_EQ(found["paused"], false);
    EXPECT_LT(found["row"].get<double>(), found["back"].get<double>() + 1e-9);
    if (found["webgl"] != true) GTEST_SKIP() << "no WebGL in this browser: the picture was not looked at";
    EXPECT_GT(found["colors"].get<int>(), 30) << "something is drawn and shaded";
}

// The page has the decoder: this test checks that the packed form is short, the browser test that it is right.
TEST(Packed, TakesFewBitsForWhatChangesLittle) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0.0, 7.0);
    std::vector<std::int32_t> series;
    for (int i = 0; i < 20'000; ++i)
        series.push_back(static_cast<std::int32_t>(3000.0 * std::sin(0.01 * i) + noise(random)));
    const double bits = 6.0 * static_cast<double>(packed(series).size()) / static_cast<double>(series.size());
    EXPECT_LT(bits, 8.0);
    EXPECT_GT(bits, 3.0);
}

}  // namespace
}  // namespace glovebox::vr
