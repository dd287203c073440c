// What both reproductions of [Schmidl04] share: run every refit method over the same frames, count and time as the
// paper does, and set its figures beside ours.
//
// Columns: #coll pairs handed to the exact query, #false those that did not touch, t[query], t[upd], t[test] and
// t[total] in seconds over all frames. #coll - #false is the number of touching pairs: the same for every row, or the
// run fails.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/query/body_pairs.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Frames to run over. Everything is called with a frame number; what is timed is said.
struct PaperWorkload {
    std::string title;
    const collision::ArticulatedBody* body = nullptr;
    int frames = 0;
    std::function<void(int, collision::BodyPose&)> place;  ///< the solids and joints; not timed
    std::function<void(int, collision::BodyPose&)>
        place_boxes;  ///< the leaf boxes; timed as update where a row uses them
    std::function<void(int, const collision::RefitMethod&, const collision::BodyPose&, const collision::BodyBoxes&,
                       std::vector<collision::BonePair>&, collision::CollideCounts&)>
        find_pairs;                                                                   ///< timed as test
    std::function<bool(int, const collision::BodyPose&, collision::BonePair)> touch;  ///< timed as query
};

struct PaperTimes {
    double update_s = 0.0, test_s = 0.0, query_s = 0.0;
    double total_s() const { return update_s + test_s + query_s; }
};

struct PaperLine {
    std::string_view method;
    int frames = 0;
    std::int64_t coll = 0, touching = 0, box_tests = 0;
    PaperTimes least;                ///< over all frames: of each block of frames its least time
    std::vector<PaperTimes> rounds;  ///< over all frames, round by round: the spread
};

/// Every refit method, and those of the paper that a session does not offer.
std::vector<collision::RefitMethod> paper_methods();

/// One line per method of paper_methods(). Methods are interleaved; each block of frames counts with its least time
/// over the rounds: the work is the same every time, so what is more is what else the machine did.
std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds);

/// What the paper printed. Methods under our rows' names.
struct PublishedLine {
    std::string_view method;
    std::int64_t coll, false_positives;
    double query_s, update_s, test_s, total_s;
};

/// Appends the table's rows to the result, and fails its check where the touching pairs differ.
void add_table(BenchResult& result, const std::string& title, int frames, const std::vector<PaperLine>& lines,
               std::span<const PublishedLine> published);

/// What a frame of this line takes of a frame at 30, 72, 90 and 120 Hz and of a millisecond: a row, and nothing else.
void add_budgets(BenchResult& result, const std::string& title, int frames, const PaperLine& line);

/// A frame's time in exact queries of the same run: what is left of "0.9 to 1.3 ms" when the machine is taken out of
/// it.
Measured frame_in_queries(const PaperLine& line, const PaperLine& brute, std::string of = {});

const PaperLine& line_of(const std::vector<PaperLine>& lines, std::string_view method);

/// How many times `over` takes of `under` in one of their times: of the least times, with the extremes of the rounds.
Measured times_of(const PaperLine& over, const PaperLine& under, const std::function<double(const PaperTimes&)>& time,
                  std::string of = {});

/// `over.coll / under.coll`, which every run repeats; NaN where `under` has none.
Measured pairs_of(const PaperLine& over, const PaperLine& under, std::string of = {});

/// Does every method find the same touching pairs? One number: how many of them.
Measured methods_that_differ(std::span<const PaperLine> lines, std::string of = {});

/// Stacked bars of update, test and query per method, without brute force, in microseconds per frame.
void draw_times(BenchResult& result, const BenchOptions& options, const std::string& name, const std::string& title,
                int frames, const std::vector<PaperLine>& lines);

}  // namespace glovebox::vr
