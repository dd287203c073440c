/* What a hand touches, in C: what README.md shows. */
#include <glovebox.h>
#include <stdio.h>

int main(void) {
    gb_session* session;
    gb_hand hand;
    gb_touch touches[16];
    float wrist_m[3] = {0.0F, 0.20F, 0.10F};
    int frame, i, count;

    if (gb_open("held-ball", NULL, &session) != GB_OK) return puts(gb_last_error());
    for (frame = 0; frame < 70; ++frame) {
        wrist_m[1] -= 0.002F; /* down, 2 mm a frame */
        gb_flat_hand(GB_RIGHT, wrist_m, &hand);
        gb_step(session, NULL, &hand, frame / 90.0, NULL); /* no left hand, no report */
    }
    gb_touches(session, touches, 16, &count);
    for (i = 0; i < count && i < 16; ++i)
        printf("part %d touches %s\n", touches[i].part, gb_object_name(session, touches[i].object));
    gb_close(session);
    return count > 0 ? 0 : 1;
}
