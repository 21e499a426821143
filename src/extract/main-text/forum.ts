const forumGenerator =
  /discourse|phpbb|vbulletin|xenforo|mybb|smf|simple machines|flarum|nodebb|invision|ipboard|vanilla|bbpress|fluxbb|punbb|discuz|phpwind/i;
const forumHost = /^https?:\/\/(?:forums?|community|discuss|discussions?|answers|bbs|talk|boards?)\./i;
const forumPath =
  /\/(?:(?:forums?|threads?|viewtopic|showthread|discussions?|questions|r)(?:\/|\.php)|showtopic[-./])/i;
/** Shops and newspapers have addresses like `/t/chairs` and `/topic/cars`, too: a thread has a number. */
const threadPath = /\/(?:topics?\/\d|t\/(?:[^/?#]+\/)?\d+(?:[/?#]|$))/i;

const forumItem = /schema\.org\/(?:QAPage|DiscussionForumPosting)\b/;
const questionItem = /schema\.org\/Question\b/;
const answeredItem = /schema\.org\/FAQPage\b/;

/**
 * Whether a page is a forum or a question page, where replies are content: by generator, JSON-LD, microdata and URL.
 * Questions that the site itself answers (`FAQPage`) make no forum.
 */
export function isForumPage(page: {
  url: string;
  generator: string;
  declaresForum: boolean;
  /** The `itemtype`s on the page. */
  itemTypes: readonly string[];
}): boolean {
  const has = (pattern: RegExp) => page.itemTypes.some((type) => pattern.test(type));
  return (
    page.declaresForum ||
    has(forumItem) ||
    (has(questionItem) && !has(answeredItem)) ||
    forumGenerator.test(page.generator) ||
    [forumHost, forumPath, threadPath].some((pattern) => pattern.test(page.url))
  );
}
