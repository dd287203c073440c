// Writes the seed corpus: a folder for each format with good files of it, and packets of a glove.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "recordings/log/log_writer.h"
#include "recordings/writer.h"
#include "tests/recordings/more_files.h"
#include "tracking/glove/opengloves.h"

using namespace glovebox;

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    int count = 0;
    const auto write = [&](const std::string& name, const std::string& content) {
        std::filesystem::create_directories(folder / name);
        std::ofstream(folder / name / ("seed" + std::to_string(count++)), std::ios::binary) << content;
    };
    for (const auto& [name, content] : recordings::all_formats()) write(name, content);
    for (const char* scheme : {"suit-inhand", "mixamo", "cmu", "engine", "hand-only"}) {
        recordings::BvhRecipe recipe;
        recipe.scheme = scheme;
        recipe.frames = 2;
        write("bvh", recordings::bvh(recipe));
    }
    for (const char* style : {"numbered", "landmark"}) write("mediapipe-csv", recordings::mediapipe_csv(style, 2));
    const auto csv = folder / "glovebox-csv", lines = folder / "glovebox-jsonl", log = folder / "glove";
    for (const auto& path : {csv, lines, log}) std::filesystem::create_directories(path);
    const auto source = folder / "source";
    std::ofstream(source) << recordings::openxr_csv(2, tracking::Side::left);
    recordings::convert(source, csv / "seed.csv", {});
    recordings::convert(source, lines / "seed.jsonl", {});
    recordings::convert(source, log / "seed.glove", {});
    std::filesystem::remove(source);
    write("glove_codec", tracking::encode_opengloves(tracking::opengloves_from_angles(tracking::resting_angles()), {}));
    write("glove_codec", "A1000B0C500D250E1\n");
    write("glove_codec", "0.300000:46.000000 -0.500000:164.000000\n");
}
