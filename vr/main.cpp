#include "vr/cli/program.h"

int main(int argc, char** argv) {
    return glovebox::vr::run_glovebox(argc, argv);
}
