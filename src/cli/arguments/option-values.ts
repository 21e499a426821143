import { type Command, InvalidArgumentError } from 'commander';
import { ServiceError } from '../../contract/errors.ts';

/** Values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function positive(text: string): number {
  const number = count(text);
  if (number === 0) throw new InvalidArgumentError('It must be at least 1.');
  return number;
}

export function seconds(text: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It must be a number of seconds, e.g. 2 or 0.5.');
  return Number(text);
}

/** An empty value is a variable of a script that is not set, and would silently stand for the default. */
export function refuseEmptyValues(command: Command): void {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    for (const option of at.options) {
      const value: unknown = at.getOptionValue(option.attributeName());
      if (value === '' || (Array.isArray(value) && value.includes('')))
        throw new ServiceError(
          'invalid_parameters',
          `${option.long} must not be empty: give a value, or leave it out`,
        );
    }
  }
}
