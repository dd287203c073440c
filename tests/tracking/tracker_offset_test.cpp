#include "tracking/tracker_offset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace glovebox::tracking {
namespace {

using Eigen::AngleAxisf;
using Eigen::Isometry3f;
using Eigen::Vector3f;

// A waving hand that rotates about two axes and never repeats a pose.
Isometry3f wrist_at(float t, bool one_axis) {
    Isometry3f pose = Isometry3f::Identity();
    pose.translate(Vector3f(0.2F * std::sin(0.9F * t), 1.1F + 0.15F * std::sin(1.7F * t), -0.3F * std::cos(0.6F * t)));
    pose.rotate(AngleAxisf(1.1F * std::sin(1.3F * t + 0.2F * std::sin(3.1F * t)), Vector3f::UnitY()));
    if (!one_axis) pose.rotate(AngleAxisf(0.8F * std::sin(2.1F * t + 0.5F), Vector3f::UnitX()));
    return pose;
}

Isometry3f true_offset() {
    Isometry3f offset = Isometry3f::Identity();
    offset.translate(Vector3f(0.012F, -0.041F, 0.085F));
    offset.rotate(AngleAxisf(1.9F, Vector3f(0.3F, -0.8F, 0.5F).normalized()));
    return offset;
}

Isometry3f another_world() {
    Isometry3f world = Isometry3f::Identity();
    world.translate(Vector3f(3.0F, -0.5F, 7.0F));
    world.rotate(AngleAxisf(2.2F, Vector3f(0.1F, 1.0F, 0.2F).normalized()));
    return world;
}

struct Made {
    RigidTrack wrist, tracker;
};

// Tracker poses are 1.7 ms apart from the wrist's, `lag_s` late, and noisy.
Made make(double lag_s, float noise_m, bool one_axis = false) {
    Made made;
    std::mt19937 random(5);
    const auto noise = [&] { return noise_m * (static_cast<float>(random() % 2001) / 1000.0F - 1.0F); };
    for (int i = 0; i < 1000; ++i) {
        const double t = 0.01 * i;
        made.wrist.time_ns.push_back(std::llround(1e9 * t));
        made.wrist.world_from_object.push_back(wrist_at(static_cast<float>(t), one_axis));
        made.tracker.time_ns.push_back(std::llround(1e9 * t));
        Isometry3f tracker =
            another_world() * wrist_at(static_cast<float>(t - lag_s), one_axis) * true_offset().inverse();
        tracker.translation() += Vector3f(noise(), noise(), noise());
        made.tracker.world_from_object.push_back(tracker);
    }
    return made;
}

TEST(TrackerOffset, IsFoundWhateverTheWorldAndTheLag) {
    for (const double lag_s : {0.0, 0.08, -0.05}) {
        const Made made = make(lag_s, 0.0005F);
        const auto found = fit_tracker_offset(made.wrist, made.tracker);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->lag_s, lag_s, 0.011) << "to a step of the grid";
        const Isometry3f off = found->tracker_from_wrist.inverse() * true_offset();
        EXPECT_LT(off.translation().norm(), 0.003F) << "lag " << lag_s;
        EXPECT_LT(AngleAxisf(off.rotation()).angle(), 0.01F);
        EXPECT_LT(found->residual_m, 0.006F);
    }
}

TEST(TrackerOffset, IsNotToldByAHandThatTurnsAboutOneAxisOrHardlyAtAll) {
    const Made one = make(0.0, 0.0F, true);
    EXPECT_FALSE(fit_tracker_offset(one.wrist, one.tracker));
    Made still = make(0.0, 0.0F);
    for (auto* track : {&still.wrist, &still.tracker})
        for (auto& pose : track->world_from_object) pose = track->world_from_object.front();
    EXPECT_FALSE(fit_tracker_offset(still.wrist, still.tracker));
    EXPECT_FALSE(fit_tracker_offset({}, still.tracker));
}

}  // namespace
}  // namespace glovebox::tracking
