// Sweep and prune with persistent lists [Lin93], [Cohen95].
//
// Three lists of interval ends stay sorted by insertion sort. Every pair of bodies has three booleans, "the intervals
// overlap on this axis"; if a begin and an end swap, the boolean of that axis is inverted. If all three are set, the
// boxes overlap. Expected O(n + swaps) per step while bodies move little; memory is quadratic in the count (half a byte
// per pair). Worst case: bodies clustered on one axis, where a small motion swaps a large part of the list.
#include <bit>

#include "collision/broad_phase/rows.h"

namespace glovebox::collision {
namespace {

/// The end of an interval as one sortable number: value, then begin before end (so that touching counts), then body.
using End = std::uint64_t;

constexpr std::uint32_t kIsEnd = 0x80000000U;

End make_end(float value, bool is_end, std::uint32_t body) {
    const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);  // + 0 turns -0 into 0
    const std::uint32_t ordered = (bits & kIsEnd) != 0 ? ~bits : bits | kIsEnd;
    return (static_cast<End>(ordered) << 32) | (is_end ? kIsEnd : 0U) | body;
}
bool is_end(End end) {
    return (end & kIsEnd) != 0;
}
std::uint32_t body_of(End end) {
    return static_cast<std::uint32_t>(end) & ~kIsEnd;
}

/// Four bits per pair: overlap on x, y, z, and "is in the list of overlapping pairs".
class PairBits {
  public:
    static constexpr unsigned kOverlap = 7, kListed = 8;

    void resize(std::size_t bodies) { bytes_.resize((index(0, bodies) + 1) / 2); }
    void clear() { std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0}); }
    void clear_body(std::size_t body, std::size_t bodies) {
        for (std::size_t other = 0; other < bodies; ++other)
            if (other != body) flip(body, other, get(body, other));
    }
    unsigned get(std::size_t i, std::size_t j) const {
        const std::size_t at = index(std::min(i, j), std::max(i, j));
        return (bytes_[at / 2] >> shift(at)) & 15U;
    }
    /// Inverts the given bits and returns the new state.
    unsigned flip(std::size_t i, std::size_t j, unsigned bits) {
        const std::size_t at = index(std::min(i, j), std::max(i, j));
        bytes_[at / 2] = static_cast<std::uint8_t>(bytes_[at / 2] ^ (bits << shift(at)));
        return (bytes_[at / 2] >> shift(at)) & 15U;
    }

  private:
    static std::size_t index(std::size_t low, std::size_t high) { return high * (high - 1) / 2 + low; }
    static unsigned shift(std::size_t at) { return (at & 1U) * 4U; }
    std::vector<std::uint8_t> bytes_;
};

class SweepAndPrune {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        const std::size_t arrived = note_arrivals(bodies);
        counts.updates += static_cast<std::int64_t>(arrived);
        // Many new bodies would each be moved through the whole list; sorting from scratch is cheaper.
        if (arrived > 8 + bodies.boxes.size() / 8)
            sort_afresh(bodies);
        else
            sort_again(bodies, counts);
        remember(bodies);
        report(sink);
    }

  private:
    bool was_present(std::size_t body) const { return body < present_.size() && present_[body] != 0; }
    static bool now_present(const Bodies& bodies, std::size_t body) {
        return body < bodies.boxes.size() && is_present(bodies.boxes[body]);
    }

    std::size_t note_arrivals(const Bodies& bodies) {
        if (bodies.boxes.size() > present_.size()) {
            present_.resize(bodies.boxes.size(), 0);
            bits_.resize(present_.size());
        }
        arrivals_.clear();
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
            if (!was_present(body) && now_present(bodies, body)) arrivals_.push_back(static_cast<std::uint32_t>(body));
        return arrivals_.size();
    }

    void remember(const Bodies& bodies) {
        for (std::size_t body = 0; body < present_.size(); ++body) present_[body] = now_present(bodies, body) ? 1 : 0;
    }

    /// The slides' first form: sorts all ends and scans them in order, with a list of open intervals.
    void sort_afresh(const Bodies& bodies) {
        bits_.clear();
        listed_.clear();
        for (int axis = 0; axis < 3; ++axis) {
            auto& list = lists_[static_cast<std::size_t>(axis)];
            list.clear();
            for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
                if (now_present(bodies, body)) append(bodies, axis, static_cast<std::uint32_t>(body), list);
            std::sort(list.begin(), list.end());
            open_.clear();
            for (const End end : list) {
                if (is_end(end)) {
                    open_.erase(std::find(open_.begin(), open_.end(), body_of(end)));
                } else {
                    for (const std::uint32_t other : open_) invert(other, body_of(end), axis);
                    open_.push_back(body_of(end));
                }
            }
        }
    }

    /// The slides' second form: the lists are nearly sorted, and every swap inverts a boolean.
    void sort_again(const Bodies& bodies, BroadPhaseCounts& counts) {
        drop_vanished(bodies);
        for (int axis = 0; axis < 3; ++axis) {
            auto& list = lists_[static_cast<std::size_t>(axis)];
            for (End& end : list) {
                const Aabb& box = bodies.boxes[body_of(end)];
                end = make_end(is_end(end) ? box.max_m[axis] : box.min_m[axis], is_end(end), body_of(end));
            }
            for (const std::uint32_t body : arrivals_) append(bodies, axis, body, list);

            std::int64_t swaps = 0;
            for (std::size_t i = 1; i < list.size(); ++i) {
                const End end = list[i];
                std::size_t j = i;
                for (; j > 0 && end < list[j - 1]; --j) {
                    if (is_end(end) != is_end(list[j - 1])) invert(body_of(end), body_of(list[j - 1]), axis);
                    list[j] = list[j - 1];
                }
                list[j] = end;
                swaps += static_cast<std::int64_t>(i - j);
            }
            counts.swaps[static_cast<std::size_t>(axis)] += swaps;
        }
    }

    static void append(const Bodies& bodies, int axis, std::uint32_t body, std::vector<End>& list) {
        list.push_back(make_end(bodies.boxes[body].min_m[axis], false, body));
        list.push_back(make_end(bodies.boxes[body].max_m[axis], true, body));
    }

    void invert(std::uint32_t i, std::uint32_t j, int axis) {
        const unsigned bits = bits_.flip(i, j, 1U << axis);
        if (bits != PairBits::kOverlap) return;  // not on all three axes, or in the list already
        bits_.flip(i, j, PairBits::kListed);
        listed_.push_back({static_cast<std::int32_t>(std::min(i, j)), static_cast<std::int32_t>(std::max(i, j))});
    }

    void drop_vanished(const Bodies& bodies) {
        const auto gone = [&](std::size_t body) { return was_present(body) && !now_present(bodies, body); };
        bool any = false;
        for (std::size_t body = 0; body < present_.size() && !any; ++body) any = gone(body);
        if (!any) return;
        std::erase_if(listed_, [&](const BodyPair& pair) {
            return gone(static_cast<std::size_t>(pair.a)) || gone(static_cast<std::size_t>(pair.b));
        });
        for (auto& list : lists_) std::erase_if(list, [&](End end) { return gone(body_of(end)); });
        for (std::size_t body = 0; body < present_.size(); ++body)
            if (gone(body)) bits_.clear_body(body, present_.size());
    }

    void report(PairSink& sink) {
        std::size_t kept = 0;
        for (const BodyPair pair : listed_) {
            const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
            if (bits_.get(a, b) == (PairBits::kOverlap | PairBits::kListed)) {
                listed_[kept++] = pair;
                sink.add(pair.a, pair.b);
            } else {
                bits_.flip(a, b, PairBits::kListed);
            }
        }
        listed_.resize(kept);
    }

    std::array<std::vector<End>, 3> lists_;
    PairBits bits_;
    std::vector<BodyPair> listed_;
    std::vector<std::uint8_t> present_;
    std::vector<std::uint32_t> arrivals_, open_;
};

}  // namespace

BroadPhase sweep_and_prune() {
    return row<SweepAndPrune>("sweep-and-prune", "three sorted lists; for bodies that move little and do not cluster");
}

}  // namespace glovebox::collision
