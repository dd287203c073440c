// Writes commands as CSV, with the times of the samples, as in a log. The force loop puts the commands into a ring
// buffer; the frame loop writes them.
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "recordings/output.h"
#include "recordings/parse.h"
#include "vr/haptics/output.h"

namespace glovebox::vr {
namespace {

class LogOutput final : public HapticOutput {
  public:
    LogOutput(const std::filesystem::path& path, const SampleClock* clock) : clock_(clock), out_(path) {
        std::string header = "time_s,hand,stop";
        for (const std::string_view part : tracking::kHandPartNames)
            header.append(",").append(part).append("_force,").append(part).append("_vibration");
        out_.write(header + '\n');
    }
    ~LogOutput() override { finish(); }

    void send(const HapticCommand& command) override {
        const std::int64_t start_ns = clock_ != nullptr ? clock_->start_ns.load(std::memory_order_relaxed) : 0;
        if (start_ns == SampleClock::kNotBegun) return;
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) >= ring_.size()) {
            lost_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        ring_[head % ring_.size()] = command;
        ring_[head % ring_.size()].time_ns -= start_ns;
        head_.store(head + 1, std::memory_order_release);
    }

    void service() override {
        std::array<char, 256> line{};
        std::size_t tail = tail_.load(std::memory_order_relaxed);
        const std::size_t head = head_.load(std::memory_order_acquire);
        for (; tail != head; ++tail) {
            const HapticCommand& command = ring_[tail % ring_.size()];
            int length =
                std::snprintf(line.data(), line.size(), "%.6f,%s,%d", 1e-9 * static_cast<double>(command.time_ns),
                              command.side == tracking::Side::left ? "left" : "right", command.stop ? 1 : 0);
            for (const PartCommand& part : command.parts)
                length +=
                    std::snprintf(line.data() + length, line.size() - static_cast<std::size_t>(length), ",%.4f,%.4f",
                                  static_cast<double>(part.force), static_cast<double>(part.vibration));
            line[static_cast<std::size_t>(length++)] = '\n';
            write({line.data(), static_cast<std::size_t>(length)});
        }
        tail_.store(tail, std::memory_order_release);
    }

    bool finish() override {
        if (finished_) return !failed_;
        finished_ = true;
        service();
        const std::size_t lost = lost_.load();
        if (lost > 0) write("# there was no room for " + recordings::counted(lost, "command") + "\n");
        if (!failed_) attempt([this] { out_.commit(); });
        return !failed_;
    }

  private:
    void write(std::string_view text) {
        if (!failed_) attempt([this, text] { out_.write(text); });
    }
    // The session continues without its log; the error is printed once.
    template <class Work>
    void attempt(const Work& work) {
        try {
            work();
        } catch (const recordings::ExportError& error) {
            failed_ = true;
            std::fprintf(stderr, "glovebox: %s\n", error.what());
        }
    }

    const SampleClock* clock_;
    static constexpr std::size_t kCapacity = 1U << 15;  // sixteen seconds of two hands at 1 kHz
    std::vector<HapticCommand> ring_ = std::vector<HapticCommand>(kCapacity);
    std::atomic<std::size_t> head_ = 0, tail_ = 0, lost_ = 0;
    bool failed_ = false, finished_ = false;
    recordings::Output out_;
};

}  // namespace

std::unique_ptr<HapticOutput> open_log_output(const OutputOptions& options) {
    return std::make_unique<LogOutput>(options.file.empty() ? "haptics.csv" : options.file, options.clock);
}

}  // namespace glovebox::vr
