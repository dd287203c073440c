// Estimates whether an unlabelled hand is left or right. The evidence is the bend of the fingers, the axes of wrist and
// palm, the position of the thumb, the arch of the knuckles, and the file's name.
//
// Each kind of evidence is a mean over the frames and has a weight, higher if it separates the two hands better. The
// weighted sum is the log-odds. With these weights, the confidence exceeds kSureOfSide on all recordings that were
// tried. The contribution of each kind is limited, so that the other kinds together can outweigh it. Constant cost per
// frame, no allocation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Below this confidence, the user is asked to name the side.
inline constexpr double kSureOfSide = 0.9;

struct SideVerdict {
    Side side = Side::right;
    double confidence = 0.5;  ///< 0.5..1
    std::string why;          ///< "bend of the fingers left, thumb left"; empty: no evidence
};

struct SideEvidence {
    /// Adds a frame of a hand whose side is not known; ignores its `side`.
    void add(const HandFrame& frame);
    /// Adds a frame of the other hand of the same recording, with the opposite sign.
    void add_other(const HandFrame& frame);
    /// Returns the side of the hand that was passed to add(); right if there is no evidence.
    SideVerdict verdict() const;

    std::optional<Side> name_side;  ///< see side_of_name()
    bool two_hands = false;

  private:
    void add(const HandFrame& frame, double sign);
    struct Mean {
        double sum = 0.0, count = 0.0;
        void add(double value);
        double value() const { return count > 0.0 ? sum / count : 0.0; }
    };
    Mean bend_, curl_, axes_, thumb_, arch_;  // each positive for a right hand
};

/// Returns the side that a file name contains, as in "take_L.csv", "rightHand.bvh" or "lh.npy". Returns nullopt if the
/// name contains neither side or both.
std::optional<Side> side_of_name(std::string_view name);

}  // namespace glovebox::tracking
