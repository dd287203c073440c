// The panel over an application: its picture, the quad that shows it, and what it leaves alone.
#include <stb/stb_image.h>

#include <cstdio>
#include <memory>

#include "recordings/load.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "tracking/hand_parts.h"
#include "vr/layer/layer_options.h"
#include "vr/layer/overlay_picture.h"
#include "vr/openxr/seat.h"
#include "vr/platform/library.h"
#include "vr/render/palette.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // the top row first

    std::array<int, 3> at(int x, int y) const {
        const std::uint8_t* from = &rgba[static_cast<std::size_t>(4 * (y * width + x))];
        return {from[0], from[1], from[2]};
    }
    bool operator==(const Image&) const = default;
};

Image read_png(const std::filesystem::path& file) {
    Image image;
    int channels = 0;
    stbi_uc* pixels = stbi_load(file.c_str(), &image.width, &image.height, &channels, 4);
    if (pixels == nullptr) return {};
    image.rgba.assign(pixels, pixels + 4 * image.width * image.height);
    stbi_image_free(pixels);
    return image;
}

Image image_of(const OverlayPicture& picture) {
    Image image{OverlayPicture::kWidth_px, OverlayPicture::kHeight_px, {}};
    const std::size_t row = std::size_t{4} * OverlayPicture::kWidth_px;
    for (std::size_t y = OverlayPicture::kHeight_px; y-- > 0;)
        image.rgba.insert(image.rgba.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>(y * row),
                          picture.rgba.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
    return image;
}

struct Box {
    int left, top, right, bottom;
};
// How many pixels of a part differ.
int differences(const Image& a, const Image& b, const Box& part) {
    int count = 0;
    for (int y = part.top; y < part.bottom; ++y)
        for (int x = part.left; x < part.right; ++x) count += a.at(x, y) != b.at(x, y) ? 1 : 0;
    return count;
}
int pixels_of(const Image& image, std::uint32_t hex, const Box& part) {
    const std::array<int, 3> wanted = {static_cast<int>(hex >> 16 & 0xFFU), static_cast<int>(hex >> 8 & 0xFFU),
                                       static_cast<int>(hex & 0xFFU)};
    int count = 0;
    for (int y = part.top; y < part.bottom; ++y)
        for (int x = part.left; x < part.right; ++x) count += image.at(x, y) == wanted ? 1 : 0;
    return count;
}

template <std::size_t kSize>
void put(const char* from, std::array<char, kSize>& to) {
    std::snprintf(to.data(), to.size(), "%s", from);
}

SceneFacts held_ball() {
    SceneFacts facts;
    put("held-ball", facts.scene);
    facts.hands = {true, true};
    constexpr std::array kNames = {"ingest", "refit", "test", "exact", "step", "total"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
        facts.stages[i] = {kNames[i], 1.5 * static_cast<double>(i + 1), 4.0 * static_cast<double>(i + 1)};
    return facts;
}

FrameLedger::Facts frame_facts() {
    FrameLedger::Facts frames;
    frames.frames = 1200;
    frames.missed = 3;
    frames.too_long = 2;
    frames.period_ns = 11'111'111;
    frames.work_p50_ns = 4'200'000;
    frames.work_p99_ns = 12'000'000;
    return frames;
}

OverlayTouch touch(int part, float depth_m, bool continues) {
    OverlayTouch out;
    out.part = part;
    put("ball", out.object);
    out.duration_s = 0.25;
    out.depth_m = out.deepest_m = depth_m;
    out.continues = continues;
    return out;
}

constexpr Box kWhole = {0, 0, OverlayPicture::kWidth_px, OverlayPicture::kHeight_px};
constexpr Box kHeading = {0, 0, 400, 45}, kSeen = {450, 0, 640, 45};
constexpr Box row_box(int row) {
    return {0, 48 + 29 * row, OverlayPicture::kWidth_px, 76 + 29 * row};
}

TEST(SeePicture, SaysWhatItIsGivenAndTheSameTwice) {
    const OverlayPainter painter;
    auto picture = std::make_unique<OverlayPicture>(), again = std::make_unique<OverlayPicture>();
    SceneFacts facts = held_ball();
    facts.touches[0] = touch(1, 0.005F, true);
    facts.touches[1] = touch(2, 0.0025F, false);
    facts.touch_count = 2;
    painter.draw(facts, frame_facts(), *picture);
    again->rgba.fill(77);
    painter.draw(facts, frame_facts(), *again);
    EXPECT_EQ(picture->rgba, again->rgba) << "nothing of the picture before shows through";
    const Image image = image_of(*picture);
    const std::uint32_t touching = palette::kTouching, ended = palette::kIdle;
    EXPECT_GT(pixels_of(image, palette::kText, kHeading), 100) << "the scene's name";
    // A bar is full at 10 mm and 112 pixels long, 12 high.
    const Box bars = {500, 0, 640, 200};
    const auto bar = [&](int row, std::uint32_t hex) {
        return pixels_of(image, hex, {bars.left, row_box(row).top, bars.right, row_box(row).bottom});
    };
    EXPECT_EQ(bar(0, touching), 56 * 12);
    EXPECT_EQ(bar(1, ended), 28 * 12);
    EXPECT_EQ(bar(1, touching), 0) << "it has ended";
    EXPECT_EQ(pixels_of(image, touching, {0, row_box(0).top, 20, row_box(0).bottom}), 5 * 20) << "this one goes on";
    EXPECT_EQ(pixels_of(image, touching, {0, row_box(1).top, 20, row_box(1).bottom}), 0);
}

TEST(SeePicture, EachFactHasItsPlace) {
    const OverlayPainter painter;
    auto picture = std::make_unique<OverlayPicture>();
    const auto drawn = [&](const SceneFacts& facts, const FrameLedger::Facts& frames) {
        painter.draw(facts, frames, *picture);
        return image_of(*picture);
    };
    SceneFacts base = held_ball();
    base.touches[0] = touch(1, 0.005F, true);
    base.touch_count = 1;
    const Image before = drawn(base, frame_facts());
    const auto expect_only = [&](const Image& after, const Box& part, const char* what) {
        const int inside = differences(before, after, part);
        EXPECT_GT(inside, 5) << what;
        EXPECT_EQ(differences(before, after, kWhole), inside) << what << " is told outside of its place";
    };
    SceneFacts facts = base;
    put("cup", facts.scene);
    expect_only(drawn(facts, frame_facts()), kHeading, "scene");
    facts = base;
    facts.hands[0] = false;
    expect_only(drawn(facts, frame_facts()), kSeen, "hands");
    for (const auto& change : std::vector<void (*)(OverlayTouch&)>{
             [](OverlayTouch& t) { t.side = tracking::Side::left; }, [](OverlayTouch& t) { t.part = 4; },
             [](OverlayTouch& t) { put("cube", t.object); }, [](OverlayTouch& t) { t.duration_s = 7.75; },
             [](OverlayTouch& t) { t.depth_m = 0.001F; }, [](OverlayTouch& t) { t.continues = false; }}) {
        facts = base;
        change(facts.touches[0]);
        expect_only(drawn(facts, frame_facts()), row_box(0), "touch");
    }
    for (std::size_t i = 0; i < base.stages.size(); ++i) {
        const int y = 238 + 25 * static_cast<int>(i);
        facts = base;
        facts.stages[i].p50_us += 7.0;
        expect_only(drawn(facts, frame_facts()), {130, y, 212, y + 25}, "p50 of a stage");
        facts = base;
        facts.stages[i].p99_us += 7.0;
        expect_only(drawn(facts, frame_facts()), {222, y, 305, y + 25}, "p99 of a stage");
    }
    int row = 0;
    for (const auto& change : std::vector<void (*)(FrameLedger::Facts&)>{
             [](FrameLedger::Facts& f) { f.period_ns = 11'611'111; }, [](FrameLedger::Facts& f) { f.work_p50_ns = 1; },
             [](FrameLedger::Facts& f) { f.work_p99_ns = 13'000'000; }, [](FrameLedger::Facts& f) { f.frames = 7; },
             [](FrameLedger::Facts& f) { f.too_long = 5; }, [](FrameLedger::Facts& f) { f.missed = 5; }}) {
        FrameLedger::Facts frames = frame_facts();
        change(frames);
        const int y = 238 + 25 * row++;
        expect_only(drawn(base, frames), {500, y, 630, y + 25}, "frames");
    }
}

TEST(SeePicture, LongNamesAndManyTouchesStayInTheirPlaces) {
    const OverlayPainter painter;
    auto picture = std::make_unique<OverlayPicture>();
    SceneFacts facts = held_ball();
    for (std::size_t i = 0; i < SceneFacts::kMaxTouches; ++i) {
        facts.touches[i] = touch(static_cast<int>(i), 1.0F, true);
        facts.touches[i].duration_s = 999.99;
        put("WWWWWWWWWWWWWWWWWWWWWWW", facts.touches[i].object);
    }
    put("\xC3\xA4\xE2\x82\xAC WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", facts.scene);
    facts.touch_count = SceneFacts::kMaxTouches;
    painter.draw(facts, frame_facts(), *picture);
    const Image image = image_of(*picture);
    const std::uint32_t card = palette::kCard;
    const auto is_empty = [&](const Box& part) {
        return pixels_of(image, card, part) == (part.right - part.left) * (part.bottom - part.top);
    };
    EXPECT_TRUE(is_empty({0, 0, 8, 400}));
    EXPECT_TRUE(is_empty({622, 0, 640, 400}));
    EXPECT_TRUE(is_empty({421, 0, 500, 45})) << "the scene's name is cut off before the hands";
    EXPECT_TRUE(is_empty({288, 48, 292, 195})) << "an object's name is cut off before the duration";
    EXPECT_TRUE(is_empty({20, 196, 620, 203})) << "the last touch is above the line";
}

TEST(SeeLedger, CountsAsTheClosedForm) {
    FrameLedger ledger;
    EXPECT_EQ(ledger.facts().frames, 0);
    constexpr XrDuration kPeriod = 10'000'000;
    XrTime displayed = 1'000'000'000;
    std::int64_t now = 5'000;
    // Frame k works k * 20 us; every hundredth leaves two display times out.
    for (int k = 1; k <= 1000; ++k) {
        displayed += (k % 100 == 0 ? 3 : 1) * kPeriod;
        XrFrameState frame{XR_TYPE_FRAME_STATE, nullptr, displayed, kPeriod, XR_TRUE};
        ledger.waited(frame, now);
        ledger.ended(displayed, now + k * 20'000);
        ledger.ended(displayed, now + 50'000'000);  // twice is a mistake of the application's
        now += kPeriod;
    }
    ledger.ended(displayed + 1, now);  // nor was this one waited for
    const FrameLedger::Facts facts = ledger.facts();
    EXPECT_EQ(facts.frames, 1000);
    EXPECT_EQ(facts.missed, 20);
    EXPECT_EQ(facts.too_long, 500);
    EXPECT_EQ(facts.period_ns, kPeriod);
    // Of the last 512: 489 .. 1000.
    EXPECT_EQ(facts.work_p50_ns, (489 + 255) * 20'000);
    EXPECT_EQ(facts.work_p99_ns, (489 + 511 * 99 / 100) * 20'000);
}

// Monado states a multiple of the display's period to an application that is too slow for it.
TEST(SeeLedger, AStretchedPeriodHidesNoMissedDisplayTime) {
    constexpr XrDuration kPeriod = 10'000'000;
    FrameLedger ledger;
    XrTime displayed = 1'000'000'000;
    for (int k = 1; k <= 100; ++k) {
        const int periods = k <= 10 ? 1 : 3;
        displayed += periods * kPeriod;
        ledger.waited({XR_TYPE_FRAME_STATE, nullptr, displayed, periods * kPeriod, XR_TRUE}, displayed);
        ledger.ended(displayed, displayed + periods * kPeriod - 1);
    }
    EXPECT_EQ(ledger.facts().missed, 90 * 2);
    EXPECT_EQ(ledger.facts().too_long, 90);
    EXPECT_EQ(ledger.facts().period_ns, kPeriod);
    // A display that changes its rate is another matter, and so is a first frame that is late.
    EXPECT_EQ(openxr::display_period_ns(8'333'333, 13'888'889), 13'888'889);
    EXPECT_EQ(openxr::display_period_ns(11'111'111, 8'333'333), 8'333'333);
    EXPECT_EQ(openxr::display_period_ns(11'111'111, 11'111'112), 11'111'112);
    EXPECT_EQ(openxr::display_period_ns(11'111'111, 0), 11'111'111);
    EXPECT_EQ(openxr::display_period_ns(0, 11'111'111), 11'111'111);
}

// The library that the layer loads, with the hands of a bundled recording as the layer gives them, against the command.
TEST(SeeScene, TouchesAreThoseOfTheCommand) {
    const auto open = reinterpret_cast<OpenSceneFunction>(
        function_of_library_beside("../lib/libglovebox_layer_scene.so", kOpenSceneName));
    std::string why;
    EXPECT_EQ(open("no-such-scene", why), nullptr);
    EXPECT_THAT(why, HasSubstr("no-such-scene"));
    const std::unique_ptr<OverlayScene> scene(open("held-ball", why));
    ASSERT_NE(scene, nullptr) << why;
    recordings::Recording take;
    for (const recordings::SampleRow& row : recordings::sample_table())
        if (row.name == "grasp") take = row.make();
    const TestFolder folder("see_scene");
    ASSERT_EQ(run_program("touches grasp --scene held-ball -o touches.csv", folder.path).exit_code, 0);
    struct Row {
        std::string finger, object;
        double begin_s, end_s, duration_s, deepest_m;
    };
    std::vector<Row> rows;
    std::istringstream lines(text_of_file(folder.path / "touches.csv"));
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> words;
        std::istringstream row(line);
        for (std::string word; std::getline(row, word, ',');) words.push_back(word);
        if (words.size() > 8 && words[1] == "touch")
            rows.push_back({words[3], words[4], std::stod(words[5]), std::stod(words[6]), std::stod(words[7]),
                            std::stod(words[8])});
    }
    ASSERT_GT(rows.size(), 4U);
    SceneFacts facts;
    int going_on = 0, with_touches = 0;
    std::int64_t last_ns = 0;
    for (tracking::HandPair& sample : take.samples) {
        for (tracking::HandFrame& hand : sample.hands)
            for (tracking::JointPose& joint : hand.joints) joint.position_m += openxr::kSceneInSeat_m;
        scene->frame(sample, 1e-9 * static_cast<double>(sample.time_ns - last_ns));
        last_ns = sample.time_ns;
        scene->facts(facts);
        const double now_s = 1e-9 * static_cast<double>(sample.time_ns - take.samples.front().time_ns);
        const auto expected = std::ranges::count_if(
            rows, [&](const Row& row) { return row.begin_s <= now_s + 1e-6 && now_s + 1e-6 < row.end_s; });
        with_touches += expected > 0 ? 1 : 0;
        going_on += static_cast<std::ptrdiff_t>(facts.touching) == expected ? 1 : 0;
    }
    EXPECT_GT(with_touches, 100);
    EXPECT_GE(going_on, static_cast<int>(take.samples.size()) - 5) << "but for the last bits of a float";
    // The newest that have ended.
    std::ranges::stable_sort(rows, std::ranges::greater(), &Row::end_s);
    ASSERT_EQ(facts.touch_count, SceneFacts::kMaxTouches);
    for (const OverlayTouch& shown : facts.touches) {
        EXPECT_FALSE(shown.continues);
        const auto there = std::ranges::find_if(rows, [&](const Row& row) {
            return row.finger == tracking::kHandPartNames[static_cast<std::size_t>(shown.part)] &&
                   row.object == shown.object.data() && std::abs(row.duration_s - shown.duration_s) < 0.03 &&
                   std::abs(row.deepest_m - static_cast<double>(shown.deepest_m)) < 1e-4;
        });
        ASSERT_NE(there, rows.end()) << shown.object.data() << " " << shown.duration_s;
        EXPECT_LT(there - rows.begin(), 7) << "one of the last";
    }
    EXPECT_EQ(facts.frames, take.samples.size());
    EXPECT_EQ(facts.stages[5].stage, "total");
    EXPECT_GT(facts.stages[5].p50_us, facts.stages[1].p50_us);
}

// Frames enough for some pictures; the hands of a bundled recording hold the ball of its scene.
constexpr int kFrames = 150, kHoldingFrames = 400;
constexpr const char* kScript = "rate 90\neye_size 1280 720\nhand left still\nhand right still\nquads on\n";

std::string script_with_pictures(int frame = kFrames) {
    return std::string(kScript) + "eyes . " + std::to_string(frame) + "\n";
}

RunOptions seeing(RunOptions options) {
    options.environment["DISPLAY"] = tests::x_display();
    return with_options(std::move(options),
                        {{kSee, "held-ball"}, {kReplay, "grasp"}, {kLoop, "1"}, {kSeePicture, "{folder}/panel.png"}});
}

Ran run_client(const RunOptions& options, std::vector<std::string> arguments = {}, int frames = kFrames) {
    arguments.insert(arguments.begin(), {HAND_RUNTIME_CLIENT, "--opengl", "--frames", std::to_string(frames)});
    return tests::run_with_runtime(arguments, options);
}

std::string numbered(const char* name, int frame = kFrames) {
    char text[64];
    std::snprintf(text, sizeof text, "%s_%06d.png", name, frame);
    return text;
}

void expect_fine(const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err << ran.log;
    EXPECT_THAT(ran.validation_errors, IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    EXPECT_EQ(ran.count("left_behind 0"), 1) << ran.log;
}

class See : public testing::Test {
  protected:
    void SetUp() override {
        if (tests::x_display().empty()) GTEST_SKIP() << "there is no X server to be had";
    }
};

TEST_F(See, TheQuadIsTheDrawnPictureToThePixelAndLeavesOpenGlAlone) {
    const std::string script = script_with_pictures(kHoldingFrames);
    for (const RunOptions& options : {under({kOurs}, script), above_validation(script), below_validation(script)}) {
        const Ran ran = run_client(seeing(options), {"--odd-state"}, kHoldingFrames);
        expect_fine(ran);
        // The application's own quad is the second of its layers; the panel comes after them.
        const Image quad = read_png(ran.folder / numbered("quad_2", kHoldingFrames)),
                    drawn = read_png(ran.folder / "panel.png");
        ASSERT_EQ(quad.width, OverlayPicture::kWidth_px) << ran.err;
        ASSERT_EQ(quad.height, OverlayPicture::kHeight_px);
        EXPECT_TRUE(quad == drawn) << differences(quad, drawn, kWhole) << " pixels differ";
        // By then the hand holds the ball.
        const OverlayPainter painter;
        auto expected = std::make_unique<OverlayPicture>();
        painter.draw(held_ball(), frame_facts(), *expected);
        EXPECT_EQ(differences(quad, image_of(*expected), kHeading), 0) << "the scene's name";
        EXPECT_GT(pixels_of(quad, palette::kTouching, {0, 48, 20, 200}), 5 * 20 - 1) << "a touch that goes on";
        const Image own = read_png(ran.folder / numbered("quad_1", kHoldingFrames));
        EXPECT_EQ(own.width, 64) << "the application's quad is still there";
    }
}

TEST_F(See, TheEyeSeesItBesideTheMiddle) {
    const Ran ran = run_client(seeing(under({kOurs}, script_with_pictures())), {});
    expect_fine(ran);
    const Image eye = read_png(ran.folder / numbered("eye_left"));
    ASSERT_EQ(eye.width, 128) << "the application's own size";
    const std::uint32_t card = palette::kCard;
    EXPECT_GT(pixels_of(eye, card, {0, 0, 64, 64}), 300) << "up and to the left";
    EXPECT_EQ(pixels_of(eye, card, {64, 0, 128, 128}) + pixels_of(eye, card, {0, 64, 128, 128}), 0);
}

TEST_F(See, IsShownBesideAnotherLayerInEitherOrder) {
    for (const auto& order : {std::vector<std::string>{kOurs, "XR_APILAYER_test_other"},
                              std::vector<std::string>{"XR_APILAYER_test_other", kOurs, kValidation}}) {
        RunOptions options = seeing(under(order, script_with_pictures()));
        options.environment["XDG_DATA_DIRS"].insert(0, std::string(OTHER_LAYER_DATA_FOLDER) + ":");
        const Ran ran = run_client(options, {"--odd-state"});
        EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err;
        EXPECT_THAT(ran.validation_errors, IsEmpty());
        const Image quad = read_png(ran.folder / numbered("quad_2"));
        EXPECT_EQ(quad.width, OverlayPicture::kWidth_px) << ran.err;
        EXPECT_TRUE(quad == read_png(ran.folder / "panel.png"));
    }
}

TEST_F(See, AThreadWithoutContextHasNoneAfterwards) {
    const Ran ran = run_client(seeing(under({kOurs}, script_with_pictures())), {"--no-context"});
    expect_fine(ran);
    EXPECT_TRUE(read_png(ran.folder / numbered("quad_2")) == read_png(ran.folder / "panel.png"));
    EXPECT_EQ(read_png(ran.folder / "panel.png").width, OverlayPicture::kWidth_px);
}

TEST_F(See, NothingIsShownWhereItIsNotAskedFor) {
    RunOptions unasked = seeing(under({kOurs}, script_with_pictures()));
    unasked.environment.erase(kSee);
    const Ran without = run_client(unasked);
    expect_fine(without);
    EXPECT_FALSE(std::filesystem::exists(without.folder / numbered("quad_2")));
}

TEST_F(See, FrameTimesAreShownOverAnApplicationWithoutHands) {
    RunOptions options = seeing(under({kOurs}, script_with_pictures()));
    options.environment.erase(kReplay);
    const Ran ran = run_client(options, {"--no-hands"});
    expect_fine(ran);
    EXPECT_TRUE(read_png(ran.folder / numbered("quad_2")) == read_png(ran.folder / "panel.png"));
    EXPECT_EQ(read_png(ran.folder / "panel.png").width, OverlayPicture::kWidth_px);
    EXPECT_THAT(ran.err, Not(HasSubstr("glovebox layer")));
}

// Mesa's software device, so that each machine gives the same picture.
#ifdef SEE_VULKAN
constexpr bool kHasVulkan = true;
#else
constexpr bool kHasVulkan = false;
#endif
constexpr const char* kSoftwareVulkan = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";

TEST(SeeVulkan, TheQuadOverKhronosCubesIsTheDrawnPictureToThePixel) {
    if (!std::filesystem::exists("/usr/bin/hello_xr")) GTEST_SKIP() << "libopenxr-utils is not installed";
    if (!kHasVulkan) GTEST_SKIP() << "built without libvulkan-dev";
    if (!std::filesystem::exists(kSoftwareVulkan)) GTEST_SKIP() << "mesa-vulkan-drivers is not installed";
    // The user closes it after the frame of the picture.
    RunOptions options = under(
        {kOurs}, script_with_pictures(kHoldingFrames) + "at " + std::to_string(kHoldingFrames + 1) + " exiting\n");
    options.environment["VK_ICD_FILENAMES"] = kSoftwareVulkan;
    options.environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_KHRONOS_validation";  // hello_xr prints its messages
    const auto run = [](const RunOptions& each) {
        // It would end where its input does.
        return tests::run_with_runtime(
            {"/bin/sh", "-c", "cd {folder}; mkfifo input; exec hello_xr -g Vulkan2 <> input"}, each);
    };
    const Ran bare = run(options);
    expect_fine(bare);
    const Ran ran = run(with_options(options, {{kSee, "held-ball"}, {kSeePicture, "{folder}/panel.png"}}));
    expect_fine(ran);
    EXPECT_THAT(ran.log, HasSubstr("session made with Vulkan"));
    EXPECT_THAT(ran.out, Not(HasSubstr("VUID"))) << "Vulkan's validation layer finds nothing";
    const Image quad = read_png(ran.folder / numbered("quad_1", kHoldingFrames)),
                drawn = read_png(ran.folder / "panel.png");
    ASSERT_EQ(quad.width, OverlayPicture::kWidth_px) << ran.err;
    EXPECT_TRUE(quad == drawn) << differences(quad, drawn, kWhole) << " pixels differ";
    EXPECT_THAT(ran.err, Not(HasSubstr("glovebox layer")));
    // Outside of the panel the eye sees the same cubes.
    const Image with = read_png(ran.folder / numbered("eye_left", kHoldingFrames)),
                without = read_png(bare.folder / numbered("eye_left", kHoldingFrames));
    ASSERT_EQ(with.width, without.width);
    const Box right = {with.width / 2, 0, with.width, with.height}, left = {0, 0, with.width / 2, with.height / 2};
    EXPECT_EQ(differences(with, without, right), 0);
    EXPECT_GT(differences(with, without, left), 1000);
}

// Each ends in one line, and the application goes on.
void expect_without_panel(const std::string& script, const std::string& line, int refused = 0) {
    const Ran ran = run_client(seeing(under({kOurs}, script_with_pictures() + script)), {"--odd-state"});
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err;
    EXPECT_EQ(ran.count("refused xr"), refused) << ran.log;
    EXPECT_THAT(ran.err, HasSubstr(line));
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = ran.err.find("glovebox layer:", at)) != std::string::npos; ++at) ++lines;
    EXPECT_EQ(lines, 1U) << ran.err;
    EXPECT_TRUE(std::filesystem::exists(ran.folder / numbered("quad_1")));
    EXPECT_FALSE(std::filesystem::exists(ran.folder / numbered("quad_2")));
}

TEST_F(See, AFullFrameHasNoPanel) {
    expect_without_panel("layers 2\n", "has 2 layers, and the runtime takes 2; such frames are without panel");
}
TEST_F(See, ARefusedQuadIsLeftOut) {
    expect_without_panel("layers 2 said 16\n",
                         "refuses the panel's quad: XR_ERROR_LAYER_LIMIT_EXCEEDED; no panel is shown", 1);
}
TEST_F(See, ASwapchainThatCannotBeMadeIsLeftOut) {
    expect_without_panel("swapchains 3\n", "takes no picture of the panel: XR_ERROR_OUT_OF_MEMORY; no panel is shown");
}
TEST_F(See, ASceneThatIsNotThereIsLeftOut) {
    RunOptions options = seeing(under({kOurs}, script_with_pictures()));
    options.environment[kSee] = "no-such-scene";
    const Ran ran = run_client(options);
    expect_fine(ran);
    EXPECT_THAT(ran.err, HasSubstr("no-such-scene"));
    EXPECT_THAT(ran.err, HasSubstr("; no panel is shown\n"));
    EXPECT_FALSE(std::filesystem::exists(ran.folder / numbered("quad_2")));
}

// The application exits at once and leaves its session: the panel's thread is loading or stepping the scene by then.
TEST_F(See, ALostSessionEndsAsWithoutPanel) {
    for (const int frame : {5, 10, 20, 60}) {
        const std::string lost = script_with_pictures() + "at " + std::to_string(frame) + " session_lost\n";
        const Ran ran = run_client(seeing(under({kOurs}, lost)));
        EXPECT_EQ(ran.signal, 0) << frame;
        EXPECT_EQ(ran.exit_code, 1) << frame << ran.out.substr(0, 2000);
        EXPECT_THAT(ran.out, HasSubstr("gave -17")) << "the application is told";
    }
}

TEST_F(See, LateImagesAreNotWaitedFor) {
    // From frame 70 on none is to be had: the picture of before is shown.
    const auto pictures = [](const std::string& more) {
        const Ran ran = run_client(seeing(under({kOurs}, std::string(kScript) + "eyes . 100 150\n" + more)));
        expect_fine(ran);
        EXPECT_THAT(ran.err, Not(HasSubstr("no panel")));
        const Image first = read_png(ran.folder / "quad_2_000100.png"),
                    last = read_png(ran.folder / numbered("quad_2"));
        EXPECT_EQ(first.width, OverlayPicture::kWidth_px);
        return std::pair(first == last, ran.count("late image"));
    };
    const auto [is_same, late] = pictures("at 70 late_images 100000 of 640\n");
    EXPECT_TRUE(is_same);
    EXPECT_GT(late, 10) << "it is tried again";
    EXPECT_FALSE(pictures("").first) << "otherwise there are newer ones";
}

TEST(SeeHeadless, SaysThatThereIsNothingToDrawWith) {
    const Ran ran =
        run_hand_app({"--frames", "20"}, with_options(under({kOurs}, "hand left tap\n"), {{kSee, "held-ball"}}));
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 500);
    EXPECT_THAT(ran.err, HasSubstr("the panel needs OpenGL on X11 or Vulkan, and the application has no graphics that "
                                   "the panel knows; no panel is shown\n"));
}

TEST_F(See, ASteadyFrameAsksForNoMemory) {
    const auto allocations = [](const Ran& ran) {
        const auto at = ran.out.find("allocations ");
        return at == std::string::npos ? -1 : std::stoi(ran.out.substr(at + 12));
    };
    RunOptions bare = seeing(under({kOurs}, kScript));
    bare.environment.erase(kSee);
    const int without = allocations(run_client(bare, {"--time-ends"}));
    const Ran ran = run_client(seeing(under({kOurs}, kScript)), {"--time-ends"});
    expect_fine(ran);
    ASSERT_GT(without, 0);
    // Of 75 frames. The test runtime's own queue of images asks once in a while.
    EXPECT_LT(allocations(ran), without + 10);
}

}  // namespace
}  // namespace glovebox::vr::layer
