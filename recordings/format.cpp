#include "recordings/format.h"

#include <algorithm>
#include <array>

#include "recordings/formats/aria_csv.h"
#include "recordings/formats/bvh.h"
#include "recordings/formats/c3d.h"
#include "recordings/formats/cyberglove_text.h"
#include "recordings/formats/fbx.h"
#include "recordings/formats/glovebox_csv.h"
#include "recordings/formats/gltf_motion.h"
#include "recordings/formats/hand_json.h"
#include "recordings/formats/hdf5.h"
#include "recordings/formats/hololens_csv.h"
#include "recordings/formats/joint_csv.h"
#include "recordings/formats/landmark_csv.h"
#include "recordings/formats/leap_json.h"
#include "recordings/formats/manus_csv.h"
#include "recordings/formats/mcap.h"
#include "recordings/formats/npy.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/formats/optitrack_csv.h"
#include "recordings/formats/points_csv.h"
#include "recordings/formats/table_json.h"
#include "recordings/formats/umetrack_json.h"
#include "recordings/formats/unity_handsbin.h"
#include "recordings/formats/webxr_poses.h"
#include "recordings/log/log_reader.h"
#include "recordings/parse.h"
#include "tracking/glove/calibration.h"
#include "tracking/names.h"

namespace glovebox::recordings {
namespace {

// Formats are tried in this order; no two of them recognise the same file (a test checks this).
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
    Format{"mediapipe-csv", "21 landmarks of one or both hands (MediaPipe) as CSV, one hand or one landmark a row",
           is_landmark_csv, read_landmark_csv},
    Format{"joint-csv",
           "positions of named joints as CSV, one frame or one joint a row: Rokoko Studio, Unity, own scripts",
           is_joint_csv, read_joint_csv},
    Format{"points-csv", "numbered points of hands as CSV, or rows of numbers without names: rostopic, own scripts",
           is_points_csv, read_points_csv},
    Format{"unity-handsbin", "26 joints of both hands from Unity XR Hands, binary", is_unity_handsbin,
           read_unity_handsbin},
    Format{"npz", "NumPy arrays (.npy, .npz) of 21 landmarks or 25 or 26 joints; our own recordings (written too)",
           is_npy, read_npy},
    Format{"hdf5", "HDF5 of 21 landmarks or 25 or 26 joints, or one array a joint by name: EgoDex, own scripts",
           is_hdf5, read_hdf5},
    Format{"mcap", "MCAP: hands of NVIDIA's Isaac Teleop, or hands in JSON messages", is_mcap, read_mcap},
    Format{"c3d", "hand markers with the joints' names from Vicon, OptiTrack, Qualisys", is_c3d, read_c3d},
    Format{"optitrack-csv", "bones or markers of hands from OptiTrack Motive as CSV", is_optitrack_csv,
           read_optitrack_csv},
    Format{"glb", "animated hands in glTF, binary: Blender, Mixamo's skeletons, our own (written too)", is_glb,
           read_glb},
    Format{"fbx", "animated hands in binary FBX: Rokoko, Maya, MotionBuilder, Blender, Mixamo's skeletons", is_fbx,
           read_fbx},
    Format{"hot3d-umetrack", "hands of HOT3D by the UmeTrack model, JSON lines with the profile beside them",
           is_umetrack_json, read_umetrack_json},
    Format{"table-json", "tables of landmarks or joints as JSON, in every orientation that pandas writes",
           is_table_json, read_table_json},
    Format{"hand-json",
           "joints or landmarks by name or in lists, JSON or JSON lines: ARKit, Vision Pro, MediaPipe, OpenXR, WebXR",
           is_hand_json, read_hand_json},
    Format{"glovebox-csv", "our own recordings as CSV, lossless (written too)", is_glovebox_csv, read_glovebox_csv},
    Format{"glovebox-jsonl", "our own recordings as JSON lines, lossless (written too)", is_json_lines,
           read_json_lines},
};

std::string names_of_formats() {
    return tracking::listed(tracking::names_of(format_table()));
}

std::size_t sensors_of_calibration(std::string_view head) {
    try {
        return tracking::parse_calibration(head).size();
    } catch (const std::runtime_error&) {
        return 0;
    }
}

// Known files that are not recordings or not supported: what they are and what the user can do.
struct Known {
    std::string_view start, what;
};
constexpr std::string_view kRosText =
    "a message of ROS that is not read; publish a PoseArray of 21, 25 or 26 poses and write it with `ros2 topic echo "
    "--csv`, or save the hands as JSON or CSV";
constexpr std::string_view kPoseFormat =
    "a .pose file of pose-format, which has points of a picture, in pixels; save MediaPipe's world landmarks as CSV or "
    "JSON";
constexpr std::array kKnown = {
    Known{"\x80\x02", "a Python pickle, which can hold programs and is never opened; save its arrays with numpy.save"},
    Known{"\x80\x03", "a Python pickle, which can hold programs and is never opened; save its arrays with numpy.save"},
    Known{"\x80\x04", "a Python pickle, which can hold programs and is never opened; save its arrays with numpy.save"},
    Known{"\x80\x05", "a Python pickle, which can hold programs and is never opened; save its arrays with numpy.save"},
    Known{"; FBX ",
          "an FBX file in text form; save it as binary FBX, or the motion as BVH (Blender: Export, Motion Capture)"},
    Known{"PAR1", "a Parquet file, which is not read; save it as CSV"},
    Known{"PK\x03\x04", "a ZIP archive; unpack it, and give the recording inside it"},
    Known{"Rar!", "a RAR archive; unpack it, and give the recording inside it"},
    Known{"7z\xBC\xAF", "a 7-Zip archive; unpack it, and give the recording inside it"},
    Known{"BZh", "a file packed with bzip2; unpack it (.gz, .xz and .zst are read as they are)"},
    Known{"SQLite format 3", "an SQLite database, but no log of Glovebox"},
    Known{"\x89PNG", "a picture"},
    Known{"\xFF\xD8\xFF", "a picture"},
    Known{"GIF8", "a picture"},
    Known{"%PDF", "a PDF document"},
    Known{"<!DOCTYPE html", "a web page, perhaps of an error; download the file itself"},
    Known{"<!doctype html", "a web page, perhaps of an error; download the file itself"},
    Known{"<html", "a web page, perhaps of an error; download the file itself"},
    Known{"version https://git-lfs.github.com/", "a pointer of Git LFS; get the file itself with `git lfs pull`"},
    Known{"MATLAB 5.0 MAT-file", "an older MATLAB file; save it with -v7.3, as HDF5"},
    Known{"#ROSBAG", "a ROS 1 bag, which is not read; save the hands as JSON or CSV"},
    Known{"\xCD\xCC\xCC\x3D", kPoseFormat},  // a version number: 0.1F
    Known{"\xCD\xCC\x4C\x3E", kPoseFormat},  // 0.2F
    Known{"BLENDER", "a Blender file; export the hand as glTF Binary (.glb) with its animation"},
    Known{"#usda", "a USD file, which is not read; export the hand as FBX or glTF Binary with its animation"},
    Known{"PXR-USDC", "a USD file, which is not read; export the hand as FBX or glTF Binary with its animation"},
    Known{"header:", kRosText},
    Known{"markers:", kRosText},
    Known{"layout:", kRosText},
    Known{"PathFileType", "a TRC table of markers, which is not read; save the markers as C3D"},
    Known{"VisionRe",
          "an Aria recording with its pictures (VRS); give hand_tracking_results.csv, which MPS makes of it"},
    Known{"recording,frame,time_s,hand,bone,valid,", "a table of labels; give the recording of which it was made"},
    Known{"[gd_resource", "a resource of Godot, whose hands are not read; save them as JSON or CSV"},
    Known{"%YAML 1.1", "an asset of Unity, whose poses and clips are not read; export the animation as FBX"},
    Known{"recording,kind,hand,", "a table of touches; give the recording of which it was made"},
    Known{"object_uid,timestamp[ns],",
          "HOT3D's track of objects or of the headset; the hands are in "
          "umetrack_hand_pose_trajectory.jsonl beside it (`glovebox scene new` makes a scene of both)"},
};

// Returns true for `ros2 topic echo --csv` of a message with a header: seconds, nanoseconds and a word. Two small
// numbers before a word may be anything, such as a frame and a row.
bool is_ros_csv(std::string_view head) {
    Fields fields(head.substr(0, head.find('\n')));
    std::array<std::string_view, 3> cells;
    for (std::string_view& cell : cells)
        if (!fields.next(cell)) return false;
    std::int64_t seconds = 0, nanoseconds = 0, number = 0;
    return parse_number(cells[0], seconds) && parse_number(cells[1], nanoseconds) && seconds >= 0 &&
           nanoseconds >= 1'000'000 && nanoseconds < 1'000'000'000 && !cells[2].empty() &&
           !parse_number(cells[2], number) && fields.next(cells[0]);
}

// Does the same for content that is not at the beginning.
std::string_view known_inside(std::string_view head) {
    if (head.size() > 8 && (head.substr(4, 4) == "ftyp" || head.starts_with("\x1A\x45\xDF\xA3")))
        return "a video; track the hands in it first";
    if (is_ros_csv(head)) return kRosText;
    const std::string_view begin = head.starts_with('{') ? head.substr(0, 256) : std::string_view{};
    if (begin.find("\"hand_model\"") != std::string_view::npos)
        return "HOT3D's model of the wearer's hand; the hands are in umetrack_hand_pose_trajectory.jsonl beside it "
               "(`glovebox calibrate --skin` fits bones to the model)";
    if (trimmed(head.substr(0, head.find('\n'))).ends_with("variable,value"))
        return "a table with one number in a row; make a column of each variable again (pandas: "
               "table.pivot(index='time', "
               "columns='variable', values='value'))";
    if (head.starts_with("PK\x03\x04") && (head.substr(0, 64).find("xl/") != std::string_view::npos ||
                                           head.find("[Content_Types].xml") != std::string_view::npos))
        return "an Excel workbook or another Office document; save the table as CSV";
    if (begin.find("\"gt_available_status\"") != std::string_view::npos ||
        begin.find("\"instance_bop_id\"") != std::string_view::npos)
        return "HOT3D's description of a recording; the hands are in umetrack_hand_pose_trajectory.jsonl beside it";
    if (head.starts_with("{\"timestamp_ns\"") && head.find("\"betas\"") != std::string_view::npos)
        return "a file of MANO's parameters, whose hand model has a licence of its own and is not part of Glovebox; "
               "joints are read (HOT3D: umetrack_hand_pose_trajectory.jsonl beside it)";
    if (head.starts_with("tracking_timestamp_us,") && head.find("_wrist_device") != std::string_view::npos)
        return "Aria's table of wrists and palms, which has no fingers; take hand_tracking_results.csv of the same "
               "recording";
    return {};
}

constexpr std::size_t kMinBareNumbers = 3;

// Returns how many numbers the first line has; 0 if it has more than a label besides.
std::size_t numbers_of_first_line(std::string_view head) {
    std::string line(trimmed(head.substr(0, head.find('\n'))));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    std::size_t numbers = 0, others = 0;
    std::string_view word;
    for (Words words(line); words.next(word);) {
        double number = 0.0;
        ++(parse_number(word, number) ? numbers : others);
    }
    return others > 1 ? 0 : numbers;
}

}  // namespace

std::span<const Format> format_table() {
    return kFormats;
}

const Format& recognise_format(const Input& in) {
    // A tar archive begins with the text of its first file, so formats of text would recognise it.
    if (in.head().size() > 512 && in.head().substr(257, 5) == "ustar")
        in.fail("this is a tar archive; unpack it, and give the recording inside it");
    for (const Format& row : kFormats)
        if (row.recognise(in.head(), in.size())) return row;
    if (const std::size_t sensors = sensors_of_calibration(in.head()); sensors > 0)
        in.fail("this is a glove's calibration of " + std::to_string(sensors) +
                " sensors, not a recording; give it with --profile");
    if (const std::string_view what = known_inside(in.head()); !what.empty()) in.fail("this is " + std::string(what));
    for (const Known& known : kKnown)
        if (in.head().starts_with(known.start)) in.fail("this is " + std::string(known.what));
    if (const std::size_t numbers = numbers_of_first_line(in.head()); numbers >= kMinBareNumbers)
        in.fail(
            "this is a table without names: its first line has " + std::to_string(numbers) +
            " numbers; put a line of names above it, such as time,x0,y0,z0,x1 ... z20 for MediaPipe's landmarks, or "
            "wrist_x,wrist_y,wrist_z,index_proximal_x ..." +
            (numbers % (16 * kLandmarks) <= 1
                 ? " (21 matrices of 4 x 4 have no known axes: write the positions under the names of the joints)"
                 : ""));
    const std::string_view start = trimmed(in.head().substr(0, 4096));
    if (start.starts_with('{') || start.starts_with("[[") || start.starts_with("[{"))
        in.fail(
            "not a recording: this JSON names no hands; 15 joints by name are read, or lists of 21, 25 or 26 points "
            "with x, y and z, "
            "with a word such as rightHand or landmarks");
    const bool binary = in.head().substr(0, 4096).find('\0') != std::string_view::npos;
    const std::string looks = binary ? "binary data" : "begins with " + excerpt(trimmed(in.head()));
    in.fail("not a recording of any known format (" + looks + "); known: " + names_of_formats());
}

void read_format(const Format& row, Input& in, const ImportOptions& options, Assembly& out) {
    try {
        row.read(in, options, out);
    } catch (const CutOff& cut) {
        out.push_buffered();
        if (out.count() == 0) throw;
        out.doubt("CUT OFF", "The file is cut off" +
                                 (cut.row > 0 ? " in row " + std::to_string(cut.row) : std::string()) + "; " +
                                 counted(out.count(), "sample", "before it was read.", "before it were read."));
    } catch (const ImportError&) {
        out.push_buffered();
        throw;
    }
    if (in.is_unpacked_short()) out.doubt("CUT OFF", "The packed file is cut off or damaged; it was read up to there.");
    out.finish();
}

}  // namespace glovebox::recordings
