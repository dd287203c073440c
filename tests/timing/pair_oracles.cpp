// A million random pairs of convex hulls: do FCL, libccd and Bullet agree with us? If not, who is right?
//
//   glovebox_pair_oracles [--pairs N]
//
// Distances are proved: a separating plane along our normal is a lower bound, and our two witness points are an
// upper bound. Depths have an upper bound, since moving along our normal by our depth separates the hulls; that
// no shorter translation does is checked for every direction that a peer proposes. Exits with 3 if a peer is right
// and we are not.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "collision/query/hull_pair.h"
#include "tests/timing/peers/hull_peers.h"

namespace glovebox::timing {
namespace {

using Eigen::Vector3d;

constexpr double kSame = 1e-4;  // for hulls about one unit large: float libraries are no more accurate

double gap_along(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3d& a_from_b, const Vector3d& n) {
    double top = -1e300, bottom = 1e300;
    for (const auto& p : a.corners_m()) top = std::max(top, n.dot(p.cast<double>()));
    for (const auto& p : b.corners_m()) bottom = std::min(bottom, n.dot(a_from_b * p.cast<double>()));
    return bottom - top;
}

// Counts of a peer's right and wrong answers.
struct Tally {
    const char* peer;
    std::int64_t queries = 0, same = 0, wrong_distance = 0, longer_way_out = 0, not_a_way_out = 0, wrong_yes_no = 0,
                 none = 0, better_than_ours = 0;
};

struct Pair {
    const ConvexHull &a, &b;
    Eigen::Isometry3f a_from_b;
    collision::ConvexPair ours;

    double gap(const Vector3d& n) const { return gap_along(a, b, a_from_b.cast<double>(), n); }
    /// Returns whether our answer is proved by its own normal.
    bool proved() const { return ours.distance <= 0.0 || std::abs(gap(ours.normal) - ours.distance) < 1e-6; }
};

void compare(const Pair& pair, double theirs, Vector3d normal, Tally& tally) {
    ++tally.queries;
    const double ours = pair.ours.distance;
    if (!(theirs < 1e29)) {
        ++tally.none;
        return;
    }
    if (std::abs(theirs - ours) <= kSame) {
        ++tally.same;
        return;
    }
    if (ours > 0.0) {
        ++(pair.proved() ? tally.wrong_distance : tally.better_than_ours);
        return;
    }
    if (theirs < ours) {  // deeper: our translation is shorter, and it separates
        ++(-pair.gap(pair.ours.normal) <= -ours + 1e-5 ? tally.longer_way_out : tally.better_than_ours);
        return;
    }
    // Less deep: does their translation, in either sense of their normal, separate the hulls?
    const double least = normal.allFinite() && normal.norm() > 0.5
                             ? std::min(-pair.gap(normal.normalized()), -pair.gap(-normal.normalized()))
                             : 1e300;
    ++(least < -ours - 1e-5 ? tally.better_than_ours : tally.not_a_way_out);
}

void print(const Tally& t) {
    std::printf(
        "%-24s %10lld asked  %10lld the same  %8lld wrong distances  %8lld longer translations  %8lld that "
        "separate nothing  %6lld wrong yes or no  %6lld without an answer  %4lld better than ours\n",
        t.peer, static_cast<long long>(t.queries), static_cast<long long>(t.same),
        static_cast<long long>(t.wrong_distance), static_cast<long long>(t.longer_way_out),
        static_cast<long long>(t.not_a_way_out), static_cast<long long>(t.wrong_yes_no), static_cast<long long>(t.none),
        static_cast<long long>(t.better_than_ours));
}

int run(std::int64_t pairs) {
    collision::Random random(11);
    std::vector<Hull> hulls;
    for (int i = 0; i < 64; ++i) hulls.push_back(ellipsoid(8 + i % 5 * 8, random));
    Tally fcl{"FCL with libccd, signed"}, bullet{"Bullet, margin 0"}, ccd{"libccd, yes or no"};
    std::int64_t overlapping = 0, unproved = 0;
    constexpr int kTurns = 1000;  // poses for each pair of hulls
    for (std::int64_t done = 0; done < pairs;) {
        const Hull &a = hulls[random.next() % hulls.size()], &b = hulls[random.next() % hulls.size()];
        const auto fcl_a = fcl_hull(*a), fcl_b = fcl_hull(*b);
        BulletPair bullet_pair(*a, *b);
#if GLOVEBOX_HAS_CCD
        CcdHull ccd_a(*a), ccd_b(*b);
#endif
        collision::HullPairMemory memory;
        for (int turn = 0; turn < kTurns && done < pairs; ++turn, ++done) {
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            const auto any = [&] { return static_cast<float>(random.between(-1, 1)); };
            pose.linear() = Eigen::Quaternionf(any(), any(), any(), any()).normalized().toRotationMatrix();
            pose.translation() = 1.3F * Eigen::Vector3f(any(), any(), any());
            const Pair pair{*a, *b, pose, closest(*a, *b, pose, memory)};
            overlapping += pair.ours.distance <= 0.0 ? 1 : 0;
            unproved += pair.proved() ? 0 : 1;
            Vector3d normal;
            const double of_fcl = fcl_distance(*fcl_a, *fcl_b, pose, normal);
            compare(pair, of_fcl, normal, fcl);
            const double of_bullet = bullet_pair.distance(pose, normal);
            compare(pair, of_bullet, normal, bullet);
#if GLOVEBOX_HAS_CCD
            ++ccd.queries;
            if (ccd_overlap(ccd_a, ccd_b, pose) == (pair.ours.distance <= 0.0) || std::abs(pair.ours.distance) < 1e-5)
                ++ccd.same;
            else
                ++(pair.ours.distance > 0.0 && pair.proved() ? ccd.wrong_yes_no : ccd.better_than_ours);
#endif
        }
    }
    std::printf("%lld pairs, %lld overlapping; distances of ours without a proof: %lld\n",
                static_cast<long long>(pairs), static_cast<long long>(overlapping), static_cast<long long>(unproved));
    for (const Tally& tally : {fcl, bullet, ccd}) print(tally);
    return unproved + fcl.better_than_ours + bullet.better_than_ours + ccd.better_than_ours > 0 ? 3 : 0;
}

}  // namespace
}  // namespace glovebox::timing

int main(int count, char** words) {
    std::int64_t pairs = 1'000'000;
    for (int i = 1; i < count; ++i)
        if (std::strcmp(words[i], "--pairs") == 0 && i + 1 < count) pairs = std::atoll(words[++i]);
    return glovebox::timing::run(std::max<std::int64_t>(1, pairs));
}
