/** What a task does; one after the other, since one process writes at a time. */
export type TaskKind = 'crawl' | 'recrawl' | 'import' | 'remove';

/** The counts of a crawl or an import so far. */
export interface TaskProgress {
  /** Pages that were stored or found unchanged. */
  readonly pages: number;
  readonly failed: number;
  /** URLs that wait to be visited. */
  readonly queued: number;
  readonly pagesPerSecond: number | undefined;
  /** Until the queue is visited or the limit of pages is reached; undefined while the pace is unknown. */
  readonly secondsLeft: number | undefined;
  /** The last URL. */
  readonly url: string | undefined;
}

/** A task that was started from the page: a command of this program in a process of its own. Times are epoch milliseconds. */
export interface Task {
  readonly kind: TaskKind;
  /** What it is about: a URL, a site, a file. */
  readonly what: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly progress: TaskProgress | undefined;
  /** What it says in the end: its summary, or its error. */
  readonly said: string;
  /** Undefined while it runs. */
  readonly outcome: 'done' | 'stopped' | 'failed' | undefined;
}

/** Runs tasks and short commands of this program over the data folder of the service. */
export interface Tasks {
  current(): Task | undefined;
  /** The ended ones, the latest first. */
  recent(): readonly Task[];
  /** Throws `unavailable` while another task runs. `afterwards` is called at its end, whatever that is. */
  start(kind: TaskKind, what: string, args: readonly string[], afterwards?: () => void): void;
  /** Ends the running task as Ctrl-C does: nothing that was stored is lost. False if none runs. */
  stop(): boolean;
  /** The output of a short command. Throws the refusal of the command as `invalid_parameters`. */
  ask(args: readonly string[]): Promise<string>;
}

/** Who may do things from the page. */
export interface AdminKeys {
  /** Whether a text is the token that was printed at the start, or a valid key of scope admin. */
  isValid(text: string): boolean;
}

/** The operator's rules for domains, which are a file. */
export interface DomainRulesFile {
  read(): string;
  /** Throws `invalid_parameters` that names every wrong line, and changes nothing then. */
  save(text: string): void;
}

export interface AdminParts {
  /** Undefined where no file is set. */
  readonly domainRules: DomainRulesFile | undefined;
  readonly tasks: Tasks;
  readonly keys: AdminKeys;
  /** Whether the token of this machine opens the page, too; for its words. */
  readonly hasToken: boolean;
  /** Whether the service is about to end. */
  readonly isStopping: () => boolean;
}
