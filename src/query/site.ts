import type { SiteQuery } from './query.ts';

/** Reads the value of `site:` or of the `site` parameter; undefined when no host is left of it. */
export function parseSite(value: string): SiteQuery | undefined {
  const bare = value
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^/?#]*@/, '')
    .replace(/^(\*?\.)+/, '');
  const parsed = URL.parse?.(`http://${bare}`) ?? null;
  if (!parsed) return undefined;
  const host = parsed.hostname.replace(/\.+$/, '');
  return host === '' ? undefined : { kind: 'site', host, path: parsed.pathname.replace(/\/+$/, '') };
}

/** Whether a page's URL lies within the site: host at a label border, path at a segment border. */
export function siteMatches(site: SiteQuery, url: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (hostname !== site.host && !hostname.endsWith(`.${site.host}`)) return false;
  return site.path === '' || pathname === site.path || pathname.startsWith(`${site.path}/`);
}
