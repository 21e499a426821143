import { writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Confinement } from '../../../src/crawl/render/confinement.ts';
import type { Defence } from '../../../src/crawl/render/messages.ts';
import { openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openCanary, openNameCanary } from './canary.ts';
import { canaryPage, canaryWorker } from './canary-page.ts';
import { openDrawingCrawler } from './open-renderer.ts';

/** Of a name server of ours on loopback, and of no other. */
const nameServer = '127.9.8.7';
const name = 'canary.example';
/** While the page tries; less than the time after which a text that stays equal is taken. */
const waitMs = 3000;
/** For what is under way when the page is read. */
const lateMs = 1500;
/** Off in all of these: a forbidden address that is not on loopback is none for Chromium. */
const always = ['permissions'] as const;
const all = ['interception', 'proxy', 'names', 'webrtc'] as const satisfies Defence[];

/** Starts the browser with its network, so that it asks our name server alone. */
function withNetwork(): Confinement {
  const file = join(temporaryFolder(), 'resolv.conf');
  writeFileSync(file, `nameserver ${nameServer}\n`);
  const script = `mount --bind '${file}' /etc/resolv.conf && exec "$@"`;
  return ['unshare', '--mount', '--', 'sh', '-c', script, 'sh'];
}

/** Draws the canary page with these layers left out: what arrived, and what became of the page. */
async function draw(without: readonly Defence[], confinement?: Confinement, path = '/') {
  const canary = await openCanary();
  const names = await openNameCanary(nameServer, name);
  const targets = { http: canary.http, udp: canary.udp, name };
  const script = {
    headers: { 'content-type': 'text/javascript', 'service-worker-allowed': '/' },
    body: canaryWorker(targets),
  };
  const site = await openSite({
    '/robots.txt': '',
    '/': canaryPage(targets),
    '/leave': `<title>Leave</title><div id="root"></div><script>location.href = '${canary.http}/leave'; window.open('${canary.http}/open')</script>`,
    '/worker.js': script,
    '/service.js': script,
    '/wait': async () => {
      await sleep(waitMs);
      return 'waited';
    },
    '/redirect': ({ path: asked }) => ({
      status: 302,
      headers: { location: `${canary.http}/redirected-${asked.split('?')[1]}` },
    }),
  });
  const range = new BlockList();
  range.addAddress('127.0.0.1');
  const { visitor } = openDrawingCrawler(
    { without: [...always, ...without], ...(confinement && { confinement }) },
    { allowPrivate: [{ range, port: String(site.port) }] },
  );
  const { visit } = await visitor.visit(site.url(path));
  await sleep(lateMs);
  // The site itself is to be asked by the crawler alone.
  const past = site.hits.filter(({ headers }) => !headers['user-agent']?.startsWith('Gleaner/'));
  const lines = [
    ...canary.arrived,
    ...names.map((each) => `DNS ${each}`),
    ...past.map((hit) => `past the crawler: ${hit.path}`),
  ];
  return { visit, arrived: [...new Set(lines)].sort() };
}

const isDrawn = {
  kind: 'page',
  page: { body: expect.stringContaining('this is the text that it draws at its end') },
};

describe('a page with every way out', () => {
  test('is drawn, and not a byte and not a name of it arrives', async () => {
    const { visit, arrived } = await draw([]);
    expect(visit).toMatchObject(isDrawn);
    expect(arrived).toEqual([]);
  });

  test('nor where the system allows no namespace', async () => {
    const { visit, arrived } = await draw([], withNetwork());
    expect(visit).toMatchObject(isDrawn);
    expect(arrived).toEqual([]);
  });

  test('nor where the namespace alone is left', async () => {
    const { arrived } = await draw(all);
    expect(arrived).toEqual([]);
  });

  test('which leaves at once is refused where it leads', async () => {
    const { visit, arrived } = await draw([], withNetwork(), '/leave');
    expect(visit).toMatchObject({ kind: 'never', why: 'the port is not a web port' });
    expect(arrived).toEqual([]);
  });
});

/** Proof that the tests above can fail: what each layer keeps back where there is no namespace. */
describe('without a namespace, something arrives', () => {
  test.each<[Defence[], RegExp]>([
    [['proxy'], /^TCP GET \/(?:own-)?worker-socket/m],
    [['webrtc'], /^UDP/m],
    [['proxy', 'names'], /^DNS .*canary\.example/m],
    [['proxy', 'interception'], /^TCP GET \/image/m],
  ])('without %j', async (without, expected) => {
    const { arrived } = await draw(without, withNetwork());
    console.log(`without ${without.join(' and ')}: ${arrived.length} ways out`);
    expect(arrived.join('\n')).toMatch(expected);
  });
});
