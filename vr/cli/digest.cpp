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

std::string command_of(const Digest& asked) {
    std::string text = "glovebox digest " + tracking::shell_word(asked.from.recording);
    if (!asked.session.scene.empty()) text += " --scene " + tracking::shell_word(asked.session.scene);
    if (asked.from.only) text += " --hand " + std::string(name_of(*asked.from.only));
    return text + " -o " + tracking::shell_word(asked.out.filename().string());
}

int run_digest(const Digest& asked) {
    refuse_options_of_files(asked.from);
    const std::vector<NamedFile> written = {{"--output", asked.out}};
    check_files({{"LOG", asked.from.recording},
                 {"--scene", asked.session.scene},
                 {"--wrist", asked.from.wrist},
                 {"--profile", asked.from.profile}},
                written, asked.session.force);
    DigestSettings settings;
    settings.three_js = read_three_js();
    settings.command = command_of(asked);
    SessionSettings headless = asked.session;
    headless.headless = true;
    std::string page;
    {
        Progress progress;
        progress.show("replaying");
        const auto session = open_recording_session(asked.from, headless, now_ns);
        settings.doctor = recordings::doctor_text(session->recording(), recordings::diagnose(session->recording()));
        page = digest_page(digest_data(*session, settings), settings);
    }
    write_whole(asked.out, page);
    if (!recordings::is_standard_output(asked.out))
        std::printf("%s: %.2f MB, opens from a mail, without a server or network\n", asked.out.string().c_str(),
                    1e-6 * static_cast<double>(page.size()));
    return kExitFine;
}

}  // namespace

std::function<int()> declare_digest(CLI::App& app) {
    const auto asked = std::make_shared<Digest>();
    app.add_option("LOG", asked->from.recording, "recording of hands, or a bundled one by name; the first if none");
    add_output(app, "-o,--output", asked->out, "page to write, such as hand.html")->required()->check(check_page_path);
    app.add_option("--scene", asked->session.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own");
    add_recording_options(app, asked->from);
    app.add_flag("--force", asked->session.force, "replace a file that glovebox has not written itself");
    app.footer(
        "Examples:\n"
        "  glovebox digest hand.csv --scene held-ball -o hand.html\n"
        "  glovebox digest carry -o carry.html");
    return [asked] { return run_digest(*asked); };
}

}  // namespace glovebox::vr
