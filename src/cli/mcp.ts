import { z } from 'zod';
import { version } from '../app/about.ts';
import type { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { serverFacts } from '../config/server-facts.ts';
import type { Engine } from '../engine/engine.ts';
import type { SegmentFiles } from '../index/packed/segment-files.ts';
import { runStdio } from '../mcp/stdio.ts';
import { checkCredentials } from './check-credentials.ts';
import { createLog, logWarnings } from './output/log.ts';
import { stopSignal } from './stop-signal.ts';

/** Visits and packing stop at once; a process that takes longer hangs and is ended. */
const maxCloseMs = 5000;

/**
 * `gleaner mcp`: serves one client over stdin and stdout, until it disconnects. The index is opened after the handshake,
 * so that the client does not wait for it.
 */
export async function mcp(config: Config): Promise<void> {
  // Compiled parsers save a tenth of a parse, after hundreds of them. The schemas of tools and protocol are made after this.
  z.config({ jitless: true });
  await checkCredentials(config);
  const log = createLog(config);
  logWarnings(config, log);
  let app: App | undefined;
  let opening: Promise<App> | undefined;

  const readIndexFiles = async (): Promise<SegmentFiles> => {
    const [{ indexFolderOf, readAhead }, { createSegmentMapping }] = await Promise.all([
      import('../index/packed/read-ahead.ts'),
      import('../index/packed/segment-mapping.ts'),
    ]);
    const mapping = createSegmentMapping({ log, enabled: config.mappedIndex });
    return readAhead(indexFolderOf(config.dataFolder), mapping);
  };
  const open = async (): Promise<App> => {
    const [{ openApp }, { opennessWarning }, indexFiles] = await Promise.all([
      import('../app/app.ts'),
      import('../store/lmdb/openness-warning.ts'),
      readIndexFiles(),
    ]);
    if (app === undefined) {
      app = openApp({ config, log, learns: config.learn ?? true, indexFiles });
      const openness = opennessWarning(config.dataFolder);
      if (openness !== undefined) log.warn({ dataFolder: config.dataFolder }, openness);
    }
    await app.prepare();
    return app;
  };
  const engine = async (): Promise<Engine> => {
    opening ??= open().catch((error: unknown) => {
      // The next call tries again: a missing folder may exist by then.
      opening = undefined;
      throw error;
    });
    return (await opening).engine;
  };

  const facts = serverFacts(config, config.learn ?? true);
  await runStdio({ engine, tools: config.tools, facts, log, version, signal: stopSignal() });
  // No acknowledged write is lost by ending here, and no client waits.
  setTimeout(() => process.exit(1), maxCloseMs).unref();
  // Does not wait for `opening`, which may pack for minutes.
  await app?.close();
  // After SIGTERM stdin may still be open, and would keep the process alive.
  process.exit();
}
