import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userAgent } from '../../app/about.ts';
import { domainRulesOf } from '../../app/live/domain-rules-file.ts';
import type { Config } from '../../config/config.ts';
import { createPoliteFetch } from '../../crawl/fetch/polite-fetch.ts';
import type { Download } from '../../import/import.ts';
import { type CredentialFlags, commandCredentials } from '../arguments/typed-credentials.ts';
import { fetchOnce } from '../fetch-once.ts';
import { sayOnStderr } from '../output/say.ts';
import { type Downloaded, isWebUrl } from './web-url.ts';

/** A larger archive is to be downloaded by other means: a download is held in memory. */
const maxDownloadBytes = 256 * 1024 * 1024;
const downloadTimeoutMs = 10 * 60 * 1000;

/**
 * Downloads the sources that are URLs, one after another, by the rules of every visit: address guard, robots.txt, pace, rules
 * for domains. Throws a `ServiceError` with the reason for one that cannot be had; nothing is left then.
 */
export async function downloadSources(
  sources: readonly string[],
  flags: CredentialFlags,
  config: Config,
): Promise<Downloaded> {
  const credentials = commandCredentials(flags, { urls: sources.filter(isWebUrl) }, config, sayOnStderr);
  const politeFetch = createPoliteFetch({
    userAgent: userAgent(config.contact),
    allowPrivate: config.allowPrivate,
    isBlocked: domainRulesOf(config)?.isBlocked,
    credentials,
    timeoutMs: downloadTimeoutMs,
  });
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const downloads = new Map<string, Download>();
  const paths: string[] = [];
  try {
    for (const [index, source] of sources.entries()) {
      if (!isWebUrl(source)) {
        paths.push(source);
        continue;
      }
      const fetched = await fetchOnce(source, config, { politeFetch, maxBytes: maxDownloadBytes });
      const path = join(folder, `${index}${endingOf(source, fetched.url)}`);
      await writeFile(path, fetched.bytes);
      const { url, contentType, robotsTag, isPrivate } = fetched;
      downloads.set(path, { url, contentType, robotsTag, isPrivate });
      paths.push(path);
    }
    return { paths, downloads, remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await politeFetch.close();
  }
}

/** By which an archive is known: that of the URL that was asked for, or of the one that it redirects to. */
function endingOf(...urls: readonly string[]): string {
  const endings = urls.map((url) => /\.w(?:arc|et)(?:\.gz)?$/i.exec(new URL(url).pathname)?.[0]);
  return endings.find((ending) => ending !== undefined) ?? '';
}
