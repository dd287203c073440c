// Hundreds to ten thousand rocks tumbling down a slope: the many-body setting of the lecture, without its dynamics.
//
// Rocks hop down a plane of 30 degrees on parabolas, each with its own pace; what reaches the foot vanishes and comes
// back at the top a while later. They do not push each other: this is a load for broad phases, not a simulation. Each
// rock is bounded by the cube that holds it however it turns.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "collision/broad_phase/broad_phase.h"

namespace glovebox::collision {

class RockSlope {
  public:
    /// The slope is as large as gives each rock about half a square metre.
    RockSlope(int rocks, unsigned seed)
        : side_m_(std::sqrt(0.5F * static_cast<float>(rocks))), random_(seed), rocks_(static_cast<std::size_t>(rocks)) {
        for (Rock& rock : rocks_) {
            rock.radius_m = 0.12F * std::exp(0.5F * (2.0F * unit() - 1.0F));
            start(rock);
            rock.down_m = side_m_ * unit();
        }
        boxes_.resize(rocks_.size());
        place();
    }

    void step(float dt_s) {
        for (Rock& rock : rocks_) {
            if (rock.absent_s > 0.0F) {
                rock.absent_s -= dt_s;
                if (rock.absent_s <= 0.0F) start(rock);
                continue;
            }
            rock.down_m += rock.pace_m_s * dt_s;
            rock.across_m += rock.drift_m_s * dt_s;
            rock.height_m += rock.climb_m_s * dt_s;
            rock.climb_m_s -= 8.5F * dt_s;  // gravity across a slope of 30 degrees
            if (rock.height_m < 0.0F) {
                rock.height_m = 0.0F;
                rock.climb_m_s = 1.5F * unit();
                rock.drift_m_s = 0.6F * (unit() - 0.5F);
            }
            if (rock.down_m > side_m_) rock.absent_s = 0.05F + 0.3F * unit();
        }
        place();
    }

    float side_m() const { return side_m_; }
    Bodies bodies() const { return {boxes_, {}}; }

  private:
    struct Rock {
        float radius_m = 0.0F, down_m = 0.0F, across_m = 0.0F, height_m = 0.0F;
        float pace_m_s = 0.0F, drift_m_s = 0.0F, climb_m_s = 0.0F;
        float absent_s = 0.0F;
    };
    float unit() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random_); }
    void start(Rock& rock) {
        rock.down_m = 0.0F;
        rock.across_m = side_m_ * unit();
        rock.height_m = 0.5F * unit();
        rock.pace_m_s = 0.5F + 2.5F * unit();
        rock.drift_m_s = 0.0F;
        rock.climb_m_s = 0.0F;
        rock.absent_s = 0.0F;
    }
    void place() {
        for (std::size_t i = 0; i < rocks_.size(); ++i) {
            const Rock& rock = rocks_[i];
            // Down is +Z and -Y; the height is measured across the slope.
            const Eigen::Vector3f center_m(rock.across_m,
                                           -0.5F * rock.down_m + 0.866F * (rock.height_m + rock.radius_m),
                                           0.866F * rock.down_m + 0.5F * (rock.height_m + rock.radius_m));
            boxes_[i] = rock.absent_s > 0.0F ? Aabb{} : cube_for_all_rotations(center_m, rock.radius_m);
        }
    }

    float side_m_;
    std::mt19937 random_;
    std::vector<Rock> rocks_;
    std::vector<Aabb> boxes_;
};

}  // namespace glovebox::collision
