// Limits SIMD to what an older processor has, if the environment asks for it: GLOVEBOX_INSTRUCTION_SET=scalar or avx2.
// So the tests of this program check the code of every instruction set, not only of this machine's best.
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace glovebox::collision {
namespace {

bool limit() {
    const char* const wanted = std::getenv("GLOVEBOX_INSTRUCTION_SET");
    if (wanted == nullptr) return false;
    const bool avx2 = std::string_view(wanted) == "avx2";
    if (!avx2 && std::string_view(wanted) != "scalar") {
        std::fprintf(stderr, "GLOVEBOX_INSTRUCTION_SET: scalar or avx2, not %s\n", wanted);
        std::exit(2);
    }
    // A processor that lacks the set runs the fallback, which is always there.
    hwy::GetChosenTarget().Update(avx2 ? HWY_AVX2 & hwy::SupportedTargets() : 0);
    return true;
}

[[maybe_unused]] const bool kLimited = limit();

}  // namespace
}  // namespace glovebox::collision
