// A replay in a window, and pictures of single frames.
#pragma once

#include "vr/session/replay.h"
#include "vr/session/replay_settings.h"

namespace glovebox::vr {

/// Opens the window and runs until it is closed (or --frames). What takes long to load is loaded behind the window;
/// bad input throws as load_replay() does. Returns the exit code.
int run_in_window(const ReplaySettings& settings);

/// Goes to the moment asked for, else to the frame in which the most bones touch without being deep inside, and draws
/// it to settings.screenshot, without any display.
void save_picture(Replay& replay, const ReplaySettings& settings);

}  // namespace glovebox::vr
