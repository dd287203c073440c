// Clips played one after the other, as by a motion graph: their trees are joined bottom-up.
//
// The paper leaves this as future work. Nothing is refitted: the trees of the pieces are shared and stay in their own
// planes. Only the few boxes above them are new, each around its two children's boxes. Joining k clips costs k merges,
// whatever their length; the upper boxes are somewhat larger than freshly fitted ones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/survey/clips/clip_method.h"

namespace glovebox::collision::clips {

/// A clip's tree and its placement in the plane of the whole.
struct ClipPiece {
    std::shared_ptr<const ClipTree> tree;
    ClipPlacement joined_from_piece;  ///< start_s is ignored: a piece begins where the previous one ends
};

class JoinedClip {
  public:
    struct Node {
        FlatBox flat;
        std::int32_t first, end;  ///< samples, counted over the whole
        std::int32_t second;      ///< second child; 0 for a piece. The first child is the next node
        std::int32_t piece;       ///< index into pieces() if second is 0
    };

    /// Joins the pieces. Throws std::invalid_argument for no pieces, a piece without boxes, pieces that differ in dt, a
    /// placement that is not finite, or more than 2^30 samples in total.
    explicit JoinedClip(std::vector<ClipPiece> pieces);

    const std::vector<ClipPiece>& pieces() const { return pieces_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    double dt_s() const { return pieces_.front().tree->clip().dt_s; }
    double reach_m() const { return reach_m_; }
    std::int64_t sample_count() const { return nodes_.front().end; }
    std::int64_t first_sample(std::size_t piece) const { return first_[piece]; }

    /// Returns the same motion as one clip, with copied samples: the reference for the joined trees.
    Clip flattened() const;

  private:
    std::int32_t add_node(std::size_t first_piece, std::size_t end_piece);

    std::vector<ClipPiece> pieces_;
    std::vector<std::int64_t> first_;
    std::vector<Node> nodes_;
    double reach_m_ = 0.0;
};

/// Returns the placement at which a clip continues `before`, which lies at `before_placed`: its first step goes on from
/// the last one, in the same direction. A clip without a direction keeps the plane's rotation.
ClipPlacement snapped_on(const Clip& before, const ClipPlacement& before_placed, const Clip& after);

/// Returns true if two joined clips collide. Descends the joined boxes, then tests pairs of pieces by `method`, which
/// must have built the pieces' trees. Throws and counts like the method's own `collide`; one query is counted per pair
/// of pieces that the joined boxes could not exclude.
bool collide(const ClipMethod& method, const JoinedClip& a, const ClipPlacement& placed_a, const JoinedClip& b,
             const ClipPlacement& placed_b, ClipCounts& counts);

}  // namespace glovebox::collision::clips
