/** With fewer results than this it is worth asking what may have been meant. */
export const fewResults = 3;
