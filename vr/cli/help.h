// Generates texts from the command-line options: wrapped help, the manual page and shell completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace glovebox::vr {

inline constexpr std::size_t kHelpWidth = 100;

/// Formats CLI11's help, wrapped to kHelpWidth.
class WrappedHelp : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

/// Wraps lines at `width`, with continuation lines indented to the column of their text.
std::string wrapped(const std::string& text, std::size_t width);

/// Return the names of a command's options, such as "--scene", and of the program's commands.
std::vector<std::string> option_names(const CLI::App& app);
std::vector<std::string> command_names(const CLI::App& app);

/// Returns the manual page, in roff for man(1).
std::string manual_page(const CLI::App& app, const std::string& version);
/// Returns the text of docs/reference/cli.md, in Markdown.
std::string markdown_page(const CLI::App& app);
/// Return completion scripts for bash and zsh.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace glovebox::vr
