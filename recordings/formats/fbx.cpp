// An FBX file has objects with numbers as names, and connections between them. Models (the nodes of skeletons) have a
// translation, a rotation by Euler angles in degrees, and a scaling. A model's rotation lies between its pre-rotation
// and post-rotation. Animation curves drive single coordinates: a curve is connected to a curve node ("d|X"), this to a
// model ("Lcl Rotation"), and to a layer of an animation stack. Times count 1/46186158000 s.
//
// The first stack that moves a hand is read, and of its layers the first. The frames are the keys of all curves of the
// hands; where these are more than 1/30 s apart, frames are interpolated. Between keys, curves are straight or
// constant. The inheritance of scaling is not distinguished: it differs only below scales that are not uniform.
//
// Sources: the property names and the order of the transforms as in Autodesk's FBX SDK documentation ("Computing
// transformation matrices").
#include "recordings/formats/fbx.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>
#include <set>

#include "recordings/formats/fbx_file.h"
#include "recordings/formats/skeleton_motion.h"

namespace glovebox::recordings {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::string_view kMagic = "Kaydara FBX Binary  ";
constexpr std::size_t kMaxFbxBytes = std::size_t{1} << 30, kMaxFbxModels = 65536;
constexpr double kTicksPerSecond = 46186158000.0;
constexpr double kMaxFrame_s = 1.0 / 30.0;
constexpr std::int64_t kMaxTick = std::int64_t{1} << 62;

struct FbxCurve {
    std::vector<double> times_s;
    std::vector<float> values;
    std::vector<bool> is_constant;  // until the next key
};

enum FbxProperty { kTranslation, kRotation, kScaling };
constexpr std::array<std::string_view, 3> kAnimated = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};

struct FbxModel {
    std::array<Vector3d, 3> local = {Vector3d::Zero(), Vector3d::Zero(), Vector3d::Ones()};  // by FbxProperty
    Vector3d pre = Vector3d::Zero(), post = Vector3d::Zero();
    Vector3d rotation_offset = Vector3d::Zero(), rotation_pivot = Vector3d::Zero();
    Vector3d scaling_offset = Vector3d::Zero(), scaling_pivot = Vector3d::Zero();
    std::int64_t rotation_order = 0;
    bool uses_rotation_settings = false;  // "RotationActive": pre-rotation, post-rotation and order
    std::array<std::array<const FbxCurve*, 3>, 3> curves{};
};

struct FbxAxes {
    std::array<std::int64_t, 3> axis = {0, 1, 2};  // the file's axes that point right, up and to the viewer
    std::array<std::int64_t, 3> sign = {1, 1, 1};
    double unit_cm = 1.0;
};

// Rotations about the file's axes in one of the six orders; the first letter turns first.
Matrix3d euler(const Vector3d& degrees, std::int64_t order) {
    constexpr std::array<std::array<int, 3>, 6> kOrders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
    const auto& axes = kOrders[order >= 0 && order < 6 ? static_cast<std::size_t>(order) : 0];
    Matrix3d rotation = Matrix3d::Identity();
    for (const int axis : axes)
        rotation = AngleAxisd(degrees[axis] * std::numbers::pi / 180.0, Vector3d::Unit(axis)) * rotation;
    return rotation;
}

float value_at(const FbxCurve& curve, double time_s) {
    const auto next = std::upper_bound(curve.times_s.begin(), curve.times_s.end(), time_s);
    if (next == curve.times_s.begin()) return curve.values.front();
    const auto a = static_cast<std::size_t>(next - curve.times_s.begin()) - 1;
    if (next == curve.times_s.end() || curve.is_constant[a]) return curve.values[a];
    const double share = (time_s - curve.times_s[a]) / (*next - curve.times_s[a]);
    return static_cast<float>((1.0 - share) * static_cast<double>(curve.values[a]) +
                              share * static_cast<double>(curve.values[a + 1]));
}

Vector3d property_at(const FbxModel& model, FbxProperty property, double time_s) {
    Vector3d value = model.local[property];
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (const FbxCurve* curve = model.curves[property][axis])
            value[static_cast<Eigen::Index>(axis)] = static_cast<double>(value_at(*curve, time_s));
    return value;
}

Eigen::Affine3d model_pose(const FbxModel& model, double time_s) {
    Matrix3d rotation =
        euler(property_at(model, kRotation, time_s), model.uses_rotation_settings ? model.rotation_order : 0);
    if (model.uses_rotation_settings) rotation = euler(model.pre, 0) * rotation * euler(model.post, 0).transpose();
    const Vector3d scale = property_at(model, kScaling, time_s);
    Eigen::Affine3d pose = Eigen::Affine3d::Identity();
    pose.translate(property_at(model, kTranslation, time_s));
    pose.translate(Vector3d(model.rotation_offset + model.rotation_pivot));
    pose.linear() = rotation;
    pose.translate(Vector3d(model.scaling_offset + model.scaling_pivot - model.rotation_pivot));
    pose.scale(scale);
    pose.translate(Vector3d(-model.scaling_pivot));
    return pose;
}

struct Connection {
    std::int64_t from = 0, to = 0;
    std::string_view property;  // empty: object to object
};

class FbxScene {
  public:
    FbxScene(const Input& in, const ImportOptions& options, std::string_view bytes)
        : in_(in), options_(options), file_(in, bytes) {
        for (const FbxRecord& record : file_.records()) {
            if (record.name == "GlobalSettings") read_axes(record);
            if (record.name == "Definitions") read_defaults(record);
            if (record.name == "Objects") objects_ = file_.records(record);
            if (record.name == "Connections") read_connections(record);
        }
        read_objects();
    }

    const std::vector<SkeletonNode>& tree() const { return tree_; }
    double unit_cm() const { return axes_.unit_cm; }

    /// Connects the curves of the first stack that moves one of the nodes. Returns a sentence about what was left out,
    /// or an empty one.
    std::string animate(const std::vector<std::size_t>& nodes);

    /// Returns the times of all keys of the nodes' curves, with times between those that are far apart.
    std::vector<double> frame_times(const std::vector<std::size_t>& nodes, Assembly& out) const;

    Eigen::Affine3d pose_at(std::size_t node, double time_s) const {
        const Eigen::Affine3d pose = model_pose(models_[node], time_s);
        return tree_[node].parent ? pose : openxr_from_file_ * pose;
    }

    [[noreturn]] void fail(const std::string& what) const {
        file_.fail(what +
                   ". The nodes of a hand have the joints' names, such as LeftHand, LeftHandIndex1 or "
                   "left_index_proximal");
    }

  private:
    // Calls `use` with name and values of each property of a record.
    template <class Use>
    void for_properties(const FbxRecord& record, const Use& use) const {
        constexpr std::size_t kValuesAt = 4, kMaxValues = kValuesAt + 3;
        for (const FbxRecord& list : file_.records(record)) {
            if (list.name != "Properties70") continue;
            for (const FbxRecord& property : file_.records(list)) {
                const std::vector<FbxValue> values = file_.values(property, kMaxValues);
                if (values.size() > kValuesAt) use(values[0].text, std::span(values).subspan(kValuesAt));
            }
        }
    }

    void read_axes(const FbxRecord& settings) {
        constexpr std::array<std::string_view, 3> kNames = {"CoordAxis", "UpAxis", "FrontAxis"};
        for_properties(settings, [&](std::string_view name, std::span<const FbxValue> values) {
            for (std::size_t i = 0; i < 3; ++i) {
                if (name == kNames[i]) axes_.axis[i] = values[0].integer;
                if (name == std::string(kNames[i]) + "Sign") axes_.sign[i] = values[0].integer;
            }
            if (name == "UnitScaleFactor") axes_.unit_cm = values[0].number;
        });
        Matrix3d turn = Matrix3d::Zero();
        for (std::size_t i = 0; i < 3; ++i)
            if (axes_.axis[i] >= 0 && axes_.axis[i] < 3)
                turn(static_cast<Eigen::Index>(i), axes_.axis[i]) = axes_.sign[i] < 0 ? -1.0 : 1.0;
        if (std::abs(turn.determinant()) != 1.0) file_.fail("has axes that are damaged");
        openxr_from_file_.linear() = turn;
    }

    void read_defaults(const FbxRecord& definitions) {
        for (const FbxRecord& type : file_.records(definitions)) {
            const std::vector<FbxValue> name = file_.values(type, 1);
            if (type.name != "ObjectType" || name.empty() || name[0].text != "Model") continue;
            for (const FbxRecord& part : file_.records(type))
                if (part.name == "PropertyTemplate") read_model(part, default_model_);
        }
    }

    void read_connections(const FbxRecord& record) {
        for (const FbxRecord& part : file_.records(record)) {
            const std::vector<FbxValue> values = file_.values(part, 4);
            if (values.size() < 3) continue;
            const bool of_property = values[0].text == "OP" && values.size() > 3;
            connections_.push_back(
                {values[1].integer, values[2].integer, of_property ? values[3].text : std::string_view()});
        }
    }

    void read_model(const FbxRecord& record, FbxModel& model) const {
        const std::map<std::string_view, Vector3d*> vectors = {{kAnimated[kTranslation], &model.local[kTranslation]},
                                                               {kAnimated[kRotation], &model.local[kRotation]},
                                                               {kAnimated[kScaling], &model.local[kScaling]},
                                                               {"PreRotation", &model.pre},
                                                               {"PostRotation", &model.post},
                                                               {"RotationOffset", &model.rotation_offset},
                                                               {"RotationPivot", &model.rotation_pivot},
                                                               {"ScalingOffset", &model.scaling_offset},
                                                               {"ScalingPivot", &model.scaling_pivot}};
        for_properties(record, [&](std::string_view name, std::span<const FbxValue> values) {
            const auto vector = vectors.find(name);
            if (vector != vectors.end() && values.size() >= 3)
                *vector->second = Vector3d(values[0].number, values[1].number, values[2].number);
            if (name == "RotationOrder") model.rotation_order = values[0].integer;
            if (name == "RotationActive") model.uses_rotation_settings = values[0].integer != 0;
        });
    }

    void read_objects() {
        for (const FbxRecord& object : objects_) {
            if (object.name != "Model") continue;
            const std::vector<FbxValue> values = file_.values(object, 2);
            if (values.size() < 2) continue;
            if (models_.size() == kMaxFbxModels) file_.fail("has more than 65536 nodes");
            index_of_[values[0].integer] = tree_.size();
            const std::string_view name = values[1].text;
            tree_.push_back({std::string(name.substr(0, name.find('\0'))), {}});
            read_model(object, models_.emplace_back(default_model_));
        }
        for (const Connection& connection : connections_) {
            const auto child = index_of_.find(connection.from), parent = index_of_.find(connection.to);
            if (child != index_of_.end() && parent != index_of_.end() && connection.property.empty())
                tree_[child->second].parent = parent->second;
        }
    }

    // Returns the curve with a number; nullptr if it has no keys. Each is read once, however often it is connected.
    const FbxCurve* curve(std::int64_t id, const FbxRecord& object) {
        const auto [known, is_new] = curve_by_id_.emplace(id, nullptr);
        if (is_new) known->second = read_curve(object);
        return known->second;
    }
    const FbxCurve* read_curve(const FbxRecord& object);

    const Input& in_;
    const ImportOptions& options_;
    FbxFile file_;
    FbxAxes axes_;
    Eigen::Affine3d openxr_from_file_ = Eigen::Affine3d::Identity();
    std::vector<FbxRecord> objects_;
    std::vector<Connection> connections_;
    FbxModel default_model_;
    std::vector<SkeletonNode> tree_;
    std::vector<FbxModel> models_;
    std::map<std::int64_t, std::size_t> index_of_;  // models by the file's number
    std::deque<FbxCurve> curves_;
    std::map<std::int64_t, const FbxCurve*> curve_by_id_;
    std::size_t keys_ = 0;
};

const FbxCurve* FbxScene::read_curve(const FbxRecord& object) {
    constexpr std::int32_t kConstant = 2;
    FbxCurve curve;
    std::vector<std::int32_t> flags, counts;
    for (const FbxRecord& part : file_.records(object)) {
        if (part.name == "KeyValueFloat") curve.values = file_.floats(part);
        if (part.name == "KeyAttrFlags") flags = file_.int32s(part);
        if (part.name == "KeyAttrRefCount") counts = file_.int32s(part);
        if (part.name != "KeyTime") continue;
        std::int64_t last = -kMaxTick;
        for (const std::int64_t tick : file_.int64s(part)) {
            if (tick <= last || tick >= kMaxTick) file_.fail("has an animation curve whose times are damaged");
            curve.times_s.push_back(static_cast<double>(last = tick) / kTicksPerSecond);
        }
    }
    if (curve.values.empty() && curve.times_s.empty()) return nullptr;
    if (curve.values.size() != curve.times_s.size()) file_.fail("has an animation curve that is damaged");
    keys_ += curve.values.size();
    if (static_cast<double>(keys_) * 16.0 >
        0.5 * (options_.memory_factor * static_cast<double>(std::max(in_.size(), in_.bytes_read())) +
               static_cast<double>(kMemoryFloor)))
        file_.fail("has more keys than memory is allowed for (--memory-factor)");
    curve.is_constant.resize(curve.values.size());
    std::size_t key = 0;
    for (std::size_t i = 0; i < std::min(flags.size(), counts.size()); ++i)
        for (std::int32_t n = 0; n < counts[i] && key < curve.values.size(); ++n)
            curve.is_constant[key++] = (flags[i] & kConstant) != 0;
    return &curves_.emplace_back(std::move(curve));
}

std::string FbxScene::animate(const std::vector<std::size_t>& nodes) {
    const std::set<std::size_t> wanted(nodes.begin(), nodes.end());
    std::map<std::int64_t, const FbxRecord*> curve_of, layer_of;
    std::vector<std::int64_t> stacks;
    std::set<std::int64_t> curve_nodes;
    for (const FbxRecord& object : objects_) {
        const std::vector<FbxValue> id = file_.values(object, 1);
        if (id.empty()) continue;
        if (object.name == "AnimationCurve") curve_of[id[0].integer] = &object;
        if (object.name == "AnimationCurveNode") curve_nodes.insert(id[0].integer);
        if (object.name == "AnimationLayer") layer_of[id[0].integer] = &object;
        if (object.name == "AnimationStack") stacks.push_back(id[0].integer);
    }
    // From curve nodes to models and layers; from layers to stacks; from curve nodes to their curves.
    struct Target {
        std::size_t model;
        FbxProperty property;
    };
    std::map<std::int64_t, Target> target_of;
    std::map<std::int64_t, std::int64_t> layer_of_node;
    std::map<std::int64_t, std::vector<std::int64_t>> layers_of_stack;
    std::multimap<std::int64_t, const Connection*> inputs;
    for (const Connection& connection : connections_) {
        const bool from_node = curve_nodes.contains(connection.from);
        if (const auto model = index_of_.find(connection.to); from_node && model != index_of_.end()) {
            const auto name = std::find(kAnimated.begin(), kAnimated.end(), connection.property);
            if (name != kAnimated.end() && wanted.contains(model->second))
                target_of[connection.from] = {model->second, static_cast<FbxProperty>(name - kAnimated.begin())};
        }
        if (from_node && layer_of.contains(connection.to)) layer_of_node[connection.from] = connection.to;
        if (layer_of.contains(connection.from)) layers_of_stack[connection.to].push_back(connection.from);
        if (curve_of.contains(connection.from) && curve_nodes.contains(connection.to))
            inputs.insert({connection.to, &connection});
    }
    // The curve nodes of each layer that move the hands.
    std::map<std::int64_t, std::vector<std::int64_t>> moves;
    for (const auto& [node, target] : target_of)
        if (const auto layer = layer_of_node.find(node); layer != layer_of_node.end())
            moves[layer->second].push_back(node);
    std::size_t moving_stacks = 0, moving_layers = 0;
    for (const std::int64_t stack : stacks) {
        bool first = true;
        for (const std::int64_t layer : layers_of_stack[stack]) {
            if (!moves.contains(layer)) continue;
            if (first) ++moving_stacks;
            if (moving_stacks == 1) ++moving_layers;
            if (moving_stacks == 1 && moving_layers == 1)
                for (const std::int64_t node : moves[layer]) {
                    const Target& target = target_of.at(node);
                    const auto [begin, end] = inputs.equal_range(node);
                    for (auto input = begin; input != end; ++input) {
                        constexpr std::string_view kAxes = "XYZ";
                        const std::string_view axis = input->second->property;
                        if (axis.size() != 3 || !axis.starts_with("d|") || kAxes.find(axis[2]) == kAxes.npos) continue;
                        models_[target.model].curves[target.property][kAxes.find(axis[2])] =
                            curve(input->second->from, *curve_of.at(input->second->from));
                    }
                }
            first = false;
        }
    }
    if (curves_.empty()) fail("has no animation of a hand: it is a scene or a figure at rest");
    std::string left_out;
    if (moving_stacks > 1)
        left_out = "The file has " + std::to_string(moving_stacks) + " animations; the first was read.";
    if (moving_layers > 1) left_out += (left_out.empty() ? "" : " ") + std::string("Of its layers the first was read.");
    return left_out;
}

std::vector<double> FbxScene::frame_times(const std::vector<std::size_t>& nodes, Assembly& out) const {
    std::vector<double> keys;
    const auto sort_keys = [&keys] {
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    };
    std::set<const FbxCurve*> seen;
    const FbxCurve* last = nullptr;
    std::size_t sorted = 0;
    for (const std::size_t node : nodes)
        for (const auto& property : models_[node].curves)
            for (const FbxCurve* curve : property) {
                if (curve == nullptr || !seen.insert(curve).second) continue;
                if (last != nullptr && curve->times_s == last->times_s) continue;
                last = curve;
                keys.insert(keys.end(), curve->times_s.begin(), curve->times_s.end());
                // Sorting when the list has doubled limits both the time and the memory.
                if (keys.size() < 2 * sorted) continue;
                sort_keys();
                sorted = keys.size();
            }
    sort_keys();
    if (keys.empty()) return keys;
    constexpr double kMaxDuration_s = 86400.0;
    if (keys.back() - keys.front() > kMaxDuration_s) fail("has an animation longer than a day");
    std::vector<double> times_s = {keys.front()};
    double longest_s = 0.0;
    for (std::size_t k = 1; k < keys.size(); ++k) {
        const double gap_s = keys[k] - keys[k - 1];
        longest_s = std::max(longest_s, gap_s);
        const auto steps = static_cast<std::size_t>(std::ceil(gap_s / kMaxFrame_s - 0.01));
        for (std::size_t i = 1; i < steps; ++i)
            times_s.push_back(keys[k - 1] + gap_s * static_cast<double>(i) / static_cast<double>(steps));
        times_s.push_back(keys[k]);
    }
    if (times_s.size() > keys.size())
        out.note("Keys are up to " + std::to_string(std::lround(1e3 * longest_s)) +
                 " ms apart; the frames between were interpolated.");
    return times_s;
}

}  // namespace

bool is_fbx(std::string_view head, std::uintmax_t) {
    return head.starts_with(kMagic);
}

void read_fbx(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxFbxBytes);
    FbxScene scene(in, options, bytes);
    const HandNodes hands = find_hand_nodes(in, scene.tree());
    if (hands.joints.empty()) scene.fail("has no hand");
    if (const std::string left_out = scene.animate(hands.order); !left_out.empty()) out.note(left_out);
    const std::vector<double> times_s = scene.frame_times(hands.order, out);
    const double unit_m = 0.01 * scene.unit_cm();
    const bool usable = unit_m > 1e-5 && unit_m < 1e3;
    const PoseAt pose_at = [&scene](std::size_t node, double time_s) { return scene.pose_at(node, time_s); };
    ArrayFacts facts;
    facts.axes_known = true;
    if (usable) facts.unit_m = static_cast<float>(unit_m);
    if (!read_skeleton_motion(in, options, scene.tree(), hands, times_s, pose_at, facts, out))
        scene.fail("has no hand with at least 10 joints, among them wrist, index and middle knuckle");
}

}  // namespace glovebox::recordings
