# The README's commands; sourced.

# The n-th, word for word.
readme() { awk -v n="$1" '/^```sh$/ { block++; inside = 1; next } /^```$/ { inside = 0 } inside && block == n' README.md; }
