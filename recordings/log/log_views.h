// The views of a log: names for its numbers, and its tables as people ask for them. docs/reference/log.md lists them.
//
// Nothing here is read back: a log without views, as those of old, says the same. The reader refuses every view but
// these, word for word, because a stranger's could do any work.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::recordings {

/// One `CREATE VIEW` each, in an order in which they can be made.
std::span<const std::string_view> log_views();

/// Is this, as SQLite keeps it (sqlite_schema.sql), one of ours?
bool is_log_view(std::string_view sql);

}  // namespace glovebox::recordings
