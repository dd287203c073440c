#include "vr/export/video.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "recordings/output.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/platform/tool.h"
#include "vr/render/framing.h"
#include "vr/render/picture_maker.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
namespace fs = std::filesystem;
using tracking::Side;

constexpr double kOrbit_s = 12.0;  // for one revolution

struct Codec {
    std::string_view ending;
    std::vector<std::string> arguments;
};

// Bit-exact: the same pictures give the same file with one version of ffmpeg.
const Codec* codec_of(const fs::path& path) {
    static const std::array<Codec, 3> kCodecs = {{
        {".mp4",
         {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
          "-flags:v", "+bitexact", "-f", "mp4"}},
        {".gif",
         {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-f",
          "gif"}},
        {".webm",
         {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1", "-pix_fmt", "yuv420p", "-f", "webm"}},
    }};
    for (const Codec& codec : kCodecs)
        if (path.extension() == codec.ending) return &codec;
    return nullptr;
}

Picture cropped(const Picture& picture, const PictureCrop& crop) {
    Picture part{crop.width_px, crop.height_px, {}};
    for (int y = crop.y_px; y < crop.y_px + crop.height_px; ++y) {
        const auto from = picture.rgb.begin() + std::ptrdiff_t{3} * (std::ptrdiff_t{picture.width_px} * y + crop.x_px);
        part.rgb.insert(part.rgb.end(), from, from + std::ptrdiff_t{3} * crop.width_px);
    }
    return part;
}

// Destination of the pictures.
class PictureSink {
  public:
    virtual ~PictureSink() = default;
    virtual void add(const Picture& picture) = 0;
    virtual void finish() = 0;
};

class VideoFile final : public PictureSink {
  public:
    VideoFile(const VideoSettings& settings, const Codec& codec)
        : file_(settings.out), ffmpeg_("ffmpeg", arguments(settings, codec), "ffmpeg is not installed") {}

    void add(const Picture& picture) override {
        ffmpeg_.write({reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()});
    }
    void finish() override {
        ffmpeg_.finish();
        file_.place();
    }

  private:
    std::vector<std::string> arguments(const VideoSettings& settings, const Codec& codec) const {
        const bool crops = settings.crop.width_px > 0;
        std::vector<std::string> all = {"-hide_banner",
                                        "-loglevel",
                                        "error",
                                        "-y",
                                        "-f",
                                        "rawvideo",
                                        "-pix_fmt",
                                        "rgb24",
                                        "-s",
                                        std::to_string(crops ? settings.crop.width_px : settings.width_px) + "x" +
                                            std::to_string(crops ? settings.crop.height_px : settings.height_px),
                                        "-r",
                                        formatted("%.6g", settings.fps),
                                        "-i",
                                        "-",
                                        "-an",
                                        "-map_metadata",
                                        "-1",
                                        "-fflags",
                                        "+bitexact"};
        all.insert(all.end(), codec.arguments.begin(), codec.arguments.end());
        all.push_back("file:" + file_.part().string());
        return all;
    }

    recordings::Replacement file_;
    Tool ffmpeg_;
};

class PictureFolder final : public PictureSink {
  public:
    explicit PictureFolder(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }
    void add(const Picture& picture) override {
        write_png(picture, folder_ / tracking::formatted("%06lld.png", static_cast<long long>(++count_)));
    }
    void finish() override {}

  private:
    fs::path folder_;
    std::int64_t count_ = 0;
};

// "right thumb, index on cup; palm on table"
std::string caption_of(const Session& session) {
    const bool both = session.pipeline.settings.use_hand[Side::left] && session.pipeline.settings.use_hand[Side::right];
    std::string text;
    for (std::size_t object = 0; object < session.scene.objects.size(); ++object)
        for (const Side side : tracking::kSides) {
            std::string parts;
            for (int part = 0; part < parts_by(TouchBy::finger); ++part)
                if (session.touches.touching(side, part, static_cast<int>(object)))
                    parts += (parts.empty() ? "" : ", ") + part_name(TouchBy::finger, part);
            if (parts.empty()) continue;
            text += (text.empty() ? "" : "; ") + (both ? std::string(name_of(side)) + " " : std::string()) + parts +
                    " on " + tracking::printable(session.scene.objects[object].name);
        }
    return text;
}

std::string time_text(double time_s, const std::vector<std::pair<double, double>>& gaps) {
    const bool in_gap = std::ranges::any_of(
        gaps, [time_s](const auto& gap) { return time_s > gap.first + 1e-9 && time_s < gap.second - 1e-9; });
    return tracking::formatted(in_gap ? "%.3f s, no samples" : "%.3f s", time_s);
}

class CameraMan {
  public:
    explicit CameraMan(const VideoSettings& settings) : settings_(settings) {}

    const OrbitCamera& at(double time_s, const ViewModel& model, const Viewport& viewport) {
        const double dt_s = begun_ ? time_s - last_s_ : 0.0;
        if (!begun_) camera_ = framed(model, viewport);
        if (settings_.camera == VideoSettings::Camera::path) camera_ = camera_at(settings_.path, time_s);
        if (settings_.camera == VideoSettings::Camera::orbit)
            camera_.yaw_rad += static_cast<float>(2.0 * std::numbers::pi * dt_s / settings_.speed / kOrbit_s);
        if (settings_.camera == VideoSettings::Camera::follow) {
            if (!begun_) camera_ = framed_on_hands(model, camera_, viewport);
            follow(camera_, model, viewport, static_cast<float>(dt_s));
        }
        begun_ = true;
        last_s_ = time_s;
        return camera_;
    }

  private:
    const VideoSettings& settings_;
    OrbitCamera camera_;
    double last_s_ = 0.0;
    bool begun_ = false;
};

}  // namespace

std::string check_video_path(const std::string& path) {
    const std::string ending = fs::path(path).extension().string();
    if (ending.empty() || codec_of(path) != nullptr || fs::is_directory(path)) return {};
    return path + ": videos are written as .mp4, .gif or .webm, or as PNG files into a folder";
}

VideoResult make_video(Session& session, const VideoSettings& settings,
                       const std::function<bool(std::int64_t, std::int64_t)>& progress) {
    const Codec* codec = codec_of(settings.out);
    const bool encode = codec != nullptr && has_tool("ffmpeg");
    VideoResult result;
    result.path = encode || codec == nullptr ? settings.out : fs::path(settings.out.string() + ".frames");
    if (!encode && fs::exists(result.path) && !fs::is_directory(result.path))
        throw recordings::ExportError(result.path.string() + ": is no folder; pictures are written into one");
    if (!encode && fs::exists(result.path) && !fs::is_empty(result.path))
        throw recordings::ExportError(result.path.string() + ": is a folder with files in it; name another one");

    const double duration_s = session.recording().duration_s();
    const double to_s = settings.to_s < 0.0 ? duration_s : std::min(settings.to_s, duration_s);
    const double step_s = settings.speed / settings.fps;
    const auto pictures =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor((to_s - settings.from_s) / step_s + 1e-9)) + 1);
    const auto gaps = recordings::gaps(session.recording());
    session.pipeline.settings.contact_manifolds = true;
    SessionView view(session);
    PictureMaker maker(settings.width_px, settings.height_px, settings.panel);
    view.wait_for_take();
    CameraMan camera(settings);
    std::unique_ptr<PictureSink> sink;
    if (encode)
        sink = std::make_unique<VideoFile>(settings, *codec);
    else
        sink = std::make_unique<PictureFolder>(result.path);

    FrameOptions options;
    options.panel = settings.panel;
    const PictureCrop& crop = settings.crop;
    if (crop.width_px > 0)
        options.words_px = {static_cast<float>(crop.x_px), static_cast<float>(crop.y_px),
                            static_cast<float>(crop.width_px), static_cast<float>(crop.height_px)};
    for (std::int64_t i = 0; i < pictures; ++i) {
        const double time_s = settings.from_s + static_cast<double>(i) * step_s;
        const int wanted = session.file->frame_at(time_s);
        while (session.frame() < wanted && session.next()) {
            view.note_cost(session);
            view.model(session);
        }
        ViewModel& model = view.model(session);
        if (settings.captions) {
            options.caption = caption_of(session);
            options.time = time_text(time_s, gaps);
        }
        options.camera = camera.at(time_s, model, maker.viewport(model, options));
        const Picture& picture = maker.take(model, options);
        sink->add(crop.width_px > 0 ? cropped(picture, crop) : picture);
        result.pictures = i + 1;
        if (!progress(i + 1, pictures)) break;
    }
    sink->finish();
    result.length_s = static_cast<double>(result.pictures) / settings.fps;
    if (codec != nullptr && !encode) {
        result.command = "ffmpeg -framerate " + formatted("%.6g", settings.fps) + " -i " +
                         tracking::shell_word((result.path / "%06d.png").string());
        for (const std::string& argument : codec->arguments) result.command += " " + tracking::shell_word(argument);
        result.command += " " + tracking::shell_word(settings.out.string());
    }
    return result;
}

}  // namespace glovebox::vr
