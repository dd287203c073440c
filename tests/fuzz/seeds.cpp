// The seed corpus: valid files of every format, made from a known hand, and valid lines of a glove.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "collision/mesh/tree_file.h"
#include "recordings/log/log_writer.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/fan.h"
#include "tests/hostile/meshes.h"
#include "tests/recordings/more_files.h"
#include "tests/recordings/packing.h"
#include "tests/recordings/umetrack_files.h"
#include "tracking/glove/opengloves.h"
#include "vr/clips/take_index.h"

namespace glovebox::fuzz {
namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view entry_of(const std::string& format) {
    return find_entry(format).name;  // outlives the string that was searched for
}

// A closed log with an invalid -wal, and a journal that would truncate the log to one page.
std::string with_files_beside(const std::string& log) {
    constexpr std::size_t kPage = 4096;
    const std::string wal("\x37\x7F\x06\x82\x00\x2D\xE2\x18\x00\x00\x10\x00", 12);
    std::string journal("\xD9\xD5\x05\xF9\x20\xA1\x63\xD7\0\0\0\1\0\0\0\7\0\0\0\1\0\0\2\0\0\0\x10\0", 28);
    journal.resize(512);
    journal += std::string("\0\0\0\1", 4) + log.substr(0, kPage);
    std::uint32_t sum = 7;
    for (std::size_t k = kPage - 200; k > 0 && k < kPage; k -= 200) sum += static_cast<unsigned char>(log[k]);
    for (int shift = 24; shift >= 0; shift -= 8) journal += static_cast<char>(sum >> shift);
    std::string bytes;
    for (const std::size_t length : {log.size(), wal.size()})
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(length >> shift);
    return bytes + log + wal + journal;
}

void add_own_formats(std::vector<Seed>& seeds) {
    const std::filesystem::path base =
        std::filesystem::temp_directory_path() / ("glovebox_seed_" + std::to_string(getpid()));
    const std::string source = base.string() + ".source";
    std::ofstream(source) << recordings::openxr_csv(2, tracking::Side::left);
    for (const auto& [ending, entry] :
         {std::pair{".csv", "glovebox-csv"}, std::pair{".jsonl", "glovebox-jsonl"}, std::pair{".glove", "glove"},
          std::pair{".npz", "npz"}, std::pair{".bvh", "bvh"}, std::pair{".npz", "npz"}}) {
        const std::string path = base.string() + ending;
        recordings::convert(source, path, {});
        seeds.push_back({find_entry(entry).name, content_of(path)});
        if (std::string_view(ending) == ".glove") {
            const std::string log = seeds.back().content;
            seeds.push_back({"recovery", log});
            seeds.push_back({"beside", with_files_beside(log)});
        }
        std::filesystem::remove(path);
    }
    std::filesystem::remove(source);
}

// Makes the log of an OpenXR application: a frame with a head pose, an action and a vibration.
std::string application_log() {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("glovebox_seed_" + std::to_string(getpid()) + ".glove");
    recordings::LogHeader header;
    header.of_application = true;
    header.meta = {{"application", "a game"}};
    recordings::LogWriter log(path, header);
    log.action({3, "main", "select", "boolean"});
    log.interaction_profile({5, recordings::ActionSource::left, "/interaction_profiles/khr/simple_controller"});
    recordings::AppPose head;
    head.flags = recordings::pose_flags::kAll;
    log.pose(head);
    recordings::AppFrame frame;
    frame.pose_hash = 1;
    log.app_frame(frame);
    log.action_state({0, 3, recordings::ActionSource::right, true, 1.0F, 0.0F});
    recordings::HandVelocity moving;
    moving.joints[10].flags = recordings::HandVelocity::kLinearValid;
    log.velocity(moving);
    log.sample({});
    log.haptic({77, tracking::Side::left, {"application"}, 0.5F, {}, 0, 20'000'000, 160.0F});
    log.close();
    std::string bytes = content_of(path);
    std::filesystem::remove(path);
    return bytes;
}

// Makes an index of two moving hands. If they move far, a scene can only hold the wrist, which adds a second tree.
// With fitted bones, it has their shapes and the joints' orientations, too.
std::string touch_index(int frames, bool fitted) {
    recordings::Recording recording;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        if (fitted)
            for (tracking::BoneShape& bone : recording.profiles[side].shape.emplace())
                bone.from_radius_m = bone.to_radius_m = 0.008F;
    for (int i = 0; i < frames; ++i) {
        tracking::HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = 40'000'000LL * i;
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
            tracking::HandFrame& hand = sample[side] = recordings::closing_hand(i, side);
            for (tracking::JointPose& joint : hand.joints) joint.position_m.x() += 0.25F * static_cast<float>(i);
            hand.times.common_ns = sample.time_ns;
        }
    }
    const std::string path =
        (std::filesystem::temp_directory_path() / ("glovebox_seed_" + std::to_string(getpid()) + ".touch")).string();
    vr::TakeIndex::build(recording).save(path);
    std::string content = content_of(path);
    std::filesystem::remove(path);
    return content;
}

std::string wrist_file() {
    return "#timestamp [ns],p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []\n"
           "1000,0.1,0.2,0.3,1,0,0,0\n2000,0.1,0.25,0.3,0.7071068,0,0.7071068,0\n";
}

std::string object_bvh() {
    return "HIERARCHY\nROOT cup\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation "
           "Zrotation\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n1 2 3 10 20 30\n1 2 4 10 "
           "20 31\n";
}

std::string scene_file() {
    return "name = \"seed\"\nsummary = 'a ball # and a lid'\ngravity_m_s2 = [0.0, -9.81, 0.0]\n"
           "[thresholds]\ntouch_enter_m = 0.001\ndwell_ms = 20\n[hand]\nplacement = \"wrist\"\n"
           "tip_length_m = [0.02, 0.02, 0.02, 0.02, 0.02]\n"
           "[[object]]\nname = \"ball\"\nradius_m = 0.04\nmotion = \"dynamic\"\nmass_kg = 0.2\ncolor = \"#8FC1B6\"\n"
           "[object.material]\nstiffness_n_per_m = 400.0\n"
           "[[object]]\nname = 'lid'\nshape = \"box\"\nhalf_m = [0.1, 0.01, 0.1]\nrounding_m = 0.002\n"
           "turn_deg = [10, 20, 30]\nmotion = 'dynamic'\n"
           "joint = { kind = \"hinge\", axis = [1.0, 0.0, 0.0], highest_deg = 90.0, spring = 0.1 }\n";
}

std::string stored_tree() {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("glovebox_seed_" + std::to_string(getpid()) + ".gbxtree")).string();
    const collision::Mesh mesh = fan();
    collision::save_tree(path, collision::build_tree(mesh, {}), collision::key_of(mesh, {}));
    std::string content = content_of(path);
    std::filesystem::remove(path);
    return content;
}

// Makes the binary form: a header, and the JSON as the only chunk.
std::string glb(std::string json) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    const auto add = [&bytes](std::uint32_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); };
    add(2);
    add(static_cast<std::uint32_t>(20 + json.size()));
    add(static_cast<std::uint32_t>(json.size()));
    return bytes + "JSON" + json;
}

// Makes three vertices of four bones each, and one triangle.
std::string stored_skin() {
    std::string bytes = "glvskin3";
    const auto add = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(std::uint32_t{3});
    add(std::uint32_t{1});
    add(std::uint64_t{0});  // the hash: feed_skin() corrects it
    for (const float x : {0.0F, 0.1F, 0.2F}) {
        for (const float value : {x, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}) add(value);
        add(std::uint32_t{0x03020100});
        add(1.0F);
    }
    for (const std::uint32_t corner : {0U, 1U, 2U}) add(corner);
    return bytes;
}

void add_meshes(std::vector<Seed>& seeds) {
    seeds.push_back({"mesh", hostile::kTetrahedronObj});
    seeds.push_back({"mesh", hostile::triangle_gltf().dump()});
    seeds.push_back({"gltf", hostile::triangle_gltf().dump()});
    seeds.push_back({"gltf", glb(hostile::triangle_gltf().dump())});
    seeds.push_back(
        {"mesh",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"});
    seeds.push_back({"mesh",
                     "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                     "endfacet\nendsolid s\n"});
    std::string stl(80, ' ');
    stl += std::string("\1\0\0\0", 4);
    for (const float value : {0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F})
        stl.append(reinterpret_cast<const char*>(&value), sizeof(value));
    seeds.push_back({"mesh", stl + std::string(2, '\0')});
}

std::string profile() {
    tracking::UserProfile user;
    user.name = "seed";
    user[tracking::Side::left].hand = tracking::default_profile();
    user[tracking::Side::left].sensors.assign(25, {0.01F, -0.5F});
    user[tracking::Side::left].tracker_from_wrist.translation().x() = 0.04F;
    const std::string path =
        (std::filesystem::temp_directory_path() / ("glovebox_seed_" + std::to_string(getpid()) + ".json")).string();
    recordings::save_user_profile(user, path);
    std::string content = content_of(path);
    std::filesystem::remove(path);
    return content;
}

}  // namespace

std::vector<Seed> seed_corpus() {
    std::vector<Seed> seeds;
    for (const auto& [format, content] : recordings::all_formats()) seeds.push_back({entry_of(format), content});
    for (const char* scheme : {"suit-inhand", "mixamo", "cmu", "engine", "hand-only"}) {
        recordings::BvhRecipe recipe;
        recipe.scheme = scheme;
        recipe.frames = 2;
        seeds.push_back({"bvh", recordings::bvh(recipe)});
    }
    for (const char* style : {"numbered", "landmark"})
        seeds.push_back({"mediapipe-csv", recordings::mediapipe_csv(style, 2)});
    seeds.push_back({"points-csv", recordings::numbered_csv(2)});
    std::string numbers;
    for (int n = 0; n < 63; ++n) numbers += "," + std::to_string(0.01 * (n % 7) * (n % 5));
    for (const std::string& row :
         {numbers.substr(1), "wave" + numbers, "1,5,base" + numbers, "1" + numbers + ",1" + numbers})
        seeds.push_back({"points-csv", row + "\n" + row + "\n"});
    seeds.push_back({"joint-csv",
                     "Frame;Anna:Right Hand Tx;Anna:Right Hand Ty;l_index1.posX (cm);RightHandIndex1:rotation:w\n"
                     "1;0,25;1,5;3;0\n"});
    seeds.push_back({"joint-csv",
                     "Time,Hand,JointID,PosX,PosY,PosZ,RotX\n0.1,Left,Wrist,0,1,2,0\n0.1,Left,IndexProximal,0,1,2.1,0\n"
                     "0.1,Right,Hand_Index1,1,1,2,0\n0.2,Left,Wrist,0,1,2,0\n"});
    seeds.push_back({"joint-csv", "frame,hand,joint,x,y,z\n1,0,0,0,0,0\n1,0,1,0,0,1\n1,1,25,2,0,0\n2,0,0,0,0,0\n"});
    recordings::FbxRecipe fbx;
    fbx.version = 7500;
    fbx.deflate = false;
    seeds.push_back({"fbx", recordings::fbx(recordings::closing_hands(1), fbx)});
    seeds.push_back({"iwer-pose", recordings::iwer_pose(true)});
    for (const std::size_t sensors : {std::size_t{18}, std::size_t{23}})
        seeds.push_back({"cyberglove", recordings::cyberglove_text(sensors, -1.0F)});
    add_own_formats(seeds);
    seeds.push_back({"hand-json", recordings::mediapipe_json(2)});
    const std::string counted = recordings::counted_json(3, 1, true);
    seeds.push_back({"hand-json", counted + ",\n" + counted.substr(0, counted.size() - 100)});
    for (const char* orientation : {"columns", "list", "index", "split", "table", "lines"})
        seeds.push_back({"table-json", recordings::table_json(orientation, 2)});
    seeds.push_back(
        {"hand-json",
         R"({"fps":60,"handsData":[{"header":{"stamp":{"sec":1,"nanosec":2}},"type":"left","wrist":[0,0,0],)"
         R"("fingers":[{"type":1,"bones":[{"prev_joint":[0,1,2],"next_joint":{"x":0,"y":1,"z":2}}]}]},)"
         R"({"0":{"id":3},"localPositions":[NaN],"right_wrist":[1,0,0,0,0,0,1,0,0,1,0,0,0,0,0,1]}]})"});
    for (const bool image : {true, false})
        seeds.push_back({"mediapipe-csv", recordings::long_landmarks(2, image, image ? "," : ";")});
    const std::string profile_of_hot3d = recordings::umetrack_profile();
    std::string hot3d;
    for (int shift = 0; shift < 32; shift += 8) hot3d += static_cast<char>(profile_of_hot3d.size() >> shift);
    seeds.push_back({"hot3d-umetrack", hot3d + profile_of_hot3d + recordings::umetrack_poses(2, 0.5)});
    const std::string plain = recordings::openxr_csv(3, tracking::Side::left);
    for (const auto pack : {recordings::gzip, recordings::xz, recordings::zstd})
        seeds.push_back({"packed", pack(plain)});
    seeds.push_back({"track", wrist_file()});
    seeds.push_back({"track", object_bvh()});
    seeds.push_back({"track",
                     "object_uid,timestamp[ns],t_wo_x[m],t_wo_y[m],t_wo_z[m],q_wo_w,q_wo_x,q_wo_y,q_wo_z\n"
                     "b1,1000000000,-0.1,0.2,-0.4,1,0,0,0\nb1,1033000000,-0.11,0.2,-0.4,0.6,0,0.8,0\n"});
    seeds.push_back({"application", application_log()});
    seeds.push_back(
        {"glove-codec", tracking::encode_opengloves(tracking::opengloves_from_angles(tracking::resting_angles()), {})});
    seeds.push_back({"glove-codec", "A1000B0C500D250E1\n"});
    seeds.push_back({"calibration", "0.300000:46.000000 -0.500000:164.000000\n1:2 3:4\n"});
    seeds.push_back({"calibration", "# rad a step, rad\n0.01 -1.5\n-0.02 0.25\n"});
    seeds.push_back({"profile", "0.3:46 -0.5:164\n"});
    seeds.push_back({"profile", profile()});
    for (const std::size_t sensors : {std::size_t{18}, std::size_t{22}})
        seeds.push_back({"sensors", recordings::cyberglove_text(sensors, 1.0F)});
    for (const char* fault : {"drop=200ms@3s", "jump=0.5m@1s+300ms", "nan", "swap-hands", "rate=30"})
        seeds.push_back({"fault", fault});
    for (const int frames : {1, 17}) seeds.push_back({"touch", touch_index(frames, false)});  // one leaf, and several
    seeds.push_back({"touch", touch_index(17, true)});
    seeds.push_back({"scene", scene_file()});
    add_meshes(seeds);
    seeds.push_back({"tree", stored_tree()});
    seeds.push_back({"skin", stored_skin()});
    seeds.push_back({"labels",
                     "# {\"recording\":\"a\",\"number\":1,\"of\":1,\"settings\":{\"scene\":\"s\"}}\n"
                     "# {\"recording\":\"a\",\"frames\":1}\na,0,0.000000,left,\"palm, or so\",1,,,,,,,,,,,\n"});
    return seeds;
}

}  // namespace glovebox::fuzz
