import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountedRanges, packCounts } from '../../../../src/index/segment/dictionary/counted-ranges.ts';
import { OffsetRanges } from '../../../../src/index/segment/dictionary/ranges.ts';

const counts = fc.array(fc.oneof(fc.nat(3), fc.nat(300), fc.constantFrom(254, 255, 256, 70_000)), {
  maxLength: 100,
});

function offsetsOf(list: readonly number[], first: number): Uint32Array {
  const offsets = new Uint32Array(list.length + 1).fill(first);
  for (const [index, count] of list.entries()) offsets[index + 1] = (offsets[index] ?? 0) + count;
  return offsets;
}

test('counted ranges are those of the offsets, moved to 0', () => {
  fc.assert(
    fc.property(counts, fc.nat(1000), (list, first) => {
      const offsets = offsetsOf(list, first);
      const expected = new OffsetRanges(offsets);
      const ranges = new CountedRanges(packCounts(offsets));
      for (const term of list.keys()) {
        expect(ranges.start(term)).toBe(expected.start(term) - first);
        expect(ranges.count(term)).toBe(expected.count(term));
      }
      expect(ranges.addUpTo((offsets.at(-1) ?? 0) - first)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('any other byte is noticed by adding up', () => {
  fc.assert(
    fc.property(counts, fc.nat(), fc.integer({ min: 1, max: 255 }), (list, at, mask) => {
      const offsets = offsetsOf(list, 0);
      const sections = packCounts(offsets);
      const { counts: bytes } = sections;
      const starts = new Uint8Array(sections.starts.slice().buffer);
      const index = at % (bytes.length + starts.length);
      if (index < bytes.length) bytes[index] = (bytes[index] ?? 0) ^ mask;
      else starts[index - bytes.length] = (starts[index - bytes.length] ?? 0) ^ mask;
      const ranges = new CountedRanges({ counts: bytes, starts: new Uint32Array(starts.buffer) });
      expect(ranges.addUpTo(offsets.at(-1) ?? 0)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
