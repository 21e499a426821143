import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openProviderPool } from '../../src/external/create-providers.ts';
import { providerFacts, providerNames } from '../../src/external/provider-facts.ts';
import type { SearchProvider } from '../../src/external/search-provider.ts';
import { silentLog } from '../../src/runtime.ts';
import { withBlock } from '../written-block.ts';

const page = new URL('../../docs/external.md', import.meta.url);

/** All providers as the pool makes them. */
function allProviders(): readonly SearchProvider[] {
  const settings = providerNames.flatMap((name) => {
    const { needs, keySetting, urlSetting } = providerFacts[name];
    if (needs === 'key') return [[keySetting, 'a-key']];
    return needs === 'url' ? [[urlSetting, 'http://127.0.0.1/']] : [];
  });
  const { external } = readConfig({
    ...Object.fromEntries(settings),
    GLEANER_EXTERNAL: providerNames.join(','),
  });
  return openProviderPool({ config: external, userAgent: 'Gleaner', log: silentLog }).providers;
}

function providerTable(): string {
  const named = (names: readonly (readonly [string, boolean])[]) =>
    names
      .filter(([, has]) => has)
      .map(([name]) => name)
      .join(', ') || '–';
  const rows = allProviders().map(({ name, supports }) => {
    const facts = providerFacts[name as keyof typeof providerFacts];
    const { needs, keySetting, urlSetting, byDefault, title, terms } = facts;
    const settings = [urlSetting, keySetting].filter((setting) => setting !== undefined);
    const shown = settings.map((setting) =>
      needs === (setting === urlSetting ? 'url' : 'key') ? `\`${setting}\`` : `\`${setting}\` (optional)`,
    );
    const { lang, timeRange, site, offset, operators } = supports;
    return [
      `\`${name}\``,
      title,
      byDefault ? 'always' : needs === 'nothing' ? 'when named' : 'when set',
      shown.join(', '),
      named([
        ['lang', lang],
        ['time', timeRange],
        ['site', site],
        ['pages', offset],
      ]),
      named([
        ['phrase', operators.phrase],
        ['-', operators.exclude],
        ['OR', operators.or],
        ['intitle', operators.intitle],
        ['filetype', operators.filetype],
      ]),
      terms,
    ].join(' | ');
  });
  return [
    '| name | service | on | settings | filters | operators | to know |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

test('the table of providers in docs/external.md is the code (vitest -u writes it)', async () => {
  const written = withBlock(readFileSync(page, 'utf8'), 'providers', providerTable());
  await expect(written).toMatchFileSnapshot(fileURLToPath(page));
});
