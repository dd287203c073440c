#include "collision/survey/traversal/deforming.h"

#include <stdexcept>
#include <string>

#include "collision/survey/volumes/boxes.h"

namespace glovebox::collision {

OnDemandTree::OnDemandTree(Mesh mesh, const HierarchySettings& settings) : mesh_(std::move(mesh)) {
    topology_ = make_topology(mesh_, settings);
    boxes_.resize(topology_.nodes.size());
    stamp_.resize(topology_.nodes.size(), 0);
    std::int32_t depth = 0;
    for (const Topology::Node& node : topology_.nodes) depth = std::max(depth, node.depth);
    cut_depth_ = depth / 2;
}

void OnDemandTree::fit(std::int32_t node) {
    const auto at = static_cast<std::size_t>(node);
    const Topology::Node& it = topology_.nodes[at];
    Aabb box;
    for (std::int32_t i = it.first; i < it.first + it.count; ++i)
        for (const std::uint32_t corner :
             mesh_.triangles[static_cast<std::size_t>(topology_.order[static_cast<std::size_t>(i)])])
            box.include(mesh_.vertices_m[corner]);
    boxes_[at] = box;
    stamp_[at] = frame_;
    ++fitted_;
    triangles_ += it.count;
}

void OnDemandTree::merge(std::size_t node) {
    const auto child = static_cast<std::size_t>(topology_.nodes[node].child);
    boxes_[node] = AabbVolume::merge(boxes_[child], boxes_[child + 1]);
    stamp_[node] = frame_;
    ++fitted_;
}

void OnDemandTree::move(std::span<const Eigen::Vector3f> vertices_m, Update update) {
    if (vertices_m.size() != mesh_.vertices_m.size())
        throw std::invalid_argument("move: the tree was built over " + std::to_string(mesh_.vertices_m.size()) +
                                    " vertices, not " + std::to_string(vertices_m.size()));
    std::copy(vertices_m.begin(), vertices_m.end(), mesh_.vertices_m.begin());
    ++frame_;
    fitted_ = triangles_ = 0;
    // Children follow their parents, so reverse order is bottom-up.
    for (std::size_t i = topology_.nodes.size(); i-- > 0;) {
        const Topology::Node& node = topology_.nodes[i];
        if (update == Update::on_demand && node.depth > cut_depth_) continue;
        if (node.is_leaf() || (update == Update::on_demand && node.depth == cut_depth_))
            fit(static_cast<std::int32_t>(i));
        else
            merge(i);
    }
}

Answer all_pairs(OnDemandTree& a, OnDemandTree& b, TraversalMemory& memory) {
    Answer answer;
    memory.hits.clear();
    memory.work.assign(1, {0, 0, 0.0F, 0.0F, false});
    while (!memory.work.empty()) {
        const TraversalMemory::Work work = memory.work.back();
        memory.work.pop_back();
        ++answer.n_v;
        if (!AabbVolume::overlap(a.box(work.a), b.box(work.b))) continue;
        const Topology::Node& node_a = a.topology().nodes[static_cast<std::size_t>(work.a)];
        const Topology::Node& node_b = b.topology().nodes[static_cast<std::size_t>(work.b)];
        if (!node_a.is_leaf() || !node_b.is_leaf()) {
            const bool a_side = opens_a(node_a, node_b, Descent::by_depth, work.a_opened);
            const std::int32_t child = a_side ? node_a.child : node_b.child;
            for (std::int32_t k = 0; k < 2; ++k)
                memory.work.push_back({a_side ? child + k : work.a, a_side ? work.b : child + k, 0.0F, 0.0F, a_side});
            continue;
        }
        for (std::int32_t i = node_a.first; i < node_a.first + node_a.count; ++i)
            for (std::int32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
                const std::int32_t of_a = a.topology().order[static_cast<std::size_t>(i)];
                const std::int32_t of_b = b.topology().order[static_cast<std::size_t>(j)];
                ++answer.n_p;
                if (triangles_touch(triangle_of(a.mesh(), of_a), triangle_of(b.mesh(), of_b)))
                    memory.hits.push_back({of_a, of_b});
            }
    }
    answer.found = !memory.hits.empty();
    if (answer.found) answer.pair = memory.hits.front(), answer.distance_m = 0.0F;
    return answer;
}

}  // namespace glovebox::collision
