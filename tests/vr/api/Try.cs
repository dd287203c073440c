// Runs the C# binding against the library: sizes as marshalled, a scene, an error.
using System;
using System.Runtime.InteropServices;

static class Try {
    static void Expect(string what, int value, int wanted) {
        if (value != wanted) throw new Exception(what + " is " + value + ", should be " + wanted);
    }

    static void Main() {
        Expect("Joint", Marshal.SizeOf(typeof(Glovebox.Joint)), 36);
        Expect("Hand", Marshal.SizeOf(typeof(Glovebox.Hand)), 940);
        Expect("Options", Marshal.SizeOf(typeof(Glovebox.Options)), 16);
        Expect("StepReport", Marshal.SizeOf(typeof(Glovebox.StepReport)), 56);
        Expect("Contact", Marshal.SizeOf(typeof(Glovebox.Contact)), 64);
        Expect("Touch", Marshal.SizeOf(typeof(Glovebox.Touch)), 32);
        Expect("Event", Marshal.SizeOf(typeof(Glovebox.Event)), 88);
        Expect("Force", Marshal.SizeOf(typeof(Glovebox.Force)), 16);
        Expect("CurlLimit", Marshal.SizeOf(typeof(Glovebox.CurlLimit)), 20);
        Expect("Pose", Marshal.SizeOf(typeof(Glovebox.Pose)), 28);
        using (var session = new Glovebox.Session("held-ball")) {
            // A hand whose joints are all within a small volume at the centre of the first object.
            var home = session.ObjectPose(0);
            var middle = home.PositionM;
            var hand = new Glovebox.Hand();
            for (int i = 0; i < Glovebox.Hand.JointCount; ++i) {
                hand.Joints[i].PositionM = new Glovebox.Vector(middle.X + 0.01F * (i % 3), middle.Y + 0.004F * i, middle.Z);
                hand.Joints[i].Orientation = new Glovebox.Rotation(0, 0, 0, 1);
                hand.Joints[i].Flags = Glovebox.JointFlags.All;
            }
            for (int i = 0; i < 5; ++i) session.Step(null, hand, i / 90.0);
            if (session.Touches().Length == 0) throw new Exception("a hand in an object does not touch it");
            var pose = session.ObjectPose(0);
            pose.PositionM.Y += 5;
            session.SetObjectPose(0, pose);
            session.Step(null, hand, 5 / 90.0);
            if (session.ObjectPose(0).PositionM.Y != pose.PositionM.Y) throw new Exception("the object stays");
            session.SetObjectPose(0, home);
            session.Step(null, hand, 6 / 90.0);
            Console.WriteLine("touches " + session.ObjectName(session.Touches()[0].Object));
        }
        try {
            new Glovebox.Session("no-such-scene");
            throw new Exception("opened a scene that there is not");
        } catch (Glovebox.GloveboxException error) {
            Expect("result", (int)error.Result, (int)Glovebox.Result.CannotOpen);
        }
    }
}
