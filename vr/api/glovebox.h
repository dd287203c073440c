/* Glovebox's C interface, which reports the touches of tracked hands in a scene, frame by frame. For C and for
 * languages that can call C functions.
 *
 *     gb_session* session;
 *     if (gb_open("held-ball", NULL, &session) != GB_OK) puts(gb_last_error());
 *     gb_step(session, &left, &right, time_s, &report);      once a frame
 *     gb_contacts(session, contacts, 64, &count);            what the hands touch now
 *     gb_close(session);
 *
 * Units: metres, seconds, newtons, radians. Axes: right-handed, +Y up, -Z forward. Quaternions: x y z w, unit length.
 * All positions, orientations and vectors are in the scene's world frame. Distances are signed: a negative distance is
 * a penetration. Normals have unit length and point from the hand to the object.
 *
 * Errors: functions that can fail return GB_OK or another gb_result. After a failure their outputs are unchanged, and
 * gb_last_error() returns a message. No function throws or ends the process.
 *
 * Memory: after gb_open(), only gb_restart(), gb_fit_hand(), gb_save(), gb_restore() and gb_open_force_loop() allocate
 * memory. The caller owns the arrays. A query writes at most `capacity` elements and stores in `count` the number of
 * elements that exist.
 *
 * Threads: a session may be used by one thread at a time; different sessions may be used by different threads at once.
 * A force loop may be used by one other thread at the same time.
 * gb_last_error() is per thread. The library owns the strings that it returns; each function states their lifetime.
 *
 * ABI: struct sizes (given in bytes at each) are fixed for one value of GB_ABI; gb_abi() returns the library's value.
 * The header is C89. The functions are those of libglovebox.so.0. */
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

/* A scene and its state. Opaque; see gb_open(). */
typedef struct gb_session gb_session;

/* The state of a session at one time. Opaque; see gb_save(). */
typedef struct gb_state gb_state;

/* Renders the forces of a session on a thread of your own. Opaque; see gb_open_force_loop(). */
typedef struct gb_force_loop gb_force_loop;

/* How many OpenXR joints, parts and bones a hand has. */
enum { GB_JOINT_COUNT = 26, GB_PART_COUNT = 6, GB_BONE_COUNT = 20 };

/* Result of a function that can fail. */
typedef enum gb_result {
    GB_OK = 0,
    GB_BAD_ARGUMENT = 1, /* a null pointer, an index out of range, decreasing time */
    GB_CANNOT_OPEN = 2,  /* no such scene, or a file that cannot be read */
    GB_NO_MEMORY = 3,
    GB_INTERNAL = 4 /* a bug in the library: please report it with the message */
} gb_result;

/* Sides. */
enum { GB_LEFT = 0, GB_RIGHT = 1 };

/* Parts of a hand, which are its fingers and the palm. The metacarpals of the four fingers belong to the palm. */
enum { GB_THUMB = 0, GB_INDEX = 1, GB_MIDDLE = 2, GB_RING = 3, GB_LITTLE = 4, GB_PALM = 5 };

/* Flags of a joint, with the values of XrSpaceLocationFlagBits. */
enum {
    GB_ORIENTATION_VALID = 1,
    GB_POSITION_VALID = 2,
    GB_ORIENTATION_TRACKED = 4,
    GB_POSITION_TRACKED = 8,
    GB_ALL_VALID = 15
};

/* One joint, 36 bytes. Its axes: -Z along the bone towards the fingertip, +Y out of the back of the hand. */
typedef struct gb_joint {
    float position_m[3];
    float orientation[4]; /* x y z w */
    float radius_m;       /* distance from the joint to the skin; if 0 (not known), see gb_fit_hand() */
    unsigned int flags;   /* GB_ALL_VALID, or the flags that apply; see gb_step() */
} gb_joint;

/* One hand, 940 bytes. The joints are in the order of XR_EXT_hand_tracking. Palm and wrist come first, then four joints
 * of the thumb (metacarpal, proximal, distal, tip), then five of each finger (metacarpal, proximal, intermediate,
 * distal, tip). */
typedef struct gb_hand {
    int active; /* 0: this hand is not tracked in this frame, and its joints are not read */
    gb_joint joints[26];
} gb_hand;

/* A pose in the scene's world frame, 28 bytes. */
typedef struct gb_pose {
    float position_m[3];
    float orientation[4];
} gb_pose;

/* Options of gb_open(), 16 bytes. Zero is the default of every field. */
typedef struct gb_options {
    int forces;    /* not 0: gb_step() also renders forces, one tick per 1 ms of step time */
    int simulated; /* not 0: no tracker makes the hands, so they may stay still; see gb_step() */
    /* not 0: smooths the hands with the One-Euro filter. This is its cutoff at rest in Hz, such as 1: with a lower one,
     * hands tremble less, but slow motion lags more. At most 1000. */
    float filter_hz;
    float filter_beta; /* with filter_hz: increase of the cutoff in Hz for each m/s, at most 1e6; 0: 50 */
} gb_options;

/* Result of one step, 56 bytes. */
typedef struct gb_step_report {
    double time_s;
    int contacts, touches, events; /* numbers of elements that the queries return */
    int present[2];                /* by side: the step used a hand */
    int held[2];                   /* by side: the sample was invalid, and an older pose was used instead */
    unsigned int state_hash[2];    /* low and high word; the same input to the same build gives the same hashes */
    int pairs_tested;              /* (bone, object) pairs that reached the exact test */
    int pairs_touching;
    int reserved;
} gb_step_report;

/* Closest points of one bone and one object, 64 bytes. There is one for each pair within the scene's hover distance
 * (20 mm by default). */
typedef struct gb_contact {
    int side;
    int bone; /* 0 palm, 1..3 thumb from the metacarpal, 4..7 index, ... 16..19 little */
    int part; /* GB_THUMB ... GB_PALM */
    int object;
    float distance_m; /* negative: penetrating, depth = -distance_m */
    float normal[3];
    float on_hand_m[3];
    float on_object_m[3]; /* on_object - on_hand = distance * normal */
    int touching;         /* not 0: this pair touches, according to the scene's thresholds and dwell time */
    int reserved;
} gb_contact;

/* A part of a hand that is touching an object, 32 bytes. */
typedef struct gb_touch {
    double since_s; /* time at which the touch began */
    int side;
    int part;
    int object;
    int bones;     /* number of the part's bones that touch */
    float depth_m; /* largest penetration of the part's bones; 0 if none penetrates */
    int reserved;
} gb_touch;

/* How an object moves: not, or as gb_set_object_pose() says; by its weight, hands and other objects; as a recording. */
enum { GB_FIXED = 0, GB_DYNAMIC = 1, GB_RECORDED = 2 };

/* Kinds of gb_event. */
enum {
    GB_HOVER_BEGIN = 0,
    GB_HOVER_END = 1,
    GB_TOUCH_BEGIN = 2,
    GB_TOUCH_END = 3,
    GB_PINCH_BEGIN = 4, /* the thumb and a fingertip meet; object is -1 */
    GB_PINCH_END = 5,
    GB_POKE_BEGIN = 6,
    GB_POKE_END = 7,
    GB_GRAB_BEGIN = 8,
    GB_GRAB_END = 9,
    GB_FLICK = 10
};

/* An event of the last step, such as the begin or end of a touch, 88 bytes. */
typedef struct gb_event {
    double time_s;
    double duration_s; /* for an end event, the time since the begin event; otherwise 0 */
    int kind;
    int side;
    int part;
    int bone;         /* -1: the event concerns the whole hand */
    int object;       /* -1: none */
    int lost;         /* not 0: ended because tracking was lost */
    float distance_m; /* 1e9: the object is out of reach, and point, normal and velocity are 0 */
    float point_m[3];
    float normal[3];
    float relative_velocity_m_s[3]; /* of the bone relative to the object, at the point; 0 for a pinch or a grab */
    float impulse_n_s;              /* given to a dynamic object there in this step; for a flick, in the whole touch */
    int reserved;
} gb_event;

/* Force on one part of a hand, 16 bytes. */
typedef struct gb_force {
    float force_n[3];  /* on the hand */
    float vibration_n; /* along the normal, signed: texture and impacts */
} gb_force;

/* The first object that a ray hits, 40 bytes. */
typedef struct gb_ray_hit {
    int object;   /* -1: the ray hits nothing, and the other fields have no meaning */
    int triangle; /* index in the object's mesh; -1: it has none, or the ray starts inside */
    float distance_m;
    float point_m[3];
    float normal[3]; /* out of the surface, on the side that the ray comes from */
    int reserved;
} gb_ray_hit;

/* How far a finger can close, 20 bytes. Curl is the mean flexion of the finger's joints as a fraction of their range:
 * 0 straight, 1 a fist. */
typedef struct gb_curl_limit {
    int known;   /* 0: a joint is not valid or there is no hand, and the other fields have no meaning */
    float now;   /* curl in this frame */
    float touch; /* curl at which the finger touches: at most `now` if it penetrates already, 1 if it closes freely */
    int bone;    /* the bone that touches there; -1: none */
    int object;  /* the object that it touches; -1: none */
} gb_curl_limit;

/* Returns the GB_ABI that the library was built with. */
GB_API int gb_abi(void) GB_NOEXCEPT;

/* Returns the library's version, such as "0.1.0". The string is static. */
GB_API const char* gb_version(void) GB_NOEXCEPT;

/* Returns the message of this thread's last failed call, one line; "" if none has failed. Valid until the next failure.
 */
GB_API const char* gb_last_error(void) GB_NOEXCEPT;

/* Opens a scene. `scene` is the name of a built-in scene ("held-ball"), or the path of a scene file (TOML) or of a mesh
 * (OBJ, STL, PLY, glTF), in UTF-8. NULL or "" opens the first built-in scene. Hands are in the scene's coordinates:
 * what the scene says about the placement of recordings has no effect. `options` may be NULL. Reads files and builds
 * bounding-box trees, which takes milliseconds to seconds. On success the caller must gb_close() `*session`. Meshes are
 * parsed in this process; for untrusted files see docs/explanation/security.md. */
GB_API gb_result gb_open(const char* scene, const gb_options* options, gb_session** session) GB_NOEXCEPT;

/* Ends a session and frees it. NULL is allowed. */
GB_API void gb_close(gb_session* session) GB_NOEXCEPT;

/* Resets the session to its start, but keeps the sizes of the hands; the next step may have any time. Allocates memory.
 */
GB_API gb_result gb_restart(gb_session* session) GB_NOEXCEPT;

/* Saves the whole state of a session, and goes back to it, for resets and rollbacks. After gb_restore(), time goes on
 * from the saved step, and the same hands give the same state hashes as after gb_save(). The state may be restored any
 * number of times, also in another session with the same scene and options; in others, the result is GB_BAD_ARGUMENT.
 * On success the caller must gb_free_state() `*state`. Both allocate memory. */
GB_API gb_result gb_save(const gb_session* session, gb_state** state) GB_NOEXCEPT;
GB_API gb_result gb_restore(gb_session* session, const gb_state* state) GB_NOEXCEPT;

/* Frees a state. NULL is allowed. A state may outlive its session. */
GB_API void gb_free_state(gb_state* state) GB_NOEXCEPT;

/* Sets the size of a hand from `count` samples, from the next step on. Joints whose radius is 0 get radii that fit this
 * hand's bones; before the call, an adult's. `glovebox replay` does the same with all samples of a recording. For live
 * hands, call it once with the first second of samples. Fails if no sample has an active hand with a valid finger.
 * Allocates memory. */
GB_API gb_result gb_fit_hand(gb_session* session, int side, const gb_hand* samples, int count) GB_NOEXCEPT;

/* Advances the scene to `time_s` with both hands at that time; NULL means not active. `time_s` counts from any origin,
 * must be less than 9e6 s in magnitude and must not decrease; an equal time is a step of zero length. The recorded
 * motions of objects begin with the first step.
 *
 * A hand is replaced by an older pose for at most 0.1 s if its values are not finite, if it jumps, or if all its values
 * are the same for more than 0.1 s, as those of a tracker that hangs (unless the session was opened with `simulated`).
 * The report's `held` is then not 0. If it lasts longer, the hand is not present.
 *
 * Values of a joint that its flags do not mark as valid are not read. A bone without the positions of both its joints
 * is absent. Orientations that are not valid are computed from the positions, so a tracker needs none. Drop samples
 * that arrive late: a step at an older time is refused, and changes nothing. A frame without a new sample of a hand may
 * repeat the last one for 0.1 s. `report` may be NULL. Takes a few to a few hundred microseconds. */
GB_API gb_result gb_step(gb_session* session, const gb_hand* left, const gb_hand* right, double time_s,
                         gb_step_report* report) GB_NOEXCEPT;

/* These three functions write the state after the last step to `out`, which may be NULL if `capacity` is 0. Contacts
 * are sorted by side, object and bone; touches by side, part and object; events are in chronological order. */
GB_API gb_result gb_contacts(const gb_session* session, gb_contact* out, int capacity, int* count) GB_NOEXCEPT;
GB_API gb_result gb_touches(const gb_session* session, gb_touch* out, int capacity, int* count) GB_NOEXCEPT;
GB_API gb_result gb_events(const gb_session* session, gb_event* out, int capacity, int* count) GB_NOEXCEPT;

/* Writes the forces on the parts of a hand, thumb to little finger and palm, as of the last 1 ms tick before the step's
 * time. Fails unless the session was opened with `forces`. No device limits are applied; the caller must apply them. */
GB_API gb_result gb_forces(const gb_session* session, int side, gb_force out[6]) GB_NOEXCEPT;

/* Computes how far each finger, thumb first, can close before it touches, for gloves that limit motion. Runs about 20
 * exact queries for each finger that is near an object. */
GB_API gb_result gb_curl_limits(const gb_session* session, int side, gb_curl_limit out[5]) GB_NOEXCEPT;

/* These three functions query the objects of the scene by index, as in `gb_contact`. A name lives as long as the
 * session; it is NULL if there is no such object. For a null session the number of objects is 0. */
GB_API int gb_object_count(const gb_session* session) GB_NOEXCEPT;
GB_API const char* gb_object_name(const gb_session* session, int object) GB_NOEXCEPT;
GB_API gb_result gb_object_pose(const gb_session* session, int object, gb_pose* out) GB_NOEXCEPT;

/* Returns how an object moves: GB_FIXED, GB_DYNAMIC or GB_RECORDED; -1 if there is no such object. */
GB_API int gb_object_motion(const gb_session* session, int object) GB_NOEXCEPT;

/* Sets the pose of an object. gb_restart() puts the object back.
 *
 * A fixed object has the pose from the next step on, for applications that move their objects themselves. Call it
 * before each step, with the pose at the time of that step. Its velocity is the difference of its poses over the step.
 * It is at rest in the first step, without a new pose, and after a jump of more than 0.25 m or 1 rad. If a hand grabs
 * it, there are events, but it moves only as you say.
 *
 * A dynamic object has the pose at once, at rest, and moves on from there in the next step. The jump gives no impulse.
 * A hand that holds the object lets go. An object that the scene returns to its start when it is idle returns to this
 * pose. A jointed object goes to the nearest pose that its joint allows.
 *
 * An object with a recorded motion cannot be set: then the result is GB_BAD_ARGUMENT, as for a pose that is not finite
 * or whose quaternion is not of unit length. */
GB_API gb_result gb_set_object_pose(gb_session* session, int object, const gb_pose* world_from_object) GB_NOEXCEPT;

/* Sets the velocity of a dynamic object: of the centre of its shape's box, and about it. NULL means 0. A jointed object
 * gets the part that its joint allows. Fails for objects that are not dynamic and for values that are not finite or
 * above 1000. gb_set_object_pose() sets the velocity to 0, so call it first. */
GB_API gb_result gb_set_object_velocity(gb_session* session, int object, const float linear_m_s[3],
                                        const float angular_rad_s[3]) GB_NOEXCEPT;

/* Finds the first object that a ray hits within `length_m`, which may be infinite. `direction` need not have unit
 * length. Objects are where gb_object_pose() says; hands are not hit. A ray that starts in an object hits it at
 * distance 0. If nothing is hit, the result is GB_OK, and `out->object` is -1. */
GB_API gb_result gb_cast_ray(const gb_session* session, const float from_m[3], const float direction[3], float length_m,
                             gb_ray_hit* out) GB_NOEXCEPT;

/* Fills in an adult's flat hand with all joints valid, fingers along -Z and palm down, the wrist at `wrist_m`. For
 * tests and examples without a tracker. */
GB_API gb_result gb_flat_hand(int side, const float wrist_m[3], gb_hand* out) GB_NOEXCEPT;

/* The same with the wrist at a pose and with bent fingers, for simulations and for gloves that measure curl. `curls`
 * has a curl for each finger, thumb first: every joint bends by this fraction of its range, 0 straight, 1 a fist. Fails
 * if a value is not finite or above 10, or if the quaternion is not of unit length. */
GB_API gb_result gb_curled_hand(int side, const gb_pose* world_from_wrist, const float curls[5],
                                gb_hand* out) GB_NOEXCEPT;

/* Opens a force loop, for a force device that needs a command every millisecond. From the next step on, gb_step()
 * passes the surfaces near the hands to the loop. Needs no options; gb_forces() is not affected. A session has one
 * loop: a second one replaces the first, whose forces fade to 0. On success the caller must gb_close_force_loop()
 * `*loop`, before or after the session. Allocates memory. */
GB_API gb_result gb_open_force_loop(gb_session* session, gb_force_loop** loop) GB_NOEXCEPT;

/* Closes a force loop. NULL is allowed. */
GB_API void gb_close_force_loop(gb_force_loop* loop) GB_NOEXCEPT;

/* Writes the forces on the parts of both hands, as gb_forces() does; `left` and `right` may be NULL. Call it about
 * every millisecond. It may run on another thread than the session's functions, at the same time, and neither waits for
 * the other. `time_s` is on any clock of the calling thread, less than 9e6 s in magnitude; the same time as in the
 * last call gives the same forces, and a clock that goes back begins again, 1 ms after the last call. The hands follow
 * the newest step within the time between two steps. If steps stop for 60 ms, the forces fade to 0 within 30 ms; after
 * gb_restart() and gb_restore() they are 0 until the next step. After any such pause, a part that is inside an object
 * feels it only once it has been outside. No device limits are applied; the caller must apply them. Takes 5 to 100
 * microseconds, and more near fine meshes. */
GB_API gb_result gb_render_forces(gb_force_loop* loop, double time_s, gb_force left[6], gb_force right[6]) GB_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
