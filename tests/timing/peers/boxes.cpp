// Overlap of oriented boxes: random pairs, of which about half or about 5 % overlap, and one box against many.
#include <fcl/math/bv/OBB.h>

#include <cmath>

#include "collision/box/box_columns.h"
#include "collision/survey/fit/random.h"
#include "tests/timing/peers/peers.h"
#include "tests/timing/peers/plain.h"

namespace glovebox::timing {
namespace {

using collision::Obb;
using FclBox = fcl::OBB<double>;
using FclBoxF = fcl::OBB<float>;

template <class Scalar>
fcl::OBB<Scalar> converted(const Obb& box) {
    return fcl::OBB<Scalar>(box.axes.cast<Scalar>(), box.center_m.cast<Scalar>(), box.half_m.cast<Scalar>());
}

struct Boxes {
    std::vector<Obb> ours;
    std::vector<FclBox> theirs;
    std::vector<FclBoxF> theirs_float;
};

// Makes boxes of random orientation, centres in a cube of this size, half extents from 0.2 to 1.
Boxes random_boxes(collision::Random& random, int count, double room) {
    Boxes boxes;
    const auto around_zero = [&](double by) { return static_cast<float>(random.between(-by, by)); };
    for (int i = 0; i < count; ++i) {
        const Eigen::Quaternionf turn(around_zero(1), around_zero(1), around_zero(1), around_zero(1));
        const auto half = [&] { return static_cast<float>(random.between(0.2, 1.0)); };
        boxes.ours.push_back({{around_zero(room), around_zero(room), around_zero(room)},
                              turn.normalized().toRotationMatrix(),
                              {half(), half(), half()}});
        boxes.theirs.push_back(converted<double>(boxes.ours.back()));
        boxes.theirs_float.push_back(converted<float>(boxes.ours.back()));
    }
    return boxes;
}

struct Mix {
    const char* name;
    double room;
};

std::vector<PlainBox> plain_boxes(const std::vector<Obb>& boxes) {
    std::vector<PlainBox> result;
    for (const Obb& box : boxes) result.push_back(plain(box));
    return result;
}

// Adds the libraries that test boxes; their answers go to `hits`, which must be as long as the table of libraries.
void add_libraries(std::vector<Contender>& contenders, const Boxes& a, const Boxes& b, bool every,
                   std::vector<std::int64_t>& hits) {
    for (const PeerLibrary& library : peer_libraries())
        if (library.boxes != nullptr)
            contenders.push_back(
                {std::string(library.name), [query = library.boxes(plain_boxes(a.ours), plain_boxes(b.ours), every),
                                             &count = hits[contenders.size() - 1]] { count = query(); }});
}

// Pairs that touch within rounding may differ; they must be at most this share of all pairs.
constexpr double kMayDiffer = 2e-4;

void check(PeerReport& report, const std::string& work, std::vector<Contender>& contenders, std::int64_t ours,
           const std::vector<std::int64_t>& theirs, std::int64_t tests) {
    contenders[0].contacts = ours;
    for (std::size_t k = 1; k < contenders.size(); ++k) {
        contenders[k].contacts = theirs[k - 1];
        contenders[k].differ = std::abs(ours - theirs[k - 1]);
        if (static_cast<double>(contenders[k].differ) > 1.0 + kMayDiffer * static_cast<double>(tests))
            report.disagree(work + ": " + std::to_string(ours) + " overlaps, " + contenders[k].name + " " +
                            std::to_string(theirs[k - 1]) + ", of " + std::to_string(tests));
    }
}

std::string named(const std::string& work, const Mix& mix, double share, PeerReport& report) {
    const std::string name = work + ", " + mix.name + " overlap";
    report.note(name + ": " + std::to_string(std::lround(100.0 * share)) + " % of the tests");
    return name;
}

template <class TheirBox>
std::int64_t count_pairs(const std::vector<TheirBox>& a, const std::vector<TheirBox>& b) {
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) hits += a[i].overlap(b[i]) ? 1 : 0;
    return hits;
}

void run_pairs(const Mix& mix, const PeerOptions& options, PeerReport& report) {
    collision::Random random(3);
    const int count = options.quick ? 256 : 3072;
    const Boxes a = random_boxes(random, count, mix.room), b = random_boxes(random, count, mix.room);
    std::int64_t ours = 0;
    std::vector<std::int64_t> theirs(2 + peer_libraries().size());
    std::vector<Contender> contenders = {
        {"glovebox",
         [&] {
             ours = 0;
             for (std::size_t i = 0; i < a.ours.size(); ++i) ours += collision::overlap(a.ours[i], b.ours[i]) ? 1 : 0;
         }},
        {"FCL, OBB<double>::overlap", [&] { theirs[0] = count_pairs(a.theirs, b.theirs); }},
        {"FCL, OBB<float>::overlap", [&] { theirs[1] = count_pairs(a.theirs_float, b.theirs_float); }},
    };
    add_libraries(contenders, a, b, false, theirs);
    const auto rounds_ns = race(contenders, options.quick ? 5 : 101);
    check(report, "single pairs", contenders, ours, theirs, count);
    // 36 multiplications to transform b to a's frame, 24 for the radii of faces, 54 for the edges, as many additions;
    // four per cycle. Pairs that do not overlap can stop at the bounding spheres: about 15 operations.
    const double share = static_cast<double>(ours) / static_cast<double>(count);
    report.add({named("OBB pair", mix, share, report),
                "test",
                static_cast<double>(count),
                false,
                2.0,
                {4.0 + share * 57.0, 15.0 + share * 228.0, 2.0 * sizeof(Obb)}},
               contenders, rounds_ns);
}

void run_one_against_many(const Mix& mix, const PeerOptions& options, PeerReport& report) {
    collision::Random random(4);
    const int many = 1024, ones = options.quick ? 2 : 8;
    const Boxes boxes = random_boxes(random, many, mix.room), single = random_boxes(random, ones, mix.room);
    const collision::BoxColumns columns(boxes.ours);
    std::vector<std::uint16_t> bits(columns.words());
    std::int64_t ours = 0;
    std::vector<std::int64_t> theirs(2 + peer_libraries().size());
    const auto count_theirs = [&](const auto& one, const auto& others) {
        std::int64_t hits = 0;
        for (const auto& a : one)
            for (const auto& b : others) hits += a.overlap(b) ? 1 : 0;
        return hits;
    };
    std::vector<Contender> contenders = {
        {"glovebox",
         [&] {
             ours = 0;
             for (const Obb& box : single.ours) ours += collision::overlaps(box, columns, bits);
         }},
        {"FCL, OBB<double>::overlap", [&] { theirs[0] = count_theirs(single.theirs, boxes.theirs); }},
        {"FCL, OBB<float>::overlap", [&] { theirs[1] = count_theirs(single.theirs_float, boxes.theirs_float); }},
    };
    add_libraries(contenders, single, boxes, true, theirs);
    const auto rounds_ns = race(contenders, options.quick ? 5 : 101);
    const std::int64_t tests = std::int64_t{many} * ones;
    check(report, "one against many", contenders, ours, theirs, tests);
    // About 14 SIMD operations per block for the spheres and 170 for overlapping boxes, two per cycle; sixteen boxes
    // per block with 512-bit vectors.
    const double share = static_cast<double>(ours) / static_cast<double>(tests);
    report.add(
        {named("OBB against 1024 OBBs", mix, share, report),
         "test",
         static_cast<double>(tests),
         false,
         12.0,
         {(14.0 + share * 170.0) / 2.0 / collision::box_lanes(), 14.0 + share * 228.0, (4.0 + share * 12.0) * 4.0}},
        contenders, rounds_ns);
}

}  // namespace

void run_boxes(const PeerOptions& options, PeerReport& report) {
    for (const Mix& mix : {Mix{"about half", 1.3}, Mix{"about 5 %", 3.1}}) {
        run_pairs(mix, options, report);
        run_one_against_many(mix, options, report);
    }
}

}  // namespace glovebox::timing
