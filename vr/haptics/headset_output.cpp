// Haptics through the headset's runtime: sends the force loop's newest commands from a separate thread.
//
// Calls of the runtime may be slow, so the force loop does not make them; the frame loop may draw for 100 ms, so it
// does not either. send() puts each hand's newest command into a triple buffer, and a courier thread polls it every 0.5
// ms: the latest wins, nothing queues. Pulses of 50 ms are renewed while the force loop beats; after 100 ms without a
// beat everything is stopped, whatever the last command was.
#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "vr/haptics/output.h"
#include "vr/haptics/triple_buffer.h"
#include "vr/openxr/haptic_outputs.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kSilent_ns = 100'000'000;
constexpr std::int64_t kPoll_ns = 500'000;

class HeadsetOutput final : public HapticOutput {
  public:
    HeadsetOutput(openxr::Headset& headset, std::string_view actuator, CommandTimes* times)
        : headset_(headset), sender_(headset, openxr::actuator(actuator)), times_(times) {
        courier_ = std::thread([this] { run(); });
    }
    ~HeadsetOutput() override {
        stop();
        sender_.stop_all(now_ns(), true);
    }

    void send(const HapticCommand& command) override {
        TripleBuffer<Request>& newest = newest_[static_cast<std::size_t>(command.side)];
        newest.back() = {command, now_ns()};
        newest.publish();
    }
    void beat(std::int64_t now_ns) override { beat_ns_.store(now_ns, std::memory_order_relaxed); }

    void service() override {
        std::size_t tail = tail_.load(std::memory_order_relaxed);
        for (const std::size_t head = head_.load(std::memory_order_acquire); tail != head; ++tail) {
            const Taken& taken = taken_[tail % taken_.size()];
            if (times_ == nullptr) continue;
            if (taken.from_sample_ns >= 0) times_->from_sample.add(taken.from_sample_ns);
            times_->from_tick.add(taken.from_tick_ns);
        }
        tail_.store(tail, std::memory_order_release);
    }
    bool finish() override {
        stop();
        pass_on();  // the force loop's last command
        service();
        headset_.report_all();
        return true;
    }

  private:
    struct Request {
        HapticCommand command;
        std::int64_t at_ns = 0;
    };
    struct Taken {
        std::int64_t from_sample_ns = -1, from_tick_ns = 0;
    };

    void stop() {
        if (!courier_.joinable()) return;
        ends_ = true;
        courier_.join();
    }
    void run() {
        wake_before_others();
        for (std::int64_t due_ns = now_ns(); !ends_.load(std::memory_order_relaxed);) {
            pass_on();
            due_ns = std::max(due_ns + kPoll_ns, now_ns());
            sleep_until_ns(due_ns);
        }
    }

    // --- courier thread; the frame loop after it has ended ---

    void pass_on() {
        const std::int64_t now = now_ns();
        const bool silent = now - beat_ns_.load(std::memory_order_relaxed) > kSilent_ns;
        if (silent || !headset_.feels()) return sender_.stop_all(now);
        for (std::size_t side = 0; side < newest_.size(); ++side) {
            const Request& request = newest_[side].front();
            HapticCommand command = request.command;
            command.side = static_cast<tracking::Side>(side);
            command.time_ns = now;
            if (!sender_.send(command)) continue;
            // Renewals do not count as the age of a command.
            if (request.at_ns != last_request_ns_[side]) note(request);
            last_request_ns_[side] = request.at_ns;
        }
    }
    void note(const Request& request) {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) >= taken_.size()) return;
        const std::int64_t now = now_ns(), sample_ns = request.command.sample_ns;
        // Latency from a sample to the first command based on it.
        std::int64_t& last_ns = last_sample_ns_[static_cast<std::size_t>(request.command.side)];
        const bool is_news = sample_ns > 0 && sample_ns != last_ns;
        last_ns = sample_ns;
        taken_[head % taken_.size()] = {is_news ? now - sample_ns : -1, now - request.at_ns};
        head_.store(head + 1, std::memory_order_release);
    }

    openxr::Headset& headset_;
    openxr::HapticSender sender_;
    CommandTimes* times_;
    std::array<TripleBuffer<Request>, 2> newest_;
    std::array<std::int64_t, 2> last_request_ns_{}, last_sample_ns_{};
    std::array<Taken, 1024> taken_{};
    std::atomic<std::size_t> head_ = 0, tail_ = 0;
    std::atomic<std::int64_t> beat_ns_ = 0;
    std::atomic<bool> ends_ = false;
    std::thread courier_;
};

std::unique_ptr<HapticOutput> open_for(const OutputOptions& options, std::string_view actuator) {
    if (options.headset == nullptr)
        throw std::runtime_error("the haptic output '" + std::string(actuator) +
                                 "' goes through a headset: use it with `glovebox vr`");
    return std::make_unique<HeadsetOutput>(*options.headset, actuator, options.command_times);
}

}  // namespace

std::unique_ptr<HapticOutput> open_controller_output(const OutputOptions& options) {
    return open_for(options, "controller");
}

std::unique_ptr<HapticOutput> open_force_feedback_output(const OutputOptions& options) {
    return open_for(options, "force-feedback");
}

}  // namespace glovebox::vr
