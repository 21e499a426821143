/** 0x80 to 0x9f by the Encoding Standard's index of windows-1252; five of them stay controls. */
const upperControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const c1Controls = /[\u0080-\u009f]/g;

/**
 * Bytes as windows-1252. `TextDecoder` of several Node versions, 20 among them, decodes ISO 8859-1 by that name, which
 * turns quotation marks, dashes and the euro into controls.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  return withoutC1Controls(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

/** Text whose C1 controls are read as bytes of windows-1252, as HTML reads its character references. */
export function withoutC1Controls(text: string): string {
  return text.replace(c1Controls, (control) => upperControls[control.charCodeAt(0) - 0x80] ?? control);
}
