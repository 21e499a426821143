import type { PageStore } from '../../../store/page-store.ts';
import { termsVersion } from '../../packed/terms-version.ts';
import { readGeneration } from '../generation.ts';
import { type BuildParts, createGeneration, dropGeneration } from './build-generation.ts';
import { ensureStateIndex } from './checkpoint.ts';
import { type FeedTarget, type FeedTargetParts, openFeedTarget } from './feed-target.ts';

/** The generations that a feed follows the change log with. */
export interface FeedTargets {
  /** The one that answers, if it can be written to. */
  readonly current: FeedTarget | undefined;
  /** The one that is being built. */
  readonly next: FeedTarget | undefined;
  /** The names behind both aliases, to see when others are. */
  readonly names: readonly (string | undefined)[];
}

/** When the number of pages has grown by this factor, a generation with new averages is built; as in `pack`. */
const rebaseAt = 4;

/**
 * Opens the generations of a cluster, and creates what is missing: the first one, or the next one where terms or the log
 * are others. Undefined if the generation that answers is of another log and must not be replaced.
 */
export async function openFeedTargets(
  parts: FeedTargetParts & BuildParts,
  mayReplace: boolean,
): Promise<FeedTargets | undefined> {
  const { client, names } = parts;
  const open = async (alias: 'pages' | 'next'): Promise<FeedTarget | undefined> => {
    const generation = await readGeneration(client, names[alias]);
    return generation && openFeedTarget(parts, generation);
  };
  const create = async (alias: 'pages' | 'next'): Promise<FeedTarget | undefined> => {
    await createGeneration(parts, alias);
    return open(alias);
  };
  await ensureStateIndex(client, names);
  const current = (await open('pages')) ?? (await create('pages'));
  let next = await open('next');
  if (next && !isFollowed(next) && mayReplace) {
    await dropGeneration(client, next.generation);
    next = undefined;
  }
  const isCurrentFollowed = current !== undefined && isFollowed(current);
  if (!isCurrentFollowed && !next) {
    if (!mayReplace) return undefined;
    next = await create('next');
  }
  return {
    current: isCurrentFollowed ? current : undefined,
    next: next && isFollowed(next) ? next : undefined,
    names: [current?.generation.name, next?.generation.name],
  };
}

/** Whether a generation with new averages is due. */
export function isOutgrown({ current, next }: FeedTargets, store: PageStore): boolean {
  if (!current || next) return false;
  return store.pageCount() >= rebaseAt * Math.max(1, current.generation.meta.averagedOver);
}

/** Whether other generations are behind the aliases than those that were opened. */
export async function areReplaced(
  { names: opened }: FeedTargets,
  { client, names }: BuildParts,
): Promise<boolean> {
  const aliases = [names.pages, names.next];
  const found = await Promise.all(aliases.map((alias) => readGeneration(client, alias)));
  return found.some((generation, index) => generation?.name !== opened[index]);
}

function isFollowed({ isOfLog, generation }: FeedTarget): boolean {
  return isOfLog && generation.meta.termsVersion === termsVersion;
}
