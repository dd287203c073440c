#include "collision/survey/clips/joined_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace glovebox::collision::clips {
namespace {

// Composes two placements: first `inner`, then `outer`. Times add up.
ClipPlacement operator*(const ClipPlacement& outer, const ClipPlacement& inner) {
    return {outer.world_from_clip * inner.world_from_clip, outer * inner.offset_m, outer.start_s + inner.start_s};
}

Eigen::Vector2d heading(const Eigen::Vector2d& from_m, const Eigen::Vector2d& to_m) {
    const Eigen::Vector2d step = to_m - from_m;
    const double length_m = step.norm();
    return length_m > 1e-9 ? Eigen::Vector2d(step / length_m) : Eigen::Vector2d(1.0, 0.0);
}

struct JoinedQuery {
    const ClipMethod& method;
    const JoinedClip& a;
    const JoinedClip& b;
    // Times are relative to the start of b. On the common clock, the start of a piece is rounded to the last place, so
    // in long clips whole-sample offsets would no longer be whole.
    ClipPlacement placed_a, placed_b;
    RelativePlacement placed;
    SampleShift shift;
    double slack_m;
    ClipCounts& counts;

    ClipPlacement placed_piece(const JoinedClip& joined, const ClipPlacement& whole, std::int32_t piece) const {
        const auto p = static_cast<std::size_t>(piece);
        ClipPlacement out = whole * joined.pieces()[p].joined_from_piece;
        out.start_s = whole.start_s + static_cast<double>(joined.first_sample(p)) * joined.dt_s();
        return out;
    }

    bool nodes_collide(const JoinedClip::Node& na, const JoinedClip::Node& nb) {
        ++counts.time_tests;
        if (!shift.share_time(na.first, na.end, nb.first, nb.end)) {
            ++counts.apart_in_time;
            return false;
        }
        ++counts.tests_2d;
        if (!overlap(transformed(placed.b_from_a, placed.offset_m, na.flat), nb.flat, slack_m)) {
            ++counts.apart_in_space;
            return false;
        }
        if (na.second == 0 && nb.second == 0)
            return method.collide(
                *a.pieces()[static_cast<std::size_t>(na.piece)].tree, placed_piece(a, placed_a, na.piece),
                *b.pieces()[static_cast<std::size_t>(nb.piece)].tree, placed_piece(b, placed_b, nb.piece), counts);
        // Splits the longer of the two, so that both sides shrink together.
        if (nb.second == 0 || (na.second != 0 && na.end - na.first >= nb.end - nb.first))
            return nodes_collide((&na)[1], nb) || nodes_collide(a.nodes()[static_cast<std::size_t>(na.second)], nb);
        return nodes_collide(na, (&nb)[1]) || nodes_collide(na, b.nodes()[static_cast<std::size_t>(nb.second)]);
    }
};

}  // namespace

JoinedClip::JoinedClip(std::vector<ClipPiece> pieces) : pieces_(std::move(pieces)) {
    if (pieces_.empty()) throw std::invalid_argument("joined clip: no pieces");
    std::int64_t samples = 0;
    for (ClipPiece& piece : pieces_) {
        if (!piece.tree || piece.tree->shape().root == NodeKind::none)
            throw std::invalid_argument("joined clip: a piece has no boxes to join");
        if (piece.tree->clip().dt_s != dt_s()) throw std::invalid_argument("joined clip: the sample spacings differ");
        piece.joined_from_piece.start_s = 0.0;
        if (!piece.joined_from_piece.world_from_clip.allFinite() || !piece.joined_from_piece.offset_m.allFinite())
            throw std::invalid_argument("joined clip: a placement is not finite");
        first_.push_back(samples);
        samples += static_cast<std::int64_t>(piece.tree->clip().samples.size());
        reach_m_ = std::max(
            reach_m_, piece.joined_from_piece.offset_m.cwiseAbs().maxCoeff() + std::sqrt(2.0) * piece.tree->reach_m());
    }
    if (samples > (std::int64_t{1} << 30)) throw std::invalid_argument("joined clip: more than 2^30 samples");
    add_node(0, pieces_.size());
}

std::int32_t JoinedClip::add_node(std::size_t first_piece, std::size_t end_piece) {
    const auto index = static_cast<std::int32_t>(nodes_.size());
    const ClipPiece& front = pieces_[first_piece];
    const ClipPiece& back = pieces_[end_piece - 1];
    const auto end_sample = first_[end_piece - 1] + static_cast<std::int64_t>(back.tree->clip().samples.size());
    Node node{{},
              static_cast<std::int32_t>(first_[first_piece]),
              static_cast<std::int32_t>(end_sample),
              0,
              static_cast<std::int32_t>(first_piece)};
    nodes_.push_back(node);
    if (end_piece - first_piece == 1) {
        const ClipPlacement& placed = front.joined_from_piece;
        const ClipTree::Node& root = front.tree->nodes().front();
        node.flat = transformed(placed.world_from_clip, placed.offset_m, root.flat);
        node.flat.half_m.array() += 16.0 * std::numeric_limits<double>::epsilon() * reach_m_;
    } else {
        const std::size_t middle = first_piece + (end_piece - first_piece) / 2;
        const std::int32_t a = add_node(first_piece, middle);
        node.second = add_node(middle, end_piece);
        // The paper's axis, from the first sample to the last; the first child's axis if they coincide.
        const Eigen::Vector2d chord = back.joined_from_piece * back.tree->clip().samples.back().center_m -
                                      front.joined_from_piece * front.tree->clip().samples.front().center_m;
        const FlatBox& box_a = nodes_[static_cast<std::size_t>(a)].flat;
        const FlatBox& box_b = nodes_[static_cast<std::size_t>(node.second)].flat;
        node.flat = merge_flat(box_a, box_b, chord.norm() > 1e-9 ? Eigen::Vector2d(chord.normalized()) : box_a.axis);
    }
    nodes_[static_cast<std::size_t>(index)] = node;
    return index;
}

Clip JoinedClip::flattened() const {
    Clip clip{{}, dt_s()};
    for (const ClipPiece& piece : pieces_)
        for (const ClipSample& s : piece.tree->clip().samples)
            clip.samples.push_back({piece.joined_from_piece * s.center_m, s.radius_m});
    return clip;
}

ClipPlacement snapped_on(const Clip& before, const ClipPlacement& before_placed, const Clip& after) {
    const std::size_t n = before.samples.size();
    const Eigen::Vector2d end_m = before_placed * before.samples[n - 1].center_m;
    const Eigen::Vector2d step_m =
        n > 1 ? Eigen::Vector2d(end_m - before_placed * before.samples[n - 2].center_m) : Eigen::Vector2d::Zero();
    const Eigen::Vector2d from = after.samples.size() > 1
                                     ? heading(after.samples[0].center_m, after.samples[1].center_m)
                                     : Eigen::Vector2d(1.0, 0.0);
    const Eigen::Vector2d to = step_m.norm() > 1e-9 ? Eigen::Vector2d(step_m.normalized())
                                                    : Eigen::Vector2d(before_placed.world_from_clip * from);
    ClipPlacement out;
    const double c = from.dot(to), s = from.x() * to.y() - from.y() * to.x();
    out.world_from_clip << c, -s, s, c;
    out.offset_m = end_m + step_m - out.world_from_clip * after.samples[0].center_m;
    out.start_s = before_placed.start_s + before.duration_s();
    return out;
}

bool collide(const ClipMethod& method, const JoinedClip& a, const ClipPlacement& placed_a, const JoinedClip& b,
             const ClipPlacement& placed_b, ClipCounts& counts) {
    if (a.dt_s() != b.dt_s()) throw std::invalid_argument("joined clips: the sample spacings differ");
    const RelativePlacement placed = relative(placed_a, placed_b);
    const double slack_m = 32.0 * std::numeric_limits<double>::epsilon() *
                           (placed.offset_m.cwiseAbs().maxCoeff() + a.reach_m() + b.reach_m());
    JoinedQuery query{method,  a,     b, placed_a, placed_b, placed, sample_shift(placed.start_s, a.dt_s()),
                      slack_m, counts};
    query.placed_a.start_s = placed.start_s;
    query.placed_b.start_s = 0.0;
    return query.nodes_collide(a.nodes().front(), b.nodes().front());
}

}  // namespace glovebox::collision::clips
