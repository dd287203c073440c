// What is made from the option table besides parsing: help that fits a terminal, the nearest name to a wrong one, a
// manual page and completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr {

inline constexpr std::size_t kHelpWidth = 100;

/// CLI11's help, wrapped to kHelpWidth.
class WrappedHelp : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

/// Lines longer than `width` go on in the column of their text.
std::string wrapped(const std::string& text, std::size_t width);

/// The name that differs by the fewest letters (inserted, left out, changed or swapped), if that is near enough to be
/// meant; else empty.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names);

/// Names of a command's options, such as "--scene"; of the program's commands.
std::vector<std::string> option_names(const CLI::App& app);
std::vector<std::string> command_names(const CLI::App& app);

/// A page for man(1), in roff. A script for bash or zsh.
std::string manual_page(const CLI::App& app, const std::string& version);
/// The same as docs/reference/cli.md, in Markdown.
std::string markdown_page(const CLI::App& app);
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace glovebox::vr
