// Shows the progress of a long command as one line on a terminal, which each update replaces.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// Shows a line on stderr if that is a terminal. The line is erased at the end of the object's scope, also after an
/// exception, so that results begin on an empty line. The class is thread-safe, but must not be used inside measured
/// code. at() may be called in every frame, because it writes at most five times a second.
class Progress {
  public:
    /// `counted` names the items that at() counts, such as "frame". `total` is their number; a value below 1 means that
    /// it is not known. If `shown` is false, nothing is written.
    explicit Progress(std::string_view counted = {}, std::int64_t total = 0, bool shown = true);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows a text at once.
    void show(std::string_view doing);
    /// Shows a text such as "frame 12 of 400", followed by `name`.
    void at(std::int64_t done, std::string_view name = {});
    /// Erases the line until the next tell() or at(). Call it before printing something else.
    void clear();

  private:
    void show(std::string_view text);

    std::mutex mutex_;
    std::string counted_;
    std::int64_t total_, last_ns_;
    bool on_terminal_, shown_ = false;
};

/// Returns "frame 12 of 400  name", or "frame 12  name" if the total is not known.
std::string progress_text(std::string_view counted, std::int64_t done, std::int64_t total, std::string_view name = {});

}  // namespace glovebox::vr
