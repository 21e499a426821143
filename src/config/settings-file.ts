import { readFileSync } from 'node:fs';
import { ServiceError } from '../contract/errors.ts';
import { nearestName } from '../nearest-name.ts';

/**
 * Reads a file of settings: lines `NAME=value`, the value with or without quotes around it, `#` before remarks. The
 * same file serves as systemd's `EnvironmentFile` and as docker's `--env-file`, where quotes are left out. Throws a
 * `ServiceError` (`invalid_parameters`) that names every bad line by its number and never shows a value.
 */
export function readSettingsFile(path: string, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [index, line] of textOf(path).split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const where = `${path}, line ${index + 1}`;
    const { name, value } = /^\s*(?<name>[A-Za-z_]\w*)\s*=\s*(?<value>.*?)\s*$/.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) wrong.push(`${where}: must be NAME=value`);
    else if (!names.includes(name)) wrong.push(`${where}: ${name} is no setting${meantSetting(name, names)}`);
    else if (name in values) wrong.push(`${where}: ${name} is set twice`);
    else values[name] = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  }
  if (wrong.length > 0) throw new ServiceError('invalid_parameters', wrong.join('; '));
  return values;
}

/** ` (did you mean NAME?)`, or nothing where no setting is near. The prefix that all share says nothing. */
function meantSetting(name: string, names: readonly string[]): string {
  const prefix = 'GLEANER_';
  const ours = names.filter((known) => known.startsWith(prefix)).map((known) => known.slice(prefix.length));
  const meant = name.startsWith(prefix) ? nearestName(name.slice(prefix.length), ours) : undefined;
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`;
}

/** Kubernetes sets these in every pod of a namespace that has a service called `gleaner`. */
const serviceLink = /^GLEANER_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;

/** A sentence for each variable that looks like a setting and is none. */
export function unknownSettings(environment: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('GLEANER_') && !names.includes(name) && !serviceLink.test(name))
    .sort()
    .map((name) => `${name} in the environment is ignored: it is no setting${meantSetting(name, names)}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ServiceError('invalid_parameters', `--config ${path} could not be read (${reason})`);
  }
}
