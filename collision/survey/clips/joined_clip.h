// Clips played one after the other, as a motion graph plays them: their trees joined from the bottom up.
//
// The paper leaves this as future work. Nothing is fitted again: the trees of the pieces are shared and stay in their
// own planes, and only the few boxes above them are made, each round the boxes of its two children. Joining k clips
// costs k merges, whatever their length; the boxes on top are somewhat larger than freshly fitted ones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/survey/clips/clip_method.h"

namespace glovebox::collision::clips {

/// A clip's tree and where it lies in the plane of the whole.
struct ClipPiece {
    std::shared_ptr<const ClipTree> tree;
    ClipPlacement joined_from_piece;  ///< start_s is ignored: a piece begins where the one before ends
};

class JoinedClip {
  public:
    struct Node {
        FlatBox flat;
        std::int32_t first, end;  ///< samples of the whole
        std::int32_t second;      ///< second child; 0 for a piece. The first child is the next node
        std::int32_t piece;       ///< index into pieces() where second is 0
    };

    /// Throws std::invalid_argument: no pieces, a piece without boxes, pieces that differ in dt, a placement that is
    /// not finite, more than 2^30 samples in all.
    explicit JoinedClip(std::vector<ClipPiece> pieces);

    const std::vector<ClipPiece>& pieces() const { return pieces_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    double dt_s() const { return pieces_.front().tree->clip().dt_s; }
    double reach_m() const { return reach_m_; }
    std::int64_t sample_count() const { return nodes_.front().end; }
    std::int64_t first_sample(std::size_t piece) const { return first_[piece]; }

    /// The same motion as one clip, samples copied: what the joined trees must agree with.
    Clip flattened() const;

  private:
    std::int32_t add_node(std::size_t first_piece, std::size_t end_piece);

    std::vector<ClipPiece> pieces_;
    std::vector<std::int64_t> first_;
    std::vector<Node> nodes_;
    double reach_m_ = 0.0;
};

/// Where a clip has to lie for its first step to go on from the last one of `before`, which lies at `before_placed`:
/// same place one step on, same heading. A clip with no direction keeps the plane's.
ClipPlacement snapped_on(const Clip& before, const ClipPlacement& before_placed, const Clip& after);

/// Do two joined clips collide? Descends the joined boxes, then hands pairs of pieces to `method`, whose rows must have
/// built the pieces' trees. Same errors and same counters as a method's own `collide`; one query is counted for each
/// pair of pieces that the joined boxes could not rule out.
bool collide(const ClipMethod& method, const JoinedClip& a, const ClipPlacement& placed_a, const JoinedClip& b,
             const ClipPlacement& placed_b, ClipCounts& counts);

}  // namespace glovebox::collision::clips
