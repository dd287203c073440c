// After gb_open() no call of the C interface allocates memory: operator new and malloc are counted.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/count_allocations.h"
#include "tests/vr/api/hands.h"

// C libraries call malloc() directly; a sanitizer brings its own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
    ++allocations;
    return __libc_malloc(size);
}
#endif

namespace glovebox::vr {
namespace {

TEST(CInterface, AsksForNoMemoryAfterSetUp) {
    int set = 0, hit = 0;
    for (const char* scene : {"held-ball", "table-and-ball", "cup-to-grasp"}) {
        gb_options options = {};
        options.forces = 1;
        options.filter_hz = std::string_view(scene) == "held-ball" ? 5.0F : 0.0F;
        gb_session* session = nullptr;
        ASSERT_EQ(gb_open(scene, &options, &session), GB_OK) << gb_last_error();
        gb_force_loop* loop = nullptr;
        ASSERT_EQ(gb_open_force_loop(session, &loop), GB_OK) << gb_last_error();
        const std::int64_t before = allocations;
        ASSERT_GT(before, 0);
        gb_contact contacts[64];
        gb_touch touches[32];
        gb_event events[64];
        gb_force forces[6];
        gb_curl_limit limits[5];
        gb_step_report report;
        int most_contacts = 0, count = 0;
        std::int64_t first = -1;
        bool dynamic[64] = {};
        for (int object = 0; object < gb_object_count(session); ++object)
            dynamic[object] = gb_set_object_velocity(session, object, nullptr, nullptr) == GB_OK;
        for (int i = 0; i < 200; ++i) {
            const gb_hand hand = hand_coming_down(i < 100 ? i : 200 - i);
            // The fixed objects, such as the table under a ball, move up and down; the others are thrown sometimes.
            for (int object = 0; i >= 40 && object < gb_object_count(session); ++object) {
                if (dynamic[object] && i % 30 != 0) continue;
                gb_pose pose;
                gb_object_pose(session, object, &pose);
                pose.position_m[1] += i % 2 == 0 ? 0.001F : -0.001F;
                set += gb_set_object_pose(session, object, &pose) == GB_OK ? 1 : 0;
                const float up_m_s[3] = {0.0F, 1.0F, 0.0F}, from_m[3] = {0.01F, 2.0F, 0.01F},
                            down[3] = {0.0F, -1.0F, 0.0F};
                gb_set_object_velocity(session, object, up_m_s, nullptr);
                gb_ray_hit ray;
                hit += gb_cast_ray(session, from_m, down, 9.0F, &ray) == GB_OK && ray.object >= 0 ? 1 : 0;
            }
            gb_step(session, i % 50 == 0 ? nullptr : &hand, &hand, i / 90.0, &report);
            gb_contacts(session, contacts, 64, &count);
            most_contacts = std::max(most_contacts, count);
            gb_touches(session, touches, 32, &count);
            gb_events(session, events, 64, &count);
            gb_forces(session, GB_RIGHT, forces);
            for (int tick = 0; tick < 11; ++tick) gb_render_forces(loop, i / 90.0 + 0.001 * tick, nullptr, forces);
            gb_curl_limits(session, GB_RIGHT, limits);
            gb_step(session, nullptr, nullptr, 0.0, nullptr);  // refused: errors must not allocate either
            if (first < 0 && allocations != before) first = i;
        }
        EXPECT_EQ(allocations, before) << scene << ", first in frame " << first;
        EXPECT_GT(most_contacts, 0) << scene;
        gb_close_force_loop(loop);
        gb_close(session);
    }
    EXPECT_GT(set, 400);
    EXPECT_GT(hit, 100);
}

}  // namespace
}  // namespace glovebox::vr
