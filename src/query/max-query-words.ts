/** Maximum words of a query that are searched (rule 9); a phrase counts its words between spaces. */
export const maxQueryWords = 64;
