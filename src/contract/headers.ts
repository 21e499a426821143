/** Response header: the state of external search: `ok`, `partial`, `failed` or `off`. */
export const externalHeader = 'Gleaner-External';

/**
 * Request header: how many instances of Gleaner have forwarded the query. It stops two instances that use each other
 * from an endless loop.
 */
export const hopsHeader = 'Gleaner-Hops';

/**
 * Response header: parameters that the route does not know and has ignored, as a structured list (RFC 9651), each with the
 * name that was probably meant: `sites;meant=site, colour`.
 */
export const ignoredHeader = 'Gleaner-Ignored';
