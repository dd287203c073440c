// Moving bodies that appear and disappear: seeded workloads for testing and measuring broad phases.
#pragma once

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "collision/broad_phase/broad_phase.h"

namespace glovebox::collision {

/// Layout and motion of a workload. Lengths in metres.
struct WorldSettings {
    std::string_view name = {};
    int bodies = 400;
    Eigen::Vector3f room_half_m = {1.2F, 1.2F, 1.2F};  ///< bodies bounce off its walls
    float size_min_m = 0.05F, size_max_m = 0.25F;      ///< edge lengths, log-uniform
    float step_m = 0.01F;                              ///< largest motion of a body per step and axis
    double appears_or_vanishes = 0.0;                  ///< probability per step that a body appears or disappears
    double teleports = 0.0;                            ///< probability per step of a jump to a random position
    bool on_lattice = false;  ///< puts all corners on a 1/16 m lattice, so boxes often touch exactly
};

class MovingBodies {
  public:
    MovingBodies(const WorldSettings& settings, unsigned seed) : settings_(settings), random_(seed) {
        for (int i = 0; i < settings.bodies; ++i) {
            half_m_.push_back(0.5F * Eigen::Vector3f(edge(), edge(), edge()));
            center_m_.push_back(anywhere());
            velocity_m_.push_back(settings.step_m * Eigen::Vector3f(unit(), unit(), unit()));
            alive_.push_back(settings.appears_or_vanishes == 0.0 || chance(0.5));
            layers_.push_back({1U << (i % 3), i % 5 == 0 ? 0b011U : ~0U});
        }
        boxes_.resize(center_m_.size());
        place();
    }

    void step() {
        for (std::size_t i = 0; i < center_m_.size(); ++i) {
            if (chance(settings_.appears_or_vanishes)) alive_[i] = !alive_[i];
            if (chance(settings_.teleports)) center_m_[i] = anywhere();
            center_m_[i] += velocity_m_[i];
            for (int axis = 0; axis < 3; ++axis)
                if (std::abs(center_m_[i][axis]) > settings_.room_half_m[axis])
                    velocity_m_[i][axis] = -std::copysign(velocity_m_[i][axis], center_m_[i][axis]);
        }
        place();
    }

    std::vector<Aabb>& boxes() { return boxes_; }
    std::vector<Layers>& layers() { return layers_; }
    Bodies bodies() const { return {boxes_, {}}; }
    Bodies layered_bodies() const { return {boxes_, layers_}; }

  private:
    float unit() { return std::uniform_real_distribution<float>(-1.0F, 1.0F)(random_); }
    bool chance(double probability) { return std::uniform_real_distribution<double>()(random_) < probability; }
    float edge() {
        const float t = 0.5F + 0.5F * unit();
        return settings_.size_min_m * std::pow(settings_.size_max_m / settings_.size_min_m, t);
    }
    Eigen::Vector3f anywhere() { return settings_.room_half_m.cwiseProduct(Eigen::Vector3f(unit(), unit(), unit())); }

    void place() {
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            boxes_[i] = alive_[i] ? Aabb{center_m_[i] - half_m_[i], center_m_[i] + half_m_[i]} : Aabb{};
            if (settings_.on_lattice && alive_[i]) {
                boxes_[i].min_m = (boxes_[i].min_m * 16.0F).array().round() / 16.0F;
                boxes_[i].max_m = boxes_[i].max_m.cwiseMax(boxes_[i].min_m);
                boxes_[i].max_m = (boxes_[i].max_m * 16.0F).array().round() / 16.0F;
            }
        }
    }

    WorldSettings settings_;
    std::mt19937 random_;
    std::vector<Eigen::Vector3f> half_m_, center_m_, velocity_m_;
    std::vector<bool> alive_;
    std::vector<Layers> layers_;
    std::vector<Aabb> boxes_;
};

}  // namespace glovebox::collision
