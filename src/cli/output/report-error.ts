import type { ServiceError } from '../../contract/errors.ts';
import { withCommandName } from '../arguments/command-name.ts';
import { ioFailureStatus } from '../exit-status.ts';
import { printableText } from './printable.ts';

/** Prints on stderr why a command was refused or failed, and sets its exit status. */
export function reportError({ message, code }: ServiceError): void {
  // The message may contain text of a page or of another service.
  process.stderr.write(`gleaner: ${printableText(withCommandName(message))}\n`);
  process.exitCode = code === 'storage_full' ? ioFailureStatus : 1;
}
