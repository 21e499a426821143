/** A text, or what can be asked like one. Offsets are UTF-16 units, and not negative. */
export type TextSource = Pick<string, 'length' | 'charAt' | 'slice'>;
