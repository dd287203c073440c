#include "recordings/pair.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "recordings/clock_offset.h"
#include "recordings/load.h"
#include "recordings/parse.h"
#include "tracking/formatted.h"

namespace glovebox::recordings {
namespace {

using tracking::formatted;
using tracking::HandPair;
using tracking::Side;

Side side_of(const Recording& recording) {
    const bool left = recording.has(Side::left), right = recording.has(Side::right);
    if (left == right)
        throw ImportError(recording.path + ": has " + (left ? "both hands" : "no hand") +
                          "; of two files that are one recording each has one hand");
    return left ? Side::left : Side::right;
}

// Returns the time of the file's own clock at common time 0.
std::int64_t start_ns(const Recording& recording, Side side) {
    for (const HandPair& sample : recording.samples)
        if (sample[side].active) return sample[side].times.device_ns - sample.time_ns;
    return 0;
}

// Clocks of one epoch, such as Unix time, read more than this (the year 2001). Below, each device has its own zero.
constexpr double kMinUnixTime_s = 1e9;
// A clock that begins nearer to zero than this may count from the start of its own file.
constexpr double kOwnClock_s = 60.0;
// Files that share less than this of the shorter one are hardly of one take.
constexpr double kMinShare = 0.5;
// Files that share this much of their whole time were started and stopped together.
constexpr double kTogether = 0.9;

// The times of both recordings, in the time of the first.
struct Overlap {
    Overlap(const Recording& a, const Recording& b, double shift_s)
        : shared_s(std::min(a.duration_s(), b.duration_s() + shift_s) - std::max(0.0, shift_s)),
          shorter_s(std::min(a.duration_s(), b.duration_s())),
          whole_s(std::max(a.duration_s(), b.duration_s() + shift_s) - std::min(0.0, shift_s)) {}

    bool is_small() const { return shared_s < kMinShare * shorter_s; }
    bool is_whole() const { return shared_s >= kTogether * whole_s; }
    std::string text() const { return formatted("they share %.1f of %.1f s", std::max(0.0, shared_s), whole_s); }

    double shared_s, shorter_s, whole_s;
};

double seconds(std::int64_t time_ns) {
    return 1e-9 * static_cast<double>(time_ns);
}

// Returns the notes of both files. A note of only one file is preceded by the side of its hand.
std::vector<std::string> joined_notes(const Recording& a, Side side_a, const Recording& b, Side side_b) {
    const auto has = [](const Recording& recording, const std::string& note) {
        return std::find(recording.notes.begin(), recording.notes.end(), note) != recording.notes.end();
    };
    std::vector<std::string> notes;
    for (const std::string& note : a.notes)
        notes.push_back(has(b, note) ? note : std::string(name_of(side_a)) + ": " + note);
    for (const std::string& note : b.notes)
        if (!has(a, note)) notes.push_back(std::string(name_of(side_b)) + ": " + note);
    return notes;
}

// Finds by the hands' motion how much later `b` is than `a`. Throws ImportError if the motion does not tell.
ClockOffset offset_by_motion(const Recording& a, Side side_a, const Recording& b, Side side_b) {
    const auto found = correlate_clocks(a, side_a, b, side_b);
    if (found && found->is_sure()) return *found;
    throw ImportError(b.path + ": its motion does not tell how much later it is than " + a.path +
                      (found
                           ? formatted(" (best correlation %.2f, elsewhere %.2f)", found->correlation, found->next_best)
                           : std::string(" (both have to move for two seconds)")) +
                      "; give --offset SECONDS, and clap once at the start of the next take");
}

struct Merged {
    std::size_t taken = 0, left_out = 0;  ///< samples with a hand
};
// Gives each sample of `both` the hand of the other file's nearest sample, if it is within one of that file's periods.
Merged merge(const Recording& other, Side side, std::int64_t shift_ns, Recording& both) {
    Merged merged;
    const double rate_hz = other.rate_hz();
    const auto max_ns = rate_hz > 0.0 ? std::llround(1e9 / rate_hz) : std::int64_t{0};
    std::size_t next = 0;
    std::vector<bool> used(other.samples.size());
    for (HandPair& sample : both.samples) {
        const auto apart_ns = [&](std::size_t i) {
            return std::abs(other.samples[i].time_ns + shift_ns - sample.time_ns);
        };
        while (next + 1 < other.samples.size() && apart_ns(next + 1) <= apart_ns(next)) ++next;
        if (other.samples.empty() || apart_ns(next) > max_ns) continue;
        const tracking::SampleTimes times = other.samples[next][side].times;
        sample[side] = other.samples[next][side];
        sample[side].times = {times.device_ns, sample.time_ns, sample.time_ns};
        merged.taken += sample[side].active ? 1 : 0;
        used[next] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i) merged.left_out += other.samples[i][side].active && !used[i] ? 1 : 0;
    return merged;
}

}  // namespace

Recording joined(const Recording& a, const Recording& b, std::optional<double> offset_s) {
    const Side side_a = side_of(a), side_b = side_of(b);
    if (side_a == side_b)
        throw ImportError(b.path + ": is a " + std::string(name_of(side_b)) + " hand, and so is " + a.path +
                          "; two files that are one recording have a hand each");
    std::string found_note;
    if (offset_s == kOffsetByMotion) {
        const ClockOffset found = offset_by_motion(a, side_a, b, side_b);
        offset_s = found.offset_s;
        found_note = formatted("Two files of one take; by their motion the second is %.2f s later (correlation %.2f).",
                               found.offset_s, found.correlation);
    }
    // Offset to add to times of `b` to get times of `a`.
    std::int64_t shift_ns = 0;
    bool same_clock = false;
    const std::int64_t start_a_ns = start_ns(a, side_a), start_b_ns = start_ns(b, side_b);
    const std::string no_overlap = b.path + ": does not overlap " + a.path +
                                   " in time; if the two are one take, give --offset SECONDS "
                                   "(0: both start at once)";
    if (offset_s) {
        shift_ns = std::llround(1e9 * *offset_s);
    } else {
        std::int64_t apart_ns = 0;
        same_clock = !__builtin_sub_overflow(start_b_ns, start_a_ns, &apart_ns) &&
                     std::abs(seconds(apart_ns)) < std::max(a.duration_s(), b.duration_s());
        // Clocks of one epoch that do not overlap belong to two takes.
        if (!same_clock && std::min(seconds(start_a_ns), seconds(start_b_ns)) > kMinUnixTime_s)
            throw ImportError(no_overlap);
        if (same_clock) shift_ns = apart_ns;
    }
    const Overlap overlap(a, b, seconds(shift_ns));
    const bool a_leads = a.samples.size() >= b.samples.size();
    const Recording& lead = a_leads ? a : b;
    const Recording& other = a_leads ? b : a;
    const Side other_side = a_leads ? side_b : side_a;
    const std::int64_t other_shift_ns = a_leads ? shift_ns : -shift_ns;

    Recording both = lead;
    both.path = a.path + " + " + b.path;
    both.notes = joined_notes(a, side_a, b, side_b);
    both.doubts = a.doubts;
    both.doubts.insert(both.doubts.end(), b.doubts.begin(), b.doubts.end());
    both.state_hashes.clear();
    both.profiles[other_side] = other.profiles[other_side];
    const Merged merged = merge(other, other_side, other_shift_ns, both);
    if (merged.taken == 0) throw ImportError(no_overlap);
    if (merged.left_out > 0)
        both.notes.push_back(counted(merged.left_out, "sample") + " of the " + std::string(name_of(other_side)) +
                             " hand left out: the other file has no sample beside them.");
    // Clocks near zero agree in any two files. Only files that also end together are taken for one take.
    const bool own_clocks = std::max(std::abs(seconds(start_a_ns)), std::abs(seconds(start_b_ns))) < kOwnClock_s;
    const bool unsure = own_clocks && !overlap.is_whole();
    std::string note = !found_note.empty() ? found_note
                       : offset_s          ? "Two files of one take, with the offset given."
                       : !same_clock       ? "The two files have no clock in common; both are played from their start: "
                       : unsure            ? "The clocks of both files begin near zero, so they need not be one clock: "
                       : own_clocks        ? "Two files of one take, because they begin and end together: "
                                           : "Two files of one take, by the clock in both: ";
    if (!offset_s) {
        note += overlap.text();
        if (!same_clock || unsure || overlap.is_small())
            note +=
                "; if these are two takes, read them one by one; if one starts later, give --offset SECONDS, or "
                "--offset auto, which looks at how they move";
        note += '.';
    }
    both.notes.push_back(std::move(note));
    return both;
}

}  // namespace glovebox::recordings
