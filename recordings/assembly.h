// The bench where every reader's half-finished hands become whole ones.
//
// A reader knows what its file says; what the file leaves open is settled here, by one set of rules for all formats:
// the unit (from the size of the hand), the side (from the way the fingers bend), missing joints and orientations
// (tracking/hand_geometry.h), time from the first sample on. What was added is valid but not tracked, and noted.
// Unit and side need to see the hand move first, so the first samples wait until they are settled: memory is bounded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recordings/input.h"
#include "recordings/load.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {

/// What a reader promises about the samples it pushes.
struct SourceTraits {
    std::optional<float> unit_m = 1.0F;  ///< nothing: to be guessed
    bool any_unit = false;               ///< guessed as any number, not only metre, decimetre, centimetre, millimetre
    bool side_known = true;              ///< false: one hand, pushed as left, to be told by its shape
    tracking::JointSet lacking;          ///< joints that this source never has and the rules should place
    bool complete = false;               ///< our own format: nothing is added, device times are the reader's
    bool wrist_relative = false;         ///< there is no wrist motion in the file: the hand stays at the origin
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
    /// To be called after the last push. Throws ImportError if nothing usable came.
    void finish();

    float unit_m() const { return unit_m_; }
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
    bool swap_sides_ = false;
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
