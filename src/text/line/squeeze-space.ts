/** All runs of white space but a single space. */
const spaces = /[^\S ]\s*| \s+/g;

/** A text without white space at its ends, and with single spaces in it. */
export const squeezeSpace = (text: string): string => text.trim().replace(spaces, ' ');
