const withMaglev = ['--invocation-count-for-maglev=4000', '--invocation-count-for-turbofan=30000'];

/** By the version of V8: those of Node 20, 22, 24, 25 and 26. A version that has no such flag would complain. */
const flags: Readonly<Record<string, readonly string[]>> = {
  '11.3': ['--interrupt-budget=675840'],
  '12.4': ['--invocation-count-for-turbofan=30000'],
  '13.6': withMaglev,
  '14.1': withMaglev,
  '14.6': withMaglev,
};

/**
 * The flags with which V8 optimises a function after ten times as much use as by default. It optimises in threads of its
 * own. In a process that answers a few searches, this takes an eighth to a quarter of the CPU, and the fast code is hardly
 * used. Empty for a version that is not known.
 */
export function lateOptimizing(v8Version: string): readonly string[] {
  return flags[v8Version.split('.', 2).join('.')] ?? [];
}
