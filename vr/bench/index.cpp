#include "vr/bench/index.h"

#include <array>

#include "vr/bench/bench.h"

namespace glovebox::vr {
namespace {

struct Paper {
    std::string_view name, title;
};
constexpr std::array kPapers = {
    Paper{"CAB", "Schmidl, Walker, Lin 2004: CAB: Fast Update of OBB Trees"},
    Paper{"OBBTree", "Gottschalk, Lin, Manocha 1996: OBBTree (slides)"},
    Paper{"MOBB", "Sung et al. 2005: collision detection of motion clips (MOBB)"},
    Paper{"GA", "Ramirez et al. 2009: OBBs by genetic algorithms"},
    Paper{"Cornell", "Cornell CS 567: collision detection (slides)"},
};

constexpr std::array kEntries = {
    // clang-format off
    IndexEntry{"CAB", "Figure 1a", "a binary hierarchy over an articulated body", "chains", "node of figure 1a"},
    IndexEntry{"CAB", "Figure 1b", "axis of CAB against the principal axis", "chains", "Figure 1b"},
    IndexEntry{"CAB", "Footnote 1", "the limbs' bisector as first axis", "chains", "the bisector of footnote 1"},
    IndexEntry{"CAB", "Figure 2a", "chains without and with boxes", "chains", "Figure 2a"},
    IndexEntry{"CAB", "Figure 2b", "AABB+ and AABB* of a link", "chains", "Figures 1b and 2b"},
    IndexEntry{"CAB", "Figure 3", "the three links", "chains", "Figure 3: the links"},
    IndexEntry{"CAB", "Table 1", "16 convex links, 3:1", "chains", "## Table 1"},
    IndexEntry{"CAB", "Table 2", "16 convex links, 6:1", "chains", "## Table 2"},
    IndexEntry{"CAB", "Table 3", "16 non-convex links, 6:1", "chains", "## Table 3"},
    IndexEntry{"CAB", "Table 4", "16 convex links, braided", "chains", "## Table 4"},
    IndexEntry{"CAB", "Tables 1 to 4", "the text's claims; culling by the joints' gap", "chains", "## Culling and the gap"},
    IndexEntry{"CAB", "Section 2", "update on demand; boxes that overlap in the braid", "chains", "## Two chains, apart and braided"},
    IndexEntry{"CAB", "Section 3.1", "a box: centre, unit axes, extents", "chains", "three unit axes, perpendicular"},
    IndexEntry{"CAB", "Section 3.2", "leaf boxes transformed, not fitted again", "hand", "## Leaf boxes"},
    IndexEntry{"CAB", "Section 3.2", "traversal of two hierarchies: touching pairs as by brute force", "chains", "methods whose touching pairs differ"},
    IndexEntry{"CAB", "Equation 1", "the first axis: the longest of a1, a2 and E", "chains", "(equation 1)"},
    IndexEntry{"CAB", "Equations 2, 3", "the second and the third axis", "chains", "(equation 2)"},
    IndexEntry{"CAB", "Section 3.2.1", "parallel limbs take a child's axes", "chains", "parallel limbs take all axes"},
    IndexEntry{"CAB", "Equation 4", "extents and centre from the children's boxes", "chains", "(equation 4)"},
    IndexEntry{"CAB", "Section 4", "brute force, AABB+, AABB*, OBB, CAB: #coll, #false, times", "chains", "| #coll | #false | t[query] |"},
    IndexEntry{"CAB", "Section 4", "motion: simulated chains, a recorded hand", "chains", "Its motion is not published"},
    IndexEntry{"CAB", "Section 4", "exact queries: intersection, distance, depth", "peers", "hulls of 32 corners, penetrating"},
    IndexEntry{"CAB", "Section 4", "a frame's share of 1/30, 1/72, 1/90 and 1/120 s", "chains", "% of 1/30 s"},
    IndexEntry{"CAB", "Figure 4", "a hand flicks a ball over a table", "hand", "Figure 4"},
    IndexEntry{"CAB", "Table 5", "a hand and a ball", "hand", "## Table 5"},
    IndexEntry{"CAB", "Table 5", "a hand that is near and seldom touches", "hand", "## Table 5, near and seldom touching"},
    IndexEntry{"CAB", "Open", "where the fingers meet the palm", "hand", "## Merging at the palm"},
    IndexEntry{"OBBTree", "Slide 5", "the four problems: complexity, soup, close proximity, all contacts", "obbtree", "soup without structure"},
    IndexEntry{"OBBTree", "Slide 11", "the minimal enclosing box and the fitters", "obbtree", "smallest box of points"},
    IndexEntry{"OBBTree", "Slide 12", "other overlap tests: edges against faces, linear program", "obbtree", "linear program"},
    IndexEntry{"OBBTree", "Slides 15 to 21", "fits: vertices, triangles, hull", "obbtree", "slide 17"},
    IndexEntry{"OBBTree", "Slide 24", "top-down trees: leaves and depth", "fitters", "| triangles_per_leaf | depth |"},
    IndexEntry{"OBBTree", "Slides 25 to 29", "the 15 axes, one by one", "obbtree", "axis of table 4.1"},
    IndexEntry{"OBBTree", "Slides 30, 31", "degenerate and infinite boxes", "obbtree", "slides 30, 31"},
    IndexEntry{"OBBTree", "Slide 32", "race of overlap tests", "obbtree", "## race"},
    IndexEntry{"OBBTree", "Slides 33 to 35", "tightness, diameter, aspect ratio", "obbtree", "slides 33 to 35"},
    IndexEntry{"OBBTree", "Slide 36", "parallel close proximity", "obbtree", "slide 36"},
    IndexEntry{"OBBTree", "Slide 37", "point close proximity", "obbtree", "slide 37"},
    IndexEntry{"OBBTree", "Slide 38", "high curvature, coarse tessellation", "obbtree", "slide 38"},
    IndexEntry{"OBBTree", "Slide 39", "no adjacency, degenerate triangles", "obbtree", "soup with segments and points"},
    IndexEntry{"OBBTree", "Slides 40 to 42", "pipes, torus", "obbtree", "pipes, small object inside"},
    IndexEntry{"OBBTree", "Slide 43", "all contacts, against AABB and sphere trees", "obbtree", "slide 43"},
    IndexEntry{"OBBTree", "Slide 44", "all contacts, as by brute force", "obbtree", "slide 44"},
    IndexEntry{"OBBTree", "Slides 45, 46", "T = N_v C_v + N_p C_p", "obbtree", "slide 46"},
    IndexEntry{"MOBB", "Equation 1", "two clips collide at one instant; the samples' cylinders", "clips", "## Equation 1"},
    IndexEntry{"MOBB", "Figure 2", "levels of a MOBB tree", "clips", "Figure 2"},
    IndexEntry{"MOBB", "Figures 3, 4", "a query: no at the root, box tests, sample tests", "clips", "no_at_root"},
    IndexEntry{"MOBB", "Figures 5, 6", "levels of a UMOBB tree, of discs in space and time", "clips", "Figure 5"},
    IndexEntry{"MOBB", "Figures 1, 7", "the crowd", "clips", "Figure 7"},
    IndexEntry{"MOBB", "Figure 8", "walking in circles", "clips", "Figure 8"},
    IndexEntry{"MOBB", "Table 1", "a hundred agents", "clips", "## Table 1"},
    IndexEntry{"MOBB", "Table 2", "long clips", "clips", "## Table 2"},
    IndexEntry{"MOBB", "Tables 1, 2", "Hybrid 1, Hybrid 2, one level", "clips", "| hybrid1 |"},
    IndexEntry{"MOBB", "Tables 1, 2", "counts of 2-D tests, 3-D tests and samples", "clips", "| tests_2d | tests_3d | samples |"},
    IndexEntry{"MOBB", "Section 3", "r(t) from a skeleton's limbs, on recorded hands", "clips", "## Recorded hands"},
    IndexEntry{"MOBB", "Section 4", "leaf size, axes by statistics", "clips", "leaves of 10 samples"},
    IndexEntry{"MOBB", "Section 6", "joining clips' trees (future work)", "clips", "joining clips' trees"},
    IndexEntry{"MOBB", "Section 6", "short clips: the samples that share time, without a tree", "clips", "comparing the samples that share time"},
    IndexEntry{"GA", "Table 1, figure 8", "models", "fitters", "| vertices | triangles |"},
    IndexEntry{"GA", "Section 2", "top-down trees: triangles per leaf, depth", "fitters", "| triangles_per_leaf | depth |"},
    IndexEntry{"GA", "Table 2", "parameters of the genetic algorithm", "fitters", "parameter of table 2"},
    IndexEntry{"GA", "Figures 5, 6", "a chromosome decoded", "fitters", "chromosome of figure 6"},
    IndexEntry{"GA", "Figure 9", "fitness by generation", "fitters", "figure 9"},
    IndexEntry{"GA", "Figure 10", "triangles per leaf, with and without border triangles doubled", "fitters", "figure 10"},
    IndexEntry{"GA", "Table 4, figure 11", "volume of the leaves, with and without border triangles doubled", "fitters", "table 4, figure 11"},
    IndexEntry{"GA", "Table 3", "scenes and their pairs of triangles", "fitters", "| 513566244 |"},
    IndexEntry{"GA", "Figure 12", "query time along a path", "fitters", "figure 12"},
    IndexEntry{"GA", "Table 5", "time to build", "fitters", "table 5"},
    IndexEntry{"GA", "Future work", "small deformation, the split's axis, threads", "fitters", "future work"},
    IndexEntry{"Cornell", "Figure 4.2", "sphere, AABB, DOPs, OBB, RSS, hull: tightness against cost", "volumes", "times_hull"},
    IndexEntry{"Cornell", "Table 4.1", "the 15 axes, one by one", "obbtree", "axis of table 4.1"},
    IndexEntry{"Cornell", "Construction", "top-down and bottom-up, wrapped and layered", "volumes", "construction"},
    IndexEntry{"Cornell", "Cost function", "t = n_v c_v + n_p c_p + n_u c_u", "volumes", "cost function"},
    IndexEntry{"Cornell", "Rotations", "AABB against AABB becomes AABB against OBB", "volumes", "AABB-AABB becomes AABB-OBB"},
    IndexEntry{"Cornell", "FindFirstHitCD", "the first hit, and all pairs, by rules of descent", "traversal", "| first hit | depth-first | by area |"},
    IndexEntry{"Cornell", "Proximity queries", "the distance of two trees", "traversal", "| distance | best-first |"},
    IndexEntry{"Cornell", "Figure 6.4", "depth-first, breadth-first, best-first", "traversal", "best-first"},
    IndexEntry{"Cornell", "Front tracking", "Klosowski; Li and Chen", "traversal", "front"},
    IndexEntry{"Cornell", "Time-critical tests", "a traversal with a deadline (Hubbard)", "traversal", "deadline"},
    IndexEntry{"Cornell", "Space-time bounds", "when a pair can touch at the earliest (Hubbard)", "broad-phase", "space-time bound"},
    IndexEntry{"Cornell", "Update on demand", "Larsson and Akenine-Moller", "traversal", "on demand"},
    IndexEntry{"Cornell", "Figures 3, 4", "van den Bergen: refit or rebuild while a mesh bends", "fitters", "| rebuilt |"},
    IndexEntry{"Cornell", "Figure 13.33", "moving sphere against a polygon", "traversal", "sphere against polygon"},
    IndexEntry{"Cornell", "Figures 7.8 to 7.11", "uniform and hierarchical grids, octree, k-d tree", "broad-phase", "| hgrid-center |"},
    IndexEntry{"Cornell", "Sweep and prune", "swaps in expected O(n)", "broad-phase", "expected O(n)"},
    IndexEntry{"Cornell", "Figure 7.20", "bodies clustered on one axis", "broad-phase", "clustered on one axis"},
    IndexEntry{"Cornell", "Hybrids", "a grid with k-d trees, a grid with sweeps", "broad-phase", "grid-kd-tree"},
    IndexEntry{"Cornell", "Many bodies", "rocks down a slope", "broad-phase", "rocks on a slope"},
    // clang-format on
};

}  // namespace

std::span<const IndexEntry> index_entries() {
    return kEntries;
}

std::string index_text() {
    std::string text =
        "<!-- Written by `glovebox bench`. Run the command below instead of editing. -->\n# Results\n\n"
        "Each page is one whole run of a bench on the machine that it names; the command at its top writes it again. "
        "`glovebox bench all --quick --page docs/results/README.md` writes this index again and leaves pages of whole "
        "runs as they are.\n";
    for (const Paper& paper : kPapers) {
        text += "\n## " + std::string(paper.title) + "\n\n| in the paper | what | page |\n|---|---|---|\n";
        for (const IndexEntry& entry : kEntries) {
            if (entry.paper != paper.name) continue;
            std::string what(entry.what);
            for (std::size_t at = what.find('*'); at != what.npos; at = what.find('*', at + 2)) what.insert(at, "\\");
            text += "| " + std::string(entry.item) + " | " + what + " | [" + std::string(entry.bench) + "](" +
                    std::string(entry.bench) + ".md) |\n";
        }
    }
    text += "\n## All pages\n\n| page | bench |\n|---|---|\n";
    for (const Bench& bench : bench_table())
        text += "| [" + std::string(bench.name) + "](" + std::string(bench.name) + ".md) | " +
                std::string(bench.summary) + " |\n";
    return text;
}

}  // namespace glovebox::vr
