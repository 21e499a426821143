import { z } from 'zod';
import { defineSetting } from '../setting.ts';
import { flag, privateAccess } from './setting-values.ts';

/** The settings of the crawler, by environment variable. */
export const crawlSettings = {
  GLEANER_ALLOW_PRIVATE: defineSetting(
    'Private and loopback addresses that the crawler may visit: 1 for all, on any port, or hosts, addresses and CIDRs with commas between, each perhaps with a port (`wiki.corp, *.corp:8080, 10.0.0.0/8:*`).',
    privateAccess,
    false,
  ),
  GLEANER_DOMAINS: defineSetting(
    'File of blocked, allowed, raised and lowered domains, for crawls, own results and external ones.',
    () => z.string().min(1),
  ),
  GLEANER_CREDENTIALS: defineSetting(
    'File that says which environment variables and files hold the headers and cookies for [private sites](private-sites.md).',
    () => z.string().min(1),
  ),
  GLEANER_RECRAWL: defineSetting(
    '1 lets `serve` visit stored pages again when they are due, one at a time (--recrawl).',
    flag,
    false,
  ),
  GLEANER_CONTACT: defineSetting(
    'Address or URL that the crawler names in its User-Agent, so that a site can reach you.',
    () =>
      z
        .string()
        .max(200)
        .regex(/^[\x20-\x7e]*$/, 'must be plain ASCII'),
  ),
  GLEANER_LEARN: defineSetting(
    '1 visits and keeps the external results of searches, in the background, and any URL that `fetch_content` is given; 0 does not. Default: 1 for `mcp`, 0 for `serve`.',
    flag,
  ),
} as const;
