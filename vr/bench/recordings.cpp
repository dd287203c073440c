// Cost of recordings: the recorder in a session, an hour's log, and reading large files.
#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <thread>

#include "recordings/load.h"
#include "recordings/log/log_reader.h"
#include "recordings/log/log_writer.h"
#include "recordings/writer.h"
#include "tracking/forward_kinematics.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/haptics/loop.h"
#include "vr/platform/heap.h"
#include "vr/platform/platform.h"
#include "vr/platform/temporary_folder.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr std::int64_t kFrame_ns = 1'000'000'000 / 120;
constexpr int kBvhFrames = 4000;

// Returns sample i of two hands that open and close, at 120 Hz.
tracking::HandPair sample_at(std::int64_t i) {
    tracking::HandPair sample;
    sample.time_ns = kFrame_ns * i;
    tracking::HandAngles angles = tracking::resting_angles();
    for (tracking::FingerAngles& finger : angles.fingers) finger.pip_flex += 0.005F * static_cast<float>(i % 120);
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    for (const Side side : {Side::left, Side::right}) {
        pose.translation() =
            Eigen::Vector3f(side == Side::left ? -0.2F : 0.2F, 1.0F, -0.3F - 0.001F * static_cast<float>(i % 200));
        sample[side] = tracking::pose_from_angles(tracking::default_profile(), angles, pose, side);
        sample[side].source = tracking::Source::live;
        sample[side].times = {sample.time_ns, sample.time_ns, sample.time_ns};
    }
    return sample;
}

nlohmann::ordered_json row_of(const char* what, const DurationHistogram& histogram, std::int64_t dropped) {
    return {{"thread", what},
            {"records", histogram.count()},
            {"p50_us", histogram.percentile_us(0.5)},
            {"p99_us", histogram.percentile_us(0.99)},
            {"max_us", histogram.max_us()},
            {"dropped", dropped}};
}

// Runs in real time, as in a session, and measures what recording a sample costs the calling thread.
void measure_recorder(const TemporaryFolder& scratch, double seconds, BenchResult& result) {
    recordings::LogWriter log(scratch.path / "session.glove", {});
    DurationHistogram frames, forces;
    const std::int64_t start_ns = now_ns();
    const auto end_ns = start_ns + static_cast<std::int64_t>(1e9 * seconds);
    std::thread haptics([&] {
        for (std::int64_t due_ns = start_ns; due_ns < end_ns; due_ns += kTick_ns) {
            sleep_until_ns(due_ns);
            const std::int64_t before_ns = now_ns();
            for (const Side side : {Side::left, Side::right})
                log.force({due_ns - start_ns, side, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F}});
            forces.add(now_ns() - before_ns);
        }
    });
    for (std::int64_t i = 0; start_ns + kFrame_ns * i < end_ns; ++i) {
        const tracking::HandPair sample = sample_at(i);
        sleep_until_ns(start_ns + kFrame_ns * i);
        const std::int64_t before_ns = now_ns();
        log.sample(sample);
        frames.add(now_ns() - before_ns);
    }
    haptics.join();
    const std::int64_t dropped = log.status().dropped;
    log.close();
    result.rows.push_back(row_of("frame: two hands at 120 Hz", frames, dropped));
    result.rows.push_back(row_of("haptic: two hands at 1 kHz", forces, dropped));
    // The spread of a percentile is given by its neighbours on both sides.
    const auto tail = [](const DurationHistogram& histogram, const char* of) {
        return Measured{of, histogram.percentile_us(0.99), histogram.percentile_us(0.98),
                        histogram.percentile_us(0.995)};
    };
    result.claims.push_back(
        judge({"recording two hands at 120 Hz and forces at 1 kHz costs their threads under 2 us at p99",
               "this project's own aim", less_than(2, " us")},
              std::vector{tail(frames, "frames"), tail(forces, "forces")}));
    result.claims.push_back(judge({"records dropped by the recorder", "this project's own aim", exactly(0)},
                                  exact(static_cast<double>(dropped))));
}

void measure_log(const TemporaryFolder& scratch, double seconds, BenchResult& result) {
    const std::filesystem::path path = scratch.path / "hour.glove";
    const auto samples = static_cast<std::int64_t>(120.0 * seconds);
    {
        recordings::LogWriter log(path, {});
        for (std::int64_t i = 0; i < samples; ++i)
            while (!log.put(sample_at(i))) {
                log.flush_soon();
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
        log.close();
    }
    const std::int64_t before_ns = now_ns();
    recordings::LogReader reader(path);
    const std::int64_t last_ns = reader.duration_ns();
    const double open_ms = 1e-6 * static_cast<double>(now_ns() - before_ns);
    DurationHistogram seeks;
    std::mt19937_64 random(3);
    for (int i = 0; i < 500; ++i) {
        const auto at_ns = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last_ns));
        const std::int64_t from_ns = now_ns();
        const tracking::HandPair sample = reader.at(at_ns);
        seeks.add(now_ns() - from_ns);
        result.check_failed = result.check_failed || std::abs(sample.time_ns - at_ns) > kFrame_ns;
    }
    result.rows.push_back({{"log_s", seconds},
                           {"size_mb", 1e-6 * static_cast<double>(std::filesystem::file_size(path))},
                           {"open_ms", open_ms},
                           {"seek_p50_ms", 1e-3 * seeks.percentile_us(0.5)},
                           {"seek_max_ms", 1e-3 * seeks.max_us()}});
    result.claims.push_back(
        judge({"a long log seeks in under 10 ms", "this project's own aim, of an hour", less_than(10, " ms")},
              Measured{{}, 1e-3 * seeks.percentile_us(0.99), 1e-3 * seeks.percentile_us(0.5), 1e-3 * seeks.max_us()},
              text("p99, median and slowest of 500 seeks in %.0f s; opened in %.2f ms", seconds, open_ms)));
    std::filesystem::remove(path);
}

std::int64_t write_csv(const std::filesystem::path& path, std::string_view as, double megabytes) {
    // One second of frames, repeated with increasing times.
    std::vector<tracking::HandPair> second;
    for (std::int64_t i = 0; i < 120; ++i) second.push_back(sample_at(i));
    recordings::Output out(path);
    const auto rows = recordings::writer_table();
    const auto row = std::find_if(rows.begin(), rows.end(), [as](const auto& each) { return each.name == as; });
    const recordings::SampleWriter writer = row->writer(out);
    std::int64_t samples = 0;
    for (; static_cast<double>(out.size()) < 1e6 * megabytes; ++samples) {
        tracking::HandPair& sample = second[static_cast<std::size_t>(samples % 120)];
        sample.time_ns = kFrame_ns * samples;
        writer.write(sample);
    }
    writer.finish();
    out.commit();
    return samples;
}

// Returns the growth of the heap's maximum from the second to the last quarter of a file, in percent of half its size.
// Buffers settle in the first quarter; memory kept per sample shows in the last. NaN: heap use is not available.
double heap_growth_percent(const std::filesystem::path& path, std::int64_t samples, double size_mb) {
    constexpr std::int64_t kEvery = 8;
    std::array<std::int64_t, 4> most{};
    std::int64_t read = 0;
    recordings::stream(path, {}, [&](const tracking::HandPair&) {
        if (++read % kEvery != 0) return;
        std::int64_t& quarter = most[static_cast<std::size_t>(std::min<std::int64_t>(3, 4 * read / samples))];
        quarter = std::max(quarter, heap_bytes());
    });
    if (most[1] == 0) return std::numeric_limits<double>::quiet_NaN();
    return 100.0 * 1e-6 * static_cast<double>(most[3] - most[1]) / (0.5 * size_mb);
}

void measure_import(const TemporaryFolder& scratch, std::string_view as, double megabytes, BenchResult& result) {
    const std::filesystem::path path = scratch.path / "large.csv";
    const std::int64_t written = write_csv(path, as, megabytes);
    const double size_mb = 1e-6 * static_cast<double>(std::filesystem::file_size(path));
    constexpr int kRounds = 3;
    std::vector<double> mb_per_s, grew_percent;
    std::int64_t read = 0;
    for (int round = 0; round < kRounds; ++round) {
        read = 0;
        const std::int64_t before_ns = now_ns();
        recordings::stream(path, {}, [&read](const tracking::HandPair&) { ++read; });
        mb_per_s.push_back(size_mb / (1e-9 * static_cast<double>(now_ns() - before_ns)));
        result.check_failed = result.check_failed || read != written;
        grew_percent.push_back(heap_growth_percent(path, written, size_mb));
    }
    result.rows.push_back({{"import", as},
                           {"size_mb", size_mb},
                           {"samples", read},
                           {"seconds", size_mb / median(mb_per_s)},
                           {"mb_per_s", median(mb_per_s)},
                           {"heap_growth_percent", median(grew_percent)}});
    result.claims.push_back(judge({"a large CSV (" + std::string(as) + ") is read at 150 MB/s on one core",
                                   "this project's own aim, of 1 GB", at_least(150, " MB/s")},
                                  median_of(mb_per_s), text("%.0f MB", size_mb)));
    result.claims.push_back(
        judge({"memory does not grow with the file (" + std::string(as) +
                   "): what the heap holds more in the file's last quarter than in its second, of the half between",
               "this project's own aim", at_most(1, " %")},
              median_of(grew_percent)));
    std::filesystem::remove(path);
}

void measure_bvh(const TemporaryFolder& scratch, const BenchOptions& options, BenchResult& result) {
    std::filesystem::path path = scratch.path / "take.bvh";
    if (options.files.empty()) {
        recordings::Output out(path);
        const recordings::SampleWriter writer = recordings::bvh_writer(out, {true, true});
        for (std::int64_t i = 0; i < kBvhFrames; ++i) writer.write(sample_at(i));
        writer.finish();
        out.commit();
    } else {
        path = options.files.front();
    }
    std::vector<double> times_ms;
    std::size_t frames = 0;
    for (int round = 0; round < (options.quick ? 5 : 15); ++round) {
        const std::int64_t before_ns = now_ns();
        frames = recordings::load(path).samples.size();
        times_ms.push_back(1e-6 * static_cast<double>(now_ns() - before_ns));
    }
    result.rows.push_back({{"bvh", path.filename().string()},
                           {"frames", frames},
                           {"size_mb", 1e-6 * static_cast<double>(std::filesystem::file_size(path))},
                           {"median_ms", median(times_ms)},
                           {"max_ms", std::ranges::max(times_ms)}});
    result.claims.push_back(
        judge({"a BVH of 4000 frames is read in under 50 ms", "this project's own aim", less_than(50, " ms")},
              median_of(times_ms), std::to_string(frames) + " frames"));
}

}  // namespace

BenchResult bench_recordings(const BenchOptions& options) {
    BenchResult result;
    const TemporaryFolder scratch;
    measure_recorder(scratch, options.quick ? 1.0 : 20.0, result);
    measure_log(scratch, options.quick ? 5.0 : 3600.0, result);
    for (const std::string_view as : {"openxr-csv", "glovebox-csv"})
        measure_import(scratch, as, options.quick ? 8.0 : 1000.0, result);
    measure_bvh(scratch, options, result);
    return result;
}

}  // namespace glovebox::vr
