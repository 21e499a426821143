import type { PageAddress } from '../../../text/page-address.ts';

/** An origin such as `https://docs.example.org:81`; all of it is empty where an address is not written as its parts. */
export interface Origin extends Pick<PageAddress, 'host' | 'hostname'> {
  readonly text: string;
}

export function originFrom(text: string): Origin {
  const host = text.slice(text.indexOf('//') + 2);
  return { text, host, hostname: host.replace(/:\d+$/, '') };
}

/** What `URL` calls `search`, of what follows the path of an address. */
export function searchOf(rest: string): string {
  const end = rest.indexOf('#');
  const search = end < 0 ? rest : rest.slice(0, end);
  return search === '?' ? '' : search;
}
