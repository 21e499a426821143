import type { Element } from './tree.ts';

/** Words of a class or an id that mark a block as not the content. */
const apparatusWords = new Set(
  `nav navbar navigation subnav sidenav topnav menu submenu megamenu footer foot breadcrumb breadcrumbs crumbs cookie cookies
  gdpr consent share sharing sharebar sharedaddy addtoany addthis social socials newsletter subscribe signup sidebar
  promo promotion advert adverts advertisement advertising ads adsbygoogle sponsor sponsored dfp related recommend recommended
  recommendations pagination pager pagenavi paging popular trending mostread skiplink login signin masthead taboola outbrain
  popup printfooter editsection linenos lineno gutter catlinks navbox tagcloud tags sitemap colophon topbar
  copyright disclaimer reviews yotpo jdgm bazaarvoice okendo facet facets filters swatches wishlist recently backtotop scrolltop caption captions rating ratings langswitcher byline
  sociable shariff fenxiang pinglun xiangguan tuijian banquan mianbao kommentarmodul readingtime affiliate feedback toc`.split(
    /\s+/,
  ),
);
/** Pairs of adjacent words. */
const apparatusPairs = new Set(
  `author-box author-bio author-info about-author site-header page-header-nav back-top to-top read-next up-next more-from
  also-like you-may see-also-links post-meta entry-meta article-meta post-tags entry-tags post-navigation widget-area
  skip-link skip-to language-switcher lang-switcher search-form search-box print-only no-print email-signup mailing-list
  most-read most-popular latest-posts recent-posts latest-news recent-news post-footer entry-footer article-footer
  line-numbers line-number table-of tag-list tag-links cat-links call-to reading-time read-time article-actions
  next-story next-post print-button form-modal store-locator quick-order purchase-options result-count product-count total-count
  cross-sell up-sell upsell-products recently-viewed featured-products related-products product-recommendations size-guide
  last-updated posting-rules`.split(/\s+/),
);
const commentWords = new Set(
  `comment comments commentlist disqus respond replies commentform kommentar kommentare kommentarer commentaire commentaires
  comentario comentarios commenti komentarz komentarze reacties`.split(/\s+/),
);
/** Words that make another thing of comments: what customers say, and the report of a match as it goes. */
const quotedWords = new Set('testimonial testimonials live'.split(' '));
/** On forums: information about the author of a post, in the names of common forum software. */
const posterWords = new Set(
  'postprofile userinfo userstats userdetails posterinfo postuser signature'.split(' '),
);
const posterPairs = new Set(
  'message-signature user-info user-details user-stats user-extras post-profile post-signature poster-info author-information expand-link'.split(
    ' ',
  ),
);
/** A class such as `no-sidebar` or `has-nav` describes the layout, not this block. */
const layoutPrefix =
  /^(?:no|has|with|without|is|js|not|hide|show|hidden|lg|md|sm|xl|supports|layout|typography|text|font|bg|border)-/;
/** An id of more words is the address of a heading: `how-popular-is-it-today`. */
const maxIdWords = 5;

/** WordPress gives a post its categories and tags as classes: `tag-cookies` is a topic. */
const postClass = /(?:^|\s)(?:hentry|type-post|type-page)(?:\s|$)/;
const taxonomyClass = /^(?:category|tag)-/;

/** On other tags and on sections, an id is the anchor of a heading: a section on cookies is no cookie banner. */
const layoutTags = new Set('div ul ol table td form header fieldset'.split(' '));
const sectionClass = /(?:^|\s)sect(?:ion|\d)(?:\s|$)/;

export interface BlockNames {
  isApparatus(element: Element): boolean;
  isComments(element: Element): boolean;
  isPoster(element: Element): boolean;
}

interface Verdict {
  apparatus: boolean;
  comments: boolean;
  poster: boolean;
}

/** Judges blocks by classes and ids. Verdicts are cached by their text, so long lists of utility classes cost once. */
export function createBlockNames(): BlockNames {
  const verdicts = new Map<string, Verdict>();
  const verdictsOfNames = new Map<string, Verdict>();

  function verdict(list: string) {
    let result = verdicts.get(list);
    if (result === undefined) {
      result = judge(list.slice(0, 1000), verdictOfName);
      verdicts.set(list, result);
    }
    return result;
  }
  /** One name stands in many lists. */
  function verdictOfName(name: string): Verdict {
    let result = verdictsOfNames.get(name);
    if (result === undefined) {
      result = judgeName(name);
      verdictsOfNames.set(name, result);
    }
    return result;
  }
  function names({ tag, attributes }: Element): string {
    const { class: classes = '', id } = attributes;
    return id === undefined || !layoutTags.has(tag) || sectionClass.test(classes) || isAddress(id)
      ? classes
      : `${id} ${classes}`;
  }
  return {
    isApparatus: (element) => verdict(names(element)).apparatus,
    isComments: (element) => verdict(names(element)).comments,
    isPoster: (element) => verdict(names(element)).poster,
  };
}

const isAddress = (id: string) => id.split('-', maxIdWords + 1).length > maxIdWords;

function judge(names: string, verdictOfName: (name: string) => Verdict): Verdict {
  const verdict = { apparatus: false, comments: false, poster: false };
  const isPost = postClass.test(names);
  for (const name of names.split(/\s+/)) {
    if (name === '' || (isPost && taxonomyClass.test(name))) continue;
    const { apparatus, comments, poster } = verdictOfName(name);
    verdict.apparatus ||= apparatus;
    verdict.comments ||= comments;
    verdict.poster ||= poster;
  }
  return verdict;
}

function judgeName(name: string): Verdict {
  const verdict = { apparatus: false, comments: false, poster: false };
  if (/[:[\]/]/.test(name)) return verdict;
  const token = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  if (layoutPrefix.test(token)) return verdict;
  const words = token.split(/[-_.]+/);
  words.forEach((word, index) => {
    const pair = `${word}-${words[index + 1] ?? ''}`;
    if (apparatusWords.has(word) || apparatusPairs.has(pair)) verdict.apparatus = true;
    if (commentWords.has(word) && !words.some((other) => quotedWords.has(other))) verdict.comments = true;
    if (posterWords.has(word) || posterPairs.has(pair)) verdict.poster = true;
  });
  return verdict;
}
