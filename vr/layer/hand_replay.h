// A recording in the application's time: it begins with the first hand that is asked for after the session got the
// focus, and is over at its end, or begins again.
#pragma once

#include <openxr/openxr.h>

#include <atomic>
#include <string>

#include "recordings/hand_at.h"
#include "recordings/recording.h"

namespace glovebox::vr::layer {

class HandReplay {
  public:
    /// A file of any format, or a bundled recording by its name. Throws std::runtime_error with one line.
    HandReplay(const std::string& name, bool loop);

    /// The hand at the time asked for, in LOCAL. Before the start and after the end it is not active. From any thread;
    /// no memory, no lock. `motion` as in recordings::hand_at().
    tracking::HandFrame hand(tracking::Side side, XrTime asked, bool focused, recordings::HandMotion& motion) noexcept;

    /// The application that the recording is of; empty where it is of none.
    std::string application() const;

  private:
    recordings::Recording recording_;
    std::int64_t length_ns_ = 0;  ///< with the step from the last sample to the first
    bool loop_;
    std::atomic<XrTime> start_{0};  ///< 0: not begun
};

}  // namespace glovebox::vr::layer
