// Convex hull against convex hull, moving by 0.75 degrees a frame: apart, near and penetrating.
//
// Hulls of 32 and 100 points on ellipsoids. Each contender returns the distance or depth with its points and normal,
// and may keep the state that its library offers between frames. Depths are compared with ours.
#include <deque>

#include "collision/query/convex.h"
#include "collision/query/hull_pair.h"
#include "tests/timing/peers/hull_peers.h"
#include "tests/timing/peers/peers.h"
#include "tests/timing/peers/plain.h"
#include "tracking/formatted.h"

namespace glovebox::timing {
namespace {

// b rotates about a fixed axis and keeps a gap from a along a direction that also rotates slowly.
std::vector<Eigen::Isometry3f> motion(const ConvexHull& a, const ConvexHull& b, double gap, int frames,
                                      collision::Random& random) {
    const Eigen::Vector3d axis = Eigen::Vector3d(random.between(-1, 1), random.between(-1, 1), 1.0).normalized();
    Eigen::Vector3d from = Eigen::Vector3d(random.between(-1, 1), 1.0, random.between(-1, 1)).normalized();
    std::vector<Eigen::Isometry3f> poses;
    collision::HullPairMemory memory;
    double away = 3.0;
    for (int i = 0; i < frames; ++i) {
        const double angle = 0.75 * 3.14159265 / 180.0 * i;
        from = Eigen::AngleAxisd(0.25 * 3.14159265 / 180.0, axis.unitOrthogonal()) * from;
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = Eigen::AngleAxisd(angle, axis).toRotationMatrix().cast<float>();
        for (int k = 0; k < 6; ++k) {
            pose.translation() = (away * from).cast<float>();
            away += gap - closest(a, b, pose, memory).distance;
        }
        poses.push_back(pose);
    }
    return poses;
}

struct Nearness {
    const char* name;
    double gap, required;
};

// Prints an error in millionths with three digits. Hulls have a size of about 1, so less than 1e-12 is rounding.
std::string millionths(double error) {
    return error < 1e-12 ? "rounding" : tracking::formatted("%.3g", 1e6 * error);
}

// Runs every contender once, compares its distances with those of the slow path in double, and notes the largest
// difference. Ours must be within rounding.
void check_distances(const ConvexHull& a, const ConvexHull& b, std::span<const Eigen::Isometry3f> poses,
                     std::span<Contender> contenders, const std::deque<std::vector<double>>& answers,
                     const std::string& work, PeerReport& report) {
    constexpr double kTolerance = 1e-4;
    std::string note = work + ": largest difference from the distance of the slow path in double, in millionths: ";
    for (std::size_t k = 0; k < contenders.size(); ++k) {
        Contender& contender = contenders[k];
        contender.run();
        contender.contacts = contender.differ = 0;
        double worst = 0.0;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const double exact = closest(collision::ConvexCore(a, Eigen::Isometry3d::Identity()),
                                         collision::ConvexCore(b, poses[i].cast<double>()))
                                     .distance;
            const double error = std::abs(answers[k][i] - exact);
            worst = std::max(worst, error);
            contender.contacts += answers[k][i] <= 0.0;
            contender.differ += error > kTolerance;
        }
        note += (k == 0 ? "" : ", ") + contender.name + " " + millionths(worst);
        if (k == 0 && !(worst < 1e-5)) report.disagree(work);
    }
    report.note(note);
}

void run_pair(int points, const Nearness& nearness, const PeerOptions& options, PeerReport& report) {
    collision::Random random(static_cast<std::uint64_t>(points));
    const Hull a = ellipsoid(points, random), b = ellipsoid(points, random);
    const auto fcl_a = fcl_hull(*a), fcl_b = fcl_hull(*b);
    const auto poses = motion(*a, *b, nearness.gap, options.quick ? 20 : 480, random);
    BulletPair bullet(*a, *b);
    collision::HullPairMemory memory;
    const std::size_t count = poses.size();
    Eigen::Vector3d normal;
    std::size_t from = 0, to = count;         // the poses of one run
    std::deque<std::vector<double>> answers;  // of each contender; a deque, as contenders keep references
    std::vector<Contender> contenders;
    const auto add = [&](std::string name, auto distance) {
        std::vector<double>& found = answers.emplace_back(count);
        contenders.push_back({std::move(name), [&from, &to, &found, distance] {
                                  for (std::size_t i = from; i < to; ++i) found[i] = distance(i);
                              }});
    };
    add("glovebox", [&](std::size_t i) { return closest(*a, *b, poses[i], memory).distance; });
    add("Bullet, margin 0", [&](std::size_t i) { return bullet.distance(poses[i], normal); });
    add("FCL with libccd, signed", [&](std::size_t i) { return fcl_distance(*fcl_a, *fcl_b, poses[i], normal); });
    add("glovebox, without memory", [&](std::size_t i) {
        collision::HullPairMemory fresh;
        return closest(*a, *b, poses[i], fresh).distance;
    });
    contenders.back().judged = false;
#if GLOVEBOX_HAS_CCD
    CcdHull ccd_a(*a), ccd_b(*b);
    if (nearness.gap < 0.0) add("libccd, depth", [&](std::size_t i) { return -ccd_depth(ccd_a, ccd_b, poses[i]); });
#endif
    std::vector<PlainPose> plain_poses;
    for (const Eigen::Isometry3f& pose : poses) plain_poses.push_back(plain(pose));
    for (const PeerLibrary& library : peer_libraries())
        if (library.hulls != nullptr)
            add(std::string(library.name), [&plain_poses, query = library.hulls(plain(*a), plain(*b))](std::size_t i) {
                return query(plain_poses[i]);
            });
    const std::string work = "hulls of " + std::to_string(points) + " corners, " + nearness.name;
    check_distances(*a, *b, poses, contenders, answers, work, report);
    const auto rounds_ns = race(contenders, options.quick ? 3 : 21);
    // Two scans of the corners, one triangle solve, one rotation of a direction: a chain of about 180 cycles on a core
    // that runs at 1.4 times the counter's rate.
    const Floor floor{130.0, 2.0 * 5.0 * points + 150.0, 2.0 * 12.0 * points};
    report.add({work, "query", static_cast<double>(count), false, nearness.required, floor}, contenders, rounds_ns);

    // A frame makes a few queries and then sleeps.
    constexpr std::size_t kAFrame = 10;
    std::vector<Contender> sparse;
    std::vector<std::size_t> next(contenders.size(), 0);
    for (std::size_t k = 0; k < contenders.size(); ++k)
        sparse.push_back({contenders[k].name, [&, k] {
                              from = next[k];
                              to = from + kAFrame;
                              next[k] = to % count;
                              contenders[k].run();
                          }});
    report.add({work + ", ten after 8 ms of sleep", "query", static_cast<double>(kAFrame), false, 0.0, floor}, sparse,
               race_sparsely(sparse, options.quick ? 2 : 48, 0.008));
}

}  // namespace

void run_hulls(const PeerOptions& options, PeerReport& report) {
    for (const int points : {32, 100})
        for (const Nearness& nearness :
             {Nearness{"apart", 1.0, 8.0}, Nearness{"near", 0.02, 8.0}, Nearness{"penetrating", -0.1, 3.0}})
            run_pair(points, nearness, options, report);
}

}  // namespace glovebox::timing
