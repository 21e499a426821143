import { ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../runtime.ts';
import type { Child, Exit } from './children.ts';
import type { ProcessRole } from './protocol.ts';

interface SupervisorParts {
  /** Starts a process. */
  readonly start: (role: ProcessRole) => Child;
  readonly workers: number;
  readonly log: Log;
  /** Called for every process that ended without being asked to. */
  readonly onExit: () => void;
}

/** Keeps the processes of a service alive. */
export interface Supervisor {
  /** All living processes. */
  children(): readonly Child[];
  /** The background process that is ready, or the next one that will be. */
  background(): Promise<Child>;
  /** Resolves with the searchable pages once every process has been ready. */
  allReady(): Promise<number>;
  /** Rejects with a `ServiceError` when processes cannot be started. Never resolves. */
  readonly failed: Promise<never>;
  /** Replaces one process after the other. Settles when that is done, or a new one could not be started. */
  restart(): Promise<void>;
  /** Ends the workers, then the background process, which works for them. */
  stop(): Promise<void>;
  /** Kills what is left. */
  kill(): void;
}

/** Processes that end before they are ready, one after the other, before the service gives up. */
const maxFailedStarts = 5;
/** Before a process is started again: the first pause, doubled with each further exit. */
const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** A process that lived this long starts with the first pause again. */
const stableMs = 60_000;
/** A process that is to end is killed after this time. Longer than requests may take then. */
const maxEndMs = 9_500;

/** The place of one process, which may be taken by one after the other. */
interface Slot {
  readonly role: ProcessRole;
  child: Child;
  /** Resolves once any process in this place is ready. */
  readonly everReady: Promise<number>;
  becomeReady(pages: number): void;
  quickExits: number;
  isReplacing: boolean;
  /** While the next process waits for its start. */
  pause: NodeJS.Timeout | undefined;
}

export function createSupervisor({ start, workers, log, onExit }: SupervisorParts): Supervisor {
  let isStopping = false;
  /** The roles of which a process has been ready. */
  const haveBeenReady = new Set<ProcessRole>();
  let failedStarts = 0;
  let restarting: Promise<void> | undefined;
  let fail: (error: ServiceError) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const living = new Set<Child>();
  const retiring = new Set<Child>();

  const begin = (role: ProcessRole): Child => {
    const child = start(role);
    living.add(child);
    void child.ready.then(() => {
      haveBeenReady.add(role);
      failedStarts = 0;
    });
    void child.exited.then(() => living.delete(child));
    return child;
  };

  const occupy = (slot: Slot, child: Child): void => {
    const startedAt = performance.now();
    slot.child = child;
    void child.ready.then(slot.becomeReady);
    void child.exited.then((exit) => {
      if (isStopping || retiring.has(child)) return;
      slot.quickExits = performance.now() - startedAt > stableMs ? 0 : slot.quickExits + 1;
      ended(slot, child, exit);
    });
  };

  const ended = (slot: Slot, child: Child, exit: Exit): void => {
    onExit();
    if (!child.isReady()) failedStarts += 1;
    // At the first start a reason that is known, such as a port in use, does not go away by itself.
    if (failedStarts >= maxFailedStarts || (exit.failure && !haveBeenReady.has(slot.role))) {
      fail(exit.failure ?? cannotStart(exit));
      return;
    }
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (slot.quickExits - 1));
    log.error(
      { process: child.pid, role: child.role, ...facts(exit), pauseMs },
      'a process of the service ended and is started again after a pause',
    );
    slot.pause = setTimeout(() => {
      if (!isStopping && !slot.isReplacing) occupy(slot, begin(slot.role));
    }, pauseMs);
  };

  const slots: Slot[] = [];
  for (const role of ['background', ...Array<'worker'>(workers).fill('worker')] as const) {
    const slot = newSlot(role, begin(role));
    slots.push(slot);
    occupy(slot, slot.child);
  }
  const [backgroundSlot, ...workerSlots] = slots as [Slot, ...Slot[]];

  const end = async (child: Child): Promise<void> => {
    retiring.add(child);
    child.end();
    const late = setTimeout(child.kill, maxEndMs);
    await child.exited;
    clearTimeout(late);
  };

  /** Starts a new worker, and ends the old one when that is ready. */
  const replaceWorker = async (slot: Slot): Promise<boolean> => {
    slot.isReplacing = true;
    const old = slot.child;
    const next = begin('worker');
    const exit = await Promise.race([next.ready.then(() => undefined), next.exited]);
    slot.isReplacing = false;
    if (exit !== undefined) {
      log.error({ role: 'worker', ...facts(exit) }, 'a new worker could not be started: the old ones go on');
      if (!living.has(old) && !isStopping) occupy(slot, begin('worker'));
      return false;
    }
    retiring.add(old);
    occupy(slot, next);
    await end(old);
    return true;
  };

  const restartAll = async (): Promise<void> => {
    for (const slot of workerSlots) {
      if (isStopping || !(await replaceWorker(slot))) return;
    }
    if (isStopping) return;
    // Two must not write at once, so the old one ends first. What workers ask of it meanwhile waits.
    backgroundSlot.isReplacing = true;
    await end(backgroundSlot.child);
    backgroundSlot.isReplacing = false;
    if (isStopping) return;
    occupy(backgroundSlot, begin('background'));
    await Promise.race([backgroundSlot.child.ready, backgroundSlot.child.exited]);
  };

  const background = async (): Promise<Child> => {
    for (;;) {
      const { child } = backgroundSlot;
      if (living.has(child) && !retiring.has(child)) {
        if (child.isReady()) return child;
        const isReady = await Promise.race([child.ready.then(() => true), child.exited.then(() => false)]);
        if (isReady) return child;
      }
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
  };

  return {
    children: () => [...living],
    background,
    failed,
    allReady: async () => {
      const counts = await Promise.all(workerSlots.map(({ everReady }) => everReady));
      return Math.max(...counts);
    },
    restart: () => {
      restarting ??= restartAll().finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    stop: async () => {
      isStopping = true;
      for (const { pause } of slots) clearTimeout(pause);
      const children = [...living];
      for (const child of children) child.tell('stopping', null);
      const ofRole = (role: ProcessRole) => children.filter((child) => child.role === role);
      await Promise.all(ofRole('worker').map(end));
      await Promise.all(ofRole('background').map(end));
    },
    kill: () => {
      for (const child of living) child.kill();
    },
  };
}

function newSlot(role: ProcessRole, child: Child): Slot {
  let becomeReady: (pages: number) => void = () => {};
  const everReady = new Promise<number>((resolve) => {
    becomeReady = resolve;
  });
  return { role, child, everReady, becomeReady, quickExits: 0, isReplacing: false, pause: undefined };
}

const lookAgainMs = 50;

function facts({ code, signal, failure }: Exit): object {
  return { code, signal, ...(failure && { why: failure.message }) };
}

function cannotStart({ code, signal }: Exit): ServiceError {
  const how = signal === null ? `exit status ${code}` : signal;
  const message = `${maxFailedStarts} processes of the service ended while they were starting, the last one with ${how}: see the log above, or use --workers 1`;
  return new ServiceError('internal', message);
}
