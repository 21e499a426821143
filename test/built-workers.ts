import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const workerUrl = /(new URL\(\s*'\.{1,2}\/[^']+\.js',\s*)import\.meta\.url/g;

/**
 * Threads and processes of their own run compiled JavaScript, while tests run the sources. Sends every
 * `new URL('./worker.js', import.meta.url)` of a source file to the build in `dist`, so that the sources need not know.
 */
export function builtWorkers(): Plugin {
  return {
    name: 'built-workers',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(`${root}src/`) || code.search(workerUrl) < 0) return undefined;
      const built = `${root}dist/${id.slice(root.length).replace(/\.ts$/, '.js')}`;
      const base = JSON.stringify(pathToFileURL(built).href);
      return { code: code.replace(workerUrl, `$1${base}`), map: null };
    },
  };
}
