import type { Hono } from 'hono';
import type { HttpEnv } from '../../http-env.ts';
import { mountGet } from '../../mount-route.ts';
import type { PeopleParts } from './people-parts.ts';
import { createReaderPage, readerPath } from './reader-page.ts';
import { createSearchPage } from './search-page.ts';

/** Mounts the pages for people, except the search page under `/search`, which programs have in common with them. */
export function mountPeople(app: Hono<HttpEnv>, parts: PeopleParts): void {
  mountGet(app, '/', createSearchPage(parts));
  mountGet(app, readerPath, createReaderPage(parts));
}
