// A many-body workload: hundreds to ten thousand rocks tumbling down a slope.
//
// Rocks hop down a plane of 30 degrees on parabolas; each tends towards its own speed. A rock that reaches the foot
// disappears and reappears at the top a while later. push() takes the pairs of a broad phase and pushes touching rocks
// apart. Without push(), rocks pass through each other, which is enough for measurements. A rock is a ball, bounded by
// the cube that contains it in any rotation.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "collision/broad_phase/broad_phase.h"

namespace glovebox::collision {

class RockSlope {
  public:
    /// Sine and cosine of the slope's angle to the floor.
    static constexpr float kSine = 0.5F, kCosine = 0.8660254F;

    /// Makes a square slope with about half a square metre per rock.
    RockSlope(int rocks, unsigned seed)
        : side_m_(std::sqrt(0.5F * static_cast<float>(rocks))), random_(seed), rocks_(static_cast<std::size_t>(rocks)) {
        for (Rock& rock : rocks_) {
            rock.radius_m = 0.12F * std::exp(0.5F * (2.0F * unit() - 1.0F));
            start(rock);
            rock.at_m.z() = side_m_ * unit();
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
            rock.at_m += dt_s * rock.velocity_m_s;
            roll(rock, dt_s);
            rock.velocity_m_s.y() -= 8.5F * dt_s;  // gravity across a slope of 30 degrees
            rock.velocity_m_s.z() += kReturn * (rock.pace_m_s - rock.velocity_m_s.z()) * dt_s;
            if (rock.at_m.y() < rock.radius_m) {
                rock.at_m.y() = rock.radius_m;
                rock.velocity_m_s.y() = 1.5F * unit();
                rock.velocity_m_s.x() = 0.6F * (unit() - 0.5F);
            }
            // Banks at both sides keep the rocks in.
            if (rock.at_m.x() < rock.radius_m) rock.velocity_m_s.x() = std::abs(rock.velocity_m_s.x());
            if (rock.at_m.x() > side_m_ - rock.radius_m) rock.velocity_m_s.x() = -std::abs(rock.velocity_m_s.x());
            if (rock.at_m.z() > side_m_) rock.absent_s = 0.05F + 0.3F * unit();
        }
        place();
    }

    /// True if the balls of two rocks touch, not only their boxes.
    bool touch(BodyPair pair) const {
        const Rock &a = rock(pair.a), &b = rock(pair.b);
        const float reach_m = a.radius_m + b.radius_m;
        return (b.at_m - a.at_m).squaredNorm() <= reach_m * reach_m;
    }

    /// Separates touching rocks and makes them bounce, pair by pair in the given order. The same pairs in the same
    /// order give the same motion. Returns the number of touching pairs.
    int push(std::span<const BodyPair> pairs) {
        int meetings = 0;
        for (const BodyPair pair : pairs) {
            if (!touch(pair)) continue;
            ++meetings;
            Rock &a = rocks_[static_cast<std::size_t>(pair.a)], &b = rocks_[static_cast<std::size_t>(pair.b)];
            const Eigen::Vector3f between_m = b.at_m - a.at_m;
            const float gap_m = between_m.norm();
            const Eigen::Vector3f normal =
                gap_m > 1e-6F ? Eigen::Vector3f(between_m / gap_m) : Eigen::Vector3f(Eigen::Vector3f::UnitX());
            const float mass_a = std::pow(a.radius_m, 3.0F), mass_b = std::pow(b.radius_m, 3.0F);
            const float share_a = mass_b / (mass_a + mass_b), share_b = 1.0F - share_a;
            const float deep_m = a.radius_m + b.radius_m - gap_m;
            a.at_m -= share_a * deep_m * normal;
            b.at_m += share_b * deep_m * normal;
            const float closing_m_s = (a.velocity_m_s - b.velocity_m_s).dot(normal);
            if (closing_m_s > 0.0F) {
                const float change_m_s = (1.0F + kBounce) * closing_m_s;
                a.velocity_m_s -= share_a * change_m_s * normal;
                b.velocity_m_s += share_b * change_m_s * normal;
            }
            a.at_m.y() = std::max(a.at_m.y(), a.radius_m);
            b.at_m.y() = std::max(b.at_m.y(), b.radius_m);
        }
        return meetings;
    }

    float side_m() const { return side_m_; }
    Bodies bodies() const { return {boxes_, {}}; }

    /// The state of one rock in the world frame. The top edge of the slope is at the origin; +X is across the slope,
    /// and +Z and -Y point down it.
    struct View {
        Eigen::Vector3f center_m;
        float radius_m;
        Eigen::Quaternionf turn;
        bool present;
    };
    View view(std::size_t i) const {
        const Rock& rock = rocks_[i];
        return {center_m(rock), rock.radius_m, rock.turn, rock.absent_s <= 0.0F};
    }

  private:
    static constexpr float kReturn = 1.5F;  // rate at which a rock returns to its own speed, 1/s
    static constexpr float kBounce = 0.35F;

    struct Rock {
        float radius_m = 0.0F;
        Eigen::Vector3f at_m = Eigen::Vector3f::Zero();  // components: across the slope, out of it, down it
        Eigen::Vector3f velocity_m_s = Eigen::Vector3f::Zero();
        Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
        float pace_m_s = 0.0F;
        float absent_s = 0.0F;
    };
    const Rock& rock(std::int32_t i) const { return rocks_[static_cast<std::size_t>(i)]; }
    float unit() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random_); }

    void start(Rock& rock) {
        rock.at_m = {side_m_ * unit(), rock.radius_m + 0.5F * unit(), 0.0F};
        rock.pace_m_s = 0.5F + 2.5F * unit();
        rock.velocity_m_s = {0.0F, 0.0F, rock.pace_m_s};
        rock.absent_s = 0.0F;
    }

    // Rotates a rock as if it rolled on the slope without slipping, also in the air.
    static void roll(Rock& rock, float dt_s) {
        const Eigen::Vector3f turn_rad =
            Eigen::Vector3f(rock.velocity_m_s.z(), 0.0F, -rock.velocity_m_s.x()) * (0.5F * dt_s / rock.radius_m);
        rock.turn = (Eigen::Quaternionf(1.0F, turn_rad.x(), turn_rad.y(), turn_rad.z()) * rock.turn).normalized();
    }

    static Eigen::Vector3f center_m(const Rock& rock) {
        return {rock.at_m.x(), -kSine * rock.at_m.z() + kCosine * rock.at_m.y(),
                kCosine * rock.at_m.z() + kSine * rock.at_m.y()};
    }

    void place() {
        for (std::size_t i = 0; i < rocks_.size(); ++i)
            boxes_[i] =
                rocks_[i].absent_s > 0.0F ? Aabb{} : cube_for_all_rotations(center_m(rocks_[i]), rocks_[i].radius_m);
    }

    float side_m_;
    std::mt19937 random_;
    std::vector<Rock> rocks_;
    std::vector<Aabb> boxes_;
};

}  // namespace glovebox::collision
