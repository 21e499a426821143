import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown';

/** What the compiler wrote, and what this writes: the code that `bin/gleaner.mjs` runs. */
const built = fileURLToPath(new URL('..', import.meta.url));
const bundleFolder = join(built, 'bundle');
const entry = join(built, 'src/main.js');

/** A process that was started before a build loads files of the earlier one, until it is started again. */
const keptMs = 60 * 60_000;

/** What every command loads, and what a client of `gleaner mcp` waits for. */
const startFiles = [entry, join(built, 'src/cli/mcp.js')];
/** Their dynamic imports are what the first search of `gleaner mcp` waits for. */
const searchLoaders = ['src/cli/mcp.js', 'src/mcp/mcp-offer.js', 'tools/web-search.js'].map((file) =>
  join(built, file),
);

/**
 * Packages stay what they are, and everything that is loaded when it is needed stays so, in files of its own. A file that is
 * named by its URL, such as that of a thread, is the compiler's: the URL of a module is that of its unbundled file.
 */
const bundle = await rolldown({
  input: entry,
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: (specifier) => !/^[./]|^[A-Za-z]:/.test(specifier),
  plugins: [unbundledUrls()],
  // What is loaded when it is needed may be at hand already.
  checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
});
const groupOf = createGroups();
const { output } = await bundle.generate({
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  // What is left out, or made of wide characters, costs every start: Node 20 keeps no compiled code.
  comments: false,
  charset: 'ascii',
  codeSplitting: {
    // What both need is of the start alone: the groups are whole without this.
    includeDependenciesRecursively: false,
    groups: [{ name: groupOf, debugName: 'start and search' }],
  },
});
await bundle.close();
const contents = output.map(
  (file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const,
);
// The entry last: a process that starts meanwhile finds all that its entry names.
const main = basename(entry);
writeChanged(contents.sort(([a], [b]) => Number(a === main) - Number(b === main)));

function unbundledUrls(): Plugin {
  return {
    name: 'unbundled-urls',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return undefined;
      const file = relative(bundleFolder, id).replaceAll(sep, '/');
      const url = `new URL(${JSON.stringify(file)}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', url), map: null };
    },
  };
}

/** The files of the start make one file, and those of the first search another: each file costs half a millisecond. */
function createGroups(): (id: string, context: ChunkingContext) => string | null {
  let groups: { readonly start: Set<string>; readonly search: Set<string> } | undefined;
  return (id, context) => {
    groups ??= {
      start: closureOf(startFiles, context),
      search: closureOf(
        searchLoaders.flatMap((file) => context.getModuleInfo(file)?.dynamicallyImportedIds ?? []),
        context,
      ),
    };
    if (groups.start.has(id)) return 'start';
    return groups.search.has(id) ? 'search' : null;
  };
}

/** Modules, and all that is loaded with them. */
function closureOf(files: readonly string[], context: ChunkingContext): Set<string> {
  const reached = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(context.getModuleInfo(file)?.importedIds ?? []));
  }
  return reached;
}

/**
 * Leaves files alone that are what they should be, because processes may be running on them: only their times are set.
 * Files of earlier builds go `keptMs` after the last build that had them.
 */
function writeChanged(files: readonly (readonly [name: string, content: string | Uint8Array])[]): void {
  mkdirSync(bundleFolder, { recursive: true });
  const present = new Set(readdirSync(bundleFolder));
  const current = new Set(files.map(([name]) => name));
  const now = Date.now();
  for (const [name, content] of files) {
    const path = join(bundleFolder, name);
    if (present.has(name) && readFileSync(path).equals(Buffer.from(content))) {
      utimesSync(path, now / 1000, now / 1000);
      continue;
    }
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }
  for (const name of present) {
    const path = join(bundleFolder, name);
    if (!current.has(name) && now - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
  }
}
