/** The table of what is known about whole sites, keyed by `URL.host`: the host, with its port when that is not the default. */
export const sitesTable = 'sites';

export interface SiteRecord {
  /** The last certain answer; false until there was one. */
  readonly hasLlmsTxt: boolean;
  /** When the site was last asked, epoch milliseconds, whether the answer was certain or not. */
  readonly checkedAt: number;
  /** Not to be asked again before this time, epoch milliseconds. */
  readonly recheckAt: number;
  /** Validator of the llms.txt that was found. */
  readonly etag?: string;
}
