// `glovebox clips`: searches recordings by touch. index: builds their indices; find: when a hand was near an object or
// the other hand; clash: whether two recordings would collide if they were played together.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "recordings/load.h"
#include "recordings/parse.h"
#include "scenes/hand_body.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/unit_option.h"
#include "vr/clips/take_search.h"
#include "vr/platform/parallel.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"
#include "vr/session/open_recording.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kLengths = {Unit{"mm", 1e-3}, Unit{"cm", 1e-2}, Unit{"dm", 1e-1}, Unit{"m", 1.0}};
constexpr std::array kTimes = {Unit{"ms", 1e-3}, Unit{"s", 1.0}};

/// "5mm" -> 0.005. Nothing for what is no finite number with one of these units; only 0 needs none.
std::optional<double> quantity(const std::string& text, std::span<const Unit> units) {
    double value = 0.0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || !std::isfinite(value)) return {};
    const std::string_view unit(end, last);
    if (unit.empty() && value == 0.0) return value;
    for (const Unit& known : units)
        if (known.name == unit) return value * known.factor;
    return {};
}

std::string check_within(const std::string& text) {
    const auto reach_m = quantity(text, kLengths);
    if (reach_m && *reach_m >= 0.0 && *reach_m <= 1.0) return {};
    return text + " is not a length with its unit (mm, cm, dm, m), from 0 to 1 m, such as 5mm";
}

std::string check_offset(const std::string& text) {
    const auto offset_s = quantity(text, kTimes);
    if (offset_s && std::abs(*offset_s) <= 1e9) return {};
    return text + " is not a time with its unit (ms, s), such as 2s or -250ms";
}

std::string check_bone(const std::string& name) {
    try {
        bones_named(name);
        return {};
    } catch (const std::exception& error) {
        return std::string(error.what()).substr(std::string_view("--bone ").size());  // CLI11 adds it, too
    }
}

struct Arguments {
    std::vector<std::string> logs;
    std::set<std::string> found;  // those of the logs that were found in a folder
    std::string scene, near, bone = "all", hand = "both", unit = "auto";
    std::string within = "5mm", offset = "0s";
    bool hand_hand = false, check = false, force = false;
    std::filesystem::path report;
};

scenes::Scene scene_of(const Arguments& arguments, const std::string& log) {
    scenes::Scene scene = scene_of_replay(arguments.scene, log).scene;
    load_tracks(scene, scene.recording_axes);
    return scene;
}

// Replaces each folder by the recordings in it and below. Indices of the others are left out: `takes/*` matches them,
// too, once they exist.
void look_into_folders(Arguments& arguments) {
    const std::vector<std::string> given = std::exchange(arguments.logs, {});
    const std::vector<std::string> all = files_in(given);
    std::set<std::string> indices;
    for (const std::string& log : all) indices.insert(index_path(log).string());
    for (const std::string& log : all) {
        if (indices.contains(log)) continue;
        if (std::ranges::find(given, log) == given.end()) {
            if (recording_format(log).empty()) {
                print_skipped(log + ": not a recording");
                continue;
            }
            arguments.found.insert(log);
        }
        arguments.logs.push_back(log);
    }
    if (arguments.logs.empty()) throw std::runtime_error("no recordings in " + given.front());
}

// Does the work for a recording. One that was found in a folder is skipped if it cannot be read; returns false then.
template <class Work>
bool attempt_found(const Arguments& arguments, const std::string& log, const Work& work) {
    if (!arguments.found.contains(log)) {
        work();
        return true;
    }
    try {
        work();
        return true;
    } catch (const std::runtime_error& error) {
        print_skipped(error.what());
        return false;
    }
}

float within_m(const Arguments& arguments) {
    return static_cast<float>(quantity(arguments.within, kLengths).value());
}

std::string bone_name(int bone) {
    return scenes::hand_body().bone_names[static_cast<std::size_t>(bone)];
}

void print_rebuilt(const std::string& because, const TakeIndex& index) {
    if (because.empty()) return;
    std::fprintf(stderr, "glovebox: %s; indexed again (%s)\n", tracking::printable(because).c_str(),
                 recordings::counted(index.frame_count(), "frame").c_str());
}

TakeIndex open_take(const std::string& log, const recordings::ImportOptions& options) {
    // A bundled recording is not a file, so it has no index beside it.
    if (find_bundled(log) != nullptr) return TakeIndex::build(open_recording(log));
    if (!std::filesystem::exists(log)) open_recording(log);  // throws with a list of names
    std::string rebuilt_because;
    TakeIndex index = TakeIndex::open_or_make(log, options, rebuilt_because);
    print_rebuilt(rebuilt_because, index);
    return index;
}

/// Most of an index is checked as it is read: what turns out to be damaged during a search is made again, too, and the
/// search begins again.
template <class Search>
void search_sound(std::span<const std::string> logs, const recordings::ImportOptions& options,
                  std::span<TakeIndex> takes, const Search& search) {
    for (std::size_t tries = 0;; ++tries) {
        try {
            for (const TakeIndex& take : takes) take.times_ns();
            return search();
        } catch (const IndexError& error) {
            if (tries == takes.size()) throw;
            for (std::size_t i = 0; i < takes.size(); ++i) {
                if (index_path(logs[i]) != error.path) continue;
                std::string rebuilt_because;
                takes[i] = TakeIndex::make_again(logs[i], options, error, rebuilt_because);
                print_rebuilt(rebuilt_because, takes[i]);
            }
        }
    }
}

/// Searches recordings on all cores. Rethrows at the end the exception of the first recording whose search failed.
template <class Search>
void for_each_take(std::size_t count, const Search& search) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> failed(count);
    const auto threads = std::max(1U, std::thread::hardware_concurrency());
    parallel_for(std::min<std::size_t>(count, threads), static_cast<int>(threads), [&](std::size_t, std::size_t) {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                search(i);
            } catch (...) {
                failed[i] = std::current_exception();
            }
        }
    });
    for (const std::exception_ptr& error : failed)
        if (error) std::rethrow_exception(error);
}

nlohmann::ordered_json report_of(const char* question, const nlohmann::ordered_json& rows, double search_s) {
    return {{"question", question},
            {"rows", rows},
            {"search_ms", 1e3 * search_s},
            {"machine", machine_json()},
            {"version", kVersion}};
}

void index_log(const std::string& log, const recordings::ImportOptions& options) {
    const std::int64_t start_ns = now_ns();
    const bool is_bundled = find_bundled(log) != nullptr;
    const TakeIndex index = TakeIndex::build(open_recording(log, options), is_bundled ? "" : log, options);
    if (!is_bundled) index.save(index_path(log));
    std::printf("%s: %s, %.1f s, %s; %.1f MB, made in %.2f s%s\n",
                tracking::printable(is_bundled ? log : index_path(log).string()).c_str(),
                recordings::counted(index.frame_count(), "frame").c_str(), index.duration_s(),
                index.has(Side::left) && index.has(Side::right) ? "both hands"
                : index.has(Side::left)                         ? "left hand"
                : index.has(Side::right)                        ? "right hand"
                                                                : "no hands",
                1e-6 * static_cast<double>(index.size_bytes()), 1e-9 * static_cast<double>(now_ns() - start_ns),
                is_bundled ? "; not kept, for a bundled recording is no file" : "");
}

// A LOG that cannot be read does not prevent the others from being indexed. The scene is that of the first readable
// one, as in a search of the others.
int index_logs(const Arguments& arguments) {
    const auto options_of = [&arguments](const std::string& log) {
        return import_options(scene_of(arguments, log), unit_in_metres(arguments.unit));
    };
    std::optional<recordings::ImportOptions> options;
    if (!arguments.scene.empty()) options = options_of(arguments.logs.front());
    Outputs indices;
    for (const std::string& log : arguments.logs)
        indices.attempt([&] {
            attempt_found(arguments, log, [&] {
                const recordings::ImportOptions of_this = options ? *options : options_of(log);
                index_log(log, of_this);
                options = of_this;
            });
        });
    return indices.failed ? kExitCouldNotRun : kExitFine;
}

nlohmann::ordered_json row_of(const std::string& log, const TakeIndex& take, const Meeting& meeting,
                              const std::string& other) {
    return {{"take", log},
            {"hand", tracking::name_of(meeting.side)},
            {"bone", bone_name(meeting.bone)},
            {"other", other},
            {"from_s", take.time_s(meeting.first)},
            {"to_s", take.time_s(meeting.last)},
            {"nearest_s", take.time_s(meeting.nearest_frame)},
            {"distance_mm", 1e3 * static_cast<double>(meeting.distance_m)},
            {"first_frame", meeting.first},
            {"last_frame", meeting.last},
            {"frame", meeting.nearest_frame}};
}

// Returns the time for viewing a frame with `replay --at`, which shows the latest frame begun: rounded up as printed.
double show_at_s(const TakeIndex& take, int frame) {
    return 1e-3 * std::ceil(1e3 * take.time_s(frame) - 1e-6);
}

int find(const Arguments& arguments) {
    const scenes::Scene scene = scene_of(arguments, arguments.logs.front());
    const recordings::ImportOptions options = import_options(scene, unit_in_metres(arguments.unit));
    NearQuestion question;
    question.scene = &scene;
    question.within_m = within_m(arguments);
    question.hands = {arguments.hand != "right", arguments.hand != "left"};
    question.bones = bones_named(arguments.bone);
    if (!arguments.hand_hand) question.objects = {find_object(scene, arguments.near)};

    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    std::vector<TakeIndex> takes;
    std::vector<std::string> logs;
    for (const std::string& log : arguments.logs)
        if (attempt_found(arguments, log, [&] { takes.push_back(open_take(log, options)); })) logs.push_back(log);
    std::vector<std::vector<Meeting>> found(takes.size());
    std::atomic<std::int64_t> frames_posed = 0;
    const std::int64_t start_ns = now_ns();
    for_each_take(takes.size(), [&](std::size_t i) {
        collision::clips::TouchCounts counts;
        search_sound(std::span(logs).subspan(i, 1), options, std::span(takes).subspan(i, 1), [&] {
            found[i] = arguments.hand_hand ? find_hand_meetings(takes[i], question.within_m, question.bones, counts)
                                           : find_meetings(takes[i], question, counts);
        });
        frames_posed += counts.frames_posed;
    });
    const std::int64_t search_ns = now_ns() - start_ns;
    double length_s = 0.0;
    bool agrees = true;
    std::printf("%-6s %-20s %-18s %10s %10s %12s %10s %8s  %s\n", "hand", "bone",
                arguments.hand_hand ? "right bone" : "near", "from s", "to s", "nearest mm", "at s", "frame", "take");
    for (std::size_t i = 0; i < takes.size(); ++i) {
        const std::string& log = logs[i];
        const TakeIndex& take = takes[i];
        const std::vector<Meeting>& meetings = found[i];
        length_s += take.duration_s();
        for (const Meeting& meeting : meetings) {
            const std::string other = arguments.hand_hand ? bone_name(meeting.other) : arguments.near;
            std::printf("%-6s %-20s %-18s %10.3f %10.3f %12.2f %10.3f %8d  %s\n",
                        std::string(tracking::name_of(meeting.side)).c_str(), bone_name(meeting.bone).c_str(),
                        other.c_str(), take.time_s(meeting.first), take.time_s(meeting.last),
                        1e3 * static_cast<double>(meeting.distance_m), show_at_s(take, meeting.nearest_frame),
                        meeting.nearest_frame, tracking::printable(log).c_str());
            rows.push_back(row_of(log, take, meeting, other));
        }
        if (!arguments.check) continue;
        const recordings::Recording recording = open_recording(log, options);
        const std::vector<Meeting> replayed = arguments.hand_hand
                                                  ? replay_hand_meetings(recording, question.within_m, question.bones)
                                                  : replay_meetings(recording, question);
        if (replayed == meetings) continue;
        agrees = false;
        std::fprintf(stderr, "check: %s: the search found %zu intervals, replaying every frame %zu, or others\n",
                     tracking::printable(log).c_str(), meetings.size(), replayed.size());
    }
    std::printf("%s in %.1f s of recordings; searched in %.2f ms, %lld of the frames posed\n",
                recordings::counted(rows.size(), "interval").c_str(), length_s, 1e-6 * static_cast<double>(search_ns),
                static_cast<long long>(frames_posed.load()));
    if (!question.objects.empty() && !rows.empty() &&
        scene.objects[static_cast<std::size_t>(question.objects.front())].motion == scenes::Motion::dynamic)
        std::printf("%s can be pushed: the search leaves it where it starts, and a replay may show it elsewhere\n",
                    tracking::printable(arguments.near).c_str());
    if (arguments.check && agrees) std::printf("check: replaying every frame gives the same intervals\n");
    if (!arguments.report.empty())
        write_json(arguments.report, report_of("find", rows, 1e-9 * static_cast<double>(search_ns)));
    return agrees ? kExitFine : kExitCheckFailed;
}

int clash(const Arguments& arguments) {
    const recordings::ImportOptions options =
        import_options(scene_of(arguments, arguments.logs.front()), unit_in_metres(arguments.unit));
    const double offset_s = quantity(arguments.offset, kTimes).value();
    const auto offset_ns = static_cast<std::int64_t>(std::llround(1e9 * offset_s));
    const float reach_m = within_m(arguments);
    std::array takes = {open_take(arguments.logs[0], options), open_take(arguments.logs[1], options)};

    collision::clips::TouchCounts counts;
    const std::int64_t start_ns = now_ns();
    std::unique_ptr<PlayedTake> a, b;
    std::optional<collision::clips::Clash> found;
    std::int64_t shift_ns = 0;
    search_sound(arguments.logs, options, takes, [&] {
        a = played(takes[0]);
        b = played(takes[1]);
        found = find_clash(a->bodies, b->bodies, offset_ns, reach_m, counts);
        if (found) shift_ns = min_clear_shift_ns(a->bodies, b->bodies, offset_ns, reach_m, counts);
    });
    nlohmann::ordered_json row = {
        {"a", arguments.logs[0]}, {"b", arguments.logs[1]}, {"offset_s", offset_s}, {"clash", found.has_value()}};
    if (!found) {
        std::printf("no clash: the two recordings can be played together with an offset of %g s\n", offset_s);
    } else {
        const double shift_s = 1e-9 * static_cast<double>(shift_ns), at_s = 1e-9 * static_cast<double>(found->at_ns);
        std::printf("clash at %.3f s: %s %s of %s (frame %d) and %s %s of %s (frame %d), %.2f mm\n", at_s,
                    std::string(tracking::name_of(a->sides[static_cast<std::size_t>(found->body_a)])).c_str(),
                    bone_name(found->bone_a).c_str(), tracking::printable(arguments.logs[0]).c_str(), found->frame_a,
                    std::string(tracking::name_of(b->sides[static_cast<std::size_t>(found->body_b)])).c_str(),
                    bone_name(found->bone_b).c_str(), tracking::printable(arguments.logs[1]).c_str(), found->frame_b,
                    1e3 * static_cast<double>(found->distance_m));
        std::printf("smallest shift without a clash: %+.3f s, that is --offset %.9fs\n", shift_s,
                    1e-9 * static_cast<double>(offset_ns + shift_ns));
        row.update({{"at_s", at_s},
                    {"frame_a", found->frame_a},
                    {"frame_b", found->frame_b},
                    {"hand_a", tracking::name_of(a->sides[static_cast<std::size_t>(found->body_a)])},
                    {"hand_b", tracking::name_of(b->sides[static_cast<std::size_t>(found->body_b)])},
                    {"bone_a", bone_name(found->bone_a)},
                    {"bone_b", bone_name(found->bone_b)},
                    {"distance_mm", 1e3 * static_cast<double>(found->distance_m)},
                    {"min_shift_s", shift_s},
                    {"least_shift_s", shift_s}});  // the old name; goes in the next version
    }
    const double search_s = 1e-9 * static_cast<double>(now_ns() - start_ns);
    if (!arguments.report.empty())
        write_json(arguments.report, report_of("clash", nlohmann::ordered_json::array({row}), search_s));
    return kExitFine;
}

}  // namespace

std::function<int()> declare_clips(CLI::App& app) {
    const auto arguments = std::make_shared<Arguments>();
    Arguments& s = *arguments;
    app.require_subcommand(1);
    const auto common = [&s](CLI::App* sub) {
        sub->add_option("--scene", s.scene, "built-in scene (`glovebox scenes`), a scene file or a mesh");
        sub->add_option("--unit", s.unit, "length of the file's unit: m, dm, cm, mm, in, metres as a number, or auto")
            ->check(check_unit_or_auto);
    };
    const auto answer = [&s](CLI::App* sub) {
        sub->add_option("--report", s.report, "write the answer as JSON");
        sub->add_flag("--force", s.force, kForceHelp);
    };
    CLI::App* make = app.add_subcommand("index", "make the search indices of recordings, LOG.touch beside each LOG");
    make->add_option("LOG", s.logs, "recordings of hands, folders of them, or bundled ones by name")->required();
    common(make);
    make->footer("Example:\n  glovebox clips index takes/*.csv");

    CLI::App* search = app.add_subcommand("find", "when was a hand near an object, or near the other hand");
    search->add_option("LOG", s.logs, "recordings of hands, folders of them, or bundled ones by name")->required();
    search->add_option("--near", s.near, "an object of the scene");
    CLI::Option* hand_hand = search->add_flag("--hand-hand", s.hand_hand, "the left hand against the right");
    search->add_option("--within", s.within, "how near, such as 5mm; 0 is touching")->check(check_within);
    search->add_option("--bone", s.bone, "a bone or a finger, such as \"index tip\" or thumb")->check(check_bone);
    search->add_option("--hand", s.hand, "which hand")
        ->check(CLI::IsMember({"left", "right", "both"}))
        ->excludes(hand_hand);
    search->add_flag("--check", s.check, "replay every frame too; exit 3 if that finds something else");
    common(search);
    answer(search);

    search->callback([&s] {
        if (s.near.empty() == !s.hand_hand)
            throw CLI::ValidationError("clips find: give either --near OBJECT or --hand-hand");
    });
    search->footer(
        "An index is written beside each LOG (LOG.touch) where there is none.\n"
        "Examples:\n"
        "  glovebox clips find takes/*.csv --scene table-and-ball --near ball --within 5mm --bone \"index tip\"\n"
        "  glovebox clips find take.csv --hand-hand --within 10mm --check");

    CLI::App* together =
        app.add_subcommand("clash", "would two recordings collide if played together, and what shift helps");
    together->add_option("LOG", s.logs, "two recordings, where they were recorded")->required()->expected(2);
    together->add_option("--offset", s.offset, "the second begins this much later, such as 2s or -250ms")
        ->check(check_offset);
    together->add_option("--within", s.within, "how near is a clash; 0mm is touching")->check(check_within);
    common(together);
    answer(together);
    together->footer("Example:\n  glovebox clips clash a.csv b.csv --offset 2s");

    app.footer(
        "Examples:\n"
        "  glovebox clips index takes/*.csv\n"
        "  glovebox clips find takes/*.csv --scene table-and-ball --near ball --within 5mm --bone \"index tip\"\n"
        "  glovebox clips find take.csv --hand-hand --within 10mm --check\n"
        "  glovebox clips clash a.csv b.csv --offset 2s");
    return [arguments, make, search] {
        if (make->parsed() || search->parsed()) look_into_folders(*arguments);
        std::vector<NamedFile> files = {{"--scene", arguments->scene}};
        for (const std::string& log : arguments->logs) {
            files.push_back({"LOG", log});
            files.push_back({"the index of LOG", index_path(log)});
        }
        if (arguments->unit != "auto")
            for (const std::string& log : arguments->logs) expect_file(log, "--unit");
        check_files(files, {{"--report", arguments->report}}, arguments->force);
        if (make->parsed()) return index_logs(*arguments);
        return search->parsed() ? find(*arguments) : clash(*arguments);
    };
}

}  // namespace glovebox::vr
