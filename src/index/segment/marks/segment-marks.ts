import type { TermWeights } from '../../../text/occurrences/find-terms.ts';
import type { Occurrences } from '../../../text/occurrences/occurrences.ts';
import { addressOf, type PageAddress } from '../../../text/page-address.ts';
import { firstFlag } from '../../../text/passages/sentence-code.ts';
import type { SentenceMark, SentenceTable } from '../../../text/passages/sentence-table.ts';
import type { MarkedField, OccurrenceLimits, PageMarks } from '../../page-marks.ts';
import { type MarkRecord, readLikeness, readMarkRecord, readRecordText } from './mark-record.ts';
import type { MarkSource } from './mark-source.ts';
import { locateText, readText } from './page-text.ts';
import { searchOf } from './segment-address.ts';
import { type CodedStretch, StretchList } from './stretch-list.ts';

const noAddress: PageAddress = { host: '', hostname: '', pathname: '', search: '' };

/** The marks of a page in a segment. Nothing is decoded before it is asked for. */
export class SegmentMarks implements PageMarks {
  private readonly source: MarkSource;
  readonly page: number;
  private ownRecord: MarkRecord | undefined;
  private ownUrl: string | undefined;
  private ownAddress: PageAddress | undefined;
  private ownTitle: string | undefined;
  private ownSentences: SentenceTable | undefined;
  private nameLines: StretchList | undefined;

  constructor(source: MarkSource, page: number) {
    this.source = source;
    this.page = page;
  }

  get url(): string {
    this.ownUrl ??= this.readUrl();
    return this.ownUrl;
  }

  get address(): PageAddress {
    this.ownAddress ??= this.readAddress();
    return this.ownAddress;
  }

  get title(): string {
    this.ownTitle ??= this.readTitle();
    return this.ownTitle;
  }

  get siteName(): string | null {
    return this.record().hasSiteName ? this.source.siteNameOf(this.page) : null;
  }

  get lang(): string {
    return this.source.langOf(this.page);
  }

  get publishedAt(): number | null {
    return this.record().publishedAt;
  }

  get crawledAt(): number {
    return this.source.crawledAtOf(this.page);
  }

  get linkShare(): number | undefined {
    return this.record().linkShare;
  }

  get likeness(): string {
    return readLikeness(this.source.records, this.source.recordStart(this.page));
  }

  get bodyLength(): number {
    return this.record().body;
  }

  get sentences(): SentenceTable {
    this.ownSentences ??= sentenceTable(new StretchList(this.source.records, this.record().sentences));
    return this.ownSentences;
  }

  mayHoldInTitle(terms: TermWeights): boolean {
    return this.source.postings.holdsInTitle(this.page, terms);
  }

  occurrences(field: MarkedField, terms: TermWeights, limits: OccurrenceLimits, into: Occurrences): void {
    this.source.postings.occurrences(this, field, terms, limits, into);
  }

  text(field: MarkedField, start: number, end: number): string {
    const { source, page } = this;
    const located = locateText(source.textStart(page), this.record(), field);
    return readText(source.texts, located, start, end);
  }

  nameLineEndingAt(end: number): number | undefined {
    this.nameLines ??= new StretchList(this.source.records, this.record().nameLines);
    return this.nameLines.startOfEnding(end);
  }

  private readUrl(): string {
    const { source, page } = this;
    const rest = this.readRest();
    const origin = source.originOf(page).text;
    return origin === '' ? rest : origin + this.address.pathname + rest;
  }

  private readAddress(): PageAddress {
    const { source, page } = this;
    const { host, hostname } = source.originOf(page);
    // In a forged file it may be no URL.
    if (host === '') return URL.canParse(this.url) ? addressOf(this.url) : noAddress;
    return { host, hostname, pathname: source.pathOf(page), search: searchOf(this.readRest()) };
  }

  private readTitle(): string {
    const { titleStart, titleEnd } = this.record();
    return readRecordText(this.source.records, titleStart, titleEnd);
  }

  private readRest(): string {
    const { restStart, restEnd } = this.record();
    return readRecordText(this.source.records, restStart, restEnd);
  }

  private record(): MarkRecord {
    this.ownRecord ??= readMarkRecord(this.source.records, this.source.recordStart(this.page));
    return this.ownRecord;
  }
}

function sentenceTable(list: StretchList): SentenceTable {
  return {
    from: (offset) => sentenceOf(list.from(offset)),
    before: ({ start, isFirst }) => (isFirst ? undefined : sentenceOf(list.before(start))),
  };
}

function sentenceOf(stretch: CodedStretch | undefined): SentenceMark | undefined {
  if (stretch === undefined) return undefined;
  const { start, end, code } = stretch;
  return { start, end, code: code & ~firstFlag, isFirst: (code & firstFlag) !== 0 };
}
