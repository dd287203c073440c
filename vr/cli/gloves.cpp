// `glovebox play LOG --as opengloves`: a recording that looks like a glove; `glovebox live DEVICE`: a glove.
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "recordings/log/log_writer.h"
#include "recordings/replay_clock.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"
#include "vr/cli/command.h"
#include "vr/load_replay.h"

namespace glovebox::vr {
namespace {

using SteadyClock = std::chrono::steady_clock;
using tracking::Side;

double seconds_since(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

struct Play {
    std::string log, as = "opengloves", to = "pty", path = "glovebox.pipe", hand, rate = "recorded";
    int port = 9000;
    bool loop = false;
    float max_analog = 4095.0F;
};

tracking::ByteStream make_device(const Play& play) {
    if (play.to == "pipe") return tracking::ByteStream::make_pipe(play.path);
    if (play.to == "tcp") return tracking::ByteStream::listen(play.port);
    return tracking::ByteStream::make_pty();
}

// Shows what the other side wants the glove to do, when it changes.
void show_forces(tracking::ByteStream& device, tracking::LineAssembler& lines, tracking::FingerForces& last) {
    std::array<char, 1024> buffer{};
    lines.add(device.read(buffer.data(), buffer.size(), 0), [&last](std::string_view line) {
        const auto forces = tracking::decode_opengloves_forces(line);
        if (!forces || *forces == last) return;
        last = *forces;
        std::printf("forces %.3f %.3f %.3f %.3f %.3f\n", static_cast<double>(last[0]), static_cast<double>(last[1]),
                    static_cast<double>(last[2]), static_cast<double>(last[3]), static_cast<double>(last[4]));
        std::fflush(stdout);
    });
}

int run_play(const Play& play) {
    const recordings::Recording recording = open_recording(play.log, {});
    Side side = recording.has(Side::right) ? Side::right : Side::left;
    if (play.hand == "left") side = Side::left;
    if (play.hand == "right") side = Side::right;
    if (!recording.has(side))
        throw std::runtime_error(play.log + ": there is no " + std::string(name_of(side)) + " hand in it");

    const tracking::OpenGlovesSettings settings = {play.max_analog};
    if (play.to == "pipe") std::printf("waiting for a reader of %s\n", play.path.c_str());
    if (play.to == "tcp") std::printf("waiting for a connection to 127.0.0.1:%d\n", play.port);
    std::fflush(stdout);
    tracking::ByteStream device = make_device(play);
    std::printf("glove at %s\n", device.name().c_str());
    std::fflush(stdout);

    recordings::ReplayClock clock(recording.samples, recordings::parse_rate(play.rate), play.loop);
    tracking::LineAssembler lines;
    tracking::FingerForces forces{};
    std::int64_t sent = 0, refused = 0;
    SteadyClock::time_point last = SteadyClock::now();
    while (!clock.finished() && !device.at_end()) {
        const double dt_s = seconds_since(last);
        last = SteadyClock::now();
        for (std::size_t due = clock.advance(dt_s); due > 0; --due) {
            const tracking::HandFrame& hand = clock.take()[side];
            if (!hand.active) continue;
            const auto input = tracking::opengloves_from_angles(tracking::angles_of_hand(hand));
            (device.write(tracking::encode_opengloves(input, settings)) ? sent : refused) += 1;
        }
        show_forces(device, lines, forces);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::printf("%lld packets sent, %lld not taken by the other side\n", static_cast<long long>(sent),
                static_cast<long long>(refused));
    return kExitFine;
}

struct Live {
    std::string device, hand = "right", record;
    int baud = 115200;
    double seconds = 0.0;
    float max_analog = 4095.0F;
};

// What the sensors say now, as a hand at the origin: a glove knows nothing of the wrist.
tracking::HandPair hand_of(const tracking::OpenGlovesInput& input, Side side, std::int64_t time_ns) {
    tracking::HandPair sample;
    sample.time_ns = time_ns;
    for (const Side s : {Side::left, Side::right}) sample[s].side = s;
    sample[side] = tracking::pose_from_angles(tracking::default_profile(), tracking::angles_from_opengloves(input),
                                              Eigen::Isometry3f::Identity(), side);
    sample[side].source = tracking::Source::glove;
    sample[side].times = {time_ns, time_ns, time_ns};
    return sample;
}

int run_live(const Live& live) {
    tracking::ByteStream device = tracking::ByteStream::open(live.device, live.baud);
    const tracking::OpenGlovesSettings settings = {live.max_analog};
    const Side side = live.hand == "left" ? Side::left : Side::right;
    std::unique_ptr<recordings::LogWriter> log;
    if (!live.record.empty()) {
        recordings::LogHeader header;
        header.meta["device"] = "opengloves " + live.device;
        log = std::make_unique<recordings::LogWriter>(live.record, header);
    }
    tracking::LineAssembler lines;
    tracking::OpenGlovesInput input;
    std::array<char, 4096> buffer{};
    std::int64_t packets = 0, unreadable = 0, shown = 0;
    const SteadyClock::time_point start = SteadyClock::now();
    double last_packet_s = 0.0, longest_gap_s = 0.0;
    while (!device.at_end() && (live.seconds <= 0.0 || seconds_since(start) < live.seconds)) {
        lines.add(device.read(buffer.data(), buffer.size(), 50), [&](std::string_view line) {
            const double now_s = seconds_since(start);
            if (!tracking::decode_opengloves(line, settings, input)) {
                ++unreadable;
                return;
            }
            if (packets > 0) longest_gap_s = std::max(longest_gap_s, now_s - last_packet_s);
            last_packet_s = now_s;
            ++packets;
            if (log) log->sample(hand_of(input, side, static_cast<std::int64_t>(1e9 * now_s)));
        });
        if (seconds_since(start) >= static_cast<double>(shown + 1)) {
            ++shown;
            const auto& f = input.flexion;
            std::printf("%5lld s  %lld packets  curl %.2f %.2f %.2f %.2f %.2f%s\n", static_cast<long long>(shown),
                        static_cast<long long>(packets), static_cast<double>(f[0][1]), static_cast<double>(f[1][1]),
                        static_cast<double>(f[2][1]), static_cast<double>(f[3][1]), static_cast<double>(f[4][1]),
                        seconds_since(start) - last_packet_s > 0.5 ? "  SILENT" : "");
            std::fflush(stdout);
        }
    }
    if (log) log->close();
    std::printf("%lld packets in %.1f s, %lld unreadable, longest gap %.0f ms\n", static_cast<long long>(packets),
                seconds_since(start), static_cast<long long>(unreadable + static_cast<std::int64_t>(lines.discarded())),
                1e3 * longest_gap_s);
    if (packets == 0)
        throw std::runtime_error(live.device + ": no packet could be read; is it an OpenGloves device, at this speed?");
    return kExitFine;
}

}  // namespace

std::function<int()> declare_play(CLI::App& app) {
    const auto play = std::make_shared<Play>();
    app.add_option("LOG", play->log, "recording, or the name of a bundled one")->required();
    app.add_option("--as", play->as, "kind of device")->check(CLI::IsMember({"opengloves"}));
    app.add_option("--to", play->to, "pty, pipe or tcp")->check(CLI::IsMember({"pty", "pipe", "tcp"}));
    app.add_option("--path", play->path, "where to make the pipe");
    app.add_option("--port", play->port, "where to wait for a TCP connection")->check(CLI::Range(1, 65535));
    app.add_option("--hand", play->hand, "which hand")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--rate", play->rate, "recorded, max or a number such as 2x");
    app.add_option("--max-analog", play->max_analog, "what a closed finger's sensor says")->check(CLI::PositiveNumber);
    app.add_flag("--loop", play->loop, "begin again at the end");
    app.footer("Example:\n  glovebox play flick --as opengloves --to pty --loop");
    return [play] { return run_play(*play); };
}

std::function<int()> declare_live(CLI::App& app) {
    const auto live = std::make_shared<Live>();
    app.add_option("DEVICE", live->device, "serial port, pseudo-terminal, pipe or file of an OpenGloves glove")
        ->required();
    app.add_option("--hand", live->hand, "which hand wears it")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--baud", live->baud, "speed of a serial port");
    app.add_option("--record", live->record, "log to keep what it says in");
    app.add_option("--seconds", live->seconds, "stop after so long");
    app.add_option("--max-analog", live->max_analog, "what a closed finger's sensor says")->check(CLI::PositiveNumber);
    app.footer("Example:\n  glovebox live /dev/ttyUSB0 --hand left --record take.glove");
    return [live] { return run_live(*live); };
}

}  // namespace glovebox::vr
