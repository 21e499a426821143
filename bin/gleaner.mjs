#!/usr/bin/env node
// Plain JavaScript that every Node reads, so that a Node that is too old or a clone without its build is told so.
import { existsSync } from 'node:fs';
import module from 'node:module';
import v8 from 'node:v8';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/bundle/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Gleaner needs Node 20.19 or later, this is ${process.version}.`);
} else if (!existsSync(main)) {
  refuse('Gleaner is not built yet: run "npm ci" in its folder first.');
} else {
  if (answersFewSearches(process.argv)) {
    const { lateOptimizing } = await import(new URL('../src/late-optimizing.js', main).href);
    for (const flag of lateOptimizing(process.versions.v8)) v8.setFlagsFromString(flag);
  }
  // After the flags: compiled code is kept for each set of flags.
  module.enableCompileCache?.();
  const { run } = await import(main.href);
  await run(process.argv);
}

/** One of these words may also be the value of an option, which does no harm. */
function answersFewSearches(argv) {
  return argv.includes('mcp') || argv.includes('search');
}

function refuse(message) {
  process.stderr.write(`gleaner: ${message}\n`);
  process.exitCode = 1;
}
