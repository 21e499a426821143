import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

const packages = ['langchain-community==0.4.2', 'llama-index-core==0.14.25'];
/** The newest when this was written; the whole program is 106 MB, of which three files are run. */
const openWebUi = 'open-webui==0.12.4';
const openWebUiFiles = ['web/external', 'web/searxng', 'loaders/external_web'];

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const venv = join(cache, 'python-clients');
const python = join(venv, 'bin', 'python');

/** The Python that has LangChain and LlamaIndex: a virtual environment, made on first use beside the other dependencies. */
export async function installPythonClients(): Promise<string> {
  const done = join(venv, packages.join('+'));
  if (existsSync(done)) return python;
  await exec('python3', ['-m', 'venv', '--clear', venv]);
  await exec(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  mkdirSync(done);
  return python;
}

/** The folder with Open WebUI's own files that speak to an external engine, an external loader and a SearXNG. */
export async function fetchOpenWebUi(): Promise<string> {
  const folder = join(cache, openWebUi);
  if (existsSync(folder)) return folder;
  const fetched = join(cache, 'open-webui.new');
  rmSync(fetched, { recursive: true, force: true });
  mkdirSync(fetched, { recursive: true });
  // Any Python can unpack it, also one that it does not run on.
  const options = [
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--python-version',
    '3.12',
    '--dest',
    fetched,
  ];
  await exec(python, ['-m', 'pip', 'download', ...options, openWebUi]);
  const unpacked = openWebUiFiles.map((file) => `open_webui/retrieval/${file}.py`);
  const unpack =
    'import glob, sys, zipfile; zipfile.ZipFile(glob.glob("*.whl")[0]).extractall(sys.argv[1], sys.argv[2:])';
  await exec(python, ['-c', unpack, folder, ...unpacked], { cwd: fetched });
  rmSync(fetched, { recursive: true });
  return folder;
}
