// Exit codes of every command (docs/reference/cli.md).
#pragma once

namespace glovebox::vr {

inline constexpr int kExitFine = 0;
inline constexpr int kExitCouldNotRun = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitCheckFailed = 3;

}  // namespace glovebox::vr
