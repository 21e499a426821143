/** Exit statuses other than 0 for success and 1 for failure. */

/** A command that ended because nothing more could be stored: EX_IOERR of sysexits.h. */
export const storeFailureStatus = 74;

/** A command that was stopped by SIGINT or SIGTERM and ended in order: 128 and the number of SIGINT, as shells have it. */
export const stoppedStatus = 130;
