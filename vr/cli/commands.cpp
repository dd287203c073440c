#include <array>

#include "vr/cli/command.h"

namespace glovebox::vr {

namespace {

constexpr std::array kCommands = {
    Command{"replay", "replay a recording of hands against a scene, in a window or headless", declare_replay},
    Command{"vr", "live hands from a headset (OpenXR): contacts, haptics, pictures", declare_vr},
    Command{"touches", "which finger touched what, when, how long and how deep: table, CSV, figure", declare_touches},
    Command{"video", "a recording in a scene as MP4, GIF, WebM or pictures", declare_video},
    Command{"digest", "a recording in a scene as one page to send: 3-D replay, lanes, costs", declare_digest},
    Command{"compare", "two reports: counts and hashes exactly, timings as ratios", declare_compare},
    Command{"info", "what a recording holds: hands, rates, gaps", declare_info},
    Command{"doctor", "what is wrong with a recording: gaps, clocks, sides, units, repeats", declare_doctor},
    Command{"convert", "read a recording of any format and write another", declare_convert},
    Command{"recover", "save what can be read of a damaged log", declare_recover},
    Command{"diff", "name the first sample in which two recordings differ", declare_diff},
    Command{"emulate", "make a recording look like a glove (OpenGloves)", declare_emulate},
    Command{"live", "a glove against a scene: serial port, pty, pipe, connection or file (OpenGloves)", declare_live},
    Command{"calibrate", "make a user's profile: bones, glove sensors, tracker offset", declare_calibrate},
    Command{"scene", "make a scene file: scene new LOG MESH; find grab poses: scene grabs LOG", declare_scene},
    Command{"fit", "build, measure and store the box tree of a mesh", declare_fit},
    Command{"label", "write what each bone touches in each frame, with a data card", declare_label},
    Command{"bench", "measure, and compare with what was published", declare_bench, "glovebox-bench"},
    Command{"clips", "search recordings by touch: near an object, hand against hand, recording against recording",
            declare_clips},
    Command{"lab", "interactive demos: a crowd in space-time, rocks on a slope", declare_lab},
    Command{"layer", "hands of any OpenXR application: record, replay, supply from a glove", declare_layer},
    Command{"scenes", "list the built-in scenes", declare_scenes},
    Command{"methods", "list the refit methods", declare_methods},
    Command{"formats", "list the recording formats", declare_formats},
    Command{"sources", "list where hands may come from", declare_sources},
    Command{"outputs", "list the haptic outputs", declare_outputs},
    Command{"completion", "print completions for a shell: bash or zsh", declare_completion},
    Command{"man", "print the manual page", declare_man},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

}  // namespace glovebox::vr
