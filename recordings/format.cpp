#include "recordings/format.h"

#include <algorithm>
#include <array>

#include "recordings/formats/aria_csv.h"
#include "recordings/formats/bvh.h"
#include "recordings/formats/cyberglove_text.h"
#include "recordings/formats/glovebox_csv.h"
#include "recordings/formats/hololens_csv.h"
#include "recordings/formats/leap_json.h"
#include "recordings/formats/manus_csv.h"
#include "recordings/formats/mediapipe_csv.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/formats/unity_handsbin.h"
#include "recordings/formats/webxr_poses.h"
#include "recordings/log/log_reader.h"
#include "recordings/parse.h"
#include "tracking/glove/calibration.h"

namespace glovebox::recordings {
namespace {

// Asked in this order; no two rows recognise the same file (a test says so).
constexpr std::array kFormats = {
    Format{"glove", "our own log (SQLite), with everything that was recorded (written too)", is_glove_log,
           read_glove_log},
    Format{"openxr-csv", "26 OpenXR joints (or wrist and elbow) as CSV, as Monado's recorder writes it (written too)",
           is_openxr_csv, read_openxr_csv},
    Format{"bvh",
           "motion capture with finger joints: Noitom, Rokoko, Mixamo, CMU, game engines, ManipNet (written too)",
           is_bvh, read_bvh},
    Format{"hololens-csv", "joint positions of both hands from HoloLens 2 (MRTK) as CSV", is_hololens_csv,
           read_hololens_csv},
    Format{"manus-csv", "node positions of one hand from MANUS Core (Metagloves) as CSV", is_manus_csv, read_manus_csv},
    Format{"cyberglove", "18, 22 or 23 CyberGlove joint angles as text (GraspDB14)", is_cyberglove_text,
           read_cyberglove_text},
    Format{"leap-json", "LeapJS recordings, raw or packed, plain or compressed (LZString)", is_leap_json,
           read_leap_json},
    Format{"handpose", "one WebXR pose of both hands, binary", is_handpose, read_handpose},
    Format{"iwer-pose", "one WebXR pose of the left hand, TypeScript or JSON", is_iwer_pose, read_iwer_pose},
    Format{"iwer-actions", "WebXR takes of IWER's ActionRecorder, JSON", is_iwer_actions, read_iwer_actions},
    Format{"aria-csv", "21 landmarks of both hands from Project Aria (MPS) as CSV", is_aria_csv, read_aria_csv},
    Format{"mediapipe-csv", "21 MediaPipe landmarks of one or both hands as CSV", is_mediapipe_csv, read_mediapipe_csv},
    Format{"unity-handsbin", "26 joints of both hands from Unity XR Hands, binary", is_unity_handsbin,
           read_unity_handsbin},
    Format{"glovebox-csv", "our own recordings as CSV, lossless (written too)", is_glovebox_csv, read_glovebox_csv},
    Format{"glovebox-jsonl", "our own recordings as JSON lines, lossless (written too)", is_json_lines,
           read_json_lines},
};

std::string names_of_formats() {
    std::string names;
    for (const Format& row : format_table()) names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

std::size_t sensors_of_calibration(std::string_view head) {
    try {
        return tracking::parse_calibration(head).size();
    } catch (const std::runtime_error&) {
        return 0;
    }
}

}  // namespace

std::span<const Format> format_table() {
    return kFormats;
}

const Format& recognise_format(const Input& in) {
    for (const Format& row : kFormats)
        if (row.recognise(in.head(), in.size())) return row;
    if (const std::size_t sensors = sensors_of_calibration(in.head()); sensors > 0)
        in.fail("this is a glove's calibration of " + std::to_string(sensors) +
                " sensors, not a recording; give it with --profile");
    const bool binary = in.head().substr(0, 4096).find('\0') != std::string_view::npos;
    const std::string looks = binary ? "binary data" : "begins with " + excerpt(trimmed(in.head()));
    in.fail("not a recording of any known format (" + looks + "); known: " + names_of_formats());
}

}  // namespace glovebox::recordings
