/** Exit statuses other than 0 for success and 1 for failure. */

/** A command that could not write to the data folder or to stdout: EX_IOERR of sysexits.h. */
export const ioFailureStatus = 74;

/** A command whose reader closed the pipe: what a shell reports for SIGPIPE, which Node ignores. */
export const closedPipeStatus = 141;

/** A command that was stopped by SIGINT or SIGTERM and ended in order: 128 and the number of SIGINT, as shells have it. */
export const stoppedStatus = 130;
