import { openEnvironment } from './environment.ts';

// A separate process, because LMDB may crash it. It holds a read transaction, so that concurrent writers do not reuse the
// pages of the current state while `gleaner verify` reads the file. It reports on stdout and ends with its stdin.
const { root } = openEnvironment(process.argv[2] as string);
const transaction = root.useReadTransaction();
root.get('', { transaction } as never);
process.stdout.write('pinned\n');
process.stdin.resume().on('end', () => process.exit());
