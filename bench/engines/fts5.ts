import { join } from 'node:path';
import type { PageTerms } from './corpus-files.ts';
import { requirePeer } from './install.ts';
import { type Peer, wanted } from './peer.ts';
import type { TermQuery } from './term-query.ts';

/** The part of better-sqlite3 that is used here. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: unknown[]): void;
    get(value: string): unknown;
    all(value: string, limit: number): unknown[];
    pluck(): void;
  };
  close(): void;
}
type DatabaseClass = new (file: string, options?: { readonly: boolean }) => Database;

const load = (): DatabaseClass => requirePeer('better-sqlite3');

/** SQLite FTS5 without the texts (`content=''`), its segments merged into one; everything but spaces makes tokens. */
export const peer: Peer = {
  build: {
    from: 'terms',
    create: async (folder) => {
      const database = new (load())(join(folder, 'fts5.db'));
      database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE VIRTUAL TABLE pages USING fts5(title, headings, url, body, content='',
          tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
        INSERT INTO pages (pages, rank) VALUES ('rank', 'bm25(4, 2, 1.5, 1)')`);
      const insert = database.prepare('INSERT INTO pages (title, headings, url, body) VALUES (?, ?, ?, ?)');
      return {
        add: (batch: readonly PageTerms[]) => {
          database.exec('BEGIN');
          for (const fields of batch) insert.run(...fields);
          database.exec('COMMIT');
        },
        finish: () => {
          database.exec("INSERT INTO pages (pages) VALUES ('optimize'); VACUUM");
          database.close();
        },
      };
    },
  },
  open: async (folder) => {
    const database = new (load())(join(folder, 'fts5.db'), { readonly: true });
    database.exec('PRAGMA mmap_size = 4000000000');
    const count = database.prepare('SELECT count(*) FROM pages WHERE pages MATCH ?');
    const best = database.prepare('SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?');
    count.pluck();
    best.pluck();
    return ({ terms }) => {
      const match = expression(terms);
      return { total: count.get(match) as number, best: best.all(match, wanted) };
    };
  },
};

function expression({ all, title, none }: TermQuery): string {
  const wantedTerms = [
    ...all.map((group) => `(${group.map(quoted).join(' OR ')})`),
    ...title.map((term) => `title : ${quoted(term)}`),
  ].join(' AND ');
  return none.length === 0 ? wantedTerms : `(${wantedTerms}) NOT (${none.map(quoted).join(' OR ')})`;
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
