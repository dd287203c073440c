// `glovebox emulate LOG --as opengloves`: plays a recording as if it were a glove.
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "recordings/file_source.h"
#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

struct Emulate {
    std::string log, as = "opengloves", to = "pty", path = "glovebox.pipe", hand, rate = "recorded";
    int port = 9000;
    bool loop = false, tracker = false, unheard = false;
    float max_analog = 4095.0F;
};

// The glove's port: created once; of network connections, one client after the other.
class Port {
  public:
    explicit Port(const Emulate& settings) : is_tcp_(settings.to == "tcp") {
        if (is_tcp_) {
            listener_.emplace(settings.port);
            std::printf("waiting for a connection to 127.0.0.1:%d\n", settings.port);
        } else if (settings.to == "pipe") {
            std::printf("waiting for a reader of %s\n", settings.path.c_str());
        }
        std::fflush(stdout);
        if (is_tcp_)
            accept();
        else
            stream_.emplace(settings.to == "pipe" ? tracking::ByteStream::make_pipe(settings.path, go_on)
                                                  : tracking::ByteStream::make_pty());
        std::printf("glove at %s\n", stream_->name().c_str());
        std::fflush(stdout);
    }

    tracking::ByteStream& stream() { return *stream_; }
    /// Begins with its reader, or samples would be gone before someone could hear them.
    bool has_reader() const { return stream_->other_side_open(); }
    /// The client has left: waits for the next. False: there is no next one.
    bool next_client() {
        if (!is_tcp_) return false;
        std::printf("waiting for the next connection\n");
        std::fflush(stdout);
        accept();
        return true;
    }

  private:
    static bool go_on() { return !end_requested(); }
    void accept() {
        stream_.reset();
        stream_.emplace(listener_->accept(go_on));
    }

    bool is_tcp_;
    std::optional<tracking::Listener> listener_;
    std::optional<tracking::ByteStream> stream_;
};

// Writes the wrist's poses beside the glove's packets, in the format of a tracker.
class TrackerPort {
  public:
    explicit TrackerPort(bool wanted) {
        if (!wanted) return;
        stream_.emplace(tracking::ByteStream::make_pty());
        std::printf("tracker at %s\n", stream_->name().c_str());
        std::fflush(stdout);
    }
    void send(const tracking::HandFrame& hand) {
        const tracking::JointPose& wrist = hand[tracking::Joint::wrist];
        if (!stream_ || !wrist.position_valid() || !wrist.orientation_valid()) return;
        const auto& p = wrist.position_m;
        const auto& q = wrist.orientation;
        stream_->write(
            tracking::formatted("%.6f,%.6f,%.6f,%.6f,%.7f,%.7f,%.7f,%.7f\n",
                                1e-9 * static_cast<double>(hand.times.common_ns), double{p.x()}, double{p.y()},
                                double{p.z()}, double{q.w()}, double{q.x()}, double{q.y()}, double{q.z()}),
            0);
    }

  private:
    std::optional<tracking::ByteStream> stream_;
};

// Sends packets. A reader that does not read must not delay the clock, so its packets are dropped; only without a clock
// the sender waits.
struct Packets {
    int patience_ms;
    std::int64_t sent = 0, refused = 0;
    bool is_cut = false;  // the last line may have been sent in part: end it first

    void send(const std::string& packet, tracking::ByteStream& device) {
        is_cut = !device.write(is_cut ? "\n" + packet : packet, patience_ms);
        (is_cut ? refused : sent) += 1;
    }
};

// Shows the other side's commands for the glove when they change.
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

int run_emulate(const Emulate& emulate) {
    const recordings::Recording recording = open_recording(emulate.log, {});
    Side side = recording.has(Side::right) ? Side::right : Side::left;
    if (emulate.hand == "left") side = Side::left;
    if (emulate.hand == "right") side = Side::right;
    if (!recording.has(side))
        throw std::runtime_error(emulate.log + ": there is no " + std::string(name_of(side)) + " hand in it");

    const tracking::OpenGlovesSettings settings = {emulate.max_analog};
    const EndOnSignal end_on_signal;
    TrackerPort tracker(emulate.tracker);
    Port port(emulate);
    const recordings::ReplayRate rate = recordings::parse_rate(emulate.rate);
    recordings::FileSource source(recording, {0.0, rate.factor, true, emulate.loop});
    Packets packets{rate.is_max() ? 100 : 0};
    ForceFeedback back;
    tracking::SourceFrame frame;
    bool begun = false;
    while (!source.ended() && !end_requested()) {
        if (port.stream().at_end() && !(emulate.loop && port.next_client())) break;
        begun = begun || port.has_reader() || emulate.unheard;
        while (begun && !end_requested() && source.next(now_ns(), frame)) {
            const tracking::HandFrame& hand = frame.raw[side];
            if (!hand.active) continue;
            tracker.send(hand);
            const auto input = tracking::opengloves_from_angles(tracking::angles_of_hand(hand));
            packets.send(tracking::encode_opengloves(input, settings), port.stream());
            if (rate.is_max()) break;
        }
        back.show(port.stream());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::printf("%s sent, %lld not taken by the other side, %s came back\n",
                recordings::counted(packets.sent, "packet").c_str(), static_cast<long long>(packets.refused),
                recordings::counted(back.commands, "force command").c_str());
    return kExitFine;
}

}  // namespace

std::function<int()> declare_emulate(CLI::App& app) {
    const auto emulate = std::make_shared<Emulate>();
    app.add_option("LOG", emulate->log, "recording, or the name of a bundled one")->required();
    app.add_option("--as", emulate->as, "kind of device")->check(CLI::IsMember({"opengloves"}));
    app.add_option("--to", emulate->to, "pty, pipe or tcp")->check(CLI::IsMember({"pty", "pipe", "tcp"}));
    app.add_option("--path", emulate->path, "where to make the pipe");
    app.add_option("--port", emulate->port, "where to wait for a TCP connection")->check(whole_number_from(1, 65535));
    app.add_option("--hand", emulate->hand, "which hand")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--rate", emulate->rate, "recorded, max or a number such as 2x")->check(check_rate);
    app.add_option("--max-analog", emulate->max_analog, "sensor value of a closed finger")
        ->check(number_above(0.0, 1e6));
    app.add_flag("--loop", emulate->loop, "begin again at the end");
    app.add_flag("--tracker", emulate->tracker, "a second pseudo-terminal with the wrist's poses, for `live --wrist`");
    app.add_flag("--unheard", emulate->unheard, "begin before someone reads the pseudo-terminal");
    app.footer("Example:\n  glovebox emulate flick --as opengloves --to pty --loop");
    return [emulate] { return run_emulate(*emulate); };
}

}  // namespace glovebox::vr
