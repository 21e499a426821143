/**
 * The first index from `start` on whose page is not below `target`, or `end`: doubling steps, then halving (Bentley and
 * Yao, An almost optimal algorithm for unbounded searching, 1976).
 */
export function gallop(pages: Uint16Array, start: number, end: number, target: number): number {
  if (start >= end || (pages[start] as number) >= target) return start;
  let low = start;
  let step = 1;
  let high = low + 1;
  while (high < end && (pages[high] as number) < target) {
    low = high;
    step <<= 1;
    high = low + step;
  }
  if (high > end) high = end;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pages[middle] as number) < target) low = middle;
    else high = middle;
  }
  return high;
}
