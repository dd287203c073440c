// What a long command is doing, for the person who waits: one line on a terminal, which the next one replaces.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// A line of its own on stderr, where stderr is a terminal, and nothing elsewhere. Erased at the end of its scope, also
/// when an exception leaves it, so that results begin on a clean line. Any thread may call it. Not for inside a
/// measurement; a count may be told every frame, for it is written five times a second at most.
class Progress {
  public:
    /// `counted`: what at() counts, such as "frame"; `total` below 1: not known.
    /// `shown`: false where the user wants quiet.
    explicit Progress(std::string_view counted = {}, std::int64_t total = 0, bool shown = true);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows the words, at once.
    void tell(std::string_view doing);
    /// "frame 12 of 400", and `name` after it.
    void at(std::int64_t done, std::string_view name = {});
    /// Takes the line away until it is told again; before something else is printed.
    void clear();

  private:
    void show(std::string_view text);

    std::mutex mutex_;
    std::string counted_;
    std::int64_t total_, last_ns_;
    bool on_terminal_, shown_ = false;
};

/// "frame 12 of 400  name", "frame 12" where the total is not known.
std::string progress_text(std::string_view counted, std::int64_t done, std::int64_t total, std::string_view name = {});

}  // namespace glovebox::vr
