import { dropMeasured } from './measure.ts';
import { type Element, isHeading, textOf } from './tree.ts';

/** Headings of boxes with links to other pages or requests to the reader; whole headings, so that "Related work" stays. */
const phrases = [
  'related(?: (?:articles?|posts?|content|stories|news|products?|items|topics|links|reading|pages|videos))?(?: (?:to explore|for you))?',
  'you (?:may|might) also (?:like|enjoy|need|be interested in)|(?:people|customers) also (?:bought|viewed|asked?|searched for|liked)',
  'recommended(?: (?:for you|articles?|posts?|products?|reading|stories|content|videos))?',
  'recently viewed(?: items| products)?|frequently bought together|customer reviews|(?:similar|featured|other) (?:products|items|articles|posts|stories)',
  'more (?:from|like) .{1,40}|more (?:stories|articles|posts|products)|read (?:more|next)|also read|up next|what others are reading|keep exploring .{1,40}',
  'popular (?:posts|articles|now)|most (?:read|popular|viewed)|trending(?: now)?|latest (?:news|posts|articles|stories)',
  'share(?: this(?: \\p{L}+)?)?|follow us|about the (?:authors?|writers?|editors?|reviewers?)|get in touch|newsletter',
  'subscribe(?: now| (?:to|for) (?:our|the) .{1,30})?|(?:sign up|join) .{1,40}newsletter',
  'auch interessant|das könnte (?:sie|dich|euch) auch interessieren|(?:noch )?mehr (?:zum thema|aus|über|von) ?.{0,40}|noch mehr \\p{L}+ für (?:dich|sie)',
  'ähnliche (?:artikel|beiträge|nachrichten|meldungen|themen|produkte)|schon gelesen\\??|auch auf .{1,30}|lesen sie auch|über (?:den autor|die autorin)',
  '(?:weitere|neueste|aktuelle) \\p{L}*(?:artikel|beiträge|themen|meldungen|nachrichten|tipps|produkte)(?: (?:aus|zu|von) .{1,40})?',
  'artículos relacionados|te puede interesar|(?:más|otras) noticias|articles? (?:similaires|liés)|sur le même (?:thème|sujet)|(?:à|a) lire aussi',
  '相关(?:阅读|文章|推荐|新闻|资讯|报道|链接|视频|产品|内容)|(?:推荐|延伸|扩展)阅读|(?:热门|精彩|编辑|今日|图文|视频|为[你您])推荐|(?:热门|热点|最新|图片)(?:文章|新闻|资讯|要闻|标签)|猜你喜欢|大家都在看',
  '(?:阅读|点击|新闻|文章|热门|周|月|本周|本月)?排行榜?|更多(?:精彩|相关|新闻|内容).{0,6}|友情链接|随机文章|関連記事|人気記事|관련 ?(?:기사|뉴스)',
];
/** Of what readers say, which is content on forums alone. */
const commentPhrases = [
  '(?:leave|post|add|write) a (?:comment|reply)|(?:no|\\d+) (?:responses?|comments?|replies)(?: (?:so far|yet|(?:to|on) .{1,80}))?|comments?(?: \\(\\d+\\))?|say your words',
  '(?:\\d+ )?kommentare?(?: \\(\\d+\\))?|(?:schreiben? sie|schreibe?|hinterlasse?) einen kommentar|kommentar (?:schreiben|verfassen|hinterlassen)',
  '(?:\\d+ )?commentaires?|laisser un commentaire|(?:\\d+ )?comentarios?|deja (?:un comentario|una respuesta)|(?:\\d+ )?komentarz[ey]|dodaj komentarz',
  '(?:网友|最新|热门|精彩|全部|用户|发表|我要|文章)?评论(?:\\s?[(（]\\d+[)）])?|(?:网友)?(?:跟帖|留言)|我来说两句|コメント(?:する)?|댓글',
];
const headingOf = (list: readonly string[]) => new RegExp(`^(?:${list.join('|')})\\s*[:：…!]?$`, 'iu');
const headingOnForum = headingOf(phrases);
const headingElsewhere = headingOf([...phrases, ...commentPhrases]);
const boxes = new Set('div section ul ol dl table p nav aside'.split(' '));
const maxHeadingWeight = 60;
const maxHeadedShare = 0.5;
const minLinked = 0.5;

/**
 * Drops the sections of such headings: the largest block that begins with the heading, or everything from the heading to
 * the next one of the same level.
 */
export function dropHeadedSections(root: Element, { isForum }: { readonly isForum: boolean }): void {
  const sectionHeading = isForum ? headingOnForum : headingElsewhere;
  const limit = root.text * maxHeadedShare;
  (function visit(element: Element): void {
    for (const [index, child] of element.children.entries()) {
      if (typeof child === 'string' || child.dropped || child.text === 0) continue;
      if (child.text <= limit && boxes.has(child.tag) && sectionHeading.test(firstLine(child)))
        dropMeasured([child]);
      else if (headingTag.test(child.tag) && sectionHeading.test(shortLine(child)))
        dropSection(element, index, limit);
      else if (child.tag === 'p' && isBold(child) && sectionHeading.test(shortLine(child)))
        dropLinksBelow(element, index);
      else visit(child);
    }
  })(root);
}

const headingTag = /^h[2-6]$/;

function dropSection(parent: Element, start: number, limit: number): void {
  const section: Element[] = [];
  let weight = 0;
  for (let next = start; next < parent.children.length; next++) {
    const node = parent.children[next];
    if (node === undefined || typeof node === 'string') continue;
    if (section[0] !== undefined && isHeading(node) && node.tag <= section[0].tag) break;
    section.push(node);
    weight += node.text;
  }
  if (weight <= limit) dropMeasured(section);
}

/** Whether all of a paragraph is in bold: a heading without its tag. */
function isBold({ text, children }: Element): boolean {
  return children.some(
    (child) => typeof child !== 'string' && child.text === text && /^(?:b|strong)$/.test(child.tag),
  );
}

/** Drops such a paragraph and the links right below. */
function dropLinksBelow(parent: Element, start: number): void {
  for (const [index, node] of parent.children.entries()) {
    if (index < start || typeof node === 'string') continue;
    if (index > start && node.linked <= node.text * minLinked) return;
    dropMeasured([node]);
  }
}

function shortLine(element: Element): string {
  return element.text > maxHeadingWeight ? '' : textOf(element).trim().replace(/\s+/g, ' ');
}

/** The text of the first node of a block if it is short. */
function firstLine(block: Element): string {
  let current: Element = block;
  for (;;) {
    const first = current.children.find((child) =>
      typeof child === 'string' ? child.trim() !== '' : !child.dropped && child.text > 0,
    );
    if (first === undefined) return '';
    if (typeof first === 'string')
      return first.length > maxHeadingWeight * 2 ? '' : first.trim().replace(/\s+/g, ' ');
    if (isHeading(first))
      return first.text > maxHeadingWeight ? '' : textOf(first).trim().replace(/\s+/g, ' ');
    current = first;
  }
}
