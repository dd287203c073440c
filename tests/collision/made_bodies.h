// Bodies with hierarchies unlike those of hands and chains, and randomly scattered bones.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "collision/body/articulated_body.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {

enum class Tree { left_comb, right_comb, random };  ///< comb: each inner node joins the previous one and one leaf

inline ArticulatedBody made_body(int bones, Tree tree, RandomShapes& random) {
    ArticulatedBody body;
    std::vector<std::int32_t> roots;
    for (std::int32_t i = 0; i < bones; ++i) {
        body.bone_names.push_back(std::to_string(i));
        roots.push_back(i);
    }
    std::ranges::reverse(roots);  // combs take roots from the end
    while (roots.size() > 1) {
        if (tree == Tree::random)
            for (std::size_t i = 1; i <= 2; ++i)
                std::swap(roots[roots.size() - i], roots[static_cast<std::size_t>(random.between(
                                                       0.0F, static_cast<float>(roots.size() - i) + 0.99F))]);
        std::int32_t last = roots.back(), leaf = *(roots.end() - 2);
        roots.resize(roots.size() - 2);
        const auto made = static_cast<std::int32_t>(body.nodes.size());
        if (tree == Tree::right_comb) std::swap(last, leaf);
        body.nodes.push_back({last, leaf, made});
        roots.push_back(bones + made);
    }
    return body;
}

inline BodyPose strewn_bones(int bones, float reach_m, RandomShapes& random) {
    BodyPose pose;
    for (int i = 0; i < bones; ++i) {
        pose.shapes.emplace_back(random.cone(0.06F, 0.02F, reach_m));
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        if (i > 0) pose.joints_m.push_back(pose.leaf_boxes.back().center_m);
        pose.bone_present.push_back(1);
    }
    return pose;
}

}  // namespace glovebox::collision
