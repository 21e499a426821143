import type { FileType } from '../page.ts';
import type { SiteQuery } from '../query/query.ts';

/**
 * Every `site:` value that matches a URL, as index terms: each suffix of its host at a label border, alone and with each
 * prefix of its path at a segment border.
 */
export function siteFacets(url: string): string[] {
  const { hostname, pathname } = new URL(url);
  const labels = hostname.split('.');
  const paths = [''];
  const segments = pathname.split('/').filter((segment) => segment !== '');
  for (const segment of segments) paths.push(`${paths.at(-1)}/${segment}`);
  return labels.flatMap((_, index) => {
    const host = labels.slice(index).join('.');
    return paths.map((path) => siteFacet({ host, path }));
  });
}

export function siteFacet({ host, path }: Pick<SiteQuery, 'host' | 'path'>): string {
  return `site ${host}${path}`;
}

export function fileTypeFacet(type: FileType): string {
  return `type ${type}`;
}
