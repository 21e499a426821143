/** What descriptions say of the server that offers the tools. */
export interface ServerFacts {
  /** Whether it visits pages on request. */
  readonly visitsPages: boolean;
  /** The names of the search services that it asks where its own index has too little. */
  readonly external: readonly string[];
}

/** For documentation: a server that does all of it. */
export const fullServer: ServerFacts = { visitsPages: true, external: ['other search services'] };

const maxNamed = 3;

/** The services in words: all of a few, or the first ones of many. */
export function listServices({ external }: ServerFacts): string {
  const named = external.slice(0, maxNamed);
  if (external.length > maxNamed) return `${named.join(', ')} and others`;
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}
