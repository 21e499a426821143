import type { Page } from '../../../page.ts';
import { copyString } from '../../../text/copy-string.ts';
import type { PerField } from '../../bm25f.ts';
import { backwards, copyFlag, fileTypes, type PageColumns, privateFlag } from '../columns.ts';
import { ByteSlabs } from '../marks/byte-slabs.ts';
import { addressParts, writeMarkRecord } from '../marks/mark-record.ts';
import { writePageText } from '../marks/page-text.ts';

/**
 * The columns of pages in the order in which they come. Each is kept in an array of its own with strings that pages share,
 * because every object that is kept costs time whenever garbage is collected.
 */
export class ColumnLog {
  readonly ids: string[] = [];
  private readonly crawlTimes: number[] = [];
  private readonly types: number[] = [];
  private readonly paths: string[] = [];
  private readonly langs: string[] = [];
  private readonly hosts: string[] = [];
  private readonly origins: string[] = [];
  private readonly siteNames: string[] = [];
  private readonly shared = new Map<string, string>();
  /** Four of each page. */
  private readonly lengths: number[] = [];
  /** For each page, its texts and its marks. */
  private readonly records = new ByteSlabs();

  /** Adds a page, with the number of terms in each of its fields; returns the bytes of its texts. */
  add(page: Page, lengths: PerField): number {
    const address = addressParts(page.url);
    const text = writePageText(page.headings, page.body, this.records);
    writeMarkRecord(page, address, text.lengths, this.records);
    this.ids.push(copyString(page.id));
    this.crawlTimes.push(page.crawledAt);
    this.types.push(
      fileTypes.indexOf(page.fileType) |
        (page.copyOf === undefined ? 0 : copyFlag) |
        (page.isPrivate ? privateFlag : 0),
    );
    this.paths.push(copyString(address.pathname));
    this.langs.push(this.share(page.lang));
    this.hosts.push(this.share(address.hostname));
    this.origins.push(this.share(address.origin));
    this.siteNames.push(this.share(page.siteName ?? ''));
    this.lengths.push(...lengths);
    return text.bytes.length;
  }

  /** The columns of the page that was added as this one, from 0 on. */
  at(index: number): PageColumns {
    return {
      id: this.ids[index] as string,
      crawledAt: this.crawlTimes[index] as number,
      lang: this.langs[index] as string,
      fileType: this.types[index] as number,
      host: backwards((this.hosts[index] as string).replace(/\.$/, '')),
      path: this.paths[index] as string,
      lengths: this.lengths.slice(4 * index, 4 * index + 4) as unknown as PerField,
      origin: this.origins[index] as string,
      siteName: this.siteNames[index] as string,
      text: this.records.at(2 * index),
      marks: this.records.at(2 * index + 1),
    };
  }

  private share(text: string): string {
    const known = this.shared.get(text);
    if (known !== undefined) return known;
    const own = copyString(text);
    this.shared.set(own, own);
    return own;
  }
}
