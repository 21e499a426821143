import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';

/** A header of a request. Its name is in lower case. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Where the values of references come from. */
export interface SecretSource {
  /** The value of an environment variable. */
  readonly variable: (name: string) => string | undefined;
  /** Relative paths of files are in this folder. */
  readonly folder: string;
}

/** Far above any token; servers refuse longer headers. */
const maxValueLength = 8192;
const maxFileBytes = 1024 * 1024;

/** Headers that frame a request, that the crawler writes itself, or that would let it name itself otherwise. */
const refused =
  /^(?:host|cookie|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|accept|accept-encoding|user-agent|if-.*|range|http2-settings|:.*)$/i;

/**
 * Parses `Name: value`. A value `env:NAME` or `file:PATH`, perhaps after a scheme (`Bearer env:NAME`), is read from there;
 * `Basic user:password` is encoded. Throws `invalid_parameters` that names the header and never its value.
 */
export function parseHeaderLine(text: string, source: SecretSource): HeaderLine {
  const [, name = '', given = ''] = /^([^:\s]+):[ \t]*([\s\S]*)$/.exec(text) ?? [];
  if (name === '') throw wrong('a header is "Name: value"');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw wrong('the name of a header has letters, digits and hyphens');
  if (refused.test(name))
    throw wrong(
      `the header ${name} cannot be set${/^cookie$/i.test(name) ? ': give cookies as a file (--cookie-file, cookies:)' : ''}`,
    );
  const [, scheme, kind, place] = /^(?:([\w-]+)[ \t]+)?(env|file):(.+)$/.exec(given.trim()) ?? [];
  const secret = kind === undefined ? given.trim() : readSecret(`${kind}:${place}`, source);
  const value = withBasicEncoded(scheme === undefined ? secret : `${scheme} ${secret}`);
  if (value === '') throw wrong(`the header ${name} has no value`);
  if (!/^[\t\x20-\x7e]+$/.test(value))
    throw wrong(
      `the value of the header ${name} has a line end or another character that no header may have`,
    );
  if (value.length > maxValueLength)
    throw wrong(`the value of the header ${name} is longer than ${maxValueLength} characters`);
  return { name: name.toLowerCase(), value };
}

/** Whether a header's value is a reference, and so no secret itself. */
export function isReference(line: string): boolean {
  return /^[^:\s]+:[ \t]*(?:[\w-]+[ \t]+)?(?:env|file):./.test(line);
}

/** The text that `env:NAME` or `file:PATH` refers to. Throws `invalid_parameters` that names the place alone. */
function readSecret(reference: string, { variable, folder }: SecretSource): string {
  const [, kind, place = ''] = /^(env|file):(.+)$/.exec(reference) ?? [];
  if (kind === 'env') {
    const value = variable(place)?.trim();
    if (value) return value;
    throw wrong(`the environment variable ${place} is not set`);
  }
  if (kind === 'file') return readTextFile(resolve(folder, place)).trim();
  throw wrong('a value is named as env:NAME or file:PATH');
}

/** Throws `invalid_parameters` if it cannot be read. */
export function readTextFile(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxFileBytes) throw wrong(`${path} is larger than ${maxFileBytes} bytes`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw wrong(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** RFC 7617. The encoded form has no colon. */
function withBasicEncoded(value: string): string {
  const [, scheme, pair] = /^(basic)[ \t]+(.*:.*)$/i.exec(value) ?? [];
  return pair === undefined ? value : `${scheme} ${Buffer.from(pair).toString('base64')}`;
}

function wrong(message: string): ServiceError {
  return new ServiceError('invalid_parameters', message);
}
