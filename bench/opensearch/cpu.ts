import { readFileSync } from 'node:fs';

/** The kernel counts CPU time of processes in hundredths of a second (proc(5), USER_HZ). */
const msPerTick = 10;

/** CPU time of a process so far, user and system, in ms. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

export interface Spent {
  readonly clusterMs: number;
  readonly nodeMs: number;
  readonly wallMs: number;
}

/** What `work` costs the cluster and this process. */
export async function spent(clusterPid: number, work: () => Promise<void>): Promise<Spent> {
  const [cluster, own, start] = [cpuOf(clusterPid), process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(own);
  return {
    clusterMs: cpuOf(clusterPid) - cluster,
    nodeMs: (user + system) / 1000,
    wallMs: performance.now() - start,
  };
}
