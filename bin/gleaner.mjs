#!/usr/bin/env node
// Plain JavaScript that every Node reads, so that a Node that is too old or a clone without its build is told so.
import { existsSync } from 'node:fs';
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/src/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Gleaner needs Node 20.19 or later, this is ${process.version}.`);
} else if (!existsSync(main)) {
  refuse('Gleaner is not built yet: run "npm ci" in its folder first.');
} else {
  module.enableCompileCache?.();
  const { run } = await import(main.href);
  await run(process.argv);
}

function refuse(message) {
  process.stderr.write(`gleaner: ${message}\n`);
  process.exitCode = 1;
}
