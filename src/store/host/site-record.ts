/** The table of facts about whole sites, keyed by `URL.host`: the host, with its port if that is not the default. */
export const sitesTable = 'sites';

export interface SiteRecord {
  /** The last certain answer; false if there was none yet. */
  readonly hasLlmsTxt: boolean;
  /** Time of the last request, epoch milliseconds, with any answer. */
  readonly checkedAt: number;
  /** No request before this time, epoch milliseconds. */
  readonly recheckAt: number;
  /** Validator of the llms.txt that was found. */
  readonly etag?: string;
}
