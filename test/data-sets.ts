import { existsSync } from 'node:fs';

/** Test material of one kind, in the layout that its tests read. */
export interface DataSet {
  /** `samples` are ours and in the repository; `outside` is larger, of other projects, and not everywhere. */
  readonly name: 'samples' | 'outside';
  readonly folder: URL;
  readonly isOutside: boolean;
}

const outside = new URL('../../shared/data/', import.meta.url);
const samples = new URL('./samples/', import.meta.url);

/**
 * The sets of a kind: the samples always, the outside data where the machine has them. So every kind of test runs
 * everywhere; `test/samples/README.md` says what each set has.
 */
export function dataSets(kind: string): DataSet[] {
  const sets: DataSet[] = [
    { name: 'samples', folder: new URL(`${kind}/`, samples), isOutside: false },
    { name: 'outside', folder: new URL(`${kind}/`, outside), isOutside: true },
  ];
  return sets.filter(({ folder, isOutside }) => !isOutside || existsSync(folder));
}
