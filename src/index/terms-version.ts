/**
 * Raised when the terms of a page are others than before: packed segments are then packed again. In a file of its own,
 * because who only reads a manifest must not load the stemmers.
 */
export const termsVersion = 2;
