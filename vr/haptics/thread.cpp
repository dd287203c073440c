#include "vr/haptics/thread.h"

#include <optional>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::uint64_t kTicksPerLedger = 100;

}  // namespace

HapticThread::HapticThread(const DeviceLimits& limits, std::unique_ptr<HapticOutput> output, bool real_time)
    : loop_(std::make_unique<HapticLoop>(limits)), output_(std::move(output)), real_time_(real_time) {
    thread_ = std::thread([this] { run(); });
    ready_.wait(false);
}

HapticThread::~HapticThread() {
    stop();
}

void HapticThread::publish() {
    frames_.back().number = ++number_;
    frames_.publish();
}

void HapticThread::request(float level) {
    requests_.back() = {level, now_ns()};
    requests_.publish();
}

bool HapticThread::stop() {
    if (stopped_) return whole_;
    exiting_ = true;
    thread_.join();
    output_->service();
    whole_ = output_->finish();
    stopped_ = true;
    return whole_;
}

void HapticThread::run() {
    std::optional<KeepAwake> awake;
    scheduling_ = "SCHED_OTHER, as asked";
    if (real_time_) {
        scheduling_ = make_thread_real_time();
        awake.emplace();
        if (awake->in_force()) scheduling_ += ", processor kept awake";
    }
    ready_ = true;
    ready_.notify_all();

    std::int64_t due_ns = now_ns() + kTick_ns;
    for (std::uint64_t ticks = 1;; ++ticks) {
        sleep_until_ns(due_ns);
        const std::int64_t start_ns = now_ns();
        const bool exiting = exiting_.load(std::memory_order_relaxed);
        const StopReasons reasons{false, paused_.load(std::memory_order_relaxed),
                                  unfocused_.load(std::memory_order_relaxed), exiting};
        const std::int64_t cpu_ns = thread_cpu_ns();
        loop_->request = requests_.front();
        loop_->tick(frames_.front(), due_ns, due_ns, start_ns, reasons, *output_, now_ns);
        if (thread_cpu_ns() - cpu_ns > kTick_ns) ++loop_->ledger.own_misses;
        if (exiting) return;
        if (ticks % kTicksPerLedger == 0) {
            ledgers_.back() = loop_->ledger;
            ledgers_.publish();
        }
        // Missed ticks are skipped, not repeated in a burst, because the device would get outdated commands.
        due_ns += kTick_ns;
        if (const std::int64_t late_ns = now_ns() - due_ns; late_ns > 0) {
            loop_->ledger.skipped_ticks += static_cast<std::uint64_t>(late_ns / kTick_ns);
            due_ns += late_ns / kTick_ns * kTick_ns;
        }
    }
}

}  // namespace glovebox::vr
