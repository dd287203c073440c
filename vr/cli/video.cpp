// `glovebox video`: exports a recording in a scene as MP4, GIF, WebM or PNG files.
#include <cstdio>
#include <memory>

#include "recordings/file_source.h"
#include "recordings/output.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/options.h"
#include "vr/export/video.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

struct VideoCommand {
    RecordingSettings from;
    SessionSettings session;
    VideoSettings video;
    std::string camera = "fixed";
    bool no_captions = false, no_panel = false;
};

constexpr int kMinPanel_px = 960, kMinPanelHeight_px = 540;

std::optional<PictureSize> video_size(const std::string& text) {
    PictureSize size;
    int read = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &size.width_px, &size.height_px, &read) != 2) return {};
    const auto fits = [](int px) { return px >= 64 && px <= 7680 && px % 2 == 0; };
    if (static_cast<std::size_t>(read) != text.size() || !fits(size.width_px) || !fits(size.height_px)) return {};
    return size;
}

std::optional<PictureCrop> picture_crop(const std::string& text) {
    PictureCrop crop;
    int read = 0;
    if (std::sscanf(text.c_str(), "%dx%d+%d+%d%n", &crop.width_px, &crop.height_px, &crop.x_px, &crop.y_px, &read) != 4)
        return {};
    const bool fits = crop.width_px >= 64 && crop.height_px >= 64 && crop.width_px % 2 == 0 &&
                      crop.height_px % 2 == 0 && crop.x_px >= 0 && crop.y_px >= 0 && crop.x_px <= 7680 &&
                      crop.y_px <= 7680 && crop.width_px <= 7680 && crop.height_px <= 7680;
    if (static_cast<std::size_t>(read) != text.size() || !fits) return {};
    return crop;
}

int run_video(VideoCommand arguments) {
    VideoSettings& video = arguments.video;
    refuse_options_of_files(arguments.from);
    if (video.crop.x_px + video.crop.width_px > video.width_px ||
        video.crop.y_px + video.crop.height_px > video.height_px)
        throw UsageError("--crop reaches out of the picture: --size is " + std::to_string(video.width_px) + "x" +
                         std::to_string(video.height_px));
    if (video.panel &&
        (video.width_px < kMinPanel_px || video.height_px < kMinPanelHeight_px || video.width_px < video.height_px))
        throw UsageError("--panel needs a picture of 960x540 at least that is not higher than wide");
    if (video.to_s >= 0.0 && video.to_s < video.from_s) throw UsageError("--to lies before --from");
    video.captions = !arguments.no_captions;
    if (arguments.camera == "follow") video.camera = VideoSettings::Camera::follow;
    if (arguments.camera == "orbit") video.camera = VideoSettings::Camera::orbit;
    const bool path = arguments.camera != "fixed" && arguments.camera != "follow" && arguments.camera != "orbit";
    if (path) {
        video.camera = VideoSettings::Camera::path;
        video.path = read_camera_path(arguments.camera);
    }
    // The folder may exist if it is empty.
    const bool to_folder = video.out.extension().empty();
    const std::vector<NamedFile> written = {{"--output", to_folder ? std::filesystem::path() : video.out}};
    check_files({{"LOG", arguments.from.recording},
                 {"--scene", arguments.session.scene},
                 {"--wrist", arguments.from.wrist},
                 {"--profile", arguments.from.profile},
                 {"--camera", path ? arguments.camera : ""}},
                written, arguments.session.force);
    arguments.session.headless = true;
    const auto session = open_recording_session(arguments.from, arguments.session, now_ns);
    if (video.from_s > session->recording().duration_s()) throw UsageError("--from lies after the recording's end");
    const EndOnSignal end_on_signal;
    bool ended = false;
    VideoResult result;
    {
        Progress progress("picture");
        result = make_video(*session, video, [&](std::int64_t done, std::int64_t all) {
            progress.at(done, "of " + std::to_string(all));
            ended = end_requested() && done < all;
            return !ended;
        });
    }
    const bool crops = video.crop.width_px > 0;
    std::printf("%s: %lld pictures, %.2f s, %dx%d\n", result.path.string().c_str(),
                static_cast<long long>(result.pictures), result.length_s, crops ? video.crop.width_px : video.width_px,
                crops ? video.crop.height_px : video.height_px);
    if (!result.command.empty())
        std::printf("ffmpeg is not installed: these are pictures. Where it is, this makes the video:\n%s\n",
                    result.command.c_str());
    if (!ended) return kExitFine;
    std::fprintf(stderr, "glovebox: stopped: the video ends there\n");
    return kExitCouldNotRun;
}

}  // namespace

std::function<int()> declare_video(CLI::App& app) {
    const auto arguments = std::make_shared<VideoCommand>();
    VideoSettings& video = arguments->video;
    app.add_option("LOG", arguments->from.recording, "recording of hands, or a bundled one by name; the first if none");
    add_output(app, "-o,--output", video.out, "video.mp4, .gif or .webm (by ffmpeg), or a folder for PNG files")
        ->required()
        ->check(check_video_path);
    app.add_option("--scene", arguments->session.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own");
    add_recording_options(app, arguments->from);
    app.add_option_function<std::string>(
           "--size",
           [&video](const std::string& text) {
               const PictureSize size = video_size(text).value();
               video.width_px = size.width_px;
               video.height_px = size.height_px;
           },
           "such as 1280x720, 1080x1080 (square), 1080x1920 (portrait) or 3840x2160")
        ->check([](const std::string& text) {
            return video_size(text) ? std::string() : text + " is no size: WIDTHxHEIGHT, even numbers from 64 to 7680";
        });
    app.add_option_function<std::string>(
           "--crop", [&video](const std::string& text) { video.crop = picture_crop(text).value(); },
           "the part of each picture that is kept: WIDTHxHEIGHT+X+Y from the upper left, such as 640x640+320+40")
        ->check([](const std::string& text) {
            return picture_crop(text) ? std::string()
                                      : text + " is no part of a picture: WIDTHxHEIGHT+X+Y, sides even and 64 at least";
        });
    app.add_option(
        "--camera", arguments->camera,
        "fixed: shows the whole recording; follow: follows the hands; orbit: circles them; or a file of keyframes");
    app.add_option("--fps", video.fps, "pictures a second")->check(number_from(1.0, 240.0))->capture_default_str();
    app.add_option_function<std::string>(
           "--rate", [&video](const std::string& text) { video.speed = recordings::parse_rate(text).factor; },
           "recorded, or a factor such as 0.25: seconds of the recording in a second of the video")
        ->check([](const std::string& text) { return text == "max" ? "max is no rate of a video" : check_rate(text); });
    app.add_option("--from", video.from_s, "begin so many seconds into the recording")->check(number_from(0.0, 1e9));
    app.add_option("--to", video.to_s, "end there")->check(number_from(0.0, 1e9));
    auto* panel = app.add_flag("--panel", video.panel, "with the panel of costs");
    app.add_flag("--no-panel", arguments->no_panel, "without it, as is the default")->excludes(panel);
    app.add_flag("--no-captions", arguments->no_captions, "without the line that says what touches what");
    app.add_option("--hand-mesh", arguments->session.hand_mesh, "draw this rigged glTF hand on both sides")
        ->allow_extra_args(false);
    app.add_flag("--force", arguments->session.force, "replace a video that is there");
    app.footer(
        "Examples:\n"
        "  glovebox video hand.csv --scene held-ball -o hand.mp4\n"
        "  glovebox video hand.csv --camera orbit --size 1080x1920 -o portrait.webm\n"
        "  glovebox video hand.csv --from 2 --to 4 --rate 0.25 -o slow.gif --size 640x360 --fps 15");
    return [arguments] { return run_video(*arguments); };
}

}  // namespace glovebox::vr
