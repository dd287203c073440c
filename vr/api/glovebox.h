/* Glovebox for C and for whatever calls C: what a hand touches in a scene, frame by frame.
 *
 *     gb_session* session;
 *     if (gb_open("held-ball", NULL, &session) != GB_OK) puts(gb_last_error());
 *     gb_step(session, &left, &right, time_s, &report);      once a frame
 *     gb_contacts(session, contacts, 64, &count);            what the hands touch now
 *     gb_close(session);
 *
 * Units: metres, seconds, newtons, radians. Axes: right-handed, +Y up, -Z forward. Quaternions: x y z w, unit. All in
 * the scene's coordinates. A distance is signed: negative is how deep. A normal is unit, from the hand to the object.
 *
 * Errors: a function that can fail returns GB_OK or another gb_result and leaves its outputs as they were;
 * gb_last_error() says what, where and what to do. Nothing is thrown, nothing ends the process.
 *
 * Memory: after gb_open() no call asks for memory, except after gb_restart(). Arrays are the caller's: a query writes
 * at most `capacity` elements and tells in `count` how many there are.
 *
 * Threads: a session belongs to one thread at a time; several sessions may be used by several threads at once.
 * gb_last_error() is the calling thread's. Names and messages are the library's and live as long as is said.
 *
 * ABI: sizes of structs are fixed (in bytes at each) as long as GB_ABI is the same; gb_abi() is that of the library.
 * C89. The functions are those of libglovebox.so.0. */
#ifndef GLOVEBOX_H
#define GLOVEBOX_H

#if defined(_WIN32)
#ifdef GLOVEBOX_BUILDS_LIBRARY
#define GB_API __declspec(dllexport)
#else
#define GB_API __declspec(dllimport)
#endif
#else
#define GB_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#define GB_NOEXCEPT noexcept
#else
#define GB_NOEXCEPT
#endif

#define GB_ABI 1

/* A scene and its state. */
typedef struct gb_session gb_session;

/* Sizes of a hand: OpenXR joints, parts, bones. */
enum { GB_JOINT_COUNT = 26, GB_PART_COUNT = 6, GB_BONE_COUNT = 20 };

/* What a function returns. */
typedef enum gb_result {
    GB_OK = 0,
    GB_BAD_ARGUMENT = 1, /* a null pointer, an index out of range, time that goes back */
    GB_CANNOT_OPEN = 2,  /* no such scene, or a file that cannot be read */
    GB_NO_MEMORY = 3,
    GB_INTERNAL = 4 /* a fault of the library: please report it with the message */
} gb_result;

/* Hands. */
enum { GB_LEFT = 0, GB_RIGHT = 1 };

/* Parts of a hand: its fingers and the palm, which the metacarpals of the four fingers belong to. */
enum { GB_THUMB = 0, GB_INDEX = 1, GB_MIDDLE = 2, GB_RING = 3, GB_LITTLE = 4, GB_PALM = 5 };

/* What a joint's numbers are worth: values of XrSpaceLocationFlagBits. */
enum {
    GB_ORIENTATION_VALID = 1,
    GB_POSITION_VALID = 2,
    GB_ORIENTATION_TRACKED = 4,
    GB_POSITION_TRACKED = 8,
    GB_ALL_VALID = 15
};

/* One joint, 36 bytes. Its own axes: -Z along the bone to the tip, +Y out of the back of the hand. */
typedef struct gb_joint {
    float position_m[3];
    float orientation[4]; /* x y z w */
    float radius_m;       /* of the flesh round it; 0: not known, an adult's is taken */
    unsigned int flags;   /* GB_ALL_VALID, or what is valid */
} gb_joint;

/* One hand, 940 bytes. The joints are those of XR_EXT_hand_tracking in its order: palm, wrist, four of the thumb
 * (metacarpal, proximal, distal, tip), then five of each finger (metacarpal, proximal, intermediate, distal, tip). */
typedef struct gb_hand {
    int active; /* 0: there is no such hand in this frame, the joints are not read */
    gb_joint joints[26];
} gb_hand;

typedef struct gb_pose { /* 28 bytes */
    float position_m[3];
    float orientation[4];
} gb_pose;

/* 16 bytes. Zero is the default of every field. */
typedef struct gb_options {
    int forces;      /* not 0: gb_step() renders forces too, at 1 kHz of the steps' time */
    int reserved[3]; /* 0 */
} gb_options;

/* What one step did, 56 bytes. */
typedef struct gb_step_report {
    double time_s;
    int contacts, touches, events; /* how many the queries will give */
    int present[2];                /* by side: there was a hand to be used */
    int held[2];                   /* by side: its sample was broken, and an older pose stands for it */
    unsigned int state_hash[2];    /* low, high: equal input on equal builds has equal hashes */
    int pairs_tested;              /* (bone, object) pairs that came to the exact test */
    int pairs_touching;
    int reserved;
} gb_step_report;

/* Where one bone and one object are nearest, 64 bytes: of every pair within the scene's hover distance (20 mm). */
typedef struct gb_contact {
    int side;
    int bone; /* 0 palm, 1..3 thumb from the metacarpal, 4..7 index, ... 16..19 little */
    int part; /* GB_THUMB ... GB_PALM */
    int object;
    float distance_m; /* negative: penetrating, depth = -distance_m */
    float normal[3];
    float on_hand_m[3];
    float on_object_m[3]; /* on_object - on_hand = distance * normal */
    int touching;         /* not 0: this pair touches, by the scene's thresholds and dwell */
    int reserved;
} gb_contact;

/* A part of a hand that touches an object now, 32 bytes. */
typedef struct gb_touch {
    double since_s; /* when it began */
    int side;
    int part;
    int object;
    int bones;     /* how many of its bones touch */
    float depth_m; /* of the deepest of them */
    int reserved;
} gb_touch;

/* Kinds of gb_event. */
enum {
    GB_HOVER_BEGIN = 0,
    GB_HOVER_END = 1,
    GB_TOUCH_BEGIN = 2,
    GB_TOUCH_END = 3,
    GB_PINCH_BEGIN = 4, /* thumb and a fingertip meet; object is -1 */
    GB_PINCH_END = 5,
    GB_POKE_BEGIN = 6,
    GB_POKE_END = 7,
    GB_GRAB_BEGIN = 8,
    GB_GRAB_END = 9,
    GB_FLICK = 10
};

/* What began or ended in the last step, 88 bytes. */
typedef struct gb_event {
    double time_s;
    double duration_s; /* of ends: since the begin */
    int kind;
    int side;
    int part;
    int bone;   /* -1: of the hand as a whole */
    int object; /* -1: none */
    int lost;   /* not 0: ended because tracking was lost */
    float distance_m;
    float point_m[3];
    float normal[3];
    float relative_velocity_m_s[3]; /* of the bone against the object, at the point */
    float impulse_n_s;              /* that the hand gave the object there in this step */
    int reserved;
} gb_event;

/* What a part of the hand feels, 16 bytes. */
typedef struct gb_force {
    float force_n[3];  /* on the hand */
    float vibration_n; /* along the normal, signed: texture and impacts */
} gb_force;

/* How far a finger can close, 20 bytes. Curl is the mean share of the way its joints can bend: 0 straight, 1 a fist. */
typedef struct gb_curl_limit {
    int known;   /* 0: a joint is not valid or there is no hand, and nothing else is said */
    float now;   /* in this frame */
    float touch; /* at which the finger touches; below `now` where it is inside already; 1: it closes free */
    int bone;    /* that touches there; -1: none */
    int object;  /* likewise */
} gb_curl_limit;

/* Returns the GB_ABI that the library was built with. */
GB_API int gb_abi(void) GB_NOEXCEPT;

/* "0.1.0"; lives as long as the library. */
GB_API const char* gb_version(void) GB_NOEXCEPT;

/* Says why the last call of this thread that failed did: one line, "" before the first. Valid until the next failure.
 */
GB_API const char* gb_last_error(void) GB_NOEXCEPT;

/* Opens a scene: a built-in one by name ("held-ball"), or the path of a scene file (TOML) or of a mesh (OBJ, STL, PLY,
 * glTF). NULL or "": the first built-in one. `options` may be NULL. Reads files and builds trees: milliseconds to
 * seconds. Meshes are read in this process: of strangers' files see docs/explanation/security.md. */
GB_API gb_result gb_open(const char* scene, const gb_options* options, gb_session** session) GB_NOEXCEPT;

/* Ends a session. NULL is fine. */
GB_API void gb_close(gb_session* session) GB_NOEXCEPT;

/* Puts everything back to the start; time begins again with the next step. May ask for memory. */
GB_API gb_result gb_restart(gb_session* session) GB_NOEXCEPT;

/* Takes both hands at one time, a hand that is NULL as not active, and brings the scene there. `time_s` counts from any
 * start and never goes back; the same time again is a step of no length. Non-finite and jumping hands are held back
 * and told in the report. `report` may be NULL. Some microseconds to some hundred. */
GB_API gb_result gb_step(gb_session* session, const gb_hand* left, const gb_hand* right, double time_s,
                         gb_step_report* report) GB_NOEXCEPT;

/* Queries of the state after the last step. `out` may be NULL if `capacity` is 0. Contacts are sorted by side, object
 * and bone, touches by side, part and object; events are in the order in which they happened. */
GB_API gb_result gb_contacts(const gb_session* session, gb_contact* out, int capacity, int* count) GB_NOEXCEPT;
GB_API gb_result gb_touches(const gb_session* session, gb_touch* out, int capacity, int* count) GB_NOEXCEPT;
GB_API gb_result gb_events(const gb_session* session, gb_event* out, int capacity, int* count) GB_NOEXCEPT;

/* What the parts of a hand feel, thumb to little and palm, where the session was opened with forces (else an error).
 * The last tick of 1 ms up to the step's time. No device's limits are applied: that is the caller's governor. */
GB_API gb_result gb_forces(const gb_session* session, int side, gb_force out[6]) GB_NOEXCEPT;

/* How far each finger, thumb first, can close before it touches: for gloves that limit motion. Computed by the call:
 * some 20 exact queries a finger that is near an object. */
GB_API gb_result gb_curl_limits(const gb_session* session, int side, gb_curl_limit out[5]) GB_NOEXCEPT;

/* Objects of the scene, by index as contacts have it. The name lives as long as the session; NULL: no such object. */
GB_API int gb_object_count(const gb_session* session) GB_NOEXCEPT;
GB_API const char* gb_object_name(const gb_session* session, int object) GB_NOEXCEPT;
GB_API gb_result gb_object_pose(const gb_session* session, int object, gb_pose* out) GB_NOEXCEPT;

/* Fills a flat hand of an adult, all joints valid, fingers along -Z, palm down, the wrist where it is told: to try
 * things without a tracker. */
GB_API gb_result gb_flat_hand(int side, const float wrist_m[3], gb_hand* out) GB_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
