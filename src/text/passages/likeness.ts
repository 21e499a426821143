import { createHash } from 'node:crypto';

/** The parts of a page that tell copies of it, in UTF-16 units of its body: the first ones and the last ones. */
const likenessBeginning = 300;
const likenessEnding = 100;

/**
 * Equal for pages whose texts begin and end alike (mirrors, printable versions, the same page under two URLs) and, but for
 * one in 2^64, different for others: 16 hexadecimal digits. `beginning` and `ending` are parts of the body, or more of it.
 */
export function likenessOf(title: string, beginning: string, ending: string): string {
  const text = `${title}\n${beginning.slice(0, likenessBeginning)}\n${ending.slice(-likenessEnding)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
