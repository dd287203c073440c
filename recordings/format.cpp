#include "recordings/format.h"

#include <algorithm>
#include <array>

#include "recordings/formats/bvh.h"
#include "recordings/formats/hololens_csv.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::array kFormats = {
    Format{"openxr-csv", "26 OpenXR joints (or wrist and elbow) as CSV, as Monado's recorder writes it", is_openxr_csv,
           read_openxr_csv},
    Format{"bvh", "motion capture with finger joints: Noitom, Rokoko, Mixamo, CMU, game engines, ManipNet", is_bvh,
           read_bvh},
    Format{"hololens-csv", "joint positions of both hands from HoloLens 2 (MRTK) as CSV", is_hololens_csv,
           read_hololens_csv},
};

std::string names_of_formats() {
    std::string names;
    for (const Format& row : format_table()) names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

}  // namespace

std::span<const Format> format_table() {
    return kFormats;
}

const Format& recognise_format(const Input& in) {
    for (const Format& row : kFormats)
        if (row.recognise(in.head(), in.size())) return row;
    const bool binary = in.head().substr(0, 4096).find('\0') != std::string_view::npos;
    const std::string looks = binary ? "binary data" : "begins with " + excerpt(trimmed(in.head()));
    in.fail("not a recording of any known format (" + looks + "); known: " + names_of_formats());
}

}  // namespace glovebox::recordings
