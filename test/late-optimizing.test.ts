import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lateOptimizing } from '../src/late-optimizing.ts';

const bin = fileURLToPath(new URL('../bin/gleaner.mjs', import.meta.url));

test('Node 20 and 22 have a flag, versions with Maglev and unknown ones none', () => {
  expect(lateOptimizing('11.3.244.8-node.38')).toMatch(/^--interrupt-budget=/);
  expect(lateOptimizing('12.4.254.21-node.33')).toMatch(/^--invocation-count-for-turbofan=/);
  expect(lateOptimizing('13.6.233.17-node.41')).toBeUndefined();
  expect(lateOptimizing('99.1')).toBeUndefined();
});

test('the flag is one of this version of Node, and is ten times its default', () => {
  const [flag = '', value = ''] = lateOptimizing(process.versions.v8)?.split('=') ?? [];
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [, byDefault = ''] = options.match(new RegExp(`default: ${flag}=(\\d+)`)) ?? [];
  expect(Number(value)).toBe(10 * Number(byDefault));
});

test('V8 says nothing of it', () => {
  const { status, stderr } = spawnSync(process.execPath, [bin, 'mcp', '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
