/** Processor time for one PDF, over all threads of its process, including the loading of the library. */
export const maxPdfCpuMs = 20_000;
/**
 * Time from request to answer: ends a process that hangs without using the processor. Long enough for a document within its
 * processor time on a machine with twenty times its load.
 */
export const maxPdfWallMs = 400_000;
