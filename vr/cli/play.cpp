// `glovebox play LOG --as opengloves`: a recording that looks like a glove.
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "recordings/replay_clock.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/platform/end_on_signal.h"
#include "vr/session/load_replay.h"

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
    const auto go_on = [] { return !asked_to_end(); };
    if (play.to == "pipe") return tracking::ByteStream::make_pipe(play.path, go_on);
    if (play.to == "tcp") return tracking::ByteStream::listen(play.port, go_on);
    return tracking::ByteStream::make_pty();
}

// What goes out. A reader that does not read must not hold up the clock, so its packets are lost; only where there is
// no clock is it waited for.
struct Packets {
    int patience_ms;
    std::int64_t sent = 0, refused = 0;
    bool is_cut = false;  // the one before may have gone out in part: its line is ended first

    void send(const std::string& packet, tracking::ByteStream& device) {
        is_cut = !device.write(is_cut ? "\n" + packet : packet, patience_ms);
        (is_cut ? refused : sent) += 1;
    }
};

// What the other side wants the glove to do: shown when it changes.
struct ForceFeedback {
    tracking::LineAssembler lines;
    tracking::FingerForces last{};
    std::int64_t commands = 0;

    void show(tracking::ByteStream& device) {
        std::array<char, 1024> buffer{};
        lines.add(device.read(buffer.data(), buffer.size(), 0), [this](std::string_view line) {
            const auto forces = tracking::decode_opengloves_forces(line);
            if (!forces) return;
            if (++commands > 1 && *forces == last) return;
            last = *forces;
            std::printf("forces %.3f %.3f %.3f %.3f %.3f\n", static_cast<double>(last[0]), static_cast<double>(last[1]),
                        static_cast<double>(last[2]), static_cast<double>(last[3]), static_cast<double>(last[4]));
            std::fflush(stdout);
        });
    }
};

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
    const EndOnSignal end_on_signal;
    tracking::ByteStream device = make_device(play);
    std::printf("glove at %s\n", device.name().c_str());
    std::fflush(stdout);

    const recordings::ReplayRate rate = recordings::parse_rate(play.rate);
    recordings::ReplayClock clock(recording.samples, rate, play.loop);
    Packets packets{rate.is_max() ? 100 : 0};
    ForceFeedback back;
    SteadyClock::time_point last = SteadyClock::now();
    while (!clock.finished() && !device.at_end() && !asked_to_end()) {
        const double dt_s = seconds_since(last);
        last = SteadyClock::now();
        for (std::size_t due = clock.advance(dt_s); due > 0; --due) {
            const tracking::HandFrame& hand = clock.take()[side];
            if (!hand.active) continue;
            const auto input = tracking::opengloves_from_angles(tracking::angles_of_hand(hand));
            packets.send(tracking::encode_opengloves(input, settings), device);
        }
        back.show(device);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::printf("%lld packets sent, %lld not taken by the other side, %lld force commands came back\n",
                static_cast<long long>(packets.sent), static_cast<long long>(packets.refused),
                static_cast<long long>(back.commands));
    return kExitFine;
}

}  // namespace

std::function<int()> declare_play(CLI::App& app) {
    const auto play = std::make_shared<Play>();
    app.add_option("LOG", play->log, "recording, or the name of a bundled one")->required();
    app.add_option("--as", play->as, "kind of device")->check(CLI::IsMember({"opengloves"}));
    app.add_option("--to", play->to, "pty, pipe or tcp")->check(CLI::IsMember({"pty", "pipe", "tcp"}));
    app.add_option("--path", play->path, "where to make the pipe");
    app.add_option("--port", play->port, "where to wait for a TCP connection")->check(whole_number_from(1, 65535));
    app.add_option("--hand", play->hand, "which hand")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--rate", play->rate, "recorded, max or a number such as 2x")->check(check_rate);
    app.add_option("--max-analog", play->max_analog, "what a closed finger's sensor says")
        ->check(number_above(0.0, 1e6));
    app.add_flag("--loop", play->loop, "begin again at the end");
    app.footer("Example:\n  glovebox play flick --as opengloves --to pty --loop");
    return [play] { return run_play(*play); };
}

}  // namespace glovebox::vr
