// Completes the partial hands that the reader of a format pushes. It adds unit, side, time, and missing joints and
// orientations.
//
// Everything that a file does not define is determined here, by the same rules for all formats. The unit comes from the
// size of the hand, the side from tracking/side_evidence.h, and missing joints and orientations from
// tracking/hand_geometry.h. Time starts at the first sample. Added values are marked valid but not tracked, and a note
// reports them. Unit and side can be determined only after some motion, so the first samples are buffered until both
// are known. The buffer is bounded.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recordings/input.h"
#include "recordings/load.h"
#include "recordings/track.h"
#include "tracking/hand_geometry.h"
#include "tracking/side_evidence.h"

namespace glovebox::recordings {

/// Properties of the samples that a reader pushes.
struct SourceTraits {
    std::optional<float> unit_m = 1.0F;  ///< length of the file's unit; if empty, it is estimated
    /// The unit that the format defines, although files are found with others. The unit is estimated, and noted if it
    /// is another.
    std::optional<float> usual_unit_m;
    bool any_unit = false;  ///< the estimated unit may have any length, not only a usual one
    /// If false, the side is found from the hand's shape. The reader then pushes a single hand as left, and two hands
    /// as left and right, possibly swapped.
    bool side_known = true;
    /// If false, the file's axes may be left-handed. Where the sides are known, the hands' shape shows that, and
    /// `mirror_axis` is reversed.
    bool axes_known = true;
    bool usually_mirrored = false;  ///< if the shape does not show it
    int mirror_axis = 2;
    bool usually_left_first = false;  ///< without sides: the first of two hands is usually the left one
    tracking::JointSet lacking;       ///< joints that this source never has, to be placed by rule
    bool complete = false;            ///< own format: nothing is added, and the reader sets the device times
    bool wrist_relative = false;      ///< the file has no wrist motion: the hand stays at the origin
};

class Assembly {
  public:
    Assembly(Input& in, const ImportOptions& options, const SampleSink& sink);

    /// Sets the properties of the samples. A reader calls it before its first push(). Also reads the wrist file of the
    /// options if the samples need it; throws ImportError if it cannot be read.
    void describe(const SourceTraits& traits);
    /// Adds a note for the user, unless the same sentence was added before.
    void note(std::string sentence);
    /// Adds a note that `doctor` reports as a finding. The mark says what it is of, such as "CUT OFF".
    void doubt(const std::string& mark, const std::string& sentence);

    /// Adds a sample. Its hands are in the file's unit, but in the internal axes; its `time_ns` is the stamp in the
    /// file, with any epoch. Position and orientation flags mark the values that the file has. Throws ImportError if
    /// time goes back.
    void push(tracking::HandPair& sample) { push(sample, in_.row()); }
    /// Returns the sample in which rows are combined, for files with one row per hand. hold() starts a sample.
    /// push_held() pushes it; so do the next hold() and the truncated end of a file.
    tracking::HandPair& held() { return held_; }
    bool is_holding() const { return has_held_; }
    void hold(std::int64_t time_ns) { hold(time_ns, in_.row()); }
    void hold(std::int64_t time_ns,
              std::int64_t row);  ///< the row in which the sample begins, if not the last one read
    void push_held();
    /// Pushes the held sample and those that are buffered, for a file that is damaged after them.
    void push_buffered();

    /// Returns the side of a hand whose shape does not show it. The side comes from the options, else from the file's
    /// name, and else is right. Adds a note unless it comes from the options.
    tracking::Side default_side();

    std::int64_t count() const { return count_; }
    /// Pushes the samples that are still buffered. Call it after the last push(). Throws ImportError if no sample was
    /// usable.
    void finish();

    float unit_m() const { return unit_m_; }
    /// Returns the confidence in the side, 0.5..1, if it was found from the hand's shape.
    std::optional<double> side_confidence() const { return side_confidence_; }
    std::vector<std::string> take_notes() { return std::move(notes_); }
    std::vector<std::string> take_doubts() { return std::move(doubts_); }

  private:
    void push(tracking::HandPair& sample, std::int64_t row);
    void push_second(std::optional<std::int64_t> next_ns);
    void push_timed(tracking::HandPair& sample, std::int64_t row);
    bool is_settled() const;
    void settle();
    void align_wrists(std::int64_t first_ns);
    void refuse_relative();
    void settle_numbers();
    static void shift_joints(tracking::HandFrame& hand);
    void settle_unit();
    void note_long_bones();
    void settle_side();
    void settle_axes();
    void doubt_side();
    void turn(tracking::HandFrame& frame) const;
    void emit(tracking::HandPair& sample);
    void complete(tracking::HandFrame& frame);
    void carry(tracking::HandFrame& frame);  // moves a hand to the pose of the wrist file
    void report_added();

    Input& in_;
    const ImportOptions& options_;
    const SampleSink& sink_;
    SourceTraits traits_;
    std::vector<std::string> notes_, doubts_;

    std::vector<tracking::HandPair> waiting_;  // samples until unit and side are settled
    bool settled_ = false;
    bool swap_sides_ = false, has_two_ = false, mirrored_ = false;
    tracking::SideEvidence of_left_;  // of the first samples, where the sides are known
    bool shift_joints_ = false;       // the file's names are of the joints before
    std::optional<double> side_confidence_;
    // Samples with the same stamp, a whole second, and the rows in which they begin.
    std::vector<std::pair<tracking::HandPair, std::int64_t>> second_;
    std::int64_t step_ns_ = 0;  // between them
    tracking::HandPair held_;
    bool has_held_ = false;
    std::int64_t held_row_ = 0;
    std::int64_t taken_hands_ = 0;
    float unit_m_ = 1.0F;
    std::optional<tracking::PerSide<StampedTrack>> wrists_;

    std::int64_t count_ = 0;
    std::int64_t first_ns_ = 0, last_ns_ = 0;
    std::int64_t active_hands_ = 0, finite_hands_ = 0, first_broken_row_ = 0;
    tracking::JointSet added_joints_;
    bool added_orientations_ = false;
};

}  // namespace glovebox::recordings
