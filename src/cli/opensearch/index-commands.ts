import type { Command } from 'commander';
import type { CommandParts, Options } from '../arguments/options.ts';
import type { IndexFlags } from './index-command.ts';

/** Adds `gleaner index` to the command line. The code of a command is imported when it runs. */
export function addIndexCommands(program: Command, { data, config }: CommandParts): void {
  const index = program
    .command('index')
    .description('the index in a cluster of OpenSearch (GLEANER_INDEX=opensearch)');

  index
    .command('status')
    .description('what of the data folder is in the cluster, and which pages failed')
    .addOption(data())
    .option('--json', 'print all of it as JSON')
    .action(async (options: Options & IndexFlags) => {
      const { indexStatus } = await import('./index-command.ts');
      await indexStatus(config(options), options);
    });

  index
    .command('build')
    .description('fill a new generation of the index beside the one that answers')
    .addOption(data())
    .action(async (options: Options) => {
      const { buildIndex } = await import('./index-command.ts');
      await buildIndex(config(options));
    });

  index
    .command('swap')
    .description('let the generation that was built answer, once it has every page')
    .addOption(data())
    .action(async (options: Options) => {
      const { swapIndex } = await import('./index-command.ts');
      await swapIndex(config(options));
    });

  index
    .command('verify')
    .description('look for every page of the data folder in the cluster (exit status 1 if one is missing)')
    .addOption(data())
    .option('--json', 'print all of it as JSON')
    .action(async (options: Options & IndexFlags) => {
      const { verifyClusterIndex } = await import('./index-command.ts');
      await verifyClusterIndex(config(options), options);
    });
}
