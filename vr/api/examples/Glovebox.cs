// Glovebox in C#, for Unity and for .NET: the structs and functions of glovebox.h, and a session that closes itself.
//
// Put libglovebox.so (glovebox.dll) where the program finds it: in Unity, Assets/Plugins. No `unsafe` is needed.
//
//     using (var session = new Glovebox.Session("held-ball")) {
//         session.Step(null, right, Time.timeAsDouble);
//         foreach (var touch in session.Touches()) Debug.Log(session.ObjectName(touch.Object));
//     }
//
// Unity's axes are left-handed with +Z forward: ToUnity() and FromUnity() turn positions and orientations.
// In a frame that must not collect garbage use the arrays that the query methods fill.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Glovebox {

public enum Result { Ok = 0, BadArgument = 1, CannotOpen = 2, NoMemory = 3, Internal = 4 }

[Flags]
public enum JointFlags : uint {
    OrientationValid = 1,
    PositionValid = 2,
    OrientationTracked = 4,
    PositionTracked = 8,
    All = 15
}

/// <summary>How an object moves; None: there is no such object.</summary>
public enum Motion { None = -1, Fixed = 0, Dynamic = 1, Recorded = 2 }

public enum EventKind {
    HoverBegin, HoverEnd, TouchBegin, TouchEnd, PinchBegin, PinchEnd, PokeBegin, PokeEnd, GrabBegin, GrabEnd, Flick
}

/// <summary>Three floats, metres or newtons; the memory of UnityEngine.Vector3.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Vector {
    public float X, Y, Z;
    public Vector(float x, float y, float z) { X = x; Y = y; Z = z; }
    public Vector ToUnity() { return new Vector(X, Y, -Z); }
    public static Vector FromUnity(float x, float y, float z) { return new Vector(x, y, -z); }
}

/// <summary>x y z w, unit; the memory of UnityEngine.Quaternion.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Rotation {
    public float X, Y, Z, W;
    public Rotation(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }
    public Rotation ToUnity() { return new Rotation(-X, -Y, Z, W); }
    public static Rotation FromUnity(float x, float y, float z, float w) { return new Rotation(-x, -y, z, w); }
}

[StructLayout(LayoutKind.Sequential)]
public struct Joint {
    public Vector PositionM;
    public Rotation Orientation;
    public float RadiusM;
    public JointFlags Flags;
}

[StructLayout(LayoutKind.Sequential)]
public class Hand {
    public const int JointCount = 26;
    public int Active = 1;
    [MarshalAs(UnmanagedType.ByValArray, SizeConst = JointCount)]
    public Joint[] Joints = new Joint[JointCount];

    /// <summary>An adult's hand with bent fingers, thumb first: 0 straight, 1 a fist.</summary>
    public static Hand Curled(int side, Pose worldFromWrist, float[] fiveCurls) {
        if (fiveCurls.Length != 5) throw new ArgumentException("five curls, thumb first");
        var hand = new Hand();
        Session.Check(Native.gb_curled_hand(side, ref worldFromWrist, fiveCurls, hand));
        return hand;
    }
}

[StructLayout(LayoutKind.Sequential)]
public struct Pose {
    public Vector PositionM;
    public Rotation Orientation;
}

[StructLayout(LayoutKind.Sequential)]
public struct StepReport {
    public double TimeS;
    public int Contacts, Touches, Events;
    public int LeftPresent, RightPresent, LeftHeld, RightHeld;
    public uint StateHashLow, StateHashHigh;
    public int PairsTested, PairsTouching;
    int reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct Contact {
    public int Side, Bone, Part, Object;
    public float DistanceM;
    public Vector Normal, OnHandM, OnObjectM;
    public int Touching;
    int reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct Touch {
    public double SinceS;
    public int Side, Part, Object, Bones;
    public float DepthM;
    int reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct Event {
    public double TimeS, DurationS;
    public EventKind Kind;
    public int Side, Part, Bone, Object, Lost;
    public float DistanceM;
    public Vector PointM, Normal, RelativeVelocityMS;
    public float ImpulseNS;
    int reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct Force {
    public Vector ForceN;
    public float VibrationN;
}

[StructLayout(LayoutKind.Sequential)]
public struct RayHit {
    public int Object, Triangle; /* Object is -1 if the ray hits nothing */
    public float DistanceM;
    public Vector PointM, Normal;
    int reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct CurlLimit {
    public int Known;
    public float Now, Touch;
    public int Bone, Object;
}

[StructLayout(LayoutKind.Sequential)]
public struct Options {
    public int Forces, Simulated;
    public float FilterHz, FilterBeta;
}

public class GloveboxException : Exception {
    public readonly Result Result;
    public GloveboxException(Result result, string message) : base(message) { Result = result; }
}

/// <summary>A scene and what hands do in it. One thread at a time.</summary>
public sealed class Session : IDisposable {
    public const int Left = 0, Right = 1, PartCount = 6;
    IntPtr session;

    /// <summary>filterHz: not 0 smooths the hands; see gb_options in glovebox.h.</summary>
    public Session(string scene, bool forces = false, bool simulated = false, float filterHz = 0, float filterBeta = 0) {
        if (Native.gb_abi() != Native.Abi) throw new GloveboxException(Result.Internal, "libglovebox has another ABI");
        var options = new Options { Forces = forces ? 1 : 0, Simulated = simulated ? 1 : 0, FilterHz = filterHz,
                                    FilterBeta = filterBeta };
        Check(Native.gb_open(Text.ToUtf8(scene), ref options, out session));
    }

    public StepReport Step(Hand left, Hand right, double timeS) {
        StepReport report;
        Check(Native.gb_step(session, left, right, timeS, out report));
        return report;
    }
    public void Restart() { Check(Native.gb_restart(session)); }

    /// <summary>Saves the whole state, for resets and rollbacks.</summary>
    public State Save() {
        IntPtr state;
        Check(Native.gb_save(session, out state));
        return new State(state);
    }
    /// <summary>Goes back to a saved state, also of another session with the same scene and options.</summary>
    public void Restore(State state) { Check(Native.gb_restore(session, state.Pointer)); }

    /// <summary>Sets the size of a hand whose radii are 0 from some samples, such as the first second.</summary>
    public void FitHand(int side, Hand[] samples) {
        int size = Marshal.SizeOf(typeof(Hand));
        IntPtr copies = Marshal.AllocHGlobal(Math.Max(1, samples.Length) * size);
        try {
            for (int i = 0; i < samples.Length; ++i)
                Marshal.StructureToPtr(samples[i], new IntPtr(copies.ToInt64() + (long)i * size), false);
            Check(Native.gb_fit_hand(session, side, copies, samples.Length));
        } finally {
            Marshal.FreeHGlobal(copies);
        }
    }

    /// <summary>Fills what fits and returns how many there are.</summary>
    public int Contacts(Contact[] into) {
        int count;
        Check(Native.gb_contacts(session, into, into.Length, out count));
        return count;
    }
    public int Touches(Touch[] into) {
        int count;
        Check(Native.gb_touches(session, into, into.Length, out count));
        return count;
    }
    public int Events(Event[] into) {
        int count;
        Check(Native.gb_events(session, into, into.Length, out count));
        return count;
    }
    public Touch[] Touches() {
        var all = new Touch[Touches(new Touch[0])];
        Touches(all);
        return all;
    }
    public void Forces(int side, Force[] sixParts) {
        if (sixParts.Length != PartCount) throw new ArgumentException("six parts: thumb to little, palm");
        Check(Native.gb_forces(session, side, sixParts));
    }

    /// <summary>Opens a loop that renders forces every millisecond, on a thread of your own.</summary>
    public ForceLoop OpenForceLoop() {
        IntPtr loop;
        Check(Native.gb_open_force_loop(session, out loop));
        return new ForceLoop(loop);
    }

    public void CurlLimits(int side, CurlLimit[] fiveFingers) {
        if (fiveFingers.Length != 5) throw new ArgumentException("five fingers, thumb first");
        Check(Native.gb_curl_limits(session, side, fiveFingers));
    }

    public int ObjectCount { get { return Native.gb_object_count(session); } }
    /// <summary>Returns null if there is no such object.</summary>
    public string ObjectName(int index) { return Text.FromUtf8(Native.gb_object_name(session, index)); }
    /// <summary>Returns the index of an object, or -1 if none has this name.</summary>
    public int ObjectIndex(string name) {
        for (int i = 0; i < ObjectCount; ++i)
            if (ObjectName(i) == name) return i;
        return -1;
    }
    public Motion ObjectMotion(int index) { return Native.gb_object_motion(session, index); }
    public Pose ObjectPose(int index) {
        Pose pose;
        Check(Native.gb_object_pose(session, index, out pose));
        return pose;
    }

    /// <summary>Sets the pose of a fixed object from the next step on, or of a dynamic object at once, at rest.</summary>
    public void SetObjectPose(int index, Pose worldFromObject) {
        Check(Native.gb_set_object_pose(session, index, ref worldFromObject));
    }
    /// <summary>Sets the velocity of a dynamic object.</summary>
    public void SetObjectVelocity(int index, Vector linearMS, Vector angularRadS) {
        Check(Native.gb_set_object_velocity(session, index, ref linearMS, ref angularRadS));
    }

    /// <summary>Finds the first object that a ray hits; RayHit.Object is -1 if there is none.</summary>
    public RayHit CastRay(Vector originM, Vector direction, float lengthM = float.PositiveInfinity) {
        RayHit hit;
        Check(Native.gb_cast_ray(session, ref originM, ref direction, lengthM, out hit));
        return hit;
    }

    public void Dispose() {
        Native.gb_close(session);
        session = IntPtr.Zero;
        GC.SuppressFinalize(this);
    }
    ~Session() { Native.gb_close(session); }

    internal static void Check(Result result) {
        if (result != Result.Ok)
            throw new GloveboxException(result, Text.FromUtf8(Native.gb_last_error()));
    }
}

/// <summary>The state of a session at one time; see Session.Save().</summary>
public sealed class State : IDisposable {
    internal IntPtr Pointer;
    internal State(IntPtr pointer) { Pointer = pointer; }
    public void Dispose() {
        Native.gb_free_state(Pointer);
        Pointer = IntPtr.Zero;
        GC.SuppressFinalize(this);
    }
    ~State() { Native.gb_free_state(Pointer); }
}

/// <summary>Renders the forces of a session. One thread, which need not be the session's.</summary>
public sealed class ForceLoop : IDisposable {
    IntPtr loop;
    internal ForceLoop(IntPtr pointer) { loop = pointer; }

    /// <summary>Call it about every millisecond. `timeS` is on any clock of this thread. No garbage.</summary>
    public void Render(double timeS, Force[] leftSixParts, Force[] rightSixParts) {
        if (leftSixParts.Length != Session.PartCount || rightSixParts.Length != Session.PartCount)
            throw new ArgumentException("six parts: thumb to little, palm");
        Session.Check(Native.gb_render_forces(loop, timeS, leftSixParts, rightSixParts));
    }

    public void Dispose() {
        Native.gb_close_force_loop(loop);
        loop = IntPtr.Zero;
        GC.SuppressFinalize(this);
    }
    ~ForceLoop() { Native.gb_close_force_loop(loop); }
}

/// <summary>The library's text is UTF-8 on every system.</summary>
static class Text {
    public static byte[] ToUtf8(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }
    public static string FromUtf8(IntPtr text) {
        if (text == IntPtr.Zero) return null;
        int length = 0;
        while (Marshal.ReadByte(text, length) != 0) ++length;
        var bytes = new byte[length];
        Marshal.Copy(text, bytes, 0, length);
        return Encoding.UTF8.GetString(bytes);
    }
}

static class Native {
    public const int Abi = 1;
    const string Library = "glovebox";
    const CallingConvention C = CallingConvention.Cdecl;

    [DllImport(Library, CallingConvention = C)] public static extern int gb_abi();
    [DllImport(Library, CallingConvention = C)] public static extern IntPtr gb_last_error();
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_open(byte[] scene, ref Options options, out IntPtr session);
    [DllImport(Library, CallingConvention = C)] public static extern void gb_close(IntPtr session);
    [DllImport(Library, CallingConvention = C)] public static extern Result gb_restart(IntPtr session);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_save(IntPtr session, out IntPtr state);
    [DllImport(Library, CallingConvention = C)] public static extern Result gb_restore(IntPtr session, IntPtr state);
    [DllImport(Library, CallingConvention = C)] public static extern void gb_free_state(IntPtr state);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_fit_hand(IntPtr session, int side, IntPtr samples, int count);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_step(IntPtr session, [In] Hand left, [In] Hand right, double timeS,
                                        out StepReport report);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_contacts(IntPtr session, [Out] Contact[] into, int capacity, out int count);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_touches(IntPtr session, [Out] Touch[] into, int capacity, out int count);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_events(IntPtr session, [Out] Event[] into, int capacity, out int count);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_forces(IntPtr session, int side, [Out] Force[] parts);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_open_force_loop(IntPtr session, out IntPtr loop);
    [DllImport(Library, CallingConvention = C)] public static extern void gb_close_force_loop(IntPtr loop);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_render_forces(IntPtr loop, double timeS, [Out] Force[] left, [Out] Force[] right);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_curl_limits(IntPtr session, int side, [Out] CurlLimit[] fingers);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_curled_hand(int side, ref Pose worldFromWrist, float[] curls, [In, Out] Hand hand);
    [DllImport(Library, CallingConvention = C)] public static extern int gb_object_count(IntPtr session);
    [DllImport(Library, CallingConvention = C)] public static extern IntPtr gb_object_name(IntPtr session, int index);
    [DllImport(Library, CallingConvention = C)] public static extern Motion gb_object_motion(IntPtr session, int index);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_object_pose(IntPtr session, int index, out Pose pose);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_set_object_pose(IntPtr session, int index, ref Pose worldFromObject);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_set_object_velocity(IntPtr session, int index, ref Vector linearMS,
                                                       ref Vector angularRadS);
    [DllImport(Library, CallingConvention = C)]
    public static extern Result gb_cast_ray(IntPtr session, ref Vector originM, ref Vector direction, float lengthM,
                                            out RayHit hit);
}
}
