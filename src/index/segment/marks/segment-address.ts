import type { PageAddress } from '../../../text/page-address.ts';

export type OriginHost = Pick<PageAddress, 'host' | 'hostname'>;

/** The host of an origin such as `https://docs.example.org:81`. */
export function hostOfOrigin(origin: string): OriginHost {
  const host = origin.slice(origin.indexOf('//') + 2);
  return { host, hostname: host.replace(/:\d+$/, '') };
}

/** What `URL` calls `search`, of what follows the path of an address. */
export function searchOf(rest: string): string {
  const end = rest.indexOf('#');
  const search = end < 0 ? rest : rest.slice(0, end);
  return search === '?' ? '' : search;
}
