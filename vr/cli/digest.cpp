// `glovebox digest`: exports a recording in a scene as one HTML page.
#include <cstdio>
#include <memory>

#include "recordings/diagnose.h"
#include "recordings/output.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/options.h"
#include "vr/export/digest.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct Digest {
    RecordingSettings from;
    SessionSettings session;
    std::filesystem::path out;
};

std::string check_page_path(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".html" || ending == ".htm" || path == "-" || path.starts_with("/dev/")) return {};
    return path + ": pages are written as .html";
}

std::string command_of(const Digest& arguments) {
    std::string text = "glovebox digest " + tracking::shell_word(arguments.from.recording);
    if (!arguments.session.scene.empty()) text += " --scene " + tracking::shell_word(arguments.session.scene);
    if (arguments.from.only) text += " --hand " + std::string(name_of(*arguments.from.only));
    return text + " -o " + tracking::shell_word(arguments.out.filename().string());
}

int run_digest(const Digest& arguments) {
    refuse_options_of_files(arguments.from);
    const std::vector<NamedFile> written = {{"--output", arguments.out}};
    check_files({{"LOG", arguments.from.recording},
                 {"--scene", arguments.session.scene},
                 {"--wrist", arguments.from.wrist},
                 {"--profile", arguments.from.profile}},
                written, arguments.session.force);
    DigestSettings settings;
    settings.three_js = read_three_js();
    settings.command = command_of(arguments);
    SessionSettings headless = arguments.session;
    headless.headless = true;
    std::string page;
    {
        Progress progress;
        progress.show("replaying");
        const auto session = open_recording_session(arguments.from, headless, now_ns);
        settings.doctor = recordings::doctor_text(session->recording(), recordings::diagnose(session->recording()));
        page = digest_page(digest_data(*session, settings), settings);
    }
    write_whole(arguments.out, page);
    if (!recordings::is_standard_output(arguments.out))
        std::printf("%s: %.2f MB, opens from a mail, without a server or network\n", arguments.out.string().c_str(),
                    1e-6 * static_cast<double>(page.size()));
    return kExitFine;
}

}  // namespace

std::function<int()> declare_digest(CLI::App& app) {
    const auto arguments = std::make_shared<Digest>();
    app.add_option("LOG", arguments->from.recording, "recording of hands, or a bundled one by name; the first if none");
    add_output(app, "-o,--output", arguments->out, "page to write, such as hand.html")
        ->required()
        ->check(check_page_path);
    app.add_option("--scene", arguments->session.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own");
    add_recording_options(app, arguments->from);
    app.add_flag("--force", arguments->session.force, "replace a file that glovebox has not written itself");
    app.footer(
        "Examples:\n"
        "  glovebox digest hand.csv --scene held-ball -o hand.html\n"
        "  glovebox digest carry -o carry.html");
    return [arguments] { return run_digest(*arguments); };
}

}  // namespace glovebox::vr
