// Commands as CSV. The force loop puts them into a ring; the frame loop writes them out.
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "vr/haptics/output.h"

namespace glovebox::vr {
namespace {

class LogOutput final : public HapticOutput {
  public:
    explicit LogOutput(const std::filesystem::path& path)
        : path_(path), beside_(path.string() + ".part"), out_(beside_) {
        if (!out_) throw std::runtime_error("cannot write " + path.string() + ": check that the folder exists");
        out_ << "time_s,hand,stop";
        for (const std::string_view part : tracking::kHandPartNames)
            out_ << ',' << part << "_force," << part << "_vibration";
        out_ << '\n';
    }
    ~LogOutput() override {
        service();
        if (const std::size_t lost = lost_.load(); lost > 0) out_ << "# " << lost << " commands did not fit\n";
        out_.close();
        std::error_code ignored;
        if (out_) std::filesystem::rename(beside_, path_, ignored);
    }

    void send(const HapticCommand& command) override {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) >= ring_.size()) {
            lost_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        ring_[head % ring_.size()] = command;
        head_.store(head + 1, std::memory_order_release);
    }

    void service() override {
        std::array<char, 256> line{};
        std::size_t tail = tail_.load(std::memory_order_relaxed);
        const std::size_t head = head_.load(std::memory_order_acquire);
        for (; tail != head; ++tail) {
            const HapticCommand& command = ring_[tail % ring_.size()];
            if (first_ns_ < 0) first_ns_ = command.time_ns;
            int length = std::snprintf(line.data(), line.size(), "%.6f,%s,%d",
                                       1e-9 * static_cast<double>(command.time_ns - first_ns_),
                                       command.side == tracking::Side::left ? "left" : "right", command.stop ? 1 : 0);
            for (const PartCommand& part : command.parts)
                length +=
                    std::snprintf(line.data() + length, line.size() - static_cast<std::size_t>(length), ",%.4f,%.4f",
                                  static_cast<double>(part.force), static_cast<double>(part.vibration));
            out_.write(line.data(), length) << '\n';
        }
        tail_.store(tail, std::memory_order_release);
    }

  private:
    static constexpr std::size_t kCapacity = 1U << 15;  // sixteen seconds of two hands at 1 kHz
    std::vector<HapticCommand> ring_ = std::vector<HapticCommand>(kCapacity);
    std::atomic<std::size_t> head_ = 0, tail_ = 0, lost_ = 0;
    std::int64_t first_ns_ = -1;
    std::filesystem::path path_, beside_;
    std::ofstream out_;
};

}  // namespace

std::unique_ptr<HapticOutput> open_log_output(const OutputOptions& options) {
    return std::make_unique<LogOutput>(options.file.empty() ? "haptics.csv" : options.file);
}

}  // namespace glovebox::vr
