/** Words past this many are ignored (rule 9); a phrase counts as many as it has between spaces. */
export const maxQueryWords = 32;
