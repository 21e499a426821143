import { casesOf, setNames } from '../documents/sets.ts';
import { loadPageSet, pageBytes, pageSetNames } from './sets.ts';

type Random = () => number;

/** Mulberry32: the same pages in every run. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const maxBytes = 4_000_000;

/** A file as a server sends it. */
export interface FuzzedFile {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
}

interface Sample extends Omit<FuzzedFile, 'bytes'> {
  readonly bytes: () => Uint8Array;
}

/** Real pages, each damaged one to four times: cut, spliced, repeated, sprinkled, robbed of tags' ends or quotes. */
export function mutatedPages(count: number, seed = 6): Generator<FuzzedFile> {
  const samples = pageSetNames
    .flatMap((set) => loadPageSet(set))
    .map((page) => ({ url: page.url, contentType: 'text/html', bytes: () => pageBytes(page) }));
  return mutate(samples, count, { seed, isText: true });
}

/** Real documents, damaged in the same ways but those of markup; no PDFs, each of which would need a process. */
export function mutatedDocuments(count: number, seed = 7): Generator<FuzzedFile> {
  const samples = setNames
    .flatMap((set) => casesOf(set))
    .filter(({ file }) => !file.toLowerCase().endsWith('.pdf'))
    .map(({ file, bytes }) => ({
      url: `https://page.invalid/${encodeURIComponent(file)}`,
      contentType: null,
      bytes: () => bytes,
    }));
  return mutate(samples, count, { seed, isText: false });
}

function* mutate(
  samples: readonly Sample[],
  count: number,
  { seed, isText }: { readonly seed: number; readonly isText: boolean },
): Generator<FuzzedFile> {
  const random = createRandom(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const anySample = () => samples[pick(samples.length)] as Sample;
  const mutations: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, pick(bytes.length)),
    (bytes) => bytes.subarray(pick(bytes.length)),
    (bytes) => {
      const other = Buffer.from(anySample().bytes());
      return Buffer.concat([bytes.subarray(0, pick(bytes.length)), other.subarray(pick(other.length))]);
    },
    (bytes) => {
      const from = pick(bytes.length);
      const piece = bytes.subarray(from, from + pick(2000));
      const times = Math.min(2000, Math.floor(maxBytes / (piece.length + 1)));
      return Buffer.concat([bytes.subarray(0, from), ...Array.from({ length: times }, () => piece)]);
    },
    (bytes) => {
      const damaged = Buffer.from(bytes);
      for (let n = 0; n < 200 && damaged.length > 0; n++) damaged[pick(damaged.length)] = pick(256);
      return damaged;
    },
  ];
  const ofMarkup = [
    (text: string) => text.replaceAll('</', '<'),
    (text: string) => text.replace(/["']/g, ''),
    (text: string) => text.replaceAll('>', ''),
  ];
  if (isText)
    for (const change of ofMarkup)
      mutations.push((bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'));
  for (let n = 0; n < count; n++) {
    const { bytes: original, ...file } = anySample();
    let bytes: Buffer = Buffer.from(original());
    for (let times = 1 + pick(4); times > 0; times--) {
      bytes = (mutations[pick(mutations.length)] as (typeof mutations)[number])(bytes).subarray(0, maxBytes);
    }
    yield { ...file, bytes };
  }
}
