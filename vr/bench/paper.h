// Reproduces the measurements of [Schmidl04]. It runs every refit method over the same frames, counts and times as the
// paper does, and compares the results with the published figures.
//
// In the tables, #coll is the number of pairs passed to the exact query, and #false the number of those that did not
// touch. t[query], t[upd], t[test] and t[total] are in seconds over all frames. #coll - #false is the number of
// touching pairs. If it is not the same in all rows, the run fails.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/query/body_pairs.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// The frames of a measurement. All functions get the index of a frame; the comments say which functions are timed.
struct PaperWorkload {
    std::string title;
    const collision::ArticulatedBody* body = nullptr;
    int frames = 0;
    std::function<void(int, collision::BodyPose&)> place;  ///< sets solids and joints; not timed
    std::function<void(int, collision::BodyPose&)>
        place_boxes;  ///< sets the leaf boxes; timed as update if a method uses them
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

/// The result of one method.
struct PaperLine {
    std::string_view method;
    int frames = 0;
    std::int64_t coll = 0, touching = 0, box_tests = 0;
    PaperTimes least;                ///< each block's minimum over the rounds, summed over all blocks of frames
    std::vector<PaperTimes> rounds;  ///< totals of each round, which give the spread
};

/// Returns all refit methods, including those of the paper that a session does not offer.
std::vector<collision::RefitMethod> paper_methods();

/// Measures the methods of paper_methods() and returns one line for each. Runs of different methods are interleaved.
/// The time of a block of frames is its minimum over the rounds. The work is the same in each round, so any excess is
/// due to other load on the machine.
std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds);
std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds,
                               std::span<const collision::RefitMethod> methods);

/// The published figures for one method, under the name that this project uses for the method.
struct PublishedLine {
    std::string_view method;
    std::int64_t coll, false_positives;
    double query_s, update_s, test_s, total_s;
};

/// Appends the rows of the table to the result. Sets check_failed if methods differ in the number of touching pairs.
void add_table(BenchResult& result, const std::string& title, int frames, const std::vector<PaperLine>& lines,
               std::span<const PublishedLine> published);

/// Appends a row with the time of a frame as a fraction of the period at 30, 72, 90 and 120 Hz, and as a fraction of a
/// millisecond.
void add_budgets(BenchResult& result, const std::string& title, int frames, const PaperLine& line);

/// Returns the time of a frame divided by the time of an exact query in the same run. With this ratio, the published
/// "0.9 to 1.3 ms" can be compared independently of the machine.
Measured frame_in_queries(const PaperLine& line, const PaperLine& brute, std::string of = {});

const PaperLine& line_of(const std::vector<PaperLine>& lines, std::string_view method);

/// Returns the ratio `over` / `under` of one of the times. The value is the ratio of the minimum times; the extremes
/// are those of the rounds.
Measured times_of(const PaperLine& over, const PaperLine& under, const std::function<double(const PaperTimes&)>& time,
                  std::string of = {});
/// The same for update, tests and exact queries of `query_s` each, such as the paper's slower ones.
Measured times_with_queries_of(const PaperLine& over, const PaperLine& under, double query_s);

/// Returns over.coll / under.coll, which is the same in every run. Returns NaN if under.coll is 0.
Measured pairs_of(const PaperLine& over, const PaperLine& under, std::string of = {});

/// Returns the number of methods whose touching pairs differ from those of the first method.
Measured methods_that_differ(std::span<const PaperLine> lines, std::string of = {});

/// Draws stacked bars of the update, test and query time of each method except brute force, in microseconds per frame.
void draw_times(BenchResult& result, const BenchOptions& options, const std::string& name, const std::string& title,
                int frames, const std::vector<PaperLine>& lines);

}  // namespace glovebox::vr
