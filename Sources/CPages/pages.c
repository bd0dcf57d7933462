#include "pages.h"

// Arrays of bytes in Swift would cost ten seconds of every build; clang embeds files as they are (C23).
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char styles[] = {
#embed "Web/page.css"
  ,
#embed "Web/tile.css"
  ,
#embed "Web/budget.css"
  ,
#embed "Web/controls.css"
  ,
#embed "Web/screen.css"
  ,
#embed "Web/chart.css"
  ,
#embed "Web/sweep.css"
  ,
};

static const unsigned char scripts[] = {
#embed "Web/dom.js"
  ,
#embed "Web/columns.js"
  ,
#embed "Web/words.js"
  ,
#embed "Web/run.js"
  ,
#embed "Web/clock.js"
  ,
#embed "Web/picture.js"
  ,
#embed "Web/tile.js"
  ,
#embed "Web/screen.js"
  ,
#embed "Web/scale.js"
  ,
#embed "Web/time-chart.js"
  ,
#embed "Web/viewer-charts.js"
  ,
#embed "Web/budget.js"
  ,
#embed "Web/events.js"
  ,
#embed "Web/moments.js"
  ,
#embed "Web/controls.js"
  ,
#embed "Web/theme.js"
  ,
#embed "Web/difference.js"
  ,
#embed "Web/verdicts.js"
  ,
#embed "Web/run-page.js"
  ,
#embed "Web/sweep.js"
  ,
#embed "Web/xy-chart.js"
  ,
#embed "Web/heat-map.js"
  ,
#embed "Web/choices.js"
  ,
#embed "Web/pairs.js"
  ,
#embed "Web/pareto.js"
  ,
#embed "Web/sweep-page.js"
  ,
#embed "Web/main.js"
  ,
};

const unsigned char *cpages_styles(void) { return styles; }
size_t cpages_styles_length(void) { return sizeof styles; }
const unsigned char *cpages_scripts(void) { return scripts; }
size_t cpages_scripts_length(void) { return sizeof scripts; }
