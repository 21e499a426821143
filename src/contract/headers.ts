/** On a response: whether the web was asked for more than the index has: `ok`, `partial`, `failed` or `off`. */
export const externalHeader = 'Gleaner-External';

/**
 * On a request: through how many instances of Gleaner the question came already, so that two that ask one another do
 * not go on for ever.
 */
export const hopsHeader = 'Gleaner-Hops';
