/** The most words of a query that are looked for (rule 9); a phrase counts as many as it has between spaces. */
export const maxQueryWords = 64;
