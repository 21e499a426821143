const forumGenerator =
  /discourse|phpbb|vbulletin|xenforo|mybb|smf|simple machines|flarum|nodebb|invision|ipboard|vanilla|bbpress|fluxbb|punbb|discuz|phpwind/i;
const forumUrl =
  /(?:^https?:\/\/(?:forums?|community|discuss|discussions?|answers|bbs|talk|boards?)\.|\/(?:forums?|threads?|viewtopic|showthread|topics?|discussions?|questions|t|r)(?:\/|\.php))/i;

const forumItem = /schema\.org\/(?:QAPage|Question|DiscussionForumPosting)\b/;

/** Whether a page is a forum or a question page, where replies are content: by generator, JSON-LD, microdata and URL. */
export function isForumPage(page: {
  url: string;
  generator: string;
  declaresForum: boolean;
  /** The `itemtype`s on the page. */
  itemTypes: readonly string[];
}): boolean {
  return (
    page.declaresForum ||
    page.itemTypes.some((type) => forumItem.test(type)) ||
    forumGenerator.test(page.generator) ||
    forumUrl.test(page.url)
  );
}
