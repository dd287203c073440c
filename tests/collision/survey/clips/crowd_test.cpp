#include "collision/survey/clips/crowd.h"

#include <gtest/gtest.h>

namespace glovebox::collision::clips {
namespace {

CrowdSettings small_crowd() {
    CrowdSettings settings;
    settings.agents = 40;
    settings.radius_m = 0.4;
    return settings;
}

TEST(Crowd, ThatBeginsApartStaysApart) {
    Crowd crowd(small_crowd(), *find_clip_method("mobb"));
    for (int i = 0; i < 30 * 20; ++i) {
        crowd.step();
        ASSERT_EQ(crowd.overlapping_pairs(), 0) << "at " << crowd.time_s() << " s";
    }
    EXPECT_EQ(crowd.forced(), 0);
    EXPECT_GT(crowd.choices(), 300);
    EXPECT_GT(crowd.counts().hits, 0) << "no one was ever in the way: this crowd tests nothing";
}

TEST(Crowd, WalksTheSameWhicheverMethodDecides) {
    std::vector<Crowd> crowds;
    for (const ClipMethod& method : clip_methods()) crowds.emplace_back(small_crowd(), method);
    for (int i = 0; i < 30 * 10; ++i)
        for (Crowd& crowd : crowds) crowd.step();
    for (const Crowd& crowd : crowds)
        for (std::size_t k = 0; k < crowd.agents().size(); ++k) {
            ASSERT_EQ(crowd.agents()[k].clip, crowds[0].agents()[k].clip);
            ASSERT_EQ(crowd.agents()[k].placed.offset_m, crowds[0].agents()[k].placed.offset_m);
        }
}

TEST(Crowd, TooDenseToAvoidAnyoneStillWalks) {
    CrowdSettings settings;  // the paper's settings: a hundred discs of 1.85 m on 1200 m^2
    Crowd crowd(settings, *find_clip_method("mobb"));
    const Eigen::Vector2d began_m = crowd.position_m(crowd.agents().front());
    for (int i = 0; i < 30 * 5; ++i) crowd.step();
    EXPECT_GT(crowd.forced(), 0);
    EXPECT_GT((crowd.position_m(crowd.agents().front()) - began_m).norm(), 0.5);
}

TEST(Crowd, StaysOnTheFloor) {
    Crowd crowd(small_crowd(), *find_clip_method("mobb"));
    for (int i = 0; i < 30 * 10; ++i) {
        crowd.step();
        for (const Crowd::Agent& agent : crowd.agents()) {
            const Eigen::Vector2d at_m = crowd.position_m(agent);
            ASSERT_TRUE(at_m.x() > -0.2 && at_m.x() < 30.2 && at_m.y() > -0.2 && at_m.y() < 40.2) << at_m.transpose();
        }
    }
}

}  // namespace
}  // namespace glovebox::collision::clips
