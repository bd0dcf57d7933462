# Mean of a metric at each point of a sweep, with base R: Rscript points.R SWEEP METRIC PICTURE.svg
arguments <- commandArgs(trailingOnly = TRUE)
sweep <- arguments[1]
metric <- arguments[2]
# Only an empty field is missing: a participant may be called "NA".
runs <- read.csv(file.path(sweep, "runs.csv"), na.strings = "", check.names = FALSE)
scalars <- read.csv(file.path(sweep, "scalars.csv"), na.strings = "", check.names = FALSE)

chosen <- scalars$scope == "tile" & scalars$metric == metric & scalars$stat != "max"
per_run <- aggregate(value ~ run_id, data = scalars[chosen, ], FUN = mean)
joined <- merge(runs, per_run, by = "run_id")
variables <- grep("^p_", names(runs), value = TRUE)
half_width <- function(x) qt(0.975, length(x) - 1) * sd(x) / sqrt(length(x))
points <- aggregate(joined["value"], by = joined[variables],
                    FUN = function(x) c(n = length(x), mean = mean(x), half_width = half_width(x)))
points <- cbind(points[variables], points$value)
write.csv(format(points, digits = 15, trim = TRUE), row.names = FALSE, quote = FALSE)

svg(arguments[3], width = 7, height = 5)
y <- points$mean
plot(seq_along(y), y, pch = 19, xlab = "point", ylab = metric,
     ylim = range(y - points$half_width, y + points$half_width))
arrows(seq_along(y), y - points$half_width, seq_along(y), y + points$half_width,
       angle = 90, code = 3, length = 0.05)
invisible(dev.off())
