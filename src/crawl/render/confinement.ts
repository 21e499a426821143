import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Goes before the command of the render process, to start it apart from the system; empty for none. */
export type Confinement = readonly string[];

/**
 * Namespaces without network devices, the better one first: as an ordinary user, whom Chromium's own sandbox needs even
 * where this process runs as root; else as the same user. Messages go over a pipe, which needs no network.
 */
const namespaces: readonly Confinement[] = [
  ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--net', '--'],
  ['unshare', '--net', '--'],
];
const maxTrialMs = 5000;

/** The first of the namespaces that this system allows, tried by starting Node in it; empty where it allows none. */
export async function findConfinement(platform = process.platform): Promise<Confinement> {
  if (platform !== 'linux') return [];
  for (const command of namespaces) {
    const [program = '', ...rest] = command;
    try {
      await promisify(execFile)(program, [...rest, process.execPath, '--version'], { timeout: maxTrialMs });
      return command;
    } catch {
      // Not allowed here, or there is no such program.
    }
  }
  return [];
}
