import { openEnvironment } from './environment.ts';

// A process of its own, which LMDB may end: holds a read transaction, so that no page of the present state is used
// again while `gleaner verify` reads the file beside writers. Says so on stdout, and ends with its stdin.
const { root } = openEnvironment(process.argv[2] as string);
const transaction = root.useReadTransaction();
root.get('', { transaction } as never);
process.stdout.write('pinned\n');
process.stdin.resume().on('end', () => process.exit());
