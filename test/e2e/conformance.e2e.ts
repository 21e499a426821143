import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { installMcpPrograms, type McpPrograms, type Suite } from './mcp-clients/mcp-programs.ts';

/** What a run of a conformance suite finds, scenario by scenario. */
interface Run {
  readonly suite: Suite;
  readonly arguments: readonly string[];
  /** How many checks pass, where all do. */
  readonly passes: Readonly<Record<string, number>>;
  /** Scenarios with checks that do not pass, and why they cannot. */
  readonly excluded: Readonly<Record<string, Outcome & { readonly why: string }>>;
}

interface Outcome {
  readonly passes: number;
  /** The checks that fail, warn or are skipped. */
  readonly others: readonly string[];
}

const runs = JSON.parse(
  readFileSync(new URL('conformance-expected.json', import.meta.url), 'utf8'),
) as readonly Run[];

let programs: McpPrograms;

beforeAll(async () => {
  programs = await installMcpPrograms();
});

/** The address of a service over its own documentation. */
async function serve(): Promise<string> {
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', {
    GLEANER_EXTERNAL: 'off',
    GLEANER_SEARCH_LIMIT: 'off',
    GLEANER_CONTENT_LIMIT: 'off',
  });
  const [, url = ''] = await service.says(/^MCP: +(\S+)$/m);
  return url;
}

/** The outcome of each scenario, as a suite leaves it in a folder. */
function outcomesIn(folder: string): Record<string, Outcome> {
  const outcomes = readdirSync(folder).map((run): [string, Outcome] => {
    const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8')) as {
      readonly id: string;
      readonly status: string;
    }[];
    const passes = checks.filter(({ status }) => status === 'SUCCESS').length;
    const others = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
    return [scenario, { passes, others: others.map(({ id }) => id) }];
  });
  return Object.fromEntries(outcomes);
}

test.each(runs)(
  'the conformance suite $suite $arguments passes but for what is excluded with a reason',
  async (run) => {
    const [url, folder] = [await serve(), temporaryFolder()];
    await programs.conformance(run.suite, 'server', '--url', url, ...run.arguments, '--output-dir', folder);
    const expected = Object.fromEntries([
      ...Object.entries(run.passes).map(([scenario, passes]) => [scenario, { passes, others: [] }] as const),
      ...Object.entries(run.excluded).map(([scenario, { why, ...outcome }]) => [scenario, outcome] as const),
    ]);
    expect(outcomesIn(folder)).toEqual(expected);
  },
);
