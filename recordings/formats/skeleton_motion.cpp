#include "recordings/formats/skeleton_motion.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "recordings/formats/joint_names.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxNodeDepth = 500;
// An hour of a whole body at 120 Hz needs 30 million poses; computing 300 million takes a minute.
constexpr std::size_t kMaxPoses = 300'000'000;

// Returns the joint's name without the '/' that separates folders of arrays.
std::string array_name(std::string name) {
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

void expect_memory(const Input& in, const ImportOptions& options, std::size_t frames, std::size_t joints,
                   std::size_t nodes) {
    const auto file_bytes = static_cast<double>(std::max(in.size(), in.bytes_read()));
    const double bytes = static_cast<double>(frames) * static_cast<double>(joints) * 3.0 * sizeof(float);
    if (bytes > 0.5 * (options.memory_factor * file_bytes + static_cast<double>(kMemoryFloor)))
        in.fail("the file's " + std::to_string(frames) + " frames take more than " +
                std::to_string(static_cast<int>(options.memory_factor)) +
                " times its size in memory; if it is sound, raise that with --memory-factor");
    if (frames > kMaxPoses / std::max<std::size_t>(nodes, 1))
        in.fail("the file has " + std::to_string(frames) + " frames of " + std::to_string(nodes) +
                " nodes, more than are read; split the animation");
}

}  // namespace

HandNodes find_hand_nodes(const Input& in, std::span<const SkeletonNode> nodes) {
    HandNodes hands;
    std::set<std::tuple<std::string, int, tracking::Joint, bool>> found;  // of each figure
    std::vector<bool> needed(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto named = joint_of_track_name(nodes[n].name);
        if (!named) continue;
        const int side = named->side ? static_cast<int>(*named->side) : -1;
        const std::string& name = nodes[n].name;
        const std::size_t colon = name.rfind(':');
        const std::string figure = colon == std::string::npos ? "" : name.substr(0, colon);
        if (!found.insert({figure, side, named->joint, named->is_thumb_middle}).second) continue;
        hands.joints.push_back(n);
        std::vector<std::size_t> chain;
        for (std::optional<std::size_t> at = n; at && !needed[*at]; at = nodes[*at].parent) {
            chain.push_back(*at);
            if (chain.size() > kMaxNodeDepth)
                in.fail("the file has nodes that contain themselves, or more than 500 levels");
        }
        std::reverse(chain.begin(), chain.end());
        for (const std::size_t node : chain) needed[node] = true;
        hands.order.insert(hands.order.end(), chain.begin(), chain.end());
    }
    return hands;
}

bool read_skeleton_motion(const Input& in, const ImportOptions& options, std::span<const SkeletonNode> nodes,
                          const HandNodes& hands, const std::vector<double>& times_s, const PoseAt& pose_at,
                          ArrayFacts facts, Assembly& out) {
    const std::size_t frames = times_s.size();
    expect_memory(in, options, frames, hands.joints.size(), hands.order.size());
    std::vector<float> places(3 * hands.joints.size() * frames);
    std::vector<Eigen::Affine3d> world(nodes.size());
    for (std::size_t frame = 0; frame < frames; ++frame) {
        for (const std::size_t node : hands.order) {
            const Eigen::Affine3d pose = pose_at(node, times_s[frame]);
            world[node] = nodes[node].parent ? world[*nodes[node].parent] * pose : pose;
        }
        for (std::size_t j = 0; j < hands.joints.size(); ++j) {
            const Eigen::Vector3f at = world[hands.joints[j]].translation().cast<float>();
            std::copy(at.begin(), at.end(), places.begin() + static_cast<std::ptrdiff_t>(3 * (j * frames + frame)));
        }
    }
    const auto bytes_of = [](const auto* from, std::size_t count) {
        return std::string_view(reinterpret_cast<const char*>(from), count * sizeof *from);
    };
    Arrays arrays;
    for (std::size_t j = 0; j < hands.joints.size(); ++j)
        arrays[array_name(nodes[hands.joints[j]].name)] = {
            'f', sizeof(float), {frames, 3}, bytes_of(places.data() + 3 * j * frames, 3 * frames)};
    arrays["time"] = {'f', sizeof(double), {frames}, bytes_of(times_s.data(), frames)};
    if (!has_tracked_hand(arrays)) return false;
    facts.time_unit_ns = 1e9;
    read_hand_arrays(in, arrays, options, facts, out);
    return true;
}

}  // namespace glovebox::recordings
