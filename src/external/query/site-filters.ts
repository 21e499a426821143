import type { Query, SiteQuery } from '../../query/query.ts';

/** The sites of a query, for providers that take them as separate parameters. */
export interface SiteFilters {
  /** A page must be in one of these; undefined for any site. */
  readonly included: readonly SiteQuery[] | undefined;
  readonly excluded: readonly SiteQuery[];
}

/** The top-level sites of a query, which apply to every result. Of several required sets the narrowest is used. */
export function siteFilters(query: Query): SiteFilters {
  const parts = query.kind === 'all' ? query.of : [query];
  const required = parts.map(alternativeSites).filter((sites) => sites !== undefined);
  const narrowest = required.sort((a, b) => breadth(a) - breadth(b))[0];
  const excluded = parts.flatMap((part) => (part.kind === 'not' ? (alternativeSites(part.of) ?? []) : []));
  return { included: narrowest, excluded };
}

function alternativeSites(query: Query): readonly SiteQuery[] | undefined {
  if (query.kind === 'site') return [query];
  if (query.kind !== 'any' || query.of.length === 0) return undefined;
  const sites = query.of.filter((part) => part.kind === 'site');
  return sites.length === query.of.length ? sites : undefined;
}

/** Fewer sites, then longer names. */
function breadth(sites: readonly SiteQuery[]): number {
  return sites.length * 1000 - Math.min(...sites.map(({ host, path }) => host.length + path.length));
}

export function siteHosts(sites: readonly SiteQuery[] | undefined): string[] {
  return [...new Set(sites?.map(({ host }) => host))];
}
