// `glovebox live DEVICE`: a glove on a serial port, pseudo-terminal, pipe, connection or file.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "recordings/log/log_writer.h"
#include "recordings/parse.h"
#include "recordings/user_profile.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/guided_poses.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/version.h"

namespace glovebox::vr {
namespace {

using SteadyClock = std::chrono::steady_clock;
using tracking::Side;

constexpr double kGetReady_s = 3.0, kHoldPose_s = 4.0;  // of the guided calibration

struct Live {
    std::string device, hand = "right", record, profile, wrist;
    int baud = 115200;
    double seconds = 0.0, force = -1.0;
    float max_analog = 4095.0F;
    bool guide = false;
};

// The user's bones and calibration, and what the glove says with them.
struct Wearer {
    Side side = Side::right;
    tracking::UserProfile user;

    tracking::HandProfile bones() const { return user[side].hand.value_or(tracking::default_profile()); }

    tracking::HandAngles angles(const tracking::OpenGlovesInput& input,
                                std::span<const float, tracking::kOpenGlovesSensors> raw) const {
        const auto& sensors = user[side].sensors;
        if (sensors.empty()) return tracking::angles_from_opengloves(input);
        std::array<float, tracking::kOpenGlovesSensors> angles_rad{};
        for (std::size_t i = 0; i < raw.size(); ++i) angles_rad[i] = sensors[i].angle_rad(raw[i]);
        return tracking::angles_from_opengloves_sensors(angles_rad);
    }
};

Wearer wearer_of(const Live& live) {
    Wearer wearer;
    wearer.side = live.hand == "left" ? Side::left : Side::right;
    if (!live.profile.empty()) wearer.user = recordings::load_user_profile(live.profile);
    const std::size_t sensors = wearer.user[wearer.side].sensors.size();
    if (sensors != 0 && sensors != tracking::kOpenGlovesSensors)
        throw std::runtime_error(live.profile + ": is calibrated for " + std::to_string(sensors) +
                                 " sensors; an OpenGloves glove has 25");
    return wearer;
}

// The newest pose of a tracker that writes lines as in a wrist file: time, position, quaternion w x y z.
class WristSource {
  public:
    explicit WristSource(const Live& live) {
        if (!live.wrist.empty()) stream_.emplace(tracking::ByteStream::open(live.wrist, live.baud));
    }

    void update() {
        if (!stream_ || stream_->at_end()) return;
        std::array<char, 4096> buffer{};
        // All that is there, or a fast tracker would fall behind a slow glove; but a flood has to end.
        for (int i = 0; i < kMostReads; ++i) {
            const std::string_view bytes = stream_->read(buffer.data(), buffer.size(), 0);
            if (bytes.empty()) return;
            lines_.add(bytes, [this](std::string_view line) { take(line); });
        }
    }
    const Eigen::Isometry3f& world_from_tracker() const { return world_from_tracker_; }
    std::int64_t poses() const { return poses_; }

  private:
    static constexpr int kMostReads = 64;

    void take(std::string_view line) {
        std::array<float, 8> v{};
        std::size_t count = 0;
        std::string_view field;
        for (recordings::Fields fields(line); count < v.size() && fields.next(field); ++count)
            if (!recordings::parse_number(field, v[count])) return;
        const Eigen::Quaternionf turn(v[4], v[5], v[6], v[7]);
        const Eigen::Vector3f at_m(v[1], v[2], v[3]);
        if (count < v.size() || !at_m.allFinite() || !(std::abs(turn.norm() - 1.0F) < 0.01F)) return;
        world_from_tracker_ = Eigen::Translation3f(at_m) * turn.normalized();
        ++poses_;
    }

    std::optional<tracking::ByteStream> stream_;
    tracking::LineAssembler lines_;
    Eigen::Isometry3f world_from_tracker_ = Eigen::Isometry3f::Identity();
    std::int64_t poses_ = 0;
};

// Says which pose to hold and notes it in the log.
class Guide {
  public:
    Guide(bool wanted, recordings::LogWriter* log) : log_(log), wanted_(wanted) {
        if (wanted_) std::printf("Guided calibration: hold each pose until the next one is asked for.\n");
        std::fflush(stdout);
    }

    void at(double now_s) {
        const auto poses = tracking::guided_poses();
        while (wanted_ && next_ <= poses.size() && now_s >= kGetReady_s + kHoldPose_s * static_cast<double>(next_)) {
            const bool done = next_ == poses.size();
            const std::string name = done ? "end" : std::string(poses[next_].name);
            if (!done)
                std::printf("%zu of %zu  %s\n", next_ + 1, poses.size(), std::string(poses[next_].instruction).c_str());
            std::fflush(stdout);
            if (log_ != nullptr) log_->annotate(static_cast<std::int64_t>(1e9 * now_s), "pose " + name);
            ++next_;
        }
    }
    bool done() const { return wanted_ && next_ > tracking::guided_poses().size(); }

  private:
    recordings::LogWriter* log_;
    std::size_t next_ = 0;
    bool wanted_;
};

tracking::HandPair sample_of(const Wearer& wearer, const tracking::HandAngles& angles,
                             const Eigen::Isometry3f& world_from_tracker, std::int64_t time_ns) {
    tracking::HandPair sample;
    sample.time_ns = time_ns;
    for (const Side side : {Side::left, Side::right}) sample[side].side = side;
    sample[wearer.side] = tracking::pose_from_angles(
        wearer.bones(), angles, world_from_tracker * wearer.user[wearer.side].tracker_from_wrist, wearer.side);
    sample[wearer.side].source = tracking::Source::glove;
    sample[wearer.side].times = {time_ns, time_ns, time_ns};
    return sample;
}

recordings::WordRecord words_of(std::span<const float, tracking::kOpenGlovesSensors> raw, Side side,
                                std::int64_t time_ns) {
    recordings::WordRecord record;
    record.time_ns = time_ns;
    record.side = side;
    record.count = tracking::kOpenGlovesSensors;
    for (std::size_t i = 0; i < raw.size(); ++i)
        record.words[i] = static_cast<std::uint16_t>(std::clamp(raw[i] + 0.5F, 0.0F, 65535.0F));
    return record;
}

std::unique_ptr<recordings::LogWriter> open_log(const Live& live, const Wearer& wearer) {
    if (live.record.empty()) return nullptr;
    recordings::LogHeader header;
    header.meta["device"] = "opengloves " + live.device;
    header.meta["version"] = kVersion;
    if (!live.profile.empty()) header.meta["profile"] = live.profile;
    for (const Side side : {Side::left, Side::right}) {
        const auto s = static_cast<std::size_t>(side);
        header.profiles[s] = wearer.user[side].hand.value_or(tracking::default_profile());
        header.calibration[s] = wearer.user[side].sensors;
    }
    return std::make_unique<recordings::LogWriter>(live.record, header);
}

// Out of a file, or after a stop, packets come faster than the log takes them. Where another program holds the log,
// this lasts until it lets go, or somebody has had enough.
void wait_for_room(recordings::LogWriter& log) {
    while (!log.has_room() && !log.failed() && !asked_to_end()) {
        log.hurry();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

// Packets and silences, for the line a second and the summary.
struct Traffic {
    std::int64_t packets = 0, unreadable = 0, shown_s = 0;
    double last_packet_s = 0.0, longest_gap_s = 0.0;

    void packet(double now_s) {
        end_silence(now_s);
        last_packet_s = now_s;
        ++packets;
    }
    void end_silence(double now_s) {
        if (packets > 0) longest_gap_s = std::max(longest_gap_s, now_s - last_packet_s);
    }
    void show(double now_s, const tracking::OpenGlovesInput& input, const std::string& log_error) {
        if (now_s < static_cast<double>(shown_s + 1)) return;
        ++shown_s;
        const auto& f = input.flexion;
        std::printf("%5lld s  %lld packets  curl %.2f %.2f %.2f %.2f %.2f%s%s\n", static_cast<long long>(shown_s),
                    static_cast<long long>(packets), static_cast<double>(f[0][1]), static_cast<double>(f[1][1]),
                    static_cast<double>(f[2][1]), static_cast<double>(f[3][1]), static_cast<double>(f[4][1]),
                    now_s - last_packet_s > 0.5 ? "  SILENT" : "", log_error.c_str());
        std::fflush(stdout);
    }
};

// Recording may stop (the disk is full); the session goes on, and says so once.
std::string new_log_error(const recordings::LogWriter* log, bool& told) {
    if (log == nullptr || told) return {};
    const recordings::LogStatus status = log->status();
    told = !status.error.empty();
    return told ? "\n" + status.error + "; the session goes on" : "";
}

int run_glove(const Live& live) {
    check_files({{"DEVICE", live.device}, {"--profile", live.profile}, {"--wrist", live.wrist}},
                {{"--record", live.record}});
    const Wearer wearer = wearer_of(live);
    tracking::ByteStream device = tracking::ByteStream::open(live.device, live.baud);
    WristSource wrist(live);
    const tracking::OpenGlovesSettings settings = {live.max_analog};
    const std::unique_ptr<recordings::LogWriter> log = open_log(live, wearer);
    Guide guide(live.guide, log.get());
    tracking::LineAssembler lines;
    tracking::OpenGlovesInput input;
    Traffic traffic;
    std::array<char, 4096> buffer{};
    bool told = false;
    std::int64_t force_commands = 0;

    const EndOnSignal end_on_signal;
    const SteadyClock::time_point start = SteadyClock::now();
    const auto now_s = [start] { return std::chrono::duration<double>(SteadyClock::now() - start).count(); };
    while (!device.at_end() && !guide.done() && !asked_to_end() && (live.seconds <= 0.0 || now_s() < live.seconds)) {
        wrist.update();
        lines.add(device.read(buffer.data(), buffer.size(), 50), [&](std::string_view line) {
            if (!tracking::decode_opengloves(line, settings, input)) {
                ++traffic.unreadable;
                return;
            }
            const double arrived_s = now_s();
            traffic.packet(arrived_s);
            if (!log) return;
            const auto time_ns = static_cast<std::int64_t>(1e9 * arrived_s);
            const auto raw = tracking::opengloves_sensors(input, settings);
            wait_for_room(*log);
            log->words(words_of(raw, wearer.side, time_ns));
            log->sample(sample_of(wearer, wearer.angles(input, raw), wrist.world_from_tracker(), time_ns));
        });
        guide.at(now_s());
        // Once a second is enough to feel that the way back works, and often enough for a glove's own watchdog.
        if (live.force >= 0.0 && now_s() >= static_cast<double>(force_commands)) {
            tracking::FingerForces forces{};
            forces.fill(static_cast<float>(live.force));
            if (device.write(tracking::encode_opengloves_forces(forces))) ++force_commands;
        }
        traffic.show(now_s(), input, new_log_error(log.get(), told));
    }
    if (live.force > 0.0) device.write(tracking::encode_opengloves_forces({}));

    traffic.end_silence(now_s());
    traffic.unreadable += static_cast<std::int64_t>(lines.discarded());
    std::printf("%lld packets in %.1f s, %lld unreadable, longest gap %.0f ms", static_cast<long long>(traffic.packets),
                now_s(), static_cast<long long>(traffic.unreadable), 1e3 * traffic.longest_gap_s);
    if (!live.wrist.empty()) std::printf(", %lld wrist poses", static_cast<long long>(wrist.poses()));
    if (live.force >= 0.0) std::printf(", %lld force commands", static_cast<long long>(force_commands));
    std::printf("\n");
    if (log) {
        const recordings::LogStatus status = log->status();
        if (status.dropped > 0)
            std::printf("%lld records found no room in the log\n", static_cast<long long>(status.dropped));
        log->close();
    }
    if (traffic.packets == 0)
        throw std::runtime_error(live.device + ": no packet could be read; is it an OpenGloves device, at this speed?");
    if (traffic.unreadable > traffic.packets)
        throw std::runtime_error(live.device + ": " + std::to_string(traffic.unreadable) + " of " +
                                 std::to_string(traffic.unreadable + traffic.packets) +
                                 " packets could not be read; is it an OpenGloves device, at this speed?");
    return kExitFine;
}

}  // namespace

std::function<int()> declare_live(CLI::App& app) {
    const auto live = std::make_shared<Live>();
    app.add_option("DEVICE", live->device,
                   "serial port, pseudo-terminal, pipe or file of an OpenGloves glove, or tcp:HOST:PORT")
        ->required();
    app.add_option("--hand", live->hand, "which hand wears it")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--baud", live->baud, "speed of a serial port");
    auto* record = app.add_option("--record", live->record, "log to keep what it says in");
    app.add_option("--seconds", live->seconds, "stop after so long; 0: at the end of the file, or at Ctrl-C")
        ->check(number_from(0.0));
    app.add_option("--max-analog", live->max_analog, "what a closed finger's sensor says")
        ->check(number_above(0.0, 1e6));
    app.add_option("--profile", live->profile, "the wearer's profile (`glovebox calibrate`)");
    app.add_option("--wrist", live->wrist, "device or pipe of a tracker: lines of time, position, quaternion w x y z");
    app.add_flag("--guide", live->guide, "ask for the poses of a calibration, one after the other")->needs(record);
    app.add_option("--force", live->force, "0 to 1: command all fingers so, to try the way back to the glove")
        ->check(number_from(0.0, 1.0));
    app.footer(
        "Examples:\n  glovebox live /dev/ttyUSB0 --hand left --record take.glove\n"
        "  glovebox live /dev/ttyUSB0 --guide --record poses.glove && glovebox calibrate poses.glove -o me.json");
    return [live] { return run_glove(*live); };
}

}  // namespace glovebox::vr
