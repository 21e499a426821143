import { Argument, Command, Option } from 'commander';
import { version } from './app/about.ts';
import { commandOf } from './cli/arguments/command-of.ts';
import { collect, count, positive, refuseEmptyValues, seconds } from './cli/arguments/option-values.ts';
import type { Options } from './cli/arguments/options.ts';
import type { CrawlFlags } from './cli/crawl/flags.ts';
import type { ExtractFlags } from './cli/extract.ts';
import type { ImportFlags } from './cli/import/import.ts';
import type { CreateKeyFlags, ListKeysFlags } from './cli/keys.ts';
import { addIndexCommands } from './cli/opensearch/index-commands.ts';
import type { RemoveFlags } from './cli/remove.ts';
import type { SearchFlags } from './cli/search.ts';
import type { StatusFlags } from './cli/status.ts';
import type { VerifyFlags } from './cli/verify.ts';
import { type Overrides, readConfig } from './config/config.ts';
import { ServiceError } from './contract/errors.ts';

/** Runs the command line. `--help` and `--version` answer before anything else is loaded or opened. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { reportError } = await import('./cli/output/report-error.ts');
    reportError(error);
  }
}

/** The command line. The code of a command is imported when it runs. */
export function createProgram(): Command {
  const program = new Command('gleaner')
    .description('Web search and page content for agents, with an index of its own.')
    .version(version)
    .option('--config <file>', 'file of settings, NAME=value a line; the environment comes before it')
    .addOption(
      new Option(
        '--quiet',
        'print the answer or the summary, and errors; no progress and no notes',
      ).conflicts('verbose'),
    )
    .option('--verbose', 'say more on stderr: every page, every service that is asked (GLEANER_LOG=info)')
    .showHelpAfterError('(gleaner --help lists the commands)')
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .hook('preAction', async (_, command) => {
      refuseEmptyValues(command);
      // A service outlives the reader of its log, and the MCP server looks after its stdout itself.
      if (command.name() === 'serve' || command.name() === 'mcp') return;
      const { endOnBrokenOutput } = await import('./cli/output/broken-output.ts');
      endOnBrokenOutput();
    });
  /** For `serve` and `mcp`, whose log has the warnings. */
  const serviceConfig = (options: Options) => configOf(options, program.opts<GlobalOptions>());
  const config = (options: Options) => {
    const read = serviceConfig(options);
    const isHeard = read.logLevel !== 'silent' && read.logLevel !== 'error';
    for (const warning of isHeard ? read.warnings : []) process.stderr.write(`gleaner: ${warning}\n`);
    return read;
  };
  const data = () => new Option('--data <folder>', 'data folder (GLEANER_DATA)');

  program
    .command('serve')
    .description('answer searches over HTTP')
    .addOption(data())
    .option('--host <address>', 'address to listen on (GLEANER_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 takes a free one (GLEANER_PORT, default 8080)')
    .option('--workers <number>', 'processes that answer, for as many cores (GLEANER_WORKERS, default 1)')
    .option('--recrawl', 'visit stored pages again when they are due, in the background (GLEANER_RECRAWL=1)')
    .action(async (options: Options) => {
      const { serve } = await import('./cli/serve.ts');
      await serve(serviceConfig(options));
    });

  program
    .command('mcp')
    .description('answer an MCP client over stdin and stdout')
    .addOption(data())
    .action(async (options: Options) => {
      const { mcp } = await import('./cli/mcp.ts');
      await mcp(serviceConfig(options));
    });

  program
    .command('crawl')
    .description('read sites into the index')
    .argument('[url...]', 'where to start; the crawl stays on these hosts (with --recrawl: only these hosts)')
    .addOption(data())
    .option('--allow-private', 'also visit private and loopback addresses (GLEANER_ALLOW_PRIVATE=1)')
    .option(
      '--max-pages <number>',
      'stop after this many pages, those of a run that it goes on with included',
      positive,
      1000,
    )
    .option('--max-depth <number>', 'follow links this deep', count)
    .option('--recrawl', 'visit the stored pages that are due (of these hosts), and follow no links')
    .option('--include <glob>', 'follow only links that match, such as "/docs/*"; may be repeated', collect)
    .option('--exclude <glob>', 'follow no links that match, such as "*.pdf"; may be repeated', collect)
    .option('--same-path', 'follow only links into the folders of the URLs given')
    .option(
      '--header <header>',
      '"Name: value" for the sites of the URLs given, in this run; the value may be env:VARIABLE or file:PATH; may be repeated',
      collect,
    )
    .option('--cookie-file <file>', 'cookies for these sites, as cookies.txt; may be repeated', collect)
    .option(
      '--dry-run',
      'store nothing: print what robots.txt, sitemaps and the first page say, and ten URLs',
    )
    .option('--json', 'print progress and summary as lines of JSON')
    .option(
      '--delay <seconds>',
      'pause between two requests to a host; below 1 only with --allow-private',
      seconds,
    )
    .action(async (urls: string[], options: Options & CrawlFlags) => {
      const { crawlCommand } = await import('./cli/crawl/crawl.ts');
      await crawlCommand(urls, options, config(options));
    });

  program
    .command('import')
    .description('read archives, folders and documents into the index, of this machine or by their URL')
    .argument('<path or url...>', 'WARC files (.warc, .warc.gz), documents, and folders of them')
    .addOption(data())
    .option('--base-url <url>', 'the URL of the folders; without it pages have file: URLs')
    .option('--allow-private', 'also ask private and loopback addresses (GLEANER_ALLOW_PRIVATE=1)')
    .option('--header <header>', '"Name: value" for the sites of the URLs, as of crawl', collect)
    .option('--cookie-file <file>', 'cookies for these sites, as of crawl', collect)
    .option('--json', 'print progress and summary as lines of JSON')
    .action(async (paths: string[], options: Options & ImportFlags) => {
      const { importCommand } = await import('./cli/import/import.ts');
      await importCommand(paths, options, config(options));
    });

  program
    .command('search')
    .description('search from the terminal')
    // `-word` excludes a word; it is no option.
    .allowUnknownOption()
    .argument('<words...>', 'what to look for, operators included')
    .addOption(data())
    .option('--limit <number>', 'how many results (default 10)')
    .option('--offset <number>', 'how many results to skip')
    .option('--lang <code>', 'only pages in this language')
    .option('--lang-priority <code>', 'pages in this language first')
    .option('--site <domain>', 'only pages of this domain')
    .option('--time-range <range>', 'only pages crawled within 1d, 7d, 30d or 1y')
    .option('--json', 'print the answer as the HTTP API gives it')
    .option('--explain', 'print the parts of each score instead')
    .action(async (words: string[], options: Options & SearchFlags) => {
      const { searchCommand } = await import('./cli/search.ts');
      await searchCommand(words, options, config(options));
    });

  program
    .command('extract')
    .description('what is read from a page: its text, title, author, date and language')
    .argument('<url or file>', 'asked once, as its robots.txt allows, and not kept')
    .option('--allow-private', 'also ask private and loopback addresses (GLEANER_ALLOW_PRIVATE=1)')
    .option('--json', 'print the content record as the HTTP API gives it')
    .option('--explain', 'print what each step left out and where every field comes from')
    .action(async (target: string, options: Options & ExtractFlags) => {
      const { extractCommand } = await import('./cli/extract.ts');
      await extractCommand(target, options, config(options));
    });

  program
    .command('status')
    .description('what is in the data folder')
    .addOption(data())
    .option('--site <host>', 'what is known of one site, and why its other URLs are not in the index')
    .option('--json', 'print all of it as JSON')
    .action(async (options: Options & StatusFlags & { readonly site?: string }) => {
      if (options.site !== undefined && options.json) {
        throw new ServiceError('invalid_parameters', '--json is about all sites: leave --site out');
      }
      if (options.site !== undefined) {
        const { siteStatus } = await import('./cli/output/site-status.ts');
        return siteStatus(options.site, config(options));
      }
      const { status } = await import('./cli/status.ts');
      await status(config(options), options);
    });

  program
    .command('verify')
    .description('read everything in the data folder and say what is damaged (exit status 1)')
    .addOption(data())
    .option('--repair', 'keep all that is whole, and name what is lost')
    .option('--json', 'print all of it as JSON')
    .action(async (options: Options & VerifyFlags) => {
      const { verify } = await import('./cli/verify.ts');
      await verify(config(options), options);
    });

  program
    .command('remove')
    .description('take a page, or all pages of a site, out of the index')
    .argument(
      '<url or site>',
      'https://example.com/page: this page alone; https://example.com/docs/*: all below, on this host and port; example.com or example.com/docs: the site with its subdomains, on all ports (example.com:8080: on that one)',
    )
    .addOption(data())
    .option('--dry-run', 'remove nothing: print how many pages it would be, and the first ten')
    .action(async (target: string, options: Options & RemoveFlags) => {
      const { remove } = await import('./cli/remove.ts');
      await remove(target, options, config(options));
    });

  const keys = program
    .command('keys')
    .description('dedicated API keys, for whom the public limits are too low');

  keys
    .command('create')
    .description('make a key and print it, this once')
    .argument('<name>', 'who it is for')
    .addOption(data())
    .option('--per-minute <number>', 'requests a minute (default 600)', positive)
    .option('--burst <number>', 'requests at once (default a third of that)', positive)
    .option('--expires <date>', 'good to the end of this day, UTC, e.g. 2027-12-31; or to this moment')
    .option('--admin', 'it may also manage the service from `/admin` (GLEANER_ADMIN)')
    .action(async (name: string, options: Options & CreateKeyFlags) => {
      const { createKey } = await import('./cli/keys.ts');
      await createKey(name, options, config(options));
    });

  keys
    .command('list')
    .description('every key, what it may do and how it stands')
    .addOption(data())
    .option('--json', 'print all of it as JSON')
    .action(async (options: Options & ListKeysFlags) => {
      const { listKeys } = await import('./cli/keys.ts');
      await listKeys(options, config(options));
    });

  keys
    .command('revoke')
    .description('refuse a key from now on; running services do so at once')
    .argument('<name>', 'its name, or its id')
    .addOption(data())
    .action(async (name: string, options: Options) => {
      const { revokeKey } = await import('./cli/keys.ts');
      await revokeKey(name, config(options));
    });

  addIndexCommands(program, { data, config });

  program
    .command('completion')
    .description('print a script by which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completion } = await import('./cli/completion.ts');
      process.stdout.write(completion(program, shell));
    });

  program
    .command('help')
    .description('display help for command')
    .argument('[command...]')
    .action((names: string[]) => commandOf(program, names).help());

  return program;
}

interface GlobalOptions {
  readonly config?: string;
  readonly quiet?: true;
  readonly verbose?: true;
}

function configOf(options: Options, { config: file, quiet, verbose }: GlobalOptions) {
  const overrides: Overrides = {
    GLEANER_DATA: options.data,
    GLEANER_HOST: options.host,
    GLEANER_PORT: options.port,
    GLEANER_WORKERS: options.workers,
    GLEANER_ALLOW_PRIVATE: options.allowPrivate && '1',
    GLEANER_RECRAWL: options.recrawl && '1',
    GLEANER_LOG: quiet ? 'error' : verbose && 'info',
  };
  return readConfig(process.env, overrides, file, quiet);
}
