/** With fewer results than this, a suggestion is looked for. */
export const fewResults = 3;
