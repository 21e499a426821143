/** By the version of V8; these are in Node 20 and 22. Later ones have Maglev, which makes fast code with little work. */
const flags: Readonly<Record<string, string>> = {
  '11.3': '--interrupt-budget=675840',
  '12.4': '--invocation-count-for-turbofan=30000',
};

/**
 * The flag with which V8 optimises a function after ten times as much use as by default. It optimises in threads of its
 * own. In a process that answers a few searches, this takes a quarter of the CPU, and the fast code is hardly used.
 * Undefined where there is no such flag, or no need.
 */
export function lateOptimizing(v8Version: string): string | undefined {
  return flags[v8Version.split('.', 2).join('.')];
}
