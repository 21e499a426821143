import type { Context } from 'hono';
import type { Engine } from '../../../engine/engine.ts';
import type { FileType } from '../../../page.ts';
import type { EngineOf, HttpEnv } from '../../http-env.ts';
import type { RateLimit } from '../../rate-limit.ts';

/** What the pages show of a stored page besides its content. */
export interface StoredPageFacts {
  readonly fileType: FileType;
  /** Epoch milliseconds; absent where no visit is planned. */
  readonly nextVisitAt?: number | undefined;
}

export interface SitePage {
  readonly id: string;
  readonly title: string;
  readonly lang: string;
}

/** What the pages for people know of the data folder. A service without one has none of it. */
export interface Library {
  /** Whether the index holds no page but our own documentation. */
  isNew(): boolean;
  facts(id: string): StoredPageFacts | undefined;
  /** Up to `limit` other pages of the host of a page, of those that may be shown. */
  pagesBeside(id: string, url: string, limit: number, mayShow: Engine['mayShow']): readonly SitePage[];
}

export interface PeopleParts {
  readonly engineOf: EngineOf;
  readonly rateLimit?: RateLimit | undefined;
  readonly library: Library;
  /** Whether the client may see the state of the service. */
  readonly showsStatus: (c: Context<HttpEnv>) => boolean;
}

/** For a service without a data folder. */
export function absentLibrary(engine: Pick<Engine, 'status'>): Library {
  return { isNew: () => engine.status().pages === 0, facts: () => undefined, pagesBeside: () => [] };
}
