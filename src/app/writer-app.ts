import type { Config } from '../config/config.ts';
import type { Log } from '../runtime.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import type { PageStore } from '../store/page-store.ts';
import { createPageWriter, type PageWriter } from '../store/page-writer.ts';
import { patientWriter } from '../store/writer/patient-writer.ts';
import { openFeeding } from './feeding.ts';
import { openPacking, type Packing } from './packing.ts';
import { createPartWriter } from './part-writer.ts';

/** The parts of a command that writes pages and answers no searches: processes that do follow the change log. */
export interface WriterApp {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly packing: Packing;
  close(): Promise<void>;
}

export interface WriterAppOptions {
  readonly config: Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'cluster'>>;
  readonly log: Log;
  /** Hands over the pages of other machines; without it, they are left out. */
  readonly givePages?: ((urls: readonly string[]) => void) | undefined;
  /** Gets a sentence when another process holds the writer's place, and this one waits. */
  readonly onWait: (sentence: string) => void;
  /** Gets a sentence when packing takes longer than a few seconds. */
  readonly onLongPacking?: ((sentence: string) => void) | undefined;
}

export function openWriterApp({
  config,
  log,
  givePages = () => {},
  onWait,
  onLongPacking,
}: WriterAppOptions): WriterApp {
  const store = patientWriter(openPageStore(config.dataFolder), onWait);
  const { cluster } = config;
  const packing = cluster
    ? openFeeding({ store, cluster, log })
    : openPacking({ store, config, log, onLong: onLongPacking });
  return {
    store,
    pageWriter: createPartWriter(createPageWriter({ store }), cluster?.part, givePages),
    packing,
    close: async () => {
      try {
        await packing.close();
      } finally {
        await store.close();
      }
    },
  };
}
