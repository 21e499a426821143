const forumGenerator =
  /discourse|phpbb|vbulletin|xenforo|mybb|smf|simple machines|flarum|nodebb|invision|ipboard|vanilla|bbpress|fluxbb|punbb|discuz|phpwind/i;
const forumUrl =
  /(?:^https?:\/\/(?:forums?|community|discuss|discussions?|answers|bbs|talk|boards?)\.|\/(?:forums?|threads?|viewtopic|showthread|topics?|discussions?|questions|t|r)(?:\/|\.php)|stackexchange\.com|stackoverflow\.com|news\.ycombinator\.com)/i;

/** Forums' and question pages' replies are their content. Judged by generator, JSON-LD and URL. */
export function isForumPage(page: { url: string; generator: string; declaresForum: boolean }): boolean {
  return page.declaresForum || forumGenerator.test(page.generator) || forumUrl.test(page.url);
}
