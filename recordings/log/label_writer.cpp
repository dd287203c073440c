#include "recordings/log/label_writer.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include "recordings/log/database.h"
#include "recordings/log/schema.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

std::string_view sql_type(LabelType type) {
    return type == LabelType::text ? "TEXT" : type == LabelType::integer ? "INTEGER" : "REAL";
}

std::string create_sql(std::span<const LabelColumn> columns) {
    std::string sql = "CREATE TABLE label(";
    for (std::size_t i = 0; i < columns.size(); ++i)
        sql += (i == 0 ? "" : ", ") + std::string(columns[i].name) + ' ' + std::string(sql_type(columns[i].type));
    return sql + ')';
}

std::string insert_sql(std::size_t columns) {
    std::string sql = "INSERT INTO label VALUES(";
    for (std::size_t i = 0; i < columns; ++i) sql += i == 0 ? "?" : ",?";
    return sql + ')';
}

}  // namespace

bool is_label_table(const std::filesystem::path& path) {
    try {
        Database database(path, OpenMode::alone);
        return is_ordinary_table(database, "label") && is_ordinary_table(database, "sample") &&
               database.number("SELECT count(*) FROM meta WHERE key = 'content' AND value = 'contact labels'") == 1 &&
               database.number("SELECT count(*) FROM sample") == 0;
    } catch (const std::runtime_error&) {
        return false;
    }
}

struct LabelWriter::Impl {
    std::filesystem::path path;
    std::vector<LabelColumn> columns;
    Database database;
    std::optional<Statement> insert;

    Impl(const std::filesystem::path& the_path, std::span<const LabelColumn> the_columns)
        : path(the_path), columns(the_columns.begin(), the_columns.end()), database(the_path, OpenMode::create) {}

    template <class Work>
    void guarded(const Work& work) {
        try {
            work();
        } catch (const DatabaseError& error) {
            throw ExportError("cannot write " + path.string() + ": " + error.what());
        }
    }
};

LabelWriter::LabelWriter(const std::filesystem::path& path, std::span<const LabelColumn> columns,
                         const std::map<std::string, std::string>& meta) {
    try {
        impl_ = std::make_unique<Impl>(path, columns);
    } catch (const DatabaseError& error) {
        throw ExportError("cannot write " + path.string() + ": " + error.what());
    }
    impl_->guarded([&] {
        Database& database = impl_->database;
        database.run("PRAGMA journal_mode=OFF");  // a temporary file, renamed when it is complete
        database.run("PRAGMA synchronous=OFF");
        database.run("PRAGMA application_id=" + std::to_string(kLogApplicationId));
        database.run("PRAGMA user_version=" + std::to_string(kLogVersion));
        database.run("BEGIN");
        database.run(std::string(kLogSchema));
        database.run(create_sql(columns));
        Statement put(database, "INSERT INTO meta VALUES(?,?)");
        for (const auto& [key, value] : meta) put.bind(1, std::string_view(key)).bind(2, std::string_view(value)).run();
        impl_->insert.emplace(database, insert_sql(columns.size()));
    });
}

LabelWriter::~LabelWriter() = default;

void LabelWriter::add(std::span<const std::string> values) {
    if (values.size() != impl_->columns.size())
        throw ExportError("cannot write " + impl_->path.string() + ": a row has " + std::to_string(values.size()) +
                          " of " + std::to_string(impl_->columns.size()) + " values: a part of it is damaged");
    impl_->guarded([&] {
        for (std::size_t i = 0; i < impl_->columns.size(); ++i) {
            const int place = static_cast<int>(i) + 1;
            const std::string& value = values[i];
            if (value.empty())
                impl_->insert->bind_null(place);
            else if (impl_->columns[i].type == LabelType::text)
                impl_->insert->bind(place, std::string_view(value));
            else if (impl_->columns[i].type == LabelType::integer)
                impl_->insert->bind(place, static_cast<std::int64_t>(std::strtoll(value.c_str(), nullptr, 10)));
            else
                impl_->insert->bind(place, std::strtod(value.c_str(), nullptr));
        }
        impl_->insert->run();
    });
}

void LabelWriter::close() {
    impl_->guarded([&] {
        impl_->insert.reset();
        const auto has = [&](std::string_view name) {
            for (const LabelColumn& column : impl_->columns)
                if (column.name == name) return true;
            return false;
        };
        if (has("recording") && has("frame") && has("bone"))
            impl_->database.run("CREATE INDEX label_by_frame ON label(recording, frame, bone)");
        impl_->database.run("COMMIT");
    });
    impl_.reset();
}

}  // namespace glovebox::recordings
