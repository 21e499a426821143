import { Hono } from 'hono';
import { SearchParams } from '../../src/contract/search.ts';
import { type AnswerPeer, openPeer } from '../answer-peers/peer-process.ts';
import { openOwnEngine } from '../own-engine.ts';
import { listen } from './listen.ts';

/** `engine-route.js NAME FOLDER`: the whole answers of one engine behind a route that does nothing else. */
const [name, folder] = process.argv.slice(2) as ['gleaner' | AnswerPeer, string];

const answer = name === 'gleaner' ? own() : peer(name);
const headers = { 'content-type': 'application/json; charset=UTF-8' };
listen(new Hono().get('*', async (c) => c.body(await answer(c.req.query('q') ?? ''), { headers })));

function own(): (q: string) => Promise<string> {
  const { engine } = openOwnEngine(folder);
  return async (q) =>
    JSON.stringify(await engine.search(SearchParams.parse({ q }), { mayAskExternal: () => false }));
}

function peer(which: AnswerPeer): (q: string) => Promise<string> {
  return openPeer(which, folder).answer;
}
