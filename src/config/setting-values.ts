import { z } from 'zod';
import { type ToolName, toolNames } from '../../tools/tool-names.ts';
import { parseRate } from '../limits/gcra.ts';
import { parseTrustedProxies } from '../limits/trusted-proxies.ts';

export const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
  .transform((value) => value === '1' || value === 'true');

/** A setting whose text is parsed here and nowhere else: what is not understood is an error, never a value. */
function parsed<Value>(parse: (text: string) => Value | undefined, message: string) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue(message);
    return z.NEVER;
  });
}

export const rate = parsed(parseRate, 'must be REQUESTS_A_MINUTE/AT_ONCE, e.g. 60/20, or off');

export const trustedProxies = parsed(
  parseTrustedProxies,
  'must be a number of proxies, or addresses and CIDRs between commas',
);

const inFlightMessage = 'must be a whole number from 1 to 999999';
export const inFlight = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, inFlightMessage)
  .transform(Number);

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** Of processes: a slip such as 4000 would take all memory. */
const maxWorkers = 256;
const workersMessage = `must be a whole number from 1 to ${maxWorkers} (--workers)`;
const portMessage = 'must be a whole number from 0 to 65535 (--port)';

export const workers = z
  .string()
  .regex(/^\d{1,3}$/, workersMessage)
  .transform(Number)
  .refine((count) => count >= 1 && count <= maxWorkers, workersMessage);

export const port = z
  .string()
  .regex(/^\d{1,5}$/, portMessage)
  .transform(Number)
  .refine((number) => number <= 65535, portMessage);

const originsMessage = 'must be *, none, or origins such as https://app.example.com with commas between';

export const origins = z.string().transform((list, context): '*' | string[] => {
  if (list === '*') return '*';
  const named = list === 'none' ? [] : list.split(',').map((origin) => origin.trim());
  const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;
  if (!named.every(isOrigin)) context.addIssue(originsMessage);
  return named;
});

const hostsMessage = 'must be *, or host names such as search.example.com with commas between, without ports';

export const hosts = z.string().transform((list, context): '*' | string[] => {
  if (list === '*') return '*';
  const named = list.split(',').map((host) => host.trim().toLowerCase());
  const isHost = (text: string) => URL.canParse(`http://${text}`) && new URL(`http://${text}`).host === text;
  if (!named.every(isHost) || named.some((host) => /:\d+$/.test(host))) context.addIssue(hostsMessage);
  return named;
});

export const toolList = parsed(
  (list) => {
    const names = list.split(',').map((name) => name.trim());
    return names.every((name): name is ToolName => (toolNames as readonly string[]).includes(name))
      ? names
      : undefined;
  },
  `must be names of tools with commas between: ${toolNames.join(', ')}`,
);
