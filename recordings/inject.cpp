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

// The same on every machine: sum of twelve uniform numbers.
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

// Poses of an earlier sample at this sample's time.
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

FaultSpell spell_of(const Fault& fault, const Recording& recording) {
    const double length_s = fault.length_s >= 0.0 ? fault.length_s : usual_length_s(fault);
    const bool lasting = !std::isfinite(length_s);
    const double start_s = fault.start_s >= 0.0 ? fault.start_s : lasting ? 0.0 : 0.5 * recording.duration_s();
    return {fault, start_s, start_s + length_s};
}

// In whole nanoseconds: a sample at the very end of a spell is not in it, whatever 3 s + 0.2 s is in floating point.
std::int64_t whole_ns(double time_s) {
    return std::llround(std::min(1e9 * time_s, 9e18));
}

bool is_inside(const FaultSpell& spell, const HandPair& sample) {
    return sample.time_ns >= whole_ns(spell.from_s) && sample.time_ns < whole_ns(spell.to_s);
}

void inject_one(const FaultSpell& spell, std::uint32_t seed, Recording& recording) {
    const Fault& fault = spell.fault;
    std::vector<HandPair>& samples = recording.samples;
    const auto inside = [&spell](const HandPair& sample) { return is_inside(spell, sample); };

    if (fault.kind == FaultKind::drop) {
        std::erase_if(samples, inside);
        return;
    }
    if (fault.kind == FaultKind::rate) {
        // A sample stays if it is the first at or after the next tick of the slower clock. Stamps are rounded, some to
        // milliseconds: one that is that little early is on the tick.
        const double step_ns = 1e9 / fault.value;
        const double early_ns = std::min(1e6, 0.25 * step_ns);
        double next_ns = 0.0;
        std::erase_if(samples, [&](const HandPair& sample) {
            if (!inside(sample)) return false;
            const double time_ns = static_cast<double>(sample.time_ns) + early_ns;
            if (time_ns < next_ns) return true;
            next_ns = step_ns * (std::floor(time_ns / step_ns) + 1.0);
            return false;
        });
        return;
    }

    const std::vector<HandPair> original = fault.kind == FaultKind::latency ? samples : std::vector<HandPair>{};
    std::mt19937 random(seed);
    const auto value = static_cast<float>(fault.value);
    const HandPair* frozen = nullptr;
    std::size_t late = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        HandPair& sample = samples[i];
        if (!inside(sample)) {
            frozen = &sample;
            continue;
        }
        switch (fault.kind) {
            case FaultKind::nan:
                for_each_active(sample, [](HandFrame& hand) {
                    for (auto& joint : hand.joints)
                        joint.position_m.setConstant(std::numeric_limits<float>::quiet_NaN());
                });
                break;
            case FaultKind::zero_pose:
                for_each_active(sample, [](HandFrame& hand) {
                    for (auto& joint : hand.joints) {
                        joint.position_m.setZero();
                        joint.orientation.setIdentity();
                        joint.flags = tracking::joint_flags::kAll;
                    }
                });
                break;
            case FaultKind::freeze:
                if (frozen == nullptr) frozen = &sample;
                if (frozen != &sample) take_poses(*frozen, sample);
                break;
            case FaultKind::jump:
                for_each_active(sample, [value](HandFrame& hand) {
                    for (auto& joint : hand.joints) joint.position_m.x() += value;
                });
                break;
            case FaultKind::latency: {
                const std::int64_t then_ns = sample.time_ns - std::llround(1e9 * fault.value);
                while (late + 1 < original.size() && original[late + 1].time_ns <= then_ns) ++late;
                take_poses(original[late], sample);
                break;
            }
            case FaultKind::jitter:
                for_each_active(sample, [&](HandFrame& hand) {
                    for (auto& joint : hand.joints)
                        for (float& x : joint.position_m) x += value * normal(random);
                });
                break;
            case FaultKind::scale:
                for_each_active(sample, [value](HandFrame& hand) {
                    const Eigen::Vector3f wrist_m = hand[tracking::Joint::wrist].position_m;
                    for (auto& joint : hand.joints) {
                        joint.position_m = wrist_m + value * (joint.position_m - wrist_m);
                        joint.radius_m *= value;
                    }
                });
                break;
            case FaultKind::swap_hands:
                swap_hands(sample);
                break;
            case FaultKind::drop:
            case FaultKind::rate:
                break;
        }
    }
}

}  // namespace

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
    if (row == kFaults.end()) {
        std::string names;
        for (const FaultRow& r : kFaults) names.append(names.empty() ? "" : ", ").append(r.name);
        fail("no such fault; known: " + names);
    }
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
    std::vector<FaultSpell> spells;
    std::uint32_t seed = 0;
    // All times are those of the recording as it was.
    for (const Fault& fault : faults) spells.push_back(spell_of(fault, recording));
    recording.state_hashes.clear();  // of frames that will not come again
    const double end_s = recording.duration_s();
    for (FaultSpell& spell : spells)
        spell.samples =
            static_cast<std::size_t>(std::count_if(recording.samples.begin(), recording.samples.end(),
                                                   [&](const HandPair& sample) { return is_inside(spell, sample); }));
    for (const FaultSpell& spell : spells) inject_one(spell, ++seed, recording);
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
