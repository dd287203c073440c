#include "vr/haptics/output.h"

#include <array>

namespace glovebox::vr {
namespace {

class NullOutput final : public HapticOutput {
  public:
    void send(const HapticCommand&) override {}
};

constexpr DeviceLimits kGlove = {"force-feedback glove at 1 kHz", 8.0F, 2.0F, 25.0F, 0.5F, 3.0F, 1000.0F, 100'000'000};
constexpr DeviceLimits kRadioGlove = {
    "force-feedback glove on a radio link", 8.0F, 2.0F, 25.0F, 0.5F, 3.0F, 100.0F, 200'000'000};

constexpr std::array kOutputs = {
    OutputRow{"null", "computes every command and sends none", kGlove, open_null_output},
    OutputRow{"log", "writes every command to a CSV file, as a 1 kHz glove would get them", kGlove, open_log_output},
    OutputRow{"log-radio", "the same for a glove that takes 100 commands a second", kRadioGlove, open_log_output},
};

}  // namespace

std::span<const OutputRow> output_table() {
    return kOutputs;
}

const OutputRow* find_output(std::string_view name) {
    for (const OutputRow& row : kOutputs)
        if (row.name == name) return &row;
    return nullptr;
}

std::unique_ptr<HapticOutput> open_null_output(const OutputOptions&) {
    return std::make_unique<NullOutput>();
}

}  // namespace glovebox::vr
