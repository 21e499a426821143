import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { nearestName } from '../../nearest-name.ts';

/** The command of these names, such as `keys create`. Throws a `ServiceError` (`invalid_parameters`). */
export function commandOf(program: Command, names: readonly string[]): Command {
  return names.reduce((parent, name) => {
    const command = parent.commands.find((one) => one.name() === name);
    if (command) return command;
    const meant = nearestName(
      name,
      parent.commands.map((one) => one.name()),
    );
    throw new ServiceError(
      'invalid_parameters',
      `there is no command '${name}'${meant === undefined ? '' : ` (did you mean ${meant}?)`}: "gleaner --help" lists the commands`,
    );
  }, program);
}
