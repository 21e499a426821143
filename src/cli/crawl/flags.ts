import type { CredentialFlags } from '../arguments/typed-credentials.ts';

/** The options of `gleaner crawl`, as the command line gives them. */
export interface CrawlFlags extends CredentialFlags {
  readonly maxPages: number;
  readonly maxDepth?: number;
  readonly delay?: number;
  readonly recrawl?: true;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly samePath?: true;
  readonly dryRun?: true;
  readonly json?: true;
}
