// SQL views of a log, which give users readable names and common queries. docs/reference/log.md lists them.
//
// No code reads the views, so an old log without them has the same data. The reader refuses any view whose text is not
// that of one of these, because a view in an untrusted file could cause any amount of work.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::recordings {

/// Returns one `CREATE VIEW` statement per view, in an order in which they can be executed.
std::span<const std::string_view> log_views();

/// Returns true if `sql`, as stored in sqlite_schema.sql, is one of log_views(), or one of an older log.
bool is_log_view(std::string_view sql);

}  // namespace glovebox::recordings
