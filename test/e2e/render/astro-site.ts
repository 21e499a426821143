import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PageOfSite } from '../../site.ts';
import { type Framework, frameworks, guides, served, write } from './framework-sites.ts';

const packages = [
  ...['astro@5', '@astrojs/react@4', '@astrojs/vue@5', '@astrojs/svelte@7'],
  ...['react@19', 'react-dom@19', 'vue@3', 'svelte@5'],
];

/** The same component for each framework; its text comes as properties, which Astro writes into the page. */
const components: Readonly<Record<Framework, readonly [file: string, source: string]>> = {
  react: [
    'Guide.jsx',
    'export default function Guide({ title, text }) { return <article><h1>{title}</h1>{text.map((each) => <p key={each}>{each}</p>)}</article>; }',
  ],
  vue: [
    'Guide.vue',
    `<script setup>defineProps(['title', 'text']);</script>
<template><article><h1>{{ title }}</h1><p v-for="each in text" :key="each">{{ each }}</p></article></template>`,
  ],
  svelte: [
    'Guide.svelte',
    '<script>let { title, text } = $props();</script><article><h1>{title}</h1>{#each text as each}<p>{each}</p>{/each}</article>',
  ],
};

/**
 * A site of Astro, built by it, with a page for each framework (`/react/` and so on) that is drawn in the browser alone
 * (`client:only`) and carries its text as state.
 */
export async function buildAstroSite(folder: string): Promise<Record<string, PageOfSite>> {
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await promisify(execFile)('npm', ['install', ...quiet, ...packages], { cwd: folder });
  const imports = frameworks.map((name) => `import ${name} from '@astrojs/${name}';`).join('\n');
  const calls = frameworks.map((name) => `${name}()`).join(', ');
  writeFileSync(join(folder, 'astro.config.mjs'), `${imports}\nexport default { integrations: [${calls}] };`);
  for (const framework of frameworks) {
    const [file, source] = components[framework];
    write(join(folder, 'src/components', file), source);
    write(
      join(folder, `src/pages/${framework}.astro`),
      `---\nimport Guide from '../components/${file}';\nconst guide = ${JSON.stringify(guides.owls)};\n---
<html lang="en"><head><title>{guide.title}, by ${framework}</title></head><body><Guide client:only="${framework}" {...guide} /></body></html>`,
    );
  }
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  await promisify(execFile)(join(folder, 'node_modules/.bin/astro'), ['build', '--silent'], {
    cwd: folder,
    env,
  });
  return served(join(folder, 'dist'));
}
