import { productToken } from './robots.ts';

export interface RobotsTag {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Rules with a colon after their name, which otherwise marks a user agent. */
const rulesWithValue = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * The rules of an `X-Robots-Tag` header for us: those for all agents and those for our product token. A user agent
 * applies to the rest of its line, so values of a repeated header must be on lines of their own.
 */
export function parseRobotsTag(header: string | undefined): RobotsTag {
  const rules = new Set<string>();
  for (const line of (header ?? '').toLowerCase().split('\n')) {
    let ours = true;
    for (const part of line.split(',')) {
      const [, agent, rule = ''] = /^\s*(?:([\w-]+)\s*:)?\s*(.*?)\s*$/.exec(part) ?? [];
      if (agent !== undefined && rulesWithValue.test(agent)) continue;
      if (agent !== undefined) ours = agent === productToken.toLowerCase();
      if (ours) rules.add(rule);
    }
  }
  const none = rules.has('none');
  return { noindex: none || rules.has('noindex'), nofollow: none || rules.has('nofollow') };
}
