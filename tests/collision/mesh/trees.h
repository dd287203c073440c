// What tests of box trees share: poses at random, and whether two trees are the same to the bit.
#pragma once

#include <Eigen/Geometry>
#include <cstring>

#include "collision/mesh/build.h"
#include "collision/survey/fit/random.h"

namespace glovebox::collision {

inline bool same(const BoxTree& a, const BoxTree& b) {
    return a.order == b.order && a.nodes.size() == b.nodes.size() &&
           std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(BoxTree::Node)) == 0;
}

inline Eigen::Isometry3f random_pose(Random& random, double reach_m) {
    Eigen::Quaterniond q(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = q.normalized().toRotationMatrix().cast<float>();
    for (int k = 0; k < 3; ++k) pose.translation()[k] = static_cast<float>(random.between(-reach_m, reach_m));
    return pose;
}

}  // namespace glovebox::collision
