#include "recordings/log/log_writer.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "recordings/log/database.h"
#include "recordings/log/log_views.h"
#include "recordings/log/ring.h"
#include "recordings/log/schema.h"
#include "recordings/output.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

// Ten commits per second: a kill loses 100 ms and a write in progress, well within 250 ms; a laptop's disk can sleep.
constexpr std::chrono::milliseconds kCommitEvery{100};
// Ring sizes for several seconds, because a disk can stall that long: 4 s at 240 Hz, 8 s at 1 kHz.
constexpr std::size_t kSampleRoom = 1024, kFrameRoom = 1024, kContactRoom = 16384, kEventRoom = 2048, kForceRoom = 8192,
                      kHapticRoom = 2048, kWordRoom = 2048;
// Ring sizes for an application: head, two views and two controllers per frame, and all of its actions at once.
constexpr std::size_t kPoseRoom = 8192, kAppFrameRoom = 1024, kActionStateRoom = 4096, kVelocityRoom = 1024;

double real(float value) {
    return static_cast<double>(value);
}

void write_profiles(const Database& database, const tracking::PerSide<tracking::HandProfile>& hands) {
    Statement profile(database, "INSERT OR REPLACE INTO profile VALUES(?,?,?,?)");
    Statement meta(database, "INSERT OR REPLACE INTO meta VALUES(?,?)");
    for (const Side side : {Side::left, Side::right}) {
        const tracking::HandProfile& hand = hands[side];
        for (std::size_t j = 0; j < tracking::kJointCount; ++j)
            profile.bind(1, name_of(side))
                .bind(2, static_cast<std::int64_t>(j))
                .bind(3, real(hand.radius_m[j]))
                .bind(4, real(hand.length_to_parent_m[j]))
                .run();
        const std::string key = std::string(name_of(side)).append("_profile_origin");
        meta.bind(1, std::string_view(key)).bind(2, std::string_view(hand.origin)).run();
        if (!hand.shape) continue;
        const std::string shape_key = std::string(name_of(side)).append("_profile_bones"), shape = text_of(*hand.shape);
        meta.bind(1, std::string_view(shape_key)).bind(2, std::string_view(shape)).run();
    }
}

void write_header(Database& database, const LogHeader& header) {
    database.run("BEGIN");
    Statement meta(database, "INSERT OR REPLACE INTO meta VALUES(?,?)");
    for (const auto& [key, value] : header.meta)
        meta.bind(1, std::string_view(key)).bind(2, std::string_view(value)).run();
    write_profiles(database, header.profiles);
    Statement calibration(database, "INSERT INTO calibration VALUES(?,?,?,?)");
    for (const Side side : {Side::left, Side::right}) {
        std::int64_t sensor = 0;
        for (const auto& line : header.calibration[side])
            calibration.bind(1, name_of(side))
                .bind(2, sensor++)
                .bind(3, real(line.gain_rad))
                .bind(4, real(line.bias_rad))
                .run();
    }
    database.run("COMMIT");
}

std::string new_log_id() {
    std::random_device random;
    std::array<char, 33> text{};
    for (int i = 0; i < 4; ++i) std::snprintf(text.data() + 8 * i, 9, "%08x", random());
    return text.data();
}

// Creates an empty log. If the process is killed in here, the file that is left is not a log.
void make_empty_log(const std::filesystem::path& path, const LogHeader& header, const std::string& log_id) {
    Database database(path, OpenMode::create);
    database.run("PRAGMA application_id=" + std::to_string(kLogApplicationId));
    database.run("PRAGMA user_version=" + std::to_string(header.of_application ? kApplicationLogVersion : kLogVersion));
    database.run("PRAGMA journal_mode=WAL");
    database.run(std::string(kLogSchema));
    if (header.of_application) database.run(std::string(kApplicationSchema));
    for (const std::string_view view : log_views()) database.run(std::string(view));
    write_header(database, header);
    database.run("INSERT OR REPLACE INTO meta VALUES('log_id', '" + log_id + "')");
    // The file itself, not only its write-ahead log, is a valid log from now on.
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

// Returns whether a program that runs has the path's WriterLock.
bool is_file_being_written(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file.string() + ".lock", ignored)) return false;
    try {
        const WriterLock lock(file);
    } catch (const ExportError&) {
        return true;
    }
    return false;
}

// Returns true if anything but an empty file is at the path, even a folder.
bool is_occupied(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) && std::filesystem::file_size(path, ignored) > 0;
}

// Returns a numbered path: take.glove, take-2.glove, take-3.glove ...
std::filesystem::path numbered(const std::filesystem::path& file, int number) {
    if (number < 2) return file;
    return file.parent_path() / (file.stem().string() + '-' + std::to_string(number) + file.extension().string());
}
constexpr int kMaxNames = 10'000;

bool is_taken(const std::filesystem::path& file) {
    return is_occupied(file) || is_occupied(file.string() + "-wal") || is_occupied(file.string() + "-journal") ||
           is_file_being_written(file);
}

// Returns the path of a new recording. Throws if a file exists there, or beside it a -wal or journal of another one.
std::filesystem::path free_place(const std::filesystem::path& path, bool numbered_if_taken) {
    const std::filesystem::path file = file_at(path);
    for (int number = 1; numbered_if_taken && number < kMaxNames; ++number)
        if (const std::filesystem::path place = numbered(file, number); !is_taken(place)) return place;
    if (is_occupied(file))
        throw ExportError(path.string() + ": exists, and a recording replaces no file; name another file");
    for (const char* beside : {"-wal", "-journal"})
        if (is_occupied(file.string() + beside))
            throw ExportError(file.string() + beside + ": is left of another recording, and " +
                              file.filename().string() + " would take it for its own; name another file");
    return file;
}

// The open log. A commit is passed to the operating system when it returns, so it survives the process. A power failure
// may lose the last commits but never damages the file.
struct OpenLog {
    OpenLog(const std::filesystem::path& path, bool of_application) : database(path, OpenMode::write) {
        if (of_application) application.emplace(database);
        database.run("PRAGMA synchronous=NORMAL");
        file = entry_at(behind_links(path));
    }

    Database database;
    Standing file;
    Statement insert_sample{database, "INSERT INTO sample VALUES(?,?)"};
    Statement insert_hand{database, "INSERT INTO hand_sample VALUES(?,?,?,?,?,?,?,?,?,?)"};
    Statement insert_frame{database, "INSERT OR REPLACE INTO frame VALUES(?,?,?,?,?,?,?,?,?)"};
    Statement insert_contact{database, "INSERT INTO contact VALUES(?,?,?,?,?,?,?,?,?,?,?)"};
    Statement insert_event{database, "INSERT INTO event VALUES(?,?,?,?,?,NULL)"};
    Statement insert_force{database, "INSERT INTO force VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    Statement insert_haptic{database,
                            "INSERT INTO haptic(time_ns, hand, output, vibration, thumb, \"index\", middle, ring, "
                            "little) VALUES(?,?,?,?,?,?,?,?,?)"};
    Statement insert_word{database, "INSERT INTO glove_word VALUES(?,?,?)"};
    Statement insert_annotation{database, "INSERT INTO annotation VALUES(?,?)"};

    struct OfApplication {
        explicit OfApplication(const Database& database)
            : insert_frame(database, "INSERT OR REPLACE INTO app_frame VALUES(?,?,?,?,?,?,?,?,?,?)"),
              insert_pose(database, "INSERT INTO pose VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
              insert_action(database, "INSERT OR REPLACE INTO action VALUES(?,?,?,?)"),
              insert_state(database, "INSERT INTO action_state VALUES(?,?,?,?,?,?)"),
              insert_profile(database, "INSERT INTO interaction_profile VALUES(?,?,?)"),
              insert_haptic(database, "INSERT INTO haptic VALUES(?,?,?,?,?,?,?,?,?,?,?,?)") {}
        Statement insert_frame, insert_pose, insert_action, insert_state, insert_profile, insert_haptic;
    };
    std::optional<OfApplication> application;
    std::optional<Statement> insert_velocity;  // from the first velocity on
};

std::string_view name_of(ActionSource source) {
    return kActionSourceNames[static_cast<std::size_t>(source)];
}

}  // namespace

struct LogWriter::Impl {
    Impl(const std::filesystem::path& the_path, const LogHeader& header)
        : path(free_place(the_path, header.numbered_if_taken)),
          empty_log(path),
          place_lock(path),
          of_application(header.of_application),
          poses(of_application ? kPoseRoom : 0),
          app_frames(of_application ? kAppFrameRoom : 0),
          states(of_application ? kActionStateRoom : 0),
          velocities(of_application ? kVelocityRoom : 0) {
        make_empty_log(empty_log.path, header, log_id);
    }

    void write(const tracking::HandPair& sample);
    void write(const FrameRecord& record);
    void write(const ContactRecord& record);
    void write(const EventRecord& record);
    void write(const ForceRecord& record);
    void write(const HapticRecord& record);
    void write(const WordRecord& record);
    void write(const AppPose& record);
    void write(const AppFrame& record);
    void write(const ActionState& record);
    void write(const HandVelocity& record);

    template <class Record>
    void drain(Ring<Record>& ring) {
        while (const Record* record = ring.front()) {
            write(*record);
            ring.pop();
        }
    }
    template <class Record>
    static void discard(Ring<Record>& ring) {
        while (ring.front() != nullptr) ring.pop();
    }
    void commit_all(bool last);
    void run();
    void stop(const std::string& reason) {
        const std::lock_guard lock(mutex);
        if (error.empty()) error = path.string() + ": recording stopped: " + reason;
        has_failed = true;
    }
    bool stopped() const {
        const std::lock_guard lock(mutex);
        return !error.empty();
    }

    /// Moves the empty log to its path, or to a numbered one if that was taken in the meantime, and opens it.
    void begin();

    std::filesystem::path path;  // changes only in begin(), under the mutex
    Part empty_log;              // temporary file beside it, until the first record
    WriterLock place_lock;       // on `path`
    std::string log_id = new_log_id();
    std::optional<OpenLog> log;  // from begin() on
    std::int64_t next_sample = 0;
    JointBlob blob{};
    bool of_application;

    Ring<tracking::HandPair> samples{kSampleRoom};
    Ring<FrameRecord> frames{kFrameRoom};
    Ring<ContactRecord> contacts{kContactRoom};
    Ring<EventRecord> events{kEventRoom};
    Ring<ForceRecord> forces{kForceRoom};
    Ring<HapticRecord> haptics{kHapticRoom};
    Ring<WordRecord> words{kWordRoom};
    Ring<AppPose> poses;  // these four rings have no capacity in a log without an application
    Ring<AppFrame> app_frames;
    Ring<ActionState> states;
    Ring<HandVelocity> velocities;
    std::atomic<std::int64_t> written{0}, dropped{0};

    mutable std::mutex mutex;  // guards annotations, error and the end; sample() and similar calls never take it
    std::condition_variable wake;
    std::vector<std::pair<std::int64_t, std::string>> annotations;
    std::vector<AppAction> actions;
    std::vector<InteractionProfile> interaction_profiles;
    std::string error;
    std::atomic<bool> has_failed{false};  // true if error is not empty
    std::optional<tracking::PerSide<tracking::HandProfile>> new_profiles;
    bool ending = false, hurrying = false;
    std::thread thread;
};

void LogWriter::Impl::write(const tracking::HandPair& sample) {
    log->insert_sample.bind(1, next_sample).bind(2, sample.time_ns).run();
    for (const Side side : {Side::left, Side::right}) {
        const tracking::HandFrame& hand = sample[side];
        if (!hand.active) continue;
        pack_joints(hand, blob);
        log->insert_hand.bind(1, next_sample)
            .bind(2, name_of(side))
            .bind(3, name_of(hand.source))
            .bind(4, hand.times.device_ns)
            .bind(5, hand.times.arrival_ns);
        const tracking::JointPose& wrist = hand[tracking::Joint::wrist];
        for (int axis = 0; axis < 3; ++axis) {
            if (wrist.position_valid()) {
                log->insert_hand.bind(6 + axis, real(wrist.position_m[axis]));
            } else {
                log->insert_hand.bind_null(6 + axis);
            }
        }
        log->insert_hand.bind(9, std::span<const unsigned char>(blob)).bind(10, std::int64_t{crc32(blob)}).run();
    }
    ++next_sample;
}

void LogWriter::Impl::write(const FrameRecord& record) {
    log->insert_frame.bind(1, record.sample).bind(2, static_cast<std::int64_t>(record.state_hash));
    for (std::size_t i = 0; i < record.stage_us.size(); ++i)
        log->insert_frame.bind(3 + static_cast<int>(i), real(record.stage_us[i]));
    log->insert_frame.run();
}

void LogWriter::Impl::write(const ContactRecord& record) {
    log->insert_contact.bind(1, record.sample)
        .bind(2, name_of(record.side))
        .bind(3, std::int64_t{record.bone})
        .bind(4, std::int64_t{record.object})
        .bind(5, real(record.distance_m));
    for (int axis = 0; axis < 3; ++axis)
        log->insert_contact.bind(6 + axis, real(record.point_m[axis])).bind(9 + axis, real(record.normal[axis]));
    log->insert_contact.run();
}

void LogWriter::Impl::write(const EventRecord& record) {
    log->insert_event.bind(1, record.time_ns)
        .bind(2, std::string_view(record.kind.data()))
        .bind(3, name_of(record.side))
        .bind(4, std::int64_t{record.finger})
        .bind(5, std::int64_t{record.object})
        .run();
}

void LogWriter::Impl::write(const ForceRecord& record) {
    log->insert_force.bind(1, record.time_ns).bind(2, name_of(record.side));
    for (std::size_t i = 0; i < tracking::kFingerCount; ++i)
        log->insert_force.bind(3 + static_cast<int>(i), real(record.force[i]))
            .bind(8 + static_cast<int>(i), real(record.vibration[i]));
    log->insert_force.bind(13, real(record.force[tracking::kPalmPart]))
        .bind(14, real(record.vibration[tracking::kPalmPart]));
    log->insert_force.run();
}

void LogWriter::Impl::write(const HapticRecord& record) {
    Statement& insert = log->application ? log->application->insert_haptic : log->insert_haptic;
    insert.bind(1, record.time_ns).bind(2, name_of(record.side)).bind(3, std::string_view(record.output.data()));
    const auto bind = [&insert](int place, bool known, float value) {
        if (known)
            insert.bind(place, real(value));
        else
            insert.bind_null(place);
    };
    bind(4, record.vibration.has_value(), record.vibration.value_or(0.0F));
    for (std::size_t i = 0; i < tracking::kFingerCount; ++i)
        bind(5 + static_cast<int>(i), record.force.has_value(), record.force ? (*record.force)[i] : 0.0F);
    if (log->application) {
        const auto bind_integer = [&insert](int place, const std::optional<std::int64_t>& value) {
            if (value)
                insert.bind(place, *value);
            else
                insert.bind_null(place);
        };
        bind_integer(10, record.display_ns);
        bind_integer(11, record.duration_ns);
        bind(12, record.frequency_hz.has_value(), record.frequency_hz.value_or(0.0F));
    }
    insert.run();
}

void LogWriter::Impl::write(const AppPose& record) {
    Statement& insert = log->application->insert_pose;
    insert.bind(1, record.time_ns)
        .bind(2, kPoseOfNames[static_cast<std::size_t>(record.of)])
        .bind(3, std::int64_t{record.number})
        .bind(4, name_of(record.source))
        .bind(5, std::int64_t{record.flags});
    for (int axis = 0; axis < 3; ++axis) insert.bind(6 + axis, real(record.position_m[axis]));
    for (int i = 0; i < 4; ++i) insert.bind(9 + i, real(record.orientation.coeffs()[i]));
    for (std::size_t i = 0; i < record.fov_rad.size(); ++i) {
        const int place = 13 + static_cast<int>(i);
        if (record.of == PoseOf::view)
            insert.bind(place, real(record.fov_rad[i]));
        else
            insert.bind_null(place);
    }
    insert.run();
}

void LogWriter::Impl::write(const AppFrame& record) {
    log->application->insert_frame.bind(1, record.number)
        .bind(2, record.display_ns)
        .bind(3, record.period_ns)
        .bind(4, record.waited_ns)
        .bind(5, record.begun_ns)
        .bind(6, record.ended_ns)
        .bind(7, std::int64_t{record.missed})
        .bind(8, std::int64_t{record.should_render})
        .bind(9, std::int64_t{record.layers})
        .bind(10, static_cast<std::int64_t>(record.pose_hash))
        .run();
}

void LogWriter::Impl::write(const ActionState& record) {
    log->application->insert_state.bind(1, record.time_ns)
        .bind(2, std::int64_t{record.action})
        .bind(3, name_of(record.source))
        .bind(4, std::int64_t{record.active})
        .bind(5, real(record.x))
        .bind(6, real(record.y))
        .run();
}

void LogWriter::Impl::write(const HandVelocity& record) {
    if (!log->insert_velocity) {
        log->database.run(std::string(kVelocitySchema));
        log->database.run("PRAGMA user_version=" + std::to_string(kVelocityLogVersion));
        log->insert_velocity.emplace(log->database, "INSERT INTO hand_velocity VALUES(?,?,?,?)");
    }
    VelocityBlob packed;
    pack_velocity(record, packed);
    log->insert_velocity->bind(1, record.time_ns)
        .bind(2, name_of(record.side))
        .bind(3, std::span<const unsigned char>(packed))
        .bind(4, std::int64_t{crc32(packed)})
        .run();
}

void LogWriter::Impl::write(const WordRecord& record) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(record.words.data());
    log->insert_word.bind(1, record.time_ns)
        .bind(2, name_of(record.side))
        .bind(3, std::span<const unsigned char>(bytes, 2 * std::min<std::size_t>(record.count, record.words.size())))
        .run();
}

void LogWriter::Impl::begin() {
    for (int number = 1; number < kMaxNames; ++number) {
        const std::filesystem::path place = numbered(path, number);
        Standing before = entry_at(place);
        if (before.there && is_occupied(place)) continue;
        if (is_occupied(place.string() + "-wal") || is_occupied(place.string() + "-journal")) continue;
        try {
            if (number > 1) place_lock = WriterLock(place);
        } catch (const ExportError&) {
            continue;
        }
        if (!move_if_unchanged(empty_log.path, place, before)) continue;
        {
            const std::lock_guard lock(mutex);
            path = place;
        }
        log.emplace(path, of_application);
        // Write the log's id to its first -wal too, so that a -wal of another log is detected. It is deleted and
        // inserted again, because SQLite does not write unchanged pages.
        log->database.run("BEGIN; DELETE FROM meta WHERE key = 'log_id'; INSERT INTO meta VALUES('log_id', '" + log_id +
                          "'); COMMIT");
        return;
    }
    throw ExportError("all names beside it are taken");
}

void LogWriter::Impl::commit_all(bool last) {
    if (stopped()) {
        // After a failure, empty the rings so that no producer waits.
        discard(samples);
        discard(frames);
        discard(contacts);
        discard(events);
        discard(forces);
        discard(haptics);
        discard(words);
        discard(poses);
        discard(app_frames);
        discard(states);
        discard(velocities);
        return;
    }
    try {
        if (!log && samples.front() == nullptr && words.front() == nullptr) return;
        if (!log) begin();
        Database& database = log->database;
        database.run("BEGIN IMMEDIATE");
        drain(samples);
        drain(words);
        drain(frames);
        drain(contacts);
        drain(events);
        drain(forces);
        drain(haptics);
        drain(poses);
        drain(app_frames);
        drain(states);
        drain(velocities);
        std::vector<AppAction> new_actions;
        std::vector<InteractionProfile> profiles_in_use;
        std::vector<std::pair<std::int64_t, std::string>> notes;
        std::optional<tracking::PerSide<tracking::HandProfile>> profiles;
        {
            const std::lock_guard lock(mutex);
            notes.swap(annotations);
            profiles.swap(new_profiles);
            new_actions.swap(actions);
            profiles_in_use.swap(interaction_profiles);
        }
        if (profiles) write_profiles(database, *profiles);
        for (const auto& [time_ns, text] : notes)
            log->insert_annotation.bind(1, time_ns).bind(2, std::string_view(text)).run();
        for (const AppAction& each : new_actions)
            log->application->insert_action.bind(1, std::int64_t{each.id})
                .bind(2, std::string_view(each.action_set))
                .bind(3, std::string_view(each.name))
                .bind(4, std::string_view(each.type))
                .run();
        for (const InteractionProfile& each : profiles_in_use)
            log->application->insert_profile.bind(1, each.time_ns)
                .bind(2, name_of(each.source))
                .bind(3, std::string_view(each.profile))
                .run();
        database.run("COMMIT");
        written = next_sample;
        // SQLite would go on writing to a file that was removed.
        const Standing now = entry_at(behind_links(path));
        if (!now.there || now != log->file) stop("the file was removed or replaced");
    } catch (const DatabaseError& fault) {
        // If another connection holds the log, the next commit tries again; the rings have room for seconds.
        if (last || !fault.is_busy()) stop(fault.what());
    } catch (const std::exception& fault) {
        stop(fault.what());
    }
}

void LogWriter::Impl::run() {
    for (bool last = false; !last;) {
        {
            std::unique_lock lock(mutex);
            wake.wait_for(lock, kCommitEvery, [this] { return ending || hurrying; });
            last = ending;
            hurrying = false;
        }
        commit_all(last);
    }
}

LogWriter::LogWriter(const std::filesystem::path& path, const LogHeader& header) {
    try {
        impl_ = std::make_unique<Impl>(path, header);
    } catch (const DatabaseError& error) {
        throw ExportError(path.string() + ": cannot be written: " + error.what());
    }
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

LogWriter::~LogWriter() {
    try {
        close();
    } catch (const ExportError&) {
        // status() has reported the error; a destructor cannot.
    }
}

bool LogWriter::put(const tracking::HandPair& sample) noexcept {
    return impl_->samples.push(sample);
}
bool LogWriter::sample(const tracking::HandPair& sample) noexcept {
    if (put(sample)) return true;
    ++impl_->dropped;
    return false;
}
void LogWriter::frame(const FrameRecord& record) noexcept {
    if (!impl_->frames.push(record)) ++impl_->dropped;
}
void LogWriter::contact(const ContactRecord& record) noexcept {
    if (!impl_->contacts.push(record)) ++impl_->dropped;
}
void LogWriter::event(const EventRecord& record) noexcept {
    if (!impl_->events.push(record)) ++impl_->dropped;
}
void LogWriter::words(const WordRecord& record) noexcept {
    if (!impl_->words.push(record)) ++impl_->dropped;
}
void LogWriter::haptic(const HapticRecord& record) noexcept {
    if (!impl_->haptics.push(record)) ++impl_->dropped;
}
void LogWriter::pose(const AppPose& record) noexcept {
    if (!impl_->poses.push(record)) ++impl_->dropped;
}
void LogWriter::app_frame(const AppFrame& record) noexcept {
    if (!impl_->app_frames.push(record)) ++impl_->dropped;
}
void LogWriter::action_state(const ActionState& record) noexcept {
    if (!impl_->states.push(record)) ++impl_->dropped;
}
void LogWriter::velocity(const HandVelocity& record) noexcept {
    if (!impl_->velocities.push(record)) ++impl_->dropped;
}
void LogWriter::force(const ForceRecord& record) noexcept {
    if (!impl_->forces.push(record)) ++impl_->dropped;
}

bool LogWriter::has_room() const noexcept {
    const Impl& i = *impl_;
    return !(i.samples.half_full() || i.frames.half_full() || i.contacts.half_full() || i.events.half_full() ||
             i.forces.half_full() || i.haptics.half_full() || i.words.half_full());
}

void LogWriter::profiles(const tracking::PerSide<tracking::HandProfile>& hands) {
    const std::lock_guard lock(impl_->mutex);
    impl_->new_profiles = hands;
}

void LogWriter::flush_soon() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->hurrying = true;
    }
    impl_->wake.notify_one();
}

void LogWriter::annotate(std::int64_t time_ns, std::string text) {
    const std::lock_guard lock(impl_->mutex);
    impl_->annotations.emplace_back(time_ns, std::move(text));
}

void LogWriter::action(const AppAction& action) {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->of_application) impl_->actions.push_back(action);
}

void LogWriter::interaction_profile(InteractionProfile profile) {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->of_application) impl_->interaction_profiles.push_back(std::move(profile));
}

LogStatus LogWriter::status() const {
    const std::lock_guard lock(impl_->mutex);
    return {impl_->written, impl_->dropped, impl_->error, impl_->path};
}

bool LogWriter::failed() const noexcept {
    return impl_->has_failed.load(std::memory_order_acquire);
}

void LogWriter::close() {
    if (!impl_->thread.joinable()) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->ending = true;
    }
    impl_->wake.notify_one();
    impl_->thread.join();
    if (!impl_->stopped()) {
        try {
            // Leave one file with nothing beside it. If another connection reads it now, its -wal remains.
            if (impl_->log) impl_->log->database.run("PRAGMA journal_mode=DELETE");
        } catch (const DatabaseError& error) {
            if (!error.is_busy()) impl_->stop(error.what());
        }
    }
    if (const LogStatus last = status(); !last.error.empty()) throw ExportError(last.error);
}

namespace {

void put_and_wait(LogWriter& log, const tracking::HandPair& sample) {
    while (!log.put(sample)) {
        if (const LogStatus status = log.status(); !status.error.empty()) throw ExportError(status.error);
        log.flush_soon();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

}  // namespace

void save_log(const Recording& recording, const std::filesystem::path& path, bool force) {
    Replacement out(path);
    expect_replaceable(path, force);
    LogHeader header;
    header.meta["source"] = recording.path;
    header.profiles = recording.profiles;
    {
        LogWriter log(out.part(), header);
        for (const tracking::HandPair& sample : recording.samples) put_and_wait(log, sample);
        for (const std::string& note : recording.notes) log.annotate(0, note);
        log.close();
    }
    out.place();  // Windows does not move an open file
}

ImportReport convert_to_log(const std::filesystem::path& from, const std::filesystem::path& path,
                            const ImportOptions& options, bool force) {
    Replacement out(path);
    expect_replaceable(path, force);
    LogHeader header;
    header.meta["source"] = from.filename().string();
    std::optional<LogWriter> writer(std::in_place, out.part(), header);
    LogWriter& log = *writer;
    std::vector<tracking::HandPair> first;  // the samples to which the profiles are fitted
    constexpr std::size_t kFirst = 512;
    const auto fit = [&] {
        tracking::PerSide<tracking::HandProfile> hands;
        for (const Side side : {Side::left, Side::right}) {
            const tracking::UserHand* user = options.user ? &(*options.user)[side] : nullptr;
            hands[side] = user != nullptr && user->hand ? *user->hand : tracking::fit_profile(first, side);
        }
        log.profiles(hands);
        first = {};
    };
    std::size_t count = 0;
    const ImportReport report = stream(from, options, [&](const tracking::HandPair& sample) {
        if (count < kFirst) first.push_back(sample);
        if (++count == kFirst) fit();
        put_and_wait(log, sample);
    });
    if (count < kFirst) fit();
    for (const std::string& note : report.notes) log.annotate(0, note);
    log.close();
    writer.reset();  // Windows does not move an open file
    out.place();
    return report;
}

}  // namespace glovebox::recordings
