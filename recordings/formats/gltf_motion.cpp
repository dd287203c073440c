// A GLB has a JSON chunk and a binary one. The JSON has nodes with a pose each, in trees, and an animation whose
// channels change the poses of nodes. Frames are the times of the channel with the most keys; other channels are
// interpolated. The joints are found as in skeleton_motion.h. Source: glTF 2.0 Specification (Khronos).
#include "recordings/formats/gltf_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "recordings/collect.h"
#include "recordings/formats/byte_reader.h"
#include "recordings/formats/skeleton_motion.h"
#include "recordings/json.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxGlbBytes = std::size_t{1} << 30, kMaxGlbNodes = 65536;
constexpr const char* kNoMotion =
    "; a GLB without an animated hand is a scene to replay a recording in (--scene). The nodes of a hand have the "
    "joints' names, such as left_wrist, left_index_proximal, mixamorig:LeftHandIndex1";

// Keys of one channel: translation, rotation or scale of a node.
struct GltfCurve {
    std::vector<float> times_s, values;
    std::size_t parts = 3;
    bool is_step = false, is_cubic = false;
};

struct GltfNode {
    Eigen::Affine3d rest = Eigen::Affine3d::Identity();  // if the file gives a matrix
    Eigen::Vector3d translation = Eigen::Vector3d::Zero(), scale = Eigen::Vector3d::Ones();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    std::array<const GltfCurve*, 3> curves{};  // translation, rotation, scale
};

class Glb {
  public:
    Glb(const Input& in, std::string_view bytes) : in_(in), bytes_(bytes.size()) {
        ByteReader from(bytes);
        from.skip(4);
        const std::uint64_t version = from.integer(4);
        from.skip(4);
        const std::uint64_t json_size = from.integer(4);
        const bool is_json = from.view(4) == "JSON";
        const std::string_view text = from.view(json_size);
        if (!from.ok() || version != 2 || !is_json) fail("is cut off or damaged, or not of version 2");
        json_ = parse_json(in, text);
        if (from.left() >= 8) {
            const std::uint64_t size = from.integer(4);
            from.skip(4);
            binary_ = from.view(std::min<std::uint64_t>(size, from.left()));
        }
        read_nodes();
        read_animation();
    }

    const std::vector<GltfNode>& nodes() const { return nodes_; }
    const std::vector<SkeletonNode>& tree() const { return tree_; }

    [[noreturn]] void fail(const std::string& what) const { in_.fail("the GLB file " + what + kNoMotion); }

  private:
    std::size_t index_of(const Json& object, const char* name, std::size_t limit) const {
        const Json* value = json_member(object, name);
        if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() >= limit)
            fail(std::string("has a damaged ") + name);
        return value->get<std::size_t>();
    }
    std::size_t count_of(const Json& object, const char* name) const {
        return json_member(object, name) == nullptr ? 0 : index_of(object, name, kMaxGlbBytes);
    }
    const Json& list(const Json& object, const char* name) const {
        static const Json kNone = Json::array();
        const Json* found = json_member(object, name);
        return found != nullptr && found->is_array() ? *found : kNone;
    }

    void read_nodes() {
        const Json& nodes = list(json_, "nodes");
        if (nodes.empty() || nodes.size() > kMaxGlbNodes) fail("has no nodes, or more than 65536");
        nodes_.resize(nodes.size());
        tree_.resize(nodes.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            GltfNode& node = nodes_[i];
            if (const Json* name = json_member(nodes[i], "name"); name != nullptr && name->is_string())
                tree_[i].name = name->get<std::string>();
            std::array<float, 16> v{};
            const auto numbers = [&](const char* key, std::size_t count) {
                const Json* value = json_member(nodes[i], key);
                return value != nullptr && json_numbers(*value, count, v.data());
            };
            if (numbers("matrix", 16)) node.rest.matrix() = Eigen::Map<Eigen::Matrix4f>(v.data()).cast<double>();
            if (numbers("translation", 3)) node.translation = Eigen::Map<Eigen::Vector3f>(v.data()).cast<double>();
            if (numbers("scale", 3)) node.scale = Eigen::Map<Eigen::Vector3f>(v.data()).cast<double>();
            if (numbers("rotation", 4)) node.rotation.coeffs() = Eigen::Map<Eigen::Vector4f>(v.data()).cast<double>();
            for (const Json& child : list(nodes[i], "children")) {
                if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= nodes_.size())
                    fail("has a damaged list of children");
                tree_[child.get<std::size_t>()].parent = i;
            }
        }
    }

    // Reads numbers of `parts` each; only those of 32 bits are read.
    std::vector<float> numbers_of(std::size_t accessor, std::size_t parts) {
        constexpr std::uint64_t kFloats = 5126;
        const Json& entry = list(json_, "accessors")[accessor];
        const Json& views = list(json_, "bufferViews");
        if (count_of(entry, "componentType") != kFloats || json_member(entry, "sparse") != nullptr)
            fail("has an animation in quantised or sparse numbers, which are not read");
        const Json& view = views[index_of(entry, "bufferView", views.size())];
        const std::size_t count = count_of(entry, "count"), size = parts * sizeof(float);
        const std::size_t start = count_of(view, "byteOffset") + count_of(entry, "byteOffset");
        const std::size_t stride = std::max(count_of(view, "byteStride"), size);
        if (count_of(view, "buffer") != 0 || count > binary_.size() / size ||
            (count > 0 && start + (count - 1) * stride + size > binary_.size()))
            fail("is cut off, or its animation is damaged");
        // Many channels may refer to the same numbers, so the file's size does not limit them.
        numbers_ += count * parts;
        if (numbers_ > 8 * bytes_ + kMemoryFloor / 16) fail("has an animation too large for its size");
        std::vector<float> values;
        for (std::size_t i = 0; i < count; ++i) {
            ByteReader from(binary_, start + i * stride);
            for (std::size_t p = 0; p < parts; ++p) collect(from.number<float>(), in_, {}, values);
        }
        return values;
    }

    void read_animation() {
        const Json& animations = list(json_, "animations");
        if (animations.empty()) fail("has no animation");
        const Json& channels = list(animations[0], "channels");
        const Json& samplers = list(animations[0], "samplers");
        const std::size_t accessors = list(json_, "accessors").size();
        constexpr std::array<std::string_view, 3> kPaths = {"translation", "rotation", "scale"};
        for (const Json& channel : channels) {
            const Json* target = json_member(channel, "target");
            const Json* path = target != nullptr ? json_member(*target, "path") : nullptr;
            if (path == nullptr || !path->is_string() || json_member(*target, "node") == nullptr) continue;
            const auto kind = std::find(kPaths.begin(), kPaths.end(), path->get<std::string>());
            if (kind == kPaths.end()) continue;  // weights of shapes
            const std::size_t node = index_of(*target, "node", nodes_.size());
            const Json& sampler = samplers[index_of(channel, "sampler", samplers.size())];
            GltfCurve curve;
            curve.parts = *kind == "rotation" ? 4 : 3;
            curve.times_s = numbers_of(index_of(sampler, "input", accessors), 1);
            curve.values = numbers_of(index_of(sampler, "output", accessors), curve.parts);
            const Json* how = json_member(sampler, "interpolation");
            curve.is_step = how != nullptr && *how == "STEP";
            curve.is_cubic = how != nullptr && *how == "CUBICSPLINE";
            const auto sound = [](float time_s) { return std::isfinite(time_s) && std::abs(time_s) < 1e9F; };
            if (curve.times_s.empty() ||
                curve.values.size() != (curve.is_cubic ? 3 : 1) * curve.parts * curve.times_s.size() ||
                !std::all_of(curve.times_s.begin(), curve.times_s.end(), sound) ||
                !std::is_sorted(curve.times_s.begin(), curve.times_s.end()))
                fail("has a damaged animation");
            curves_.push_back(std::move(curve));
            nodes_[node].curves[static_cast<std::size_t>(kind - kPaths.begin())] = &curves_.back();
        }
    }

    const Input& in_;
    std::size_t bytes_, numbers_ = 0;  // size of the file; numbers read from it
    Json json_;
    std::string_view binary_;
    std::vector<GltfNode> nodes_;
    std::vector<SkeletonNode> tree_;
    std::deque<GltfCurve> curves_;
};

// Returns the value of a curve; before its first and after its last key it is constant.
Eigen::Vector4d curve_at(const GltfCurve& curve, float time_s) {
    const auto next = std::upper_bound(curve.times_s.begin(), curve.times_s.end(), time_s);
    const auto b = std::min(static_cast<std::size_t>(next - curve.times_s.begin()), curve.times_s.size() - 1);
    const std::size_t a =
        next == curve.times_s.begin() ? 0 : static_cast<std::size_t>(next - curve.times_s.begin()) - 1;
    const double dt_s = static_cast<double>(curve.times_s[b] - curve.times_s[a]);
    const double share = dt_s > 0.0 ? static_cast<double>(time_s - curve.times_s[a]) / dt_s : 0.0;
    // A cubic key has an incoming tangent, a value and an outgoing tangent.
    const auto part = [&curve](std::size_t key, std::size_t which) {
        Eigen::Vector4d v = Eigen::Vector4d::Zero();
        const std::size_t from = ((curve.is_cubic ? 3 : 1) * key + which) * curve.parts;
        for (std::size_t p = 0; p < curve.parts; ++p)
            v[static_cast<Eigen::Index>(p)] = static_cast<double>(curve.values[from + p]);
        return v;
    };
    if (curve.is_cubic) {
        const double s2 = share * share, s3 = s2 * share;
        return (2 * s3 - 3 * s2 + 1) * part(a, 1) + dt_s * (s3 - 2 * s2 + share) * part(a, 2) +
               (3 * s2 - 2 * s3) * part(b, 1) + dt_s * (s3 - s2) * part(b, 0);
    }
    if (curve.is_step || a == b) return part(a, 0);
    if (curve.parts == 4) return Eigen::Quaterniond(part(a, 0)).slerp(share, Eigen::Quaterniond(part(b, 0))).coeffs();
    return (1.0 - share) * part(a, 0) + share * part(b, 0);
}

Eigen::Affine3d node_pose(const GltfNode& node, float time_s) {
    const auto at = [&](std::size_t curve, const Eigen::Vector4d& rest) {
        return node.curves[curve] != nullptr ? curve_at(*node.curves[curve], time_s) : rest;
    };
    const Eigen::Vector4d translation = at(0, node.translation.homogeneous()), rotation = at(1, node.rotation.coeffs()),
                          scale = at(2, node.scale.homogeneous());
    Eigen::Affine3d pose = node.rest;
    pose.translate(Eigen::Vector3d(translation.head<3>()));
    if (rotation.norm() > 0.0) pose.rotate(Eigen::Quaterniond(rotation).normalized());
    pose.scale(Eigen::Vector3d(scale.head<3>()));
    return pose;
}

}  // namespace

bool is_glb(std::string_view head, std::uintmax_t) {
    return head.starts_with("glTF");
}

void read_glb(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxGlbBytes);
    const Glb file(in, bytes);
    const HandNodes hands = find_hand_nodes(in, file.tree());
    const GltfCurve* longest = nullptr;
    for (const std::size_t node : hands.order)
        for (const GltfCurve* curve : file.nodes()[node].curves)
            if (curve != nullptr && (longest == nullptr || curve->times_s.size() > longest->times_s.size()))
                longest = curve;
    if (longest == nullptr) file.fail("animates no hand");
    const std::vector<double> times_s(longest->times_s.begin(), longest->times_s.end());
    const PoseAt pose_at = [&file](std::size_t node, double time_s) {
        return node_pose(file.nodes()[node], static_cast<float>(time_s));
    };
    ArrayFacts facts;
    facts.axes_known = true;
    facts.usual_unit_m = 1.0F;  // glTF 2.0; exporters that forget their scale write centimetres
    if (!read_skeleton_motion(in, options, file.tree(), hands, times_s, pose_at, facts, out))
        file.fail("animates no hand");
}

}  // namespace glovebox::recordings
