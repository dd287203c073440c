// Runs the C# binding against the library: sizes as marshalled, a scene, an error.
using System;
using System.Runtime.InteropServices;

static class Try {
    static void Expect(string what, int value, int wanted) {
        if (value != wanted) throw new Exception(what + " is " + value + ", should be " + wanted);
    }

    // A hand in the ball is pushed by a loop on another thread.
    static void TryForces(Glovebox.Session session, int ball) {
        var wrist = session.ObjectPose(ball);
        wrist.PositionM.Y += 0.03F;
        wrist.PositionM.Z += 0.1F;
        using (var loop = session.OpenForceLoop()) {
            Glovebox.Force[] left = new Glovebox.Force[6], right = new Glovebox.Force[6];
            double pushed = 0;
            for (int i = 0; i < 60; ++i) {
                wrist.PositionM.Y -= 0.001F;
                session.Step(null, Glovebox.Hand.Curled(Glovebox.Session.Right, wrist, new float[5]), 1 + i / 90.0);
                var thread = new System.Threading.Thread(() => {
                    for (int tick = 0; tick < 11; ++tick) loop.Render(i / 90.0 + 0.001 * tick, left, right);
                });
                thread.Start();
                thread.Join();
                foreach (var force in right) pushed += Math.Abs(force.ForceN.Y);
                foreach (var force in left) pushed += force.ForceN.Y != 0 ? 1e9 : 0;
            }
            if (!(pushed > 1 && pushed < 1e6)) throw new Exception("forces sum up to " + pushed + " N");
        }
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
        Expect("RayHit", Marshal.SizeOf(typeof(Glovebox.RayHit)), 40);
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
        using (var session = new Glovebox.Session("table-and-ball")) {
            int ball = session.ObjectIndex("ball");
            Expect("index of nothing", session.ObjectIndex("bowl"), -1);
            session.Step(null, null, 0);
            Expect("the ball's motion", (int)session.ObjectMotion(ball), (int)Glovebox.Motion.Dynamic);
            var start = session.ObjectPose(ball);
            using (var saved = session.Save()) {
                var high = start;
                high.PositionM.Y += 1;
                session.SetObjectPose(ball, high);
                session.SetObjectVelocity(ball, new Glovebox.Vector(0, 2, 0), new Glovebox.Vector());
                session.Step(null, null, 1 / 90.0);
                if (session.ObjectPose(ball).PositionM.Y <= high.PositionM.Y) throw new Exception("the ball does not fly");
                var down = new Glovebox.Vector(0, -1, 0);
                var above = new Glovebox.Vector(start.PositionM.X, start.PositionM.Y + 3, start.PositionM.Z);
                Expect("object under the ray", session.CastRay(above, down).Object, ball);
                Expect("object within 1 m", session.CastRay(above, down, 1).Object, -1);
                session.Restore(saved);
                if (session.ObjectPose(ball).PositionM.Y != start.PositionM.Y) throw new Exception("not restored");
                try {
                    session.FitHand(Glovebox.Session.Right, new[] { new Glovebox.Hand { Active = 0 } });
                    throw new Exception("fitted a hand that is not there");
                } catch (Glovebox.GloveboxException error) {
                    Expect("result", (int)error.Result, (int)Glovebox.Result.BadArgument);
                }
                var wrist = new Glovebox.Pose { Orientation = new Glovebox.Rotation(0, 0, 0, 1) };
                var hand = Glovebox.Hand.Curled(Glovebox.Session.Right, wrist, new float[] { 0, 1, 0, 0, 0 });
                if (hand.Joints[10].PositionM.Z < hand.Joints[15].PositionM.Z) throw new Exception("the finger is not bent");
                session.FitHand(Glovebox.Session.Right, new[] { hand, hand });
                TryForces(session, ball);
            }
        }
        new Glovebox.Session("held-ball", filterHz: 2, filterBeta: 20).Dispose();
        try {
            new Glovebox.Session("held-ball", filterHz: 2, filterBeta: -1);
            throw new Exception("opened a session with a filter that there is not");
        } catch (Glovebox.GloveboxException error) {
            if (!error.Message.Contains("filter_beta")) throw new Exception(error.Message);
        }
        try {
            new Glovebox.Session("no-such-Hände");
            throw new Exception("opened a scene that there is not");
        } catch (Glovebox.GloveboxException error) {
            Expect("result", (int)error.Result, (int)Glovebox.Result.CannotOpen);
            if (!error.Message.Contains("no-such-Hände")) throw new Exception(error.Message);
        }
    }
}
