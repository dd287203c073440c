#include "recordings/inject.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"
#include "tracking/names.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;

constexpr std::array<FaultRow, 10> kFaults = {{
    {FaultKind::drop, "drop", "time", "no samples at all for so long"},
    {FaultKind::nan, "nan", "", "positions are NaN (200 ms)"},
    {FaultKind::zero_pose, "zero-pose", "", "all joints at the origin, and said to be valid (200 ms)"},
    {FaultKind::freeze, "freeze", "", "the pose stands still to the last bit, and is said to be tracked (500 ms)"},
    {FaultKind::jump, "jump", "length", "the hand is so far aside (300 ms)"},
    {FaultKind::rate, "rate", "hertz", "samples are thinned out to this rate"},
    {FaultKind::latency, "latency", "time", "poses are so old"},
    {FaultKind::jitter, "jitter", "length", "each joint is off by so much (standard deviation)"},
    {FaultKind::scale, "scale", "factor", "the hand is so much larger, about its wrist"},
    {FaultKind::swap_hands, "swap-hands", "", "left and right are exchanged (500 ms)"},
}};

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array<Unit, 3> kTimes = {{{"ms", 1e-3}, {"s", 1.0}, {"", 1.0}}};
constexpr std::array<Unit, 4> kLengths = {{{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}, {"", 1.0}}};
constexpr std::array<Unit, 3> kRates = {{{"hz", 1.0}, {"Hz", 1.0}, {"", 1.0}}};
constexpr std::array<Unit, 2> kFactors = {{{"x", 1.0}, {"", 1.0}}};

bool parse_quantity(std::string_view text, std::span<const Unit> units, double& value) {
    for (const Unit& unit : units) {
        if (!text.ends_with(unit.name)) continue;
        if (!parse_number(text.substr(0, text.size() - unit.name.size()), value) || !std::isfinite(value)) continue;
        value *= unit.factor;
        return true;
    }
    return false;
}

std::span<const Unit> units_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::drop:
        case FaultKind::latency:
            return kTimes;
        case FaultKind::jump:
        case FaultKind::jitter:
            return kLengths;
        case FaultKind::rate:
            return kRates;
        default:
            return kFactors;
    }
}

double usual_length_s(const Fault& fault) {
    switch (fault.kind) {
        case FaultKind::drop:
            return fault.value;
        case FaultKind::nan:
        case FaultKind::zero_pose:
            return 0.2;
        case FaultKind::freeze:
        case FaultKind::swap_hands:
            return 0.5;
        case FaultKind::jump:
            return 0.3;
        default:
            return std::numeric_limits<double>::infinity();
    }
}

// Returns a normal variate that is the same on every machine: the sum of twelve uniform numbers.
float normal(std::mt19937& random) {
    float sum = -6.0F;
    for (int i = 0; i < 12; ++i) sum += static_cast<float>(random() >> 8) * 0x1p-24F;
    return sum;
}

template <class Change>
void for_each_active(HandPair& sample, Change&& change) {
    for (HandFrame& hand : sample.hands)
        if (hand.active) change(hand);
}

// Copies the poses of another sample and keeps this sample's times.
void take_poses(const HandPair& from, HandPair& to) {
    for (std::size_t side = 0; side < 2; ++side) {
        const tracking::SampleTimes times = to.hands[side].times;
        to.hands[side] = from.hands[side];
        to.hands[side].times = times;
    }
}

void swap_hands(HandPair& sample) {
    std::swap(sample.hands[0], sample.hands[1]);
    sample.hands[0].side = tracking::Side::left;
    sample.hands[1].side = tracking::Side::right;
}

FaultSpell spell_of(const Fault& fault, std::optional<double> duration_s) {
    const double length_s = fault.length_s >= 0.0 ? fault.length_s : usual_length_s(fault);
    const bool lasting = !std::isfinite(length_s);
    if (fault.start_s < 0.0 && !lasting && !duration_s)
        throw std::runtime_error("--inject " + text_of(fault) +
                                 ": a live source has no middle: say when the fault begins, such as " +
                                 text_of({fault.kind, fault.value, 5.0, fault.length_s}));
    const double start_s = fault.start_s >= 0.0 ? fault.start_s : lasting ? 0.0 : 0.5 * *duration_s;
    return {fault, start_s, start_s + length_s};
}

// Rounds to whole nanoseconds, so that a sample at the exact end of an interval is outside it, despite rounding errors.
std::int64_t whole_ns(double time_s) {
    return std::llround(std::min(1e9 * time_s, 9e18));
}

}  // namespace

FaultStream::FaultStream(std::span<const Fault> faults, std::optional<double> duration_s) {
    for (const Fault& fault : faults) spells_.push_back(spell_of(fault, duration_s));
    memories_.resize(spells_.size());
    std::uint32_t seed = 0;
    for (Memory& memory : memories_) memory.random.seed(++seed);
}

bool FaultStream::pass(HandPair& sample) {
    if (!start_ns_) start_ns_ = sample.time_ns;
    const std::int64_t time_ns = sample.time_ns - *start_ns_;
    for (FaultSpell& spell : spells_) {
        spell.is_active = time_ns >= whole_ns(spell.from_s) && time_ns < whole_ns(spell.to_s);
        spell.samples += spell.is_active ? 1 : 0;
    }
    for (std::size_t i = 0; i < spells_.size(); ++i)
        if (!pass_one(spells_[i], memories_[i], sample)) return false;
    return true;
}

bool FaultStream::pass_one(const FaultSpell& spell, Memory& memory, HandPair& sample) const {
    const auto value = static_cast<float>(spell.fault.value);
    switch (spell.fault.kind) {
        case FaultKind::drop:
            return !spell.is_active;
        case FaultKind::rate: {
            if (!spell.is_active) return true;
            // Keep a sample if it is the first at or after the next tick of the slower clock. Time stamps may be
            // rounded to milliseconds, so a sample that is early by as little counts as on the tick.
            const double step_ns = 1e9 / spell.fault.value;
            const double time_ns = static_cast<double>(sample.time_ns - *start_ns_) + std::min(1e6, 0.25 * step_ns);
            if (time_ns < memory.next_ns) return false;
            memory.next_ns = step_ns * (std::floor(time_ns / step_ns) + 1.0);
            return true;
        }
        case FaultKind::freeze:
            if (spell.is_active && memory.has_frozen) {
                take_poses(memory.frozen, sample);
            } else {
                memory.frozen = sample;
                memory.has_frozen = true;
            }
            return true;
        case FaultKind::latency: {
            const std::int64_t then_ns = sample.time_ns - std::llround(1e9 * spell.fault.value);
            std::vector<HandPair>& past = memory.past;
            if (memory.count == past.size()) {
                std::rotate(past.begin(), past.begin() + static_cast<std::ptrdiff_t>(memory.oldest), past.end());
                memory.oldest = 0;
                past.resize(std::max<std::size_t>(16, 2 * past.size()));
            }
            past[(memory.oldest + memory.count++) % past.size()] = sample;
            while (memory.count > 1 && past[(memory.oldest + 1) % past.size()].time_ns <= then_ns) {
                memory.oldest = (memory.oldest + 1) % past.size();
                --memory.count;
            }
            if (spell.is_active) take_poses(past[memory.oldest], sample);
            return true;
        }
        default:
            break;
    }
    if (!spell.is_active) return true;
    if (spell.fault.kind == FaultKind::swap_hands) {
        swap_hands(sample);
        return true;
    }
    for_each_active(sample, [&](HandFrame& hand) {
        const Eigen::Vector3f wrist_m = hand[tracking::Joint::wrist].position_m;
        for (tracking::JointPose& joint : hand.joints) switch (spell.fault.kind) {
                case FaultKind::nan:
                    joint.position_m.setConstant(std::numeric_limits<float>::quiet_NaN());
                    break;
                case FaultKind::zero_pose:
                    joint.position_m.setZero();
                    joint.orientation.setIdentity();
                    joint.flags = tracking::joint_flags::kAll;
                    break;
                case FaultKind::jump:
                    joint.position_m.x() += value;
                    break;
                case FaultKind::jitter:
                    for (float& x : joint.position_m) x += value * normal(memory.random);
                    break;
                case FaultKind::scale:
                    joint.position_m = wrist_m + value * (joint.position_m - wrist_m);
                    joint.radius_m *= value;
                    break;
                default:
                    break;
            }
    });
    return true;
}

std::span<const FaultRow> fault_table() {
    return kFaults;
}

Fault parse_fault(std::string_view spec) {
    const auto fail = [spec](const std::string& reason) {
        throw std::runtime_error("--inject " + excerpt(spec, 80) + ": " + reason);
    };
    std::string_view rest = spec, length, start, value;
    const auto split = [&rest](char mark, std::string_view& after) {
        const std::size_t at = rest.rfind(mark);
        if (at == std::string_view::npos) return false;
        after = rest.substr(at + 1);
        rest = rest.substr(0, at);
        return true;
    };
    Fault fault;
    const bool has_length = split('+', length);
    const bool has_start = split('@', start);
    const bool has_value = split('=', value);
    const auto row = std::find_if(kFaults.begin(), kFaults.end(), [rest](const FaultRow& r) { return r.name == rest; });
    if (row == kFaults.end()) fail("no such fault; known: " + tracking::listed(tracking::names_of(kFaults)));
    fault.kind = row->kind;
    if (row->value.empty() && has_value) fail("this fault takes no value");
    if (!row->value.empty() && !has_value) fail(std::string("a ").append(row->value).append(" is needed after ="));
    if (has_value && !parse_quantity(value, units_of(fault.kind), fault.value))
        fail(excerpt(value) + " is not a " + std::string(row->value));
    const bool signed_value = fault.kind == FaultKind::jump;
    if (has_value && !signed_value && fault.value <= 0.0) fail("the value must be above 0");
    if (has_start && (!parse_quantity(start, kTimes, fault.start_s) || fault.start_s < 0.0))
        fail(excerpt(start) + " is not a time");
    if (has_length && (!parse_quantity(length, kTimes, fault.length_s) || fault.length_s <= 0.0))
        fail(excerpt(length) + " is no time above 0");
    return fault;
}

std::vector<FaultSpell> inject(std::span<const Fault> faults, Recording& recording) {
    const double end_s = recording.duration_s();
    FaultStream stream(faults, end_s);
    recording.state_hashes.clear();  // the hashes belong to the original samples
    std::vector<HandPair>& samples = recording.samples;
    std::size_t kept = 0;
    for (HandPair& sample : samples) {
        if (!stream.pass(sample)) continue;
        if (&samples[kept] != &sample) samples[kept] = sample;
        ++kept;
    }
    samples.resize(kept);
    std::vector<FaultSpell> spells(stream.spells().begin(), stream.spells().end());
    for (FaultSpell& spell : spells) spell.to_s = std::max(spell.from_s, std::min(spell.to_s, end_s));
    return spells;
}

std::string text_of(const Fault& fault) {
    const auto row = std::find_if(kFaults.begin(), kFaults.end(), [&](const auto& r) { return r.kind == fault.kind; });
    const auto number = [](double value) {
        std::array<char, 32> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
        return std::string(text.data(), end);
    };
    std::string text(row->name);
    if (!row->value.empty()) text += "=" + number(fault.value) + std::string(units_of(fault.kind).end()[-2].name);
    if (fault.start_s >= 0.0) text += "@" + number(fault.start_s) + "s";
    if (fault.length_s >= 0.0) text += "+" + number(fault.length_s) + "s";
    return text;
}

}  // namespace glovebox::recordings
