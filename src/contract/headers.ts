/** Response header: the state of external search: `ok`, `partial`, `failed` or `off`. */
export const externalHeader = 'Gleaner-External';

/**
 * Request header: how many instances of Gleaner have forwarded the query. It stops two instances that use each other
 * from an endless loop.
 */
export const hopsHeader = 'Gleaner-Hops';
