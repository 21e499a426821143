/**
 * Increased when a segment has other terms of the same page than before, or more of the page, so that segments are packed
 * again. It has its own file, because reading a manifest must not load the stemmers.
 */
export const termsVersion = 3;
