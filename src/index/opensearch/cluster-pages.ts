import type { Page, PageHead } from '../../page.ts';
import type { LoadablePages, PageSource } from '../../store/loadable-pages.ts';
import { beginningOf, type PageBeginning } from '../../store/page/beginnings.ts';
import { decodeStructure } from '../../text/structure/marks.ts';
import { bodyOf, type ClusterClient, clusterUnavailable } from './cluster-client.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { IndexedHead, IndexedText } from './page-document.ts';

export interface ClusterPagesParts {
  readonly client: ClusterClient;
  readonly index: Pick<ClusterIndex, 'generation' | 'stats'>;
}

interface StoredFields {
  readonly head?: readonly [string];
  readonly text?: readonly [string];
  readonly whole?: readonly [string];
  readonly structure?: readonly [string];
}

/** Maximum number of hosts for which this process remembers whether they have an llms.txt. */
const maxHosts = 20_000;

/** The pages of a cluster, as of the last change that was sent there. */
export function createClusterPages({ client, index }: ClusterPagesParts): PageSource {
  const hosts = new Map<string, boolean>();

  const learn = ({ url, hasLlmsTxt }: IndexedHead): void => {
    if (hosts.size >= maxHosts) hosts.clear();
    hosts.set(new URL(url).host, hasLlmsTxt);
  };

  /** The stored fields of the pages that are there. An error for a page is not "not found": its shard may be away. */
  const read = async (ids: readonly string[], fields: string): Promise<Map<string, StoredFields>> => {
    if (ids.length === 0) return new Map();
    const { name } = await index.generation();
    const query = { stored_fields: fields, filter_path: 'docs._id,docs.found,docs.fields,docs.error.type' };
    const reply = await client.send({ method: 'POST', path: `/${name}/_mget`, query, body: { ids } });
    const { docs } = bodyOf<{ docs: { _id: string; fields?: StoredFields; error?: object }[] }>(
      reply,
      'reading pages',
    );
    if (docs.length !== ids.length || docs.some(({ error }) => error !== undefined))
      throw clusterUnavailable('some of the pages cannot be read');
    return new Map(docs.flatMap(({ _id, fields: found }) => (found ? [[_id, found] as const] : [])));
  };

  const open = (): LoadablePages => {
    // What was asked for and is not there is undefined.
    const heads = new Map<string, PageHead | undefined>();
    const texts = new Map<string, IndexedText | undefined>();
    const bodies = new Map<string, Pick<Page, 'body' | 'structure'>>();

    const addHead = (id: string, json: string | undefined): void => {
      const head = json === undefined ? undefined : (JSON.parse(json) as IndexedHead);
      if (head) learn(head);
      heads.set(id, head);
    };

    const beginning = (id: string): PageBeginning | undefined => {
      const head = heads.get(id);
      const text = texts.get(id);
      return head && text && beginningOf(head, { ...head, ...text });
    };

    const page = (id: string): Page | undefined => {
      const { page: cut } = beginning(id) ?? {};
      const body = bodies.get(id);
      return cut && body && { ...cut, ...body };
    };

    return {
      has: (id) => heads.get(id) !== undefined,
      head: (id) => heads.get(id),
      beginning,
      page,
      damageOf: () => undefined,
      loadHeads: async (pages) => {
        for (const { id, head } of pages) {
          if (!head) continue;
          learn(head as IndexedHead);
          heads.set(id, head);
        }
        const missing = pages.flatMap(({ id }) => (heads.has(id) ? [] : [id]));
        const found = await read(missing, 'head');
        for (const id of missing) addHead(id, found.get(id)?.head?.[0]);
      },
      loadTexts: async (ids) => {
        const missing = ids.filter((id) => !texts.has(id));
        const found = await read(missing, 'text');
        for (const id of missing) {
          const text = found.get(id)?.text?.[0];
          texts.set(id, text === undefined ? undefined : JSON.parse(text));
        }
      },
      loadPage: async (id) => {
        const fields = (await read([id], 'head,text,whole,structure')).get(id);
        const text = fields?.text && (JSON.parse(fields.text[0]) as IndexedText);
        addHead(id, fields?.head?.[0]);
        texts.set(id, text);
        const [structure] = fields?.structure ?? [];
        if (text)
          bodies.set(id, {
            body: fields.whole?.[0] ?? text.body,
            ...(structure !== undefined && { structure }),
          });
      },
    };
  };

  return {
    open,
    pageCount: () => index.stats().pages,
    privatePageCount: () => 0,
    structureOf: ({ structure }) => (structure === undefined ? undefined : decodeStructure(structure)),
    hasLlmsTxt: (url) => hosts.get(new URL(url).host) ?? false,
  };
}
