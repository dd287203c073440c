// Progress of a long command: one line on a terminal, which the next one replaces.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// Shows a line on stderr if that is a terminal. The line is erased at the end of the object's scope, also after an
/// exception, so that results begin on an empty line. Thread-safe. Not for use inside measured code. at() may be called
/// every frame: it writes at most five times a second.
class Progress {
  public:
    /// `counted`: what at() counts, such as "frame"; `total` below 1: not known.
    /// `shown`: false where the user wants quiet.
    explicit Progress(std::string_view counted = {}, std::int64_t total = 0, bool shown = true);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows a text at once.
    void tell(std::string_view doing);
    /// Shows "frame 12 of 400", and `name` after it.
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
