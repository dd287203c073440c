// Simulates jointed chains, a benchmark of refit methods that reproduces tables 1 to 4 of [Schmidl04].
//
// Bullet moves two chains of eight links each under smooth random forces, with cone-twist joints and contacts between
// links. The same settings and seed give the same frames on the same build. A gap at each joint keeps neighbouring
// links from touching when the chain is straight.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "collision/body/articulated_body.h"
#include "collision/box/convex_hull.h"

namespace glovebox::vr {

inline constexpr int kChainCount = 2;
inline constexpr int kLinksPerChain = 8;
inline constexpr int kChainLinkCount = kChainCount * kLinksPerChain;

enum class LinkShape : std::uint8_t {
    /// The hull of an ellipsoid that is fuller towards its ends, with 162 vertices.
    convex,
    /// A boat that is hollow from above; it is a union of convex pieces.
    dented
};
enum class ChainMotion : std::uint8_t {
    swinging,  ///< both chains float, pushed by random forces and drawn to the origin
    braided    ///< both are held side by side at their ends and twisted round each other
};

struct ChainSettings {
    LinkShape shape = LinkShape::convex;
    float aspect = 3.0F;  ///< length over largest thickness
    ChainMotion motion = ChainMotion::swinging;
    std::uint32_t seed = 1;
    int frames = 10'000;  ///< at 60 Hz
    /// Distance from the end of a link to its joint, divided by half the link's largest thickness.
    float joint_gap = 0.75F;
};

/// One link in its own frame, which has its origin at the link's centre and x along its long axis.
struct ChainLink {
    std::vector<std::shared_ptr<const collision::ConvexHull>> pieces;  ///< their union is the link
    std::shared_ptr<const collision::ConvexHull> hull;                 ///< convex hull of all pieces
    collision::Obb box;                                                ///< tight, aligned with the link's axes
    float half_length_m = 0.0F, joint_gap_m = 0.0F;                    ///< the joint is at x = half_length + gap
};
ChainLink make_chain_link(LinkShape shape, float aspect, float joint_gap = ChainSettings{}.joint_gap);

struct ChainRecording {
    ChainSettings settings;
    ChainLink link;
    /// One balanced tree per chain, under a common root. All pairs of links may collide.
    collision::ArticulatedBody body;
    std::vector<std::array<Eigen::Isometry3f, kChainLinkCount>> world_from_link;  ///< per frame
};

/// Runs the simulation. Takes a few seconds for 10,000 frames.
ChainRecording simulate_chains(const ChainSettings& settings);

/// Writes the bones (each link's convex hull), boxes and joints of one frame. No allocation after the first call.
void pose_chains(const ChainRecording& recording, int frame, collision::BodyPose& pose);

/// Returns true if the two links touch in this frame. The test is exact; if links have several pieces, it tests all
/// pairs of pieces.
bool links_touch(const ChainRecording& recording, int frame, int link_a, int link_b);

}  // namespace glovebox::vr
