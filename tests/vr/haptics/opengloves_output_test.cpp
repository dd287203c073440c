// The keeper of an OpenGloves glove: what the glove is told, and what it is told when we are gone.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"
#include "vr/haptics/output.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using tracking::FingerForces;

// The glove's side of the port: what it was told, newest last.
class Glove {
  public:
    std::string port() const { return stream_.name(); }
    /// Waits until the newest line satisfies `wanted`. False after `within_ms`.
    bool told(auto wanted, int within_ms = 2000) {
        const std::int64_t until_ns = now_ns() + 1'000'000LL * within_ms;
        std::array<char, 512> buffer{};
        do {
            lines_.add(stream_.read(buffer.data(), buffer.size(), 10), [this](std::string_view line) {
                last_ = tracking::decode_opengloves_forces(line);
                ++count_;
            });
            if (last_ && wanted(*last_)) return true;
        } while (now_ns() < until_ns);
        return false;
    }
    int count() const { return count_; }

  private:
    tracking::ByteStream stream_ = tracking::ByteStream::make_pty();
    tracking::LineAssembler lines_;
    std::optional<FingerForces> last_;
    int count_ = 0;
};

const auto holds = [](const FingerForces& forces) { return forces[1] > 0.6F; };
const auto lets_go = [](const FingerForces& forces) { return forces == FingerForces{}; };

HapticCommand hold(float force) {
    HapticCommand command;
    command.side = tracking::Side::right;
    command.parts[1].force = force;
    return command;
}

std::unique_ptr<HapticOutput> open_at(const std::string& port) {
    OutputOptions options;
    options.port = port;
    return open_opengloves_output(options);
}

// A process of its own that holds a finger until it is ended.
template <typename Then>
pid_t holding_process(const std::string& port, Then then) {
    const pid_t child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    const auto output = open_at(port);
    output->send(hold(0.7F));
    for (;;) {
        output->beat(now_ns());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        then();
    }
}

TEST(OpenGlovesOutput, TellsTheGloveTheNewestForceAndLetsGoAtTheEnd) {
    Glove glove;
    auto output = open_at(glove.port());
    output->send(hold(0.7F));
    EXPECT_TRUE(glove.told(holds));
    HapticCommand other = hold(1.0F);
    other.side = tracking::Side::left;
    output->send(other);  // another hand's: not this glove's business
    output->send(hold(0.2F));
    EXPECT_TRUE(glove.told([](const FingerForces& f) { return f[1] > 0.19F && f[1] < 0.21F; }));
    output.reset();
    EXPECT_TRUE(glove.told(lets_go));
}

TEST(OpenGlovesOutput, AStopGoesThroughAtOnce) {
    Glove glove;
    const auto output = open_at(glove.port());
    output->send(hold(0.7F));
    ASSERT_TRUE(glove.told(holds));
    HapticCommand stop = hold(0.7F);
    stop.stop = true;
    const std::int64_t start_ns = now_ns();
    output->send(stop);
    EXPECT_TRUE(glove.told(lets_go));
    EXPECT_LT(now_ns() - start_ns, 500'000'000);
}

TEST(OpenGlovesOutput, AKilledProcessLeavesNoFingerHeld) {
    Glove glove;
    const pid_t child = holding_process(glove.port(), [] {});
    ASSERT_TRUE(glove.told(holds));
    kill(child, SIGKILL);
    EXPECT_TRUE(glove.told(lets_go)) << "the keeper outlives it";
    waitpid(child, nullptr, 0);
}

TEST(OpenGlovesOutput, AKilledProcessGroupLeavesNoFingerHeld) {
    Glove glove;
    const pid_t child = holding_process(glove.port(), [] {});
    ASSERT_TRUE(glove.told(holds));
    kill(-child, SIGKILL);
    EXPECT_TRUE(glove.told(lets_go)) << "the keeper is in a session of its own";
    waitpid(child, nullptr, 0);
}

TEST(OpenGlovesOutput, AStoppedProcessHoldsNoFingerAndGoesOnAfterwards) {
    Glove glove;
    const pid_t child = holding_process(glove.port(), [] {});
    ASSERT_TRUE(glove.told(holds));
    kill(child, SIGSTOP);
    EXPECT_TRUE(glove.told(lets_go)) << "silence is no leave to go on holding";
    kill(child, SIGCONT);
    EXPECT_TRUE(glove.told(holds)) << "awake again, it says again what it said";
    kill(child, SIGKILL);
    EXPECT_TRUE(glove.told(lets_go));
    waitpid(child, nullptr, 0);
}

TEST(OpenGlovesOutput, WithoutAPortOrAtOneThatIsNotThereItSaysSo) {
    EXPECT_THROW(open_opengloves_output({}), std::runtime_error);
    EXPECT_THROW(open_at("/dev/no_such_glove"), std::runtime_error);
}

TEST(HeadsetOutputs, OutsideOfASessionSayWhereTheyBelong) {
    for (const char* name : {"controller", "force-feedback"}) {
        const OutputRow* row = find_output(name);
        ASSERT_NE(row, nullptr);
        EXPECT_THROW(row->open({}), std::runtime_error);
    }
}

TEST(OutputSet, KeepsTheStrictestOfAllLimits) {
    const std::vector<std::string> names{"null", "log-radio"};
    OutputOptions options;
    options.file = std::filesystem::temp_directory_path() / "glovebox_output_set.csv";
    const OutputSet set = open_outputs(names, options);
    EXPECT_EQ(set.name, "null, log-radio");
    EXPECT_EQ(set.limits.commands_per_s, find_output("log-radio")->limits.commands_per_s);
    EXPECT_EQ(set.limits.watchdog_ns, find_output("null")->limits.watchdog_ns);
    EXPECT_THROW(open_outputs(std::vector<std::string>{"no such"}, options), std::runtime_error);
}

}  // namespace
}  // namespace glovebox::vr
