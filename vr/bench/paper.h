// Shared by the reproductions of [Schmidl04]: runs every refit method over the same frames, counts and times as the
// paper does, and compares with its figures.
//
// Columns: #coll pairs passed to the exact query, #false those that did not touch, t[query], t[upd], t[test] and
// t[total] in seconds over all frames. #coll - #false is the number of touching pairs; if the rows differ in it, the
// run fails.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/query/body_pairs.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Frames to run over. All functions get a frame number; the comments say which are timed.
struct PaperWorkload {
    std::string title;
    const collision::ArticulatedBody* body = nullptr;
    int frames = 0;
    std::function<void(int, collision::BodyPose&)> place;  ///< the solids and joints; not timed
    std::function<void(int, collision::BodyPose&)>
        place_boxes;  ///< the leaf boxes; timed as update if a method uses them
    std::function<void(int, const collision::RefitMethod&, const collision::BodyPose&, const collision::BodyBoxes&,
                       std::vector<collision::BonePair>&, collision::CollideCounts&)>
        find_pairs;                                                                   ///< timed as test
    std::function<bool(int, const collision::BodyPose&, collision::BonePair)> touch;  ///< timed as query
};

/// Times in the paper's categories.
struct PaperTimes {
    double update_s = 0.0, test_s = 0.0, query_s = 0.0;
    double total_s() const { return update_s + test_s + query_s; }
};

/// Result of one method.
struct PaperLine {
    std::string_view method;
    int frames = 0;
    std::int64_t coll = 0, touching = 0, box_tests = 0;
    PaperTimes least;                ///< sum over all blocks of frames of each block's minimum over the rounds
    std::vector<PaperTimes> rounds;  ///< totals of each round: the spread
};

/// Returns every refit method, and those of the paper that a session does not offer.
std::vector<collision::RefitMethod> paper_methods();

/// Measures the methods of paper_methods(), one line each. Methods are interleaved. Each block of frames counts with
/// its minimum time over the rounds: the work is the same every time, so any excess is due to other load on the
/// machine.
std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds);
std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds,
                               std::span<const collision::RefitMethod> methods);

/// The paper's figures for one method, under our name for it.
struct PublishedLine {
    std::string_view method;
    std::int64_t coll, false_positives;
    double query_s, update_s, test_s, total_s;
};

/// Appends the table's rows to the result, and fails its check if the touching pairs differ.
void add_table(BenchResult& result, const std::string& title, int frames, const std::vector<PaperLine>& lines,
               std::span<const PublishedLine> published);

/// Appends a row: a frame's time as a fraction of the period at 30, 72, 90 and 120 Hz, and of a millisecond.
void add_budgets(BenchResult& result, const std::string& title, int frames, const PaperLine& line);

/// Returns a frame's time in units of an exact query of the same run, to compare "0.9 to 1.3 ms" independently of the
/// machine.
Measured frame_in_queries(const PaperLine& line, const PaperLine& brute, std::string of = {});

const PaperLine& line_of(const std::vector<PaperLine>& lines, std::string_view method);

/// Returns the ratio of one of the times, over / under: of the minimum times, with the extremes of the rounds.
Measured times_of(const PaperLine& over, const PaperLine& under, const std::function<double(const PaperTimes&)>& time,
                  std::string of = {});

/// Returns `over.coll / under.coll`, the same in every run; NaN if `under` has none.
Measured pairs_of(const PaperLine& over, const PaperLine& under, std::string of = {});

/// Returns the number of methods that find other touching pairs than the first one.
Measured methods_that_differ(std::span<const PaperLine> lines, std::string of = {});

/// Draws stacked bars of update, test and query per method, without brute force, in microseconds per frame.
void draw_times(BenchResult& result, const BenchOptions& options, const std::string& name, const std::string& title,
                int frames, const std::vector<PaperLine>& lines);

}  // namespace glovebox::vr
