import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lateOptimizing } from '../src/late-optimizing.ts';

const bin = fileURLToPath(new URL('../bin/gleaner.mjs', import.meta.url));

test('the versions of V8 in Node 20 to 26 have flags, unknown ones none', () => {
  expect(lateOptimizing('11.3.244.8-node.38')).toEqual([expect.stringMatching(/^--interrupt-budget=/)]);
  expect(lateOptimizing('12.4.254.21-node.33')).toEqual([
    expect.stringMatching(/^--invocation-count-for-turbofan=/),
  ]);
  for (const version of ['13.6.233.17-node.41', '14.1.146.11-node.25', '14.6.202.34-node.34'])
    expect(lateOptimizing(version)).toHaveLength(2);
  expect(lateOptimizing('99.1')).toEqual([]);
});

test('the flags are some of this version of Node, and are ten times their defaults', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const flags = lateOptimizing(process.versions.v8);
  expect(flags).not.toEqual([]);
  for (const setting of flags) {
    const [flag, value] = setting.split('=');
    const [, byDefault] = options.match(new RegExp(`default: ${flag}=(\\d+)`)) ?? [];
    expect(Number(value)).toBe(10 * Number(byDefault));
  }
});

test('V8 says nothing of it', () => {
  const { status, stderr } = spawnSync(process.execPath, [bin, 'mcp', '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
