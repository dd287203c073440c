// Motion of jointed chains, to measure refit methods on: the experiments of [Schmidl04, tables 1-4] made again.
//
// Two chains of eight links each, moved by a rigid-body simulation (Bullet: cone-twist joints, contacts between links)
// under smooth random forces. Everything comes from the seed: the same settings give the same frames on the same build.
// The links' surfaces stand a little apart at the joints, so neighbours do not touch by being neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "collision/body/articulated_body.h"
#include "collision/box/convex_hull.h"

namespace glovebox::scenes {

inline constexpr int kChainCount = 2;
inline constexpr int kLinksPerChain = 8;
inline constexpr int kChainLinkCount = kChainCount * kLinksPerChain;

enum class LinkShape : std::uint8_t {
    convex,  ///< an ellipsoid's hull, 162 vertices
    dented   ///< a boat's hull: scooped out from above, made of convex pieces
};
enum class ChainMotion : std::uint8_t {
    swinging,  ///< both chains float, pushed about and drawn together
    braided    ///< both hang side by side and are twisted round each other
};

struct ChainSettings {
    LinkShape shape = LinkShape::convex;
    float aspect = 3.0F;  ///< length over largest thickness
    ChainMotion motion = ChainMotion::swinging;
    std::uint32_t seed = 1;
    int frames = 10'000;      ///< at 60 Hz
    float joint_gap = 0.75F;  ///< from a link's end to its joint, in halves of its largest thickness
};

/// One link, in its own frame: long axis x, centred.
struct ChainLink {
    std::vector<std::shared_ptr<const collision::ConvexHull>> pieces;  ///< their union is the link
    std::shared_ptr<const collision::ConvexHull> hull;                 ///< of the whole link
    collision::Obb box;                                                ///< tight
    float half_length_m = 0.0F, joint_gap_m = 0.0F;                    ///< the joint is half_length + gap along x
};
ChainLink make_chain_link(LinkShape shape, float aspect, float joint_gap = ChainSettings{}.joint_gap);

struct ChainRecording {
    ChainSettings settings;
    ChainLink link;
    collision::ArticulatedBody body;  ///< each chain balanced, both joined at the root; all pairs of links may collide
    std::vector<std::array<Eigen::Isometry3f, kChainLinkCount>> world_from_link;  ///< per frame
};

/// Seconds for 10,000 frames.
ChainRecording simulate_chains(const ChainSettings& settings);

/// The bones (whole hulls), their boxes and the joints of one frame. No allocation after the first call.
void pose_chains(const ChainRecording& recording, int frame, collision::BodyPose& pose);

/// Exact: do the two links meet in this frame? Links of several pieces ask each pair of pieces.
bool links_touch(const ChainRecording& recording, int frame, int link_a, int link_b);

}  // namespace glovebox::scenes
