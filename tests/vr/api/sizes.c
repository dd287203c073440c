/* Sizes, offsets and enumerators as bindings in other languages have them: a change is a new GB_ABI. */
#include <glovebox.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int faults = 0;

static void expect(const char* what, size_t is, size_t should_be) {
    if (is == should_be) return;
    printf("%s is %lu, should be %lu\n", what, (unsigned long)is, (unsigned long)should_be);
    ++faults;
}

#define SIZE(type, bytes) expect("sizeof(" #type ")", sizeof(type), bytes)
#define OFFSET(type, member, bytes) expect(#type "." #member, offsetof(type, member), bytes)

int main(void) {
    SIZE(int, 4);
    SIZE(float, 4);
    SIZE(double, 8);
    SIZE(gb_result, 4);
    SIZE(gb_joint, 36);
    OFFSET(gb_joint, orientation, 12);
    OFFSET(gb_joint, radius_m, 28);
    OFFSET(gb_joint, flags, 32);
    SIZE(gb_hand, 940);
    OFFSET(gb_hand, joints, 4);
    SIZE(gb_pose, 28);
    SIZE(gb_options, 16);
    OFFSET(gb_options, simulated, 4);
    OFFSET(gb_options, filter_beta, 12);
    SIZE(gb_step_report, 56);
    OFFSET(gb_step_report, present, 20);
    OFFSET(gb_step_report, state_hash, 36);
    OFFSET(gb_step_report, pairs_touching, 48);
    SIZE(gb_contact, 64);
    OFFSET(gb_contact, distance_m, 16);
    OFFSET(gb_contact, on_object_m, 44);
    OFFSET(gb_contact, touching, 56);
    SIZE(gb_touch, 32);
    OFFSET(gb_touch, depth_m, 24);
    SIZE(gb_event, 88);
    OFFSET(gb_event, distance_m, 40);
    OFFSET(gb_event, impulse_n_s, 80);
    SIZE(gb_force, 16);
    SIZE(gb_curl_limit, 20);
    SIZE(gb_ray_hit, 40);
    OFFSET(gb_ray_hit, normal, 24);
    expect("GB_PALM", GB_PALM, 5);
    expect("GB_FLICK", GB_FLICK, 10);
    expect("GB_INTERNAL", GB_INTERNAL, 4);
    expect("gb_abi()", (size_t)gb_abi(), GB_ABI);
    if (strlen(gb_version()) < 5) expect("strlen(gb_version())", strlen(gb_version()), 5);
    return faults == 0 ? 0 : 1;
}
