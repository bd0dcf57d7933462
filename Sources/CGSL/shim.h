#pragma once

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

// GSL's generator types are C variables, which Swift 6 does not let cross threads: hand out their values.
static inline const gsl_rng_type *_Nonnull cgsl_mt19937(void) { return gsl_rng_mt19937; }
static inline const gsl_qrng_type *_Nonnull cgsl_sobol(void) { return gsl_qrng_sobol; }
