// Clips played one after the other, as by a motion graph. Their trees are joined bottom-up.
//
// The paper [Sung05] leaves this as future work. Nothing is refitted: the trees of the pieces are shared and stay in
// their own planes. Only the few boxes above them are new, each around its two children's boxes. Joining k clips costs
// k merges, however long the clips are. The upper boxes are somewhat larger than freshly fitted ones.
#pragma once

#include <memory>
#include <vector>

#include "collision/survey/clips/clip_method.h"

namespace glovebox::collision::clips {

/// A clip's tree and its placement in the plane of the joined clip.
struct ClipPiece {
    std::shared_ptr<const ClipTree> tree;
    ClipPlacement joined_from_piece;  ///< start_s is ignored; a piece begins when the previous one ends
};

class JoinedClip {
  public:
    struct Node {
        FlatBox flat;
        std::int32_t first, end;  ///< samples [first, end) of the joined clip
        std::int32_t second;      ///< index of the second child, 0 for a piece; the first child is the next node
        std::int32_t piece;       ///< index in pieces() if second is 0
    };

    /// Joins the pieces. Throws std::invalid_argument if there are no pieces, a piece has no boxes, pieces differ in
    /// dt, a placement is not finite, or there are more than 2^30 samples in total.
    explicit JoinedClip(std::vector<ClipPiece> pieces);

    const std::vector<ClipPiece>& pieces() const { return pieces_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    double dt_s() const { return pieces_.front().tree->clip().dt_s; }
    double reach_m() const { return reach_m_; }
    std::int64_t sample_count() const { return nodes_.front().end; }
    std::int64_t first_sample(std::size_t piece) const { return first_[piece]; }

    /// Returns the same motion as one clip, with copied samples; the reference for tests.
    Clip flattened() const;

  private:
    std::int32_t add_node(std::size_t first_piece, std::size_t end_piece);

    std::vector<ClipPiece> pieces_;
    std::vector<std::int64_t> first_;
    std::vector<Node> nodes_;
    double reach_m_ = 0.0;
};

/// Returns the placement at which `after` continues `before`, which is placed at `before_placed`. The first sample of
/// `after` lies one step beyond the last sample of `before`, by the last step of `before`, and its first step has the
/// same direction. If `before` ends at rest, `after` keeps the rotation of `before`.
ClipPlacement snapped_on(const Clip& before, const ClipPlacement& before_placed, const Clip& after);

/// Returns true if two joined clips collide. Traverses the joined boxes, then tests pairs of pieces by `method`, which
/// must have built the pieces' trees. Throws and counts like the method's own `collide`. Counts one query per pair of
/// pieces that the joined boxes could not exclude.
bool collide(const ClipMethod& method, const JoinedClip& a, const ClipPlacement& placed_a, const JoinedClip& b,
             const ClipPlacement& placed_b, ClipCounts& counts);

}  // namespace glovebox::collision::clips
