import { expect, test } from 'vitest';
import { commandName, withCommandName } from '../../../src/cli/arguments/command-name.ts';

test.each([
  ['/usr/local/bin/gleaner', '/home/me', 'gleaner'],
  ['/home/me/gleaner/bin/gleaner.mjs', '/home/me/gleaner', 'node bin/gleaner.mjs'],
  ['/home/me/gleaner/bin/gleaner.mjs', '/home/me', 'node gleaner/bin/gleaner.mjs'],
  ['/home/me/gleaner/bin/gleaner.mjs', '/srv', 'node /home/me/gleaner/bin/gleaner.mjs'],
  ['/home/my own/bin/gleaner.mjs', '/srv', "node '/home/my own/bin/gleaner.mjs'"],
  ['/usr/lib/node_modules/gleaner/bin/gleaner.mjs', '/srv', 'gleaner'],
])('%s started in %s is typed as %s', (file, folder, name) => {
  expect(commandName(file, folder)).toBe(name);
});

test('only commands in quotes are named as they are typed', () => {
  const message = 'the gleaner stands in "gleaner crawl URL", not in "gleaner"';
  expect(withCommandName(message, 'node bin/gleaner.mjs')).toBe(
    'the gleaner stands in "node bin/gleaner.mjs crawl URL", not in "gleaner"',
  );
});
