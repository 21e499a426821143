const parts = /\s*[_|｜—－-]+\s*/u;
/** What the name of a site or of a part of it ends with: 网, 报, 频道, 论坛 and the like. */
const siteEnd =
  /(?:网|网站|报|日报|晚报|早报|周刊|杂志|在线|频道|新闻|资讯|中心|论坛|社区|博客|百科|首页|官网|门户|客户端|电视台|广播|栏目|专题|頻道|新聞|資訊|論壇|官網|網|報)$/u;
const minTitle = 6;
const maxSite = 14;

/**
 * The title in a Chinese `<title>` that joins it with the names of the site and its parts: `标题_频道_某某网`,
 * `栏目-标题-某某在线`, `标题 某某网`. Null where the parts do not tell which of them it is.
 */
export function chineseTitle(titleTag: string): { title: string; site: string | null } | null {
  const length = hanIn(titleTag);
  if (length < minTitle * 2 || length < titleTag.length / 2) return null;
  const all = titleTag.split(parts).filter((part) => part !== '');
  const [longest] = all.toSorted((one, other) => hanIn(other) - hanIn(one));
  const at = longest === undefined ? -1 : all.indexOf(longest);
  if (longest === undefined) return null;
  if (all.length > 1) {
    const others = all.toSpliced(at, 1);
    const isClear =
      hanIn(longest) >= minTitle &&
      others.every((part) => hanIn(part) <= maxSite) &&
      others.every((part) => siteEnd.test(part) || hanIn(part) * 2 <= hanIn(longest)) &&
      siteEnd.test(all.at(-1) ?? '') &&
      at < all.length - 1;
    return isClear ? { title: longest, site: all.at(-1) ?? null } : null;
  }
  const spaced = /^(.*\S)\s+(\S+)$/u.exec(titleTag);
  const [, title = '', site = ''] = spaced ?? [];
  return hanIn(title) >= minTitle && hanIn(site) <= maxSite && siteEnd.test(site) ? { title, site } : null;
}

function hanIn(text: string): number {
  return text.match(/\p{Script=Han}/gu)?.length ?? 0;
}
