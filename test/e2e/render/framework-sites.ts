import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PageOfSite } from '../../site.ts';

const exec = promisify(execFile);

/** What the pages of each site say: title and paragraphs, by slug. */
export const guides = {
  owls: {
    title: 'Owls of the northern forest',
    text: [
      'The great grey owl hears a vole through sixty centimetres of snow, and flies without a sound to where it moves.',
      'It nests in the old stick nests of goshawks, and lays its eggs in April when the snow still lies deep.',
    ],
  },
  lynxes: {
    title: 'Lynxes and their tracks',
    text: [
      'A lynx walks in its own tracks, so that one line of prints in the snow may belong to a mother and her three cubs.',
      'Its paws are broad and furred, and carry it over powder in which a fox would sink to the belly.',
    ],
  },
} as const;

export const frameworks = ['react', 'vue', 'svelte'] as const;
export type Framework = (typeof frameworks)[number];

const packages = [
  ...['vite@7', 'react@19', 'react-dom@19', '@vitejs/plugin-react@5'],
  ...['vue@3', '@vitejs/plugin-vue@6', 'svelte@5', '@sveltejs/vite-plugin-svelte@6'],
];

const html = (entry: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Guide</title></head>
<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
<script type="module" src="/${entry}"></script></body></html>`;

const config = (plugin: string, call: string): string =>
  `import ${plugin.includes('svelte') ? '{ svelte }' : 'plugin'} from '${plugin}';
export default { plugins: [${call}], logLevel: 'error' };`;

/** Loads the guide that the address names; the front page has links alone. */
const load = `export const slug = location.pathname.split('/')[2];
export const guide = async () => (await fetch('/api/' + slug + '.json')).json();
export const links = ${JSON.stringify(Object.entries(guides).map(([slug, { title }]) => ({ href: `/guide/${slug}`, title })))};`;

/** The sources of one application: a front page, and a guide that is a chunk of its own with its own styles. */
const sources: Readonly<Record<Framework, Readonly<Record<string, string>>>> = {
  react: {
    'index.html': html('main.jsx'),
    'vite.config.js': config('@vitejs/plugin-react', 'plugin()'),
    'main.jsx': `import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { links, slug } from './load.js';
const Guide = lazy(() => import('./Guide.jsx'));
const Front = () => <main><h1>Animals in winter</h1><p>A guide to what lives in the snow, and how to find it without disturbing it.</p><ul>{links.map(({ href, title }) => <li key={href}><a href={href}>{title}</a></li>)}</ul></main>;
createRoot(document.getElementById('root')).render(<Suspense fallback={<p>Loading…</p>}>{slug ? <Guide /> : <Front />}</Suspense>);`,
    'Guide.jsx': `import { useEffect, useState } from 'react';
import { guide } from './load.js';
import './guide.css';
export default function Guide() {
  const [page, setPage] = useState();
  useEffect(() => { guide().then((loaded) => { document.title = loaded.title; setPage(loaded); }) }, []);
  return page ? <article><h1>{page.title}</h1>{page.text.map((each) => <p key={each}>{each}</p>)}</article> : <p>Loading the guide…</p>;
}`,
  },
  vue: {
    'index.html': html('main.js'),
    'vite.config.js': config('@vitejs/plugin-vue', 'plugin()'),
    'main.js': `import { createApp, defineAsyncComponent } from 'vue';
import Front from './Front.vue';
import { slug } from './load.js';
createApp(slug ? defineAsyncComponent(() => import('./Guide.vue')) : Front).mount('#root');`,
    'Front.vue': `<script setup>import { links } from './load.js';</script>
<template><main><h1>Animals in winter</h1><p>A guide to what lives in the snow, and how to find it without disturbing it.</p><ul><li v-for="{ href, title } in links" :key="href"><a :href="href">{{ title }}</a></li></ul></main></template>`,
    'Guide.vue': `<script setup>
import { onMounted, ref } from 'vue';
import { guide } from './load.js';
import './guide.css';
const page = ref();
onMounted(async () => { page.value = await guide(); document.title = page.value.title; });
</script>
<template><article v-if="page"><h1>{{ page.title }}</h1><p v-for="each in page.text" :key="each">{{ each }}</p></article><p v-else>Loading the guide…</p></template>`,
  },
  svelte: {
    'index.html': html('main.js'),
    'vite.config.js': config('@sveltejs/vite-plugin-svelte', 'svelte()'),
    'main.js': `import { mount } from 'svelte';
import Front from './Front.svelte';
import { slug } from './load.js';
const target = document.getElementById('root');
if (slug) import('./Guide.svelte').then((Guide) => mount(Guide.default, { target }));
else mount(Front, { target });`,
    'Front.svelte': `<script>import { links } from './load.js';</script>
<main><h1>Animals in winter</h1><p>A guide to what lives in the snow, and how to find it without disturbing it.</p><ul>{#each links as { href, title }}<li><a {href}>{title}</a></li>{/each}</ul></main>`,
    'Guide.svelte': `<script>
import { guide } from './load.js';
import './guide.css';
const loading = guide();
loading.then(({ title }) => { document.title = title; });
</script>
{#await loading}<p>Loading the guide…</p>{:then page}<article><h1>{page.title}</h1>{#each page.text as each}<p>{each}</p>{/each}</article>{/await}`,
  },
};

/** Installs the tools of all three into a folder, from the npm registry. */
export async function installFrameworks(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  await exec('npm', ['install', ...quiet, ...packages], { cwd: folder });
}

/** Builds the application of one framework with its own tools, and gives what a server of it serves. */
export async function buildSite(folder: string, framework: Framework): Promise<Record<string, PageOfSite>> {
  const app = join(folder, framework);
  const files = { ...sources[framework], 'load.js': load, 'guide.css': 'article { max-width: 60ch }' };
  for (const [name, text] of Object.entries(files)) write(join(app, name), text);
  await exec(join(folder, 'node_modules/.bin/vite'), ['build', '--emptyOutDir'], { cwd: app });
  const data = Object.entries(guides).map(([slug, guide]) => [
    `/api/${slug}.json`,
    { headers: { 'content-type': 'application/json' }, body: JSON.stringify(guide) },
  ]);
  return { '/robots.txt': '', ...served(join(app, 'dist')), ...Object.fromEntries(data) };
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** The files of a build by their paths; `index.html` answers for its folder. */
export function served(folder: string): Record<string, PageOfSite> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = file.slice(folder.length).replace(/\/index\.html$/, '/');
      const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [path, { headers: { 'content-type': type }, body: readFileSync(file) }];
    }),
  );
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
