// The entry point of the packed program. Swift reads its arguments from /proc/self/cmdline, which an empty root lacks.
int meetsim_main(int count, char **arguments);
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

int main(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
  return meetsim_main(count, arguments);
}
