/**
 * Increased when the same page gets other terms than before, so that segments are packed again. It has its own file,
 * because reading a manifest must not load the stemmers.
 */
export const termsVersion = 2;
