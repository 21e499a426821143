/** Processor time for one PDF, over all threads of its process, the loading of its library included. */
export const maxPdfCpuMs = 20_000;
/**
 * From the question to the answer: ends a process that hangs without using the processor. So long that a document within
 * its processor time is read on a machine that is twenty times overloaded.
 */
export const maxPdfWallMs = 400_000;
