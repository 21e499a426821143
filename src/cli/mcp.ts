import { tools } from '../../tools/index.ts';
import { version } from '../app/about.ts';
import type { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../engine/engine.ts';
import { runStdio } from '../mcp/stdio.ts';
import { createLog, logWarnings } from './output/log.ts';
import { stopSignal } from './stop-signal.ts';

/** Visits are given up and packing is stopped within moments; what takes longer hangs. */
const maxCloseMs = 5000;

/**
 * `gleaner mcp`: serves one client over stdin and stdout, until it is gone. The index is opened when the handshake
 * is done, so that the client never waits for it.
 */
export async function mcp(config: Config): Promise<void> {
  const log = createLog(config);
  logWarnings(config, log);
  let app: App | undefined;
  let opening: Promise<App> | undefined;

  const open = async (): Promise<App> => {
    const [{ openApp }, { opennessWarning }, indexFiles] = await Promise.all([
      import('../app/app.ts'),
      import('../store/lmdb/openness-warning.ts'),
      import('../index/read-ahead.ts').then(({ indexFolderOf, readAhead }) =>
        readAhead(indexFolderOf(config.dataFolder)),
      ),
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
      // What failed once, such as a folder that was not there yet, may be mended by the next call.
      opening = undefined;
      throw error;
    });
    return (await opening).engine;
  };

  await runStdio({ engine, tools, log, version, signal: stopSignal() });
  // Nothing that was acknowledged is lost by ending here, and nobody is left to wait for.
  setTimeout(() => process.exit(1), maxCloseMs).unref();
  // Not once `opening` is done: that may take minutes, when much is to be packed.
  await app?.close();
  // Stdin may still be open when SIGTERM was the reason, and would keep the process.
  process.exit();
}
