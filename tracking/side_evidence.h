// Left or right, from all that a recording says without saying it: the bend of the fingers, the axes of wrist and palm,
// the thumb's place, the arch of the knuckles, and the file's name.
//
// Each kind of evidence is a mean over the frames, weighed by how well it tells the two hands apart; the sum is the
// logarithm of the odds. The weights are set so that on every recording that we know the sum is beyond kSureOfSide, and
// no kind alone but the axes outweighs all others. Constant cost a frame, no allocation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Less sure than this and the user is asked to name the side.
inline constexpr double kSureOfSide = 0.9;

struct SideVerdict {
    Side side = Side::right;
    double confidence = 0.5;  ///< 0.5..1
    std::string why;          ///< "bend of the fingers left, thumb left"; empty: nothing spoke
};

struct SideEvidence {
    /// Takes a hand whose side is not known, whatever its `side` says.
    void add(const HandFrame& frame);
    /// Takes the other hand of the same instants: its evidence is turned round.
    void add_other(const HandFrame& frame);
    /// Of the hands that were added; right where nothing speaks.
    SideVerdict verdict() const;

    std::optional<Side> name_says;  ///< see side_of_name()
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

/// What the name of a file says: "take_L.csv", "rightHand.bvh", "lh.npy". Nothing if it names neither or both.
std::optional<Side> side_of_name(std::string_view name);

}  // namespace glovebox::tracking
