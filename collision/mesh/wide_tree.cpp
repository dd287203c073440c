#include "collision/mesh/wide_tree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "collision/query/triangle_pair.h"

namespace glovebox::collision {
namespace {

constexpr std::array kLayouts = {
    WideLayoutRow{WideLayout::four, "wide-4", 4},
    WideLayoutRow{WideLayout::eight, "wide-8", 8},
    WideLayoutRow{WideLayout::eight_quantised, "wide-8 quantised", 8},
};

// Nearly the full range of 16 bits; the rest is room for rounding up.
constexpr float kCenterSteps = 32000.0F, kHalfSteps = 65000.0F, kQuaternionSteps = 32767.0F;

constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();  // no test overlaps a NaN box

Obb box_at(const WideBoxes& boxes, std::size_t lane) {
    Obb box;
    for (int k = 0; k < 3; ++k) {
        box.center_m[k] = boxes.center[k][lane];
        box.half_m[k] = boxes.half[k][lane];
        for (int row = 0; row < 3; ++row) box.axes(row, k) = boxes.axes[3 * k + row][lane];
    }
    return box;
}

template <class Boxes>
void put(Boxes& boxes, std::size_t lane, const Obb& box) {
    for (int k = 0; k < 3; ++k) {
        boxes.center[k][lane] = box.center_m[k];
        boxes.half[k][lane] = box.half_m[k];
        for (int row = 0; row < 3; ++row) boxes.axes[3 * k + row][lane] = box.axes(row, k);
    }
}

// Opens the largest boxes until there are `width`, or only leaves.
std::vector<std::int32_t> open_up(const BoxTree& binary, std::int32_t root, std::size_t width) {
    std::vector<std::int32_t> members = {root};
    while (members.size() < width) {
        auto largest = members.end();
        for (auto it = members.begin(); it != members.end(); ++it) {
            const auto& node = binary.nodes[static_cast<std::size_t>(*it)];
            if (node.count > 0) continue;
            if (largest == members.end() ||
                node.box.area_m2() > binary.nodes[static_cast<std::size_t>(*largest)].box.area_m2())
                largest = it;
        }
        if (largest == members.end()) break;
        const std::int32_t child = binary.nodes[static_cast<std::size_t>(*largest)].first;
        *largest = child;
        members.insert(largest + 1, child + 1);
    }
    return members;
}

}  // namespace

std::span<const WideLayoutRow> wide_layouts() {
    return kLayouts;
}

std::uint32_t overlap_mask_scalar(const Obb& box, const WideBoxes& children, std::size_t lanes) {
    std::uint32_t mask = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        if (overlap(box, box_at(children, lane))) mask |= 1U << lane;
    return mask;
}

WideTree::WideTree(const BoxTree& binary, WideLayout layout)
    : layout_(layout),
      width_(std::ranges::find(kLayouts, layout, &WideLayoutRow::layout)->width),
      root_(binary.nodes.front().box),
      order_(binary.order) {
    std::vector<std::int32_t> roots = {0};  // binary roots of the wide nodes, in the order of their numbers
    std::size_t filled = 0;
    for (std::size_t number = 0; number < roots.size(); ++number) {
        const std::vector<std::int32_t> members = open_up(binary, roots[number], width_);
        filled += members.size();
        for (const std::int32_t member : members) {
            const auto& node = binary.nodes[static_cast<std::size_t>(member)];
            if (node.count > 0) {
                children_.push_back({node.first, node.count});
            } else {
                children_.push_back({static_cast<std::int32_t>(roots.size()), 0});
                roots.push_back(member);
            }
        }
        children_.resize((number + 1) * width_, Child{0, -1});
        store(binary, roots[number], members);
    }
    count_ = roots.size();
    filled_ = static_cast<double>(filled) / static_cast<double>(count_);
}

void WideTree::store(const BoxTree& binary, std::int32_t frame, std::span<const std::int32_t> members) {
    const auto box_of = [&](std::size_t lane) -> const Obb& {
        return binary.nodes[static_cast<std::size_t>(members[lane])].box;
    };
    Obb nowhere;
    nowhere.center_m.setConstant(kNowhere);
    if (layout_ == WideLayout::four) {
        Four& node = fours_.emplace_back();
        for (std::size_t lane = 0; lane < width_; ++lane)
            put(node, lane, lane < members.size() ? box_of(lane) : nowhere);
        return;
    }
    if (layout_ == WideLayout::eight) {
        WideBoxes& node = eights_.emplace_back();
        for (std::size_t lane = 0; lane < width_; ++lane)
            put(node, lane, lane < members.size() ? box_of(lane) : nowhere);
        return;
    }

    const Obb& parent = binary.nodes[static_cast<std::size_t>(frame)].box;
    Packed& node = packed_.emplace_back();
    for (int k = 0; k < 3; ++k) {
        node.center[k] = parent.center_m[k];
        for (int row = 0; row < 3; ++row) node.axes[3 * k + row] = parent.axes(row, k);
    }
    // One step size for centres and extents, as fine as the farthest centre and the longest half diagonal allow.
    float step_m = 1e-30F;
    for (std::size_t lane = 0; lane < members.size(); ++lane) {
        const Eigen::Vector3f offset_m = parent.axes.transpose() * (box_of(lane).center_m - parent.center_m);
        step_m =
            std::max({step_m, offset_m.cwiseAbs().maxCoeff() / kCenterSteps, box_of(lane).half_m.norm() / kHalfSteps});
    }
    node.step = step_m;
    for (std::size_t lane = 0; lane < members.size(); ++lane) {
        const Obb& child = box_of(lane);
        const Eigen::Vector3f offset = parent.axes.transpose() * (child.center_m - parent.center_m) / step_m;
        const Eigen::Quaternionf turn(child.axes);
        for (int k = 0; k < 3; ++k) node.offset[k][lane] = static_cast<std::int16_t>(std::lround(offset[k]));
        for (int k = 0; k < 4; ++k)
            node.quaternion[k][lane] = static_cast<std::int16_t>(std::lround(turn.coeffs()[k] * kQuaternionSteps));
        // The frame and centre that will be decoded differ slightly. So the extents are those of the true box measured
        // from the decoded frame, in double, rounded up.
        WideBoxes read_back;
        decode(node, lane, read_back);
        const Obb stored = box_at(read_back, lane);
        const Eigen::Matrix3d axes = stored.axes.cast<double>();
        const Eigen::Vector3d half_m =
            (axes.transpose() * child.axes.cast<double>()).cwiseAbs() * child.half_m.cast<double>() +
            (axes.transpose() * (child.center_m - stored.center_m).cast<double>()).cwiseAbs();
        for (int k = 0; k < 3; ++k)
            node.half[k][lane] =
                static_cast<std::uint16_t>(std::min(65535.0, std::ceil(half_m[k] * (1.0 + 1e-6) / double{step_m})));
    }
}

// Unused lanes decode to arbitrary values; boxes() makes them NaN.
void WideTree::decode(const Packed& node, std::size_t lane, WideBoxes& room) {
    const float offset[3] = {static_cast<float>(node.offset[0][lane]) * node.step,
                             static_cast<float>(node.offset[1][lane]) * node.step,
                             static_cast<float>(node.offset[2][lane]) * node.step};
    for (std::size_t k = 0; k < 3; ++k) {
        room.center[k][lane] =
            node.center[k] + node.axes[k] * offset[0] + node.axes[3 + k] * offset[1] + node.axes[6 + k] * offset[2];
        room.half[k][lane] = static_cast<float>(node.half[k][lane]) * node.step;
    }
    // A quaternion of integers is not exactly unit: the matrix is divided by its squared length.
    const float x = static_cast<float>(node.quaternion[0][lane]), y = static_cast<float>(node.quaternion[1][lane]),
                z = static_cast<float>(node.quaternion[2][lane]), w = static_cast<float>(node.quaternion[3][lane]);
    const float s = 2.0F / std::max(x * x + y * y + z * z + w * w, 1.0F);
    const float axes[9] = {1.0F - s * (y * y + z * z), s * (x * y + w * z),        s * (x * z - w * y),
                           s * (x * y - w * z),        1.0F - s * (x * x + z * z), s * (y * z + w * x),
                           s * (x * z + w * y),        s * (y * z - w * x),        1.0F - s * (x * x + y * y)};
    for (std::size_t k = 0; k < 9; ++k) room.axes[k][lane] = axes[k];
}

std::size_t WideTree::memory_bytes() const {
    return children_.size() * sizeof(Child) + eights_.size() * sizeof(WideBoxes) + fours_.size() * sizeof(Four) +
           packed_.size() * sizeof(Packed) + order_.size() * sizeof(std::int32_t);
}

const WideBoxes& WideTree::boxes(std::int32_t number, WideBoxes& room) const {
    const auto i = static_cast<std::size_t>(number);
    if (layout_ == WideLayout::eight) return eights_[i];
    if (layout_ == WideLayout::four) {
        const Four& node = fours_[i];
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                room.center[k][lane] = node.center[k][lane];
                room.half[k][lane] = node.half[k][lane];
            }
        for (std::size_t k = 0; k < 9; ++k)
            for (std::size_t lane = 0; lane < 4; ++lane) room.axes[k][lane] = node.axes[k][lane];
        return room;
    }
    const std::span<const Child> kids = children(number);
    for (std::size_t lane = 0; lane < 8; ++lane) {
        decode(packed_[i], lane, room);
        if (kids[lane].count < 0) room.center[0][lane] = kNowhere;
    }
    return room;
}

namespace {

// A box of one tree: a child of a wide node, or the root.
struct Side {
    Obb box;  // in its own mesh's frame
    WideTree::Child child;
};
struct Pair {
    Side a, b;
};

}  // namespace

void touching_triangles(const MeshAndWideTree& a, const MeshAndWideTree& b, const Eigen::Isometry3f& a_from_b,
                        TrianglePairs& pairs, TreeQueryCounts& counts) {
    const Eigen::Isometry3f b_from_a = a_from_b.inverse(Eigen::Isometry);
    std::vector<Pair> open = {{{a.tree.root_box(), {0, 0}}, {b.tree.root_box(), {0, 0}}}};
    WideBoxes room;
    std::vector<Triangle> moved_b;
    while (!open.empty()) {
        const Pair pair = open.back();
        open.pop_back();
        if (pair.a.child.count > 0 && pair.b.child.count > 0) {
            moved_b.clear();
            for (std::int32_t j = 0; j < pair.b.child.count; ++j)
                moved_b.push_back(
                    transformed(a_from_b.cast<double>(),
                                triangle_of(b.mesh, b.tree.order()[static_cast<std::size_t>(pair.b.child.first + j)])));
            for (std::int32_t i = 0; i < pair.a.child.count; ++i) {
                const std::int32_t ta = a.tree.order()[static_cast<std::size_t>(pair.a.child.first + i)];
                const Triangle triangle_a = triangle_of(a.mesh, ta);
                for (std::int32_t j = 0; j < pair.b.child.count; ++j) {
                    ++counts.triangle_tests;
                    if (triangles_touch(triangle_a, moved_b[static_cast<std::size_t>(j)]))
                        pairs.emplace_back(ta, b.tree.order()[static_cast<std::size_t>(pair.b.child.first + j)]);
                }
            }
            continue;
        }
        // Opens the larger inner node; the other one's box is tested against all its children.
        const bool open_a =
            pair.b.child.count > 0 || (pair.a.child.count == 0 && pair.a.box.area_m2() >= pair.b.box.area_m2());
        const MeshAndWideTree& opened = open_a ? a : b;
        const Side& wide = open_a ? pair.a : pair.b;
        const Obb single = open_a ? transformed(a_from_b, pair.b.box) : transformed(b_from_a, pair.a.box);
        const WideBoxes& boxes = opened.tree.boxes(wide.child.first, room);
        ++counts.box_tests;
        std::uint32_t mask = overlap_mask(single, boxes, opened.tree.width());
        const auto kids = opened.tree.children(wide.child.first);
        for (; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
            const Side child{box_at(boxes, lane), kids[lane]};
            open.push_back(open_a ? Pair{child, pair.b} : Pair{pair.a, child});
        }
    }
}

}  // namespace glovebox::collision
