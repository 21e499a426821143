/** The tables of [MS-OFFCRYPTO] 2.3.7.2. */
const initialCode = hex('e1f0 1d0f cc9c 84c0 110c 0e10 f1ce 313e 1872 e139 d40f 84f9 280c a96a 4ec3');
const matrix = hex(
  `aefc 4dd9 9bb2 2745 4e8a 9d14 2a09 7b61 f6c2 fda5 eb6b c6f7 9dcf 2bbf 4563 8ac6 05ad 0b5a 16b4 2d68 5ad0 0375 06ea 0dd4 1ba8
  3750 6ea0 dd40 d849 a0b3 5147 a28e 553d aa7a 44d5 6f45 de8a ad35 4a4b 9496 390d 721a eb23 c667 9cef 29ff 53fe a7fc 5fd9 47d3
  8fa6 0f6d 1eda 3db4 7b68 f6d0 b861 60e3 c1c6 93ad 377b 6ef6 ddec 45a0 8b40 06a1 0d42 1a84 3508 6a10 aa51 4483 8906 022d 045a
  08b4 1168 76b4 ed68 caf1 85c3 1ba7 374e 6e9c 3730 6e60 dcc0 a9a1 4363 86c6 1dad 3331 6662 ccc4 89a9 0373 06e6 0dcc 1021 2042
  4084 8108 1231 2462 48c4`,
);
const padding = [0xbb, 0xff, 0xff, 0xba, 0xff, 0xff, 0xb9, 0x80, 0x00, 0xbe, 0x0f, 0x00, 0xbf, 0x0f, 0x00];

interface XorKey {
  /** What the file says of the password: its key and its hash, 16 bits each. */
  readonly key: number;
  readonly verifier: number;
  /** The 16 bytes that the data are combined with. */
  readonly bytes: Uint8Array;
}

/** The key of XOR obfuscation, method 1 ([MS-OFFCRYPTO] 2.3.7.1 and 2.3.7.2), of a password of 1 to 15 bytes. */
export function xorKeyOf(password: Uint8Array): XorKey {
  const key = keyOf(password);
  const bytes = new Uint8Array(16);
  const halves = [key & 0xff, key >> 8];
  for (let at = 0; at < bytes.length; at++) {
    const byte = at < password.length ? password[at] : padding[at - password.length];
    const mixed = (byte as number) ^ (halves[at % 2] as number);
    bytes[at] = ((mixed >> 1) | (mixed << 7)) & 0xff;
  }
  return { key, verifier: verifierOf(password), bytes };
}

function keyOf(password: Uint8Array): number {
  let key = initialCode[password.length - 1] ?? 0;
  let element = matrix.length - 1;
  for (const each of password.toReversed()) {
    for (let bit = 0, byte = each; bit < 7; bit++, byte <<= 1) {
      if ((byte & 0x40) !== 0) key ^= matrix[element] as number;
      element--;
    }
  }
  return key;
}

function verifierOf(password: Uint8Array): number {
  let verifier = 0;
  for (const byte of [...password.toReversed(), password.length])
    verifier = (((verifier >> 14) & 1) | ((verifier << 1) & 0x7fff)) ^ byte;
  return verifier ^ 0xce4b;
}

function hex(words: string): number[] {
  return words.split(/\s+/).map((word) => Number.parseInt(word, 16));
}
