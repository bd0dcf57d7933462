#include "pages.h"

// Arrays of bytes in Swift would cost ten seconds of every build; the assembler includes files as they are. (`#embed`
// would too, but the compiler of Swift 6.2 does not know it.)

// Named here as well, so that a build notices when one of them has changed.
#if !(__has_include("Web/page.css") && __has_include("Web/tile.css") && __has_include("Web/budget.css") && \
      __has_include("Web/controls.css") && __has_include("Web/screen.css") && \
      __has_include("Web/chart.css") && __has_include("Web/sweep.css") && __has_include("Web/dom.js") && \
      __has_include("Web/columns.js") && __has_include("Web/words.js") && __has_include("Web/run.js") && \
      __has_include("Web/clock.js") && __has_include("Web/picture.js") && __has_include("Web/tile.js") && \
      __has_include("Web/screen.js") && __has_include("Web/scale.js") && \
      __has_include("Web/time-chart.js") && __has_include("Web/viewer-charts.js") && \
      __has_include("Web/budget.js") && __has_include("Web/events.js") && __has_include("Web/moments.js") && \
      __has_include("Web/controls.js") && __has_include("Web/theme.js") && \
      __has_include("Web/difference.js") && __has_include("Web/verdicts.js") && \
      __has_include("Web/run-page.js") && __has_include("Web/sweep.js") && \
      __has_include("Web/xy-chart.js") && __has_include("Web/heat-map.js") && \
      __has_include("Web/choices.js") && __has_include("Web/pairs.js") && __has_include("Web/pareto.js") && \
      __has_include("Web/sweep-page.js") && __has_include("Web/main.js"))
#error "a file of the pages is missing"
#endif

#define STYLES(FILE) \
  FILE("page.css") FILE("tile.css") FILE("budget.css") FILE("controls.css") FILE("screen.css") \
  FILE("chart.css") FILE("sweep.css")

#define SCRIPTS(FILE) \
  FILE("dom.js") FILE("columns.js") FILE("words.js") FILE("run.js") FILE("clock.js") FILE("picture.js") \
  FILE("tile.js") FILE("screen.js") FILE("scale.js") FILE("time-chart.js") FILE("viewer-charts.js") \
  FILE("budget.js") FILE("events.js") FILE("moments.js") FILE("controls.js") FILE("theme.js") \
  FILE("difference.js") FILE("verdicts.js") FILE("run-page.js") FILE("sweep.js") FILE("xy-chart.js") \
  FILE("heat-map.js") FILE("choices.js") FILE("pairs.js") FILE("pareto.js") FILE("sweep-page.js") \
  FILE("main.js")

#ifdef __APPLE__
#define CONSTANTS ".const_data\n"
#define SYMBOL(name) "_" #name
#else
#define CONSTANTS ".section .rodata\n"
#define SYMBOL(name) #name
#endif

#define CONTENT(file) ".incbin \"" file "\"\n"
#define EMBED(name, files) \
  __asm__(CONSTANTS SYMBOL(name) ":\n" files(CONTENT) SYMBOL(name##_end) ":\n.text\n"); \
  extern const unsigned char name[], name##_end[];

EMBED(cpages_style_bytes, STYLES)
EMBED(cpages_script_bytes, SCRIPTS)

const unsigned char *cpages_styles(void) { return cpages_style_bytes; }
size_t cpages_styles_length(void) { return (size_t)(cpages_style_bytes_end - cpages_style_bytes); }
const unsigned char *cpages_scripts(void) { return cpages_script_bytes; }
size_t cpages_scripts_length(void) { return (size_t)(cpages_script_bytes_end - cpages_script_bytes); }
