// The bench where every reader's half-finished hands become whole ones.
//
// A reader knows what its file says; what the file leaves open is settled here, by one set of rules for all formats:
// the unit (from the size of the hand), the side (tracking/side_evidence.h), missing joints and orientations
// (tracking/hand_geometry.h), time from the first sample on. What was added is valid but not tracked, and noted.
// Unit and side need to see the hand move first, so the first samples wait until they are settled: memory is bounded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recordings/input.h"
#include "recordings/load.h"
#include "tracking/hand_geometry.h"
#include "tracking/side_evidence.h"

namespace glovebox::recordings {

/// What a reader promises about the samples it pushes.
struct SourceTraits {
    std::optional<float> unit_m = 1.0F;  ///< nothing: to be guessed
    bool any_unit = false;               ///< guessed as any number, not only as a usual unit
    /// False: which hand it is has to be told by its shape. One hand is pushed as left; two are left and right, or the
    /// other way round.
    bool side_known = true;
    tracking::JointSet lacking;   ///< joints that this source never has and the rules should place
    bool complete = false;        ///< our own format: nothing is added, device times are the reader's
    bool wrist_relative = false;  ///< there is no wrist motion in the file: the hand stays at the origin
};

class Assembly {
  public:
    Assembly(Input& in, const ImportOptions& options, const SampleSink& sink);

    /// Called by a reader before its first push().
    void describe(const SourceTraits& traits);
    /// Says something to the user once.
    void note(std::string sentence);

    /// Takes a sample: hands in the file's unit, already in our axes; `time_ns` as stamped, any epoch. Position and
    /// orientation flags say what the file has. Throws ImportError if time goes back.
    void push(tracking::HandPair& sample);
    /// For files with a row for each hand: the sample that rows are put together in. It is pushed by push_held(), which
    /// also happens where the file is cut off, or begun again.
    tracking::HandPair& held() { return held_; }
    bool is_holding() const { return has_held_; }
    void hold(std::int64_t time_ns);
    void push_held();

    /// The hand of a file that has no shape to tell it by: as asked, as the file's name says, or right. Says so.
    tracking::Side side_untold();

    std::int64_t count() const { return count_; }
    /// To be called after the last push. Throws ImportError if nothing usable came.
    void finish();

    float unit_m() const { return unit_m_; }
    /// How sure it is which hand it is, 0.5..1, where that was told by the shape.
    std::optional<double> side_confidence() const { return side_confidence_; }
    std::vector<std::string> take_notes() { return std::move(notes_); }

  private:
    bool settled_enough() const;
    void settle();
    void settle_unit();
    void settle_side();
    void turn(tracking::HandFrame& frame) const;
    void emit(tracking::HandPair& sample);
    void complete(tracking::HandFrame& frame);
    void carry(tracking::HandFrame& frame);  // to where the wrist file says
    void report_added();

    Input& in_;
    const ImportOptions& options_;
    const SampleSink& sink_;
    SourceTraits traits_;
    std::vector<std::string> notes_;

    std::vector<tracking::HandPair> waiting_;  // until unit and side are settled
    bool settled_ = false;
    bool swap_sides_ = false, has_two_ = false;
    std::optional<double> side_confidence_;
    tracking::HandPair held_;
    bool has_held_ = false;
    std::int64_t taken_hands_ = 0;
    float unit_m_ = 1.0F;
    std::optional<tracking::RigidTrack> wrist_track_;
    std::int64_t wrist_offset_ns_ = 0;

    std::int64_t count_ = 0;
    std::int64_t first_ns_ = 0, last_ns_ = 0;
    std::int64_t active_hands_ = 0, finite_hands_ = 0, first_broken_row_ = 0;
    tracking::JointSet added_joints_;
    bool added_orientations_ = false;
};

}  // namespace glovebox::recordings
