#pragma once

#include <stddef.h>

// Styles and scripts of a report, each one behind the other in the order in which a page needs them.
const unsigned char *_Nonnull cpages_styles(void);
size_t cpages_styles_length(void);
const unsigned char *_Nonnull cpages_scripts(void);
size_t cpages_scripts_length(void);
