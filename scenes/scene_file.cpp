#include "scenes/scene_file.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <numbers>
#include <set>

#include "collision/mesh/mesh_tree.h"
#include "scenes/mesh_format.h"
#include "scenes/mesh_scene.h"
#include "scenes/tree_cache.h"
#include "tracking/names.h"
#include "tracking/quoted.h"
#include "tracking/track_name.h"

namespace glovebox::scenes {
namespace {

constexpr std::size_t kMaxGrabPoses = 64;

// One table of the file, with the file's name for messages. All values are read through this class, so that each error
// has its line and unknown keys are found.
class Reader {
  public:
    Reader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

    // The reason may quote a name or value of the file, and these may have several lines.
    [[noreturn]] void fail(const toml::node& node, const std::string& reason) const {
        throw std::runtime_error(file_ + ":" + std::to_string(node.source().begin.line) + ": " +
                                 tracking::printable(reason));
    }
    [[noreturn]] void fail(const std::string& reason) const { fail(table_, reason); }

    const toml::node* find(std::string_view key) {
        asked_.emplace(key);
        return table_.get(key);
    }

    void get(std::string_view key, std::string& out) {
        if (const toml::node* node = find(key)) out = value<std::string>(*node, key, "a text in quotes");
    }
    void get(std::string_view key, float& out, float lowest = -1e6F, float highest = 1e6F) {
        if (const toml::node* node = find(key)) out = number(*node, key, lowest, highest);
    }
    void get_ms(std::string_view key, std::int64_t& out_ns) {
        if (const toml::node* node = find(key))
            out_ns = static_cast<std::int64_t>(1e6 * static_cast<double>(number(*node, key, 0.0F, 60'000.0F)));
    }

    template <int N>
    bool get(std::string_view key, Eigen::Matrix<float, N, 1>& out, float lowest = -1e6F, float highest = 1e6F) {
        const toml::node* node = find(key);
        if (node == nullptr) return false;
        const toml::array* array = node->as_array();
        if (array == nullptr || array->size() != N)
            fail(*node, "'" + std::string(key) + "' must be " + std::to_string(N) + " numbers in brackets");
        for (int i = 0; i < N; ++i) out[i] = number(*array->get(static_cast<std::size_t>(i)), key, lowest, highest);
        return true;
    }

    void check_all_keys_known() const {
        for (const auto& [key, node] : table_) {
            if (asked_.count(std::string(key.str())) != 0) continue;
            fail(node, "unknown key '" + std::string(key.str()) +
                           "'; known here: " + tracking::listed({asked_.begin(), asked_.end()}));
        }
    }

    const std::string& file() const { return file_; }

  private:
    template <class T>
    T value(const toml::node& node, std::string_view key, const char* expected) const {
        if (const auto found = node.value<T>()) return *found;
        fail(node, "'" + std::string(key) + "' must be " + expected);
    }
    float number(const toml::node& node, std::string_view key, float lowest, float highest) const {
        const auto found = static_cast<float>(value<double>(node, key, "a number"));
        if (!(found >= lowest && found <= highest))
            fail(node, "'" + std::string(key) + "' must be between " + std::to_string(lowest) + " and " +
                           std::to_string(highest));
        return found;
    }

    const toml::table& table_;
    std::string file_;
    std::set<std::string, std::less<>> asked_;
};

template <class T>
T one_of(Reader& in, std::string_view key, T otherwise, std::initializer_list<std::pair<std::string_view, T>> choices) {
    std::string text;
    in.get(key, text);
    if (text.empty()) return otherwise;
    std::string names;
    for (const auto& [name, choice] : choices) {
        if (name == text) return choice;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    in.fail(*in.find(key), "'" + std::string(key) + "' is '" + text + "' but must be one of " + names);
}

// Expands $NAME and relative paths.
std::filesystem::path resolve(Reader& in, std::string_view key, const std::string& text) {
    std::string expanded = text;
    if (!text.empty() && text.front() == '$') {
        const std::string name = text.substr(1, text.find('/') == std::string::npos ? text.npos : text.find('/') - 1);
        const char* found = std::getenv(name.c_str());
        if (found == nullptr) in.fail(*in.find(key), "the environment variable " + name + " is not set");
        expanded = found + text.substr(name.size() + 1);
    }
    const std::filesystem::path path(expanded);
    return path.is_absolute() ? path : std::filesystem::path(in.file()).parent_path() / path;
}

Eigen::Vector3f read_color(Reader& in, const Eigen::Vector3f& otherwise) {
    std::string text;
    in.get("color", text);
    if (text.empty()) return otherwise;
    unsigned red = 0, green = 0, blue = 0;
    if (text.size() != 7 || std::sscanf(text.c_str(), "#%2x%2x%2x", &red, &green, &blue) != 3)
        in.fail(*in.find("color"), "'color' must look like \"#8FC1B6\"");
    return Eigen::Vector3f(static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue)) / 255.0F;
}

collision::Shape read_shape(Reader& in, MeshLoader read_mesh) {
    enum class Kind { ball, box, capsule, mesh };
    const Kind kind =
        one_of(in, "shape", Kind::ball,
               {{"ball", Kind::ball}, {"box", Kind::box}, {"capsule", Kind::capsule}, {"mesh", Kind::mesh}});
    switch (kind) {
        case Kind::ball:
        case Kind::capsule: {
            float radius_m = 0.035F, length_m = 0.0F;
            in.get("radius_m", radius_m, 1e-4F, 100.0F);
            if (kind == Kind::capsule) in.get("length_m", length_m, 0.0F, 100.0F);
            const Eigen::Vector3f end_m(0.0F, 0.5F * length_m, 0.0F);
            return collision::RoundCone{-end_m, end_m, radius_m, radius_m};
        }
        case Kind::box: {
            Eigen::Vector3f half_m = Eigen::Vector3f::Constant(0.05F);
            float rounding_m = 0.0F;
            in.get<3>("half_m", half_m, 0.0F, 100.0F);
            in.get("rounding_m", rounding_m, 0.0F, half_m.minCoeff());
            return collision::RoundedBox{
                {Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), half_m.array() - rounding_m}, rounding_m};
        }
        case Kind::mesh:
            break;
    }
    std::string file;
    float unit_m = 1.0F;
    in.get("file", file);
    in.get("unit_m", unit_m, 1e-6F, 1e3F);
    if (file.empty()) in.fail("an object of shape \"mesh\" needs 'file'");
    const std::filesystem::path path = resolve(in, "file", file);
    try {
        return collision::MeshInstance{load_mesh_tree(path, unit_m, read_mesh), Eigen::Isometry3f::Identity()};
    } catch (const std::runtime_error& error) {
        in.fail(*in.find("file"), error.what());
    }
}

Material read_material(const toml::table* table, const std::string& file) {
    Material material;
    if (table == nullptr) return material;
    Reader in(*table, file);
    in.get("stiffness_n_per_m", material.stiffness_n_per_m, 0.0F, 1e5F);
    in.get("damping_n_s_per_m", material.damping_n_s_per_m, 0.0F, 1e3F);
    in.get("friction_static", material.friction_static, 0.0F, 10.0F);
    in.get("friction_dynamic", material.friction_dynamic, 0.0F, 10.0F);
    in.get("restitution", material.restitution, 0.0F, 1.0F);
    in.get("texture_n", material.texture_n, 0.0F, 10.0F);
    in.get("texture_period_m", material.texture_period_m, 1e-4F, 1.0F);
    in.get("impact_n_s_per_m", material.impact_n_s_per_m, 0.0F, 100.0F);
    in.get("impact_hz", material.impact_hz, 1.0F, 1000.0F);
    in.get("impact_decay_s", material.impact_decay_s, 1e-4F, 1.0F);
    in.check_all_keys_known();
    return material;
}

ObjectJoint read_joint(const toml::table& table, const std::string& file) {
    Reader in(table, file);
    ObjectJoint joint;
    joint.kind = one_of(in, "kind", JointKind::none, {{"hinge", JointKind::hinge}, {"slider", JointKind::slider}});
    if (joint.kind == JointKind::none) in.fail("a joint needs a 'kind': hinge or slider");
    in.get<3>("axis", joint.axis);
    if (joint.axis.norm() < 1e-3F) in.fail(*in.find("axis"), "'axis' must not be zero");
    joint.axis.normalize();
    in.get<3>("pivot_m", joint.pivot_m);
    const bool turns = joint.kind == JointKind::hinge;
    const float unit = turns ? std::numbers::pi_v<float> / 180.0F : 1.0F;
    in.get(turns ? "lowest_deg" : "lowest_m", joint.lowest, -36000.0F, 0.0F);
    in.get(turns ? "highest_deg" : "highest_m", joint.highest, 0.0F, 36000.0F);
    joint.lowest *= unit;
    joint.highest *= unit;
    in.get("spring", joint.spring, 0.0F, 1e6F);
    in.get("damping", joint.damping, 0.0F, 1e6F);
    if (!turns && joint.lowest == joint.highest) in.fail("a slider needs 'lowest_m' or 'highest_m'");
    in.check_all_keys_known();
    return joint;
}

GrabPose read_grab_pose(const toml::table& table, const std::string& file) {
    Reader in(table, file);
    GrabPose pose;
    pose.side =
        one_of(in, "hand", tracking::Side::right, {{"left", tracking::Side::left}, {"right", tracking::Side::right}});
    Eigen::Vector3f palm_m = Eigen::Vector3f::Zero();
    Eigen::Vector4f quaternion_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
    in.get<3>("palm_m", palm_m, -10.0F, 10.0F);
    if (in.get<4>("palm_quaternion", quaternion_xyzw, -1.1F, 1.1F) && std::abs(quaternion_xyzw.norm() - 1.0F) > 0.01F)
        in.fail(*in.find("palm_quaternion"), "'palm_quaternion' must have length 1");
    pose.object_from_palm = Eigen::Translation3f(palm_m) * Eigen::Quaternionf(quaternion_xyzw).normalized();
    in.check_all_keys_known();
    return pose;
}

bool is_blank(const std::string& name) {
    return name.find_first_not_of(" \t") == std::string::npos;
}

SceneObject read_object(const toml::table& table, const std::string& file, MeshLoader read_mesh) {
    Reader in(table, file);
    SceneObject object;
    in.get("name", object.name);
    if (is_blank(object.name)) in.fail("an object needs a 'name'");
    if (std::ranges::any_of(object.name, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
        in.fail(*in.find("name"), "an object's 'name' is one line, without control characters");
    object.shape = read_shape(in, read_mesh);
    object.motion = one_of(in, "motion", Motion::fixed,
                           {{"fixed", Motion::fixed}, {"dynamic", Motion::dynamic}, {"recorded", Motion::recorded}});
    in.get("mass_kg", object.mass_kg, 1e-4F, 1e4F);
    object.color = read_color(in, color_by_size(object.shape));

    Eigen::Vector3f position_m = Eigen::Vector3f::Zero(), turn_deg = Eigen::Vector3f::Zero();
    in.get<3>("position_m", position_m);
    in.get<3>("turn_deg", turn_deg);
    const Eigen::Vector3f turn_rad = turn_deg * (std::numbers::pi_v<float> / 180.0F);
    object.world_from_object.translation() = position_m;
    object.world_from_object.linear() = (Eigen::AngleAxisf(turn_rad.y(), Eigen::Vector3f::UnitY()) *
                                         Eigen::AngleAxisf(turn_rad.x(), Eigen::Vector3f::UnitX()) *
                                         Eigen::AngleAxisf(turn_rad.z(), Eigen::Vector3f::UnitZ()))
                                            .toRotationMatrix();

    std::string track;
    in.get("track", track);
    in.get("track_unit_m", object.track_unit_m, 1e-6F, 1e3F);
    if ((object.motion == Motion::recorded) != !track.empty())
        in.fail("object '" + object.name + "': motion \"recorded\" and 'track' go together");
    if (!track.empty()) object.track_path = resolve(in, "track", track);
    const std::filesystem::path track_file = tracking::TrackName(object.track_path).file;
    if (!track.empty() && !std::filesystem::exists(track_file))
        in.fail(*in.find("track"), track_file.string() + ": no such file");
    // A pipe would block, and a device could be read forever.
    if (!track.empty() && !std::filesystem::is_regular_file(track_file))
        in.fail(*in.find("track"), track_file.string() + ": not a regular file");

    const toml::node* joint = in.find("joint");
    if (joint != nullptr && !joint->is_table()) in.fail(*joint, "'joint' must be a table");
    if (joint != nullptr && object.motion != Motion::dynamic)
        in.fail(*joint, "object '" + object.name + "': only dynamic objects have a joint");
    if (joint != nullptr) object.joint = read_joint(*joint->as_table(), file);

    if (const toml::node* poses = in.find("grab_pose"); poses != nullptr) {
        if (!poses->is_array_of_tables()) in.fail(*poses, "grab poses are written as [[object.grab_pose]]");
        if (object.motion != Motion::dynamic || joint != nullptr)
            in.fail(*poses, "object '" + object.name + "': only dynamic objects without a joint have grab poses");
        if (poses->as_array()->size() > kMaxGrabPoses)
            in.fail(*poses, "an object has at most " + std::to_string(kMaxGrabPoses) + " grab poses");
        for (const toml::node& node : *poses->as_array())
            object.grab_poses.push_back(read_grab_pose(*node.as_table(), file));
    }

    const toml::node* material = in.find("material");
    if (material != nullptr && !material->is_table()) in.fail(*material, "'material' must be a table");
    object.material = read_material(material == nullptr ? nullptr : material->as_table(), file);
    in.check_all_keys_known();
    return object;
}

void read_thresholds(const toml::table& table, const std::string& file, TouchThresholds& out) {
    Reader in(table, file);
    in.get("touch_enter_m", out.touch_enter_m, -0.1F, 0.1F);
    in.get("touch_exit_m", out.touch_exit_m, -0.1F, 0.1F);
    in.get("hover_enter_m", out.hover_enter_m, 0.0F, 0.5F);
    in.get("hover_exit_m", out.hover_exit_m, 0.0F, 0.5F);
    in.get_ms("dwell_ms", out.dwell_ns);
    in.get("poke_speed_m_s", out.poke_speed_m_s, 0.0F, 10.0F);
    float poke_cone_deg = 45.0F;
    in.get("poke_cone_deg", poke_cone_deg, 1.0F, 89.0F);
    out.poke_cone_cos = std::cos(poke_cone_deg * std::numbers::pi_v<float> / 180.0F);
    in.get("pinch_enter_m", out.pinch_enter_m, -0.1F, 0.1F);
    in.get("pinch_exit_m", out.pinch_exit_m, -0.1F, 0.1F);
    in.get_ms("pinch_dwell_ms", out.pinch_dwell_ns);
    in.get_ms("grab_dwell_ms", out.grab_dwell_ns);
    in.get_ms("grab_release_ms", out.grab_release_ns);
    in.get_ms("grace_ms", out.grace_ns);
    in.get("flick_speed_m_s", out.flick_speed_m_s, 0.0F, 100.0F);
    in.get_ms("flick_window_ms", out.flick_window_ns);
    in.get("distance_grab_m", out.distance_grab_m, 0.0F, 10.0F);
    if (out.pinch_enter_m > out.pinch_exit_m) in.fail("pinch_enter_m must not be above pinch_exit_m");
    if (out.touch_enter_m > out.touch_exit_m) in.fail("touch_enter_m must not be above touch_exit_m");
    if (out.hover_enter_m > out.hover_exit_m) in.fail("hover_enter_m must not be above hover_exit_m");
    if (out.touch_enter_m > out.hover_enter_m) in.fail("touch_enter_m must not be above hover_enter_m");
    if (out.touch_exit_m > out.hover_exit_m) in.fail("touch_exit_m must not be above hover_exit_m");
    in.check_all_keys_known();
}

void read_hand(const toml::table& table, const std::string& file, Scene& scene) {
    Reader in(table, file);
    scene.placement =
        one_of(in, "placement", scene.placement,
               {{"recorded", Placement::recorded}, {"fingertips", Placement::fingertips}, {"wrist", Placement::wrist}});
    in.get<3>("anchor_m", scene.anchor_m);
    Eigen::Matrix<float, 5, 1> tips = Eigen::Matrix<float, 5, 1>::Zero();
    if (in.get<5>("tip_length_m", tips, 0.0F, 0.1F))
        for (int i = 0; i < 5; ++i) scene.tip_length_m[static_cast<std::size_t>(i)] = tips[i];
    in.get("recording_unit_m", scene.recording_unit_m, 0.0F, 1e3F);
    std::string axes;
    in.get("recording_axes", axes);
    if (axes.empty()) axes = "auto";
    if (const auto found = tracking::find_axes(axes))
        scene.recording_axes = *found;
    else
        in.fail(*in.find("recording_axes"), "'recording_axes' is '" + axes + "' but must be " + tracking::axes_names());
    in.check_all_keys_known();
}

const toml::table* sub_table(Reader& in, std::string_view key) {
    const toml::node* node = in.find(key);
    if (node != nullptr && !node->is_table()) in.fail(*node, "'" + std::string(key) + "' must be a table");
    return node == nullptr ? nullptr : node->as_table();
}

Scene read_scene(const toml::table& table, const std::string& file, MeshLoader read_mesh) {
    Reader in(table, file);
    Scene scene;
    scene.name = std::filesystem::path(file).stem().string();
    in.get("name", scene.name);
    if (const toml::node* name = in.find("name"); name != nullptr && is_blank(scene.name))
        in.fail(*name, "'name' is blank; without it, the scene has the name of its file");
    in.get("summary", scene.summary);
    in.get<3>("gravity_m_s2", scene.gravity_m_s2, -100.0F, 100.0F);
    in.get("respawn_after_s", scene.respawn_after_s, 0.0F, 1e6F);
    if (const auto* thresholds = sub_table(in, "thresholds")) read_thresholds(*thresholds, file, scene.thresholds);
    if (const auto* hand = sub_table(in, "hand")) read_hand(*hand, file, scene);

    const toml::node* objects = in.find("object");
    if (objects == nullptr || !objects->is_array_of_tables()) in.fail("a scene needs at least one [[object]]");
    constexpr std::size_t kMaxObjects = 4096;  // if all are in one place, time is quadratic in their number
    if (objects->as_array()->size() > kMaxObjects)
        in.fail(*objects, "a scene has at most " + std::to_string(kMaxObjects) + " objects, and this one has " +
                              std::to_string(objects->as_array()->size()));
    std::set<std::string> names;
    for (const toml::node& node : *objects->as_array()) {
        scene.objects.push_back(read_object(*node.as_table(), file, read_mesh));
        if (!names.insert(scene.objects.back().name).second)
            in.fail(node, "two objects are named '" + scene.objects.back().name + "': give this one another name");
    }
    in.check_all_keys_known();
    return scene;
}

// Reads the text, but refuses keys with too many parts: the parser recurses for each part until the stack overflows.
std::string text_of(const std::filesystem::path& path) {
    constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20U;
    constexpr std::ptrdiff_t kMaxPoints = 1000;  // points in one line; they separate the parts of a key
    if (!std::filesystem::is_regular_file(path)) throw std::runtime_error(path.string() + ": no such scene file");
    if (std::filesystem::file_size(path) > kMaxBytes)
        throw std::runtime_error(path.string() + ": a scene file has at most 16 MB");
    std::ifstream in(path, std::ios::binary);
    std::string text;
    int number = 1;
    for (std::string line; std::getline(in, line); ++number) {
        if (std::ranges::count(line, '.') > kMaxPoints)
            throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": the line has more than " +
                                     std::to_string(kMaxPoints) + " points; no scene needs so many");
        text += line + '\n';
    }
    return text;
}

// Returns false if the start of the file has bytes that no text has.
bool is_text(const std::filesystem::path& path) {
    std::string head(4096, ' ');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return std::none_of(head.begin(), head.end(), [](unsigned char c) { return c < '\t' || (c > '\r' && c < ' '); });
}

}  // namespace

Scene read_scene_file(const std::filesystem::path& path, MeshLoader read_mesh) {
    if (const std::string kind = other_kind_of_file(path); !kind.empty())
        throw std::runtime_error(path.string() + ": this is " + kind);
    try {
        return read_scene(toml::parse(text_of(path), path.string()), path.string(), read_mesh);
    } catch (const toml::parse_error& error) {
        if (!is_text(path))
            throw std::runtime_error(path.string() +
                                     ": neither text nor a mesh; a scene is one of `glovebox scenes`, a TOML file "
                                     "(docs/reference/scenes.md) or a mesh (OBJ, STL, PLY, glTF)");
        throw std::runtime_error(path.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                                 tracking::printable(error.description()));
    }
}

}  // namespace glovebox::scenes
