import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type DomainRules, parseDomainRules } from '../../query/domain-rules.ts';
import type { Clock } from '../../runtime.ts';
import { createLiveValue } from './live-value.ts';

const maxNamedLines = 5;
/** How often a service looks whether the file has changed, at most. */
const lookMs = 1000;

type RulesConfig = Partial<Pick<Config, 'domainsFile'>>;

/** The rules of the file of `GLEANER_DOMAINS`, if there is one. Throws a `ServiceError` (`invalid_parameters`) that names every wrong line. */
export function domainRulesOf({ domainsFile: file }: RulesConfig): DomainRules | undefined {
  return file === undefined ? undefined : parsed(readDomainRules(file), file);
}

/**
 * The same for a service, which goes on: a change of the file takes effect within a second. A file that became wrong changes
 * nothing, and `warn` is told why. Throws as `domainRulesOf` at first.
 */
export function liveDomainRules(
  { domainsFile: file }: RulesConfig,
  { now, warn }: { readonly now: Clock; readonly warn: (message: string) => void },
): DomainRules | undefined {
  if (file === undefined) return undefined;
  const current = createLiveValue({
    read: () => parsed(readDomainRules(file), file),
    version: () => modifiedAt(file),
    lookMs,
    name: 'the rules',
    now,
    warn,
  });
  return {
    isBlocked: (url) => current().isBlocked(url),
    factorOf: (url) => current().factorOf(url),
    get blocked() {
      return current().blocked;
    },
    get hasFactors() {
      return current().hasFactors;
    },
  };
}

/** The text of a file of rules. Throws `invalid_parameters` if it cannot be read. */
export function readDomainRules(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServiceError('invalid_parameters', `GLEANER_DOMAINS: ${file} cannot be read (${code})`);
  }
}

/** Replaces a file of rules in one step. Throws `invalid_parameters` that names every wrong line, and changes nothing then. */
export function saveDomainRules(file: string, text: string): void {
  parsed(text, file);
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServiceError('unavailable', `GLEANER_DOMAINS: ${file} cannot be written (${code})`);
  }
}

function parsed(text: string, file: string): DomainRules {
  const { rules, wrong } = parseDomainRules(text);
  if (wrong.length === 0) return rules;
  const named = wrong.slice(0, maxNamedLines).map(({ line, why }) => `line ${line}: ${why}`);
  const more = wrong.length > maxNamedLines ? `; and ${wrong.length - maxNamedLines} more` : '';
  throw new ServiceError('invalid_parameters', `GLEANER_DOMAINS: ${file}: ${named.join('; ')}${more}`);
}

/** Undefined while the file is gone. */
function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
