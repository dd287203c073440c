// `glovebox scenes | methods | formats | sources | outputs`: prints one line per entry, beginning with its name.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "collision/body/refit.h"
#include "recordings/format.h"
#include "scenes/scene.h"
#include "vr/cli/command.h"
#include "vr/cli/help.h"
#include "vr/haptics/output.h"
#include "vr/platform/version.h"
#include "vr/session/report.h"
#include "vr/session/sources.h"

namespace glovebox::vr {
namespace {

template <class Row>
int print_rows(std::span<const Row> rows, bool json) {
    if (json) {
        auto list = nlohmann::ordered_json::array();
        for (const Row& row : rows) list.push_back({{"name", row.name}, {"summary", row.summary}});
        std::printf("%s\n", text_of(list, 2).c_str());
        return kExitFine;
    }
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.name.size());
    for (const Row& row : rows)
        std::printf("%-*s  %.*s\n", static_cast<int>(width), std::string(row.name).c_str(),
                    static_cast<int>(row.summary.size()), row.summary.data());
    return kExitFine;
}

std::shared_ptr<bool> add_json(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "print JSON: a list of {name, summary}");
    return json;
}

}  // namespace

std::function<int()> declare_scenes(CLI::App& app) {
    app.footer("Example:\n  glovebox scenes && glovebox replay hand.csv --scene held-ball");
    const auto json = add_json(app);
    return [json] { return print_rows(scenes::scene_table(), *json); };
}
std::function<int()> declare_methods(CLI::App& app) {
    app.footer("Example:\n  glovebox methods && glovebox replay hand.csv --method aabb");
    const auto json = add_json(app);
    return [json] { return print_rows(collision::refit_methods(), *json); };
}
std::function<int()> declare_formats(CLI::App& app) {
    app.footer("Example:\n  glovebox formats && glovebox convert flick flick.csv --as openxr-csv");
    const auto json = add_json(app);
    return [json] { return print_rows(recordings::format_table(), *json); };
}

std::function<int()> declare_sources(CLI::App& app) {
    app.footer("Example:\n  glovebox sources && glovebox live /dev/ttyUSB0 --scene held-ball");
    const auto json = add_json(app);
    return [json] { return print_rows(source_table(), *json); };
}
std::function<int()> declare_outputs(CLI::App& app) {
    app.footer("Example:\n  glovebox outputs && glovebox replay grasp --haptics log");
    const auto json = add_json(app);
    return [json] { return print_rows(output_table(), *json); };
}

std::function<int()> declare_completion(CLI::App& app) {
    const auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
    app.footer(
        "Examples:\n"
        "  glovebox completion bash >~/.local/share/bash-completion/completions/glovebox\n"
        "  glovebox completion zsh >~/.zfunc/_glovebox");
    return [shell, &app] {
        const CLI::App& program = *app.get_parent();
        std::fputs((*shell == "bash" ? bash_completion(program) : zsh_completion(program)).c_str(), stdout);
        return kExitFine;
    };
}

std::function<int()> declare_man(CLI::App& app) {
    app.footer("Example:\n  glovebox man >~/.local/share/man/man1/glovebox.1");
    const auto markdown = std::make_shared<bool>(false);
    app.add_flag("--markdown", *markdown, "print docs/reference/cli.md instead");
    return [&app, markdown] {
        const CLI::App& program = *app.get_parent();
        std::fputs((*markdown ? markdown_page(program) : manual_page(program, kVersion)).c_str(), stdout);
        return kExitFine;
    };
}

}  // namespace glovebox::vr
