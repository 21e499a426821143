import { oneLine } from '../../text/line/one-line.ts';
import { dropMeasured } from './measure.ts';
import { type Element, textOf } from './tree.ts';

/** What controls say, as whole lines: on a page without its controls they say nothing. */
const controls = [
  '(?:read|learn|view|see|show|load|find out|discover|explore) (?:more|less|all|details|full (?:article|story))|(?:back|scroll) to (?:the )?top',
  'skip to (?:main )?content|close|menu|search|print(?: this page)?|share(?: this(?: \\p{L}+)?)?|pin (?:it|this for later)|copy link|be sociable, share',
  'like it\\? share it|tweet|sign (?:up|in)(?: now| for free)?|join now(?: for free)?|log ?in|register|subscribe(?: now)?|get a (?:free )?(?:quote|demo)(?: today)?',
  'add to (?:cart|bag|basket|wish ?list|compare)|buy now|shop now|quick (?:view|shop|buy|look)|(?:view|choose|select)(?: a| your)? (?:options?|size|color)',
  'sold out|out of stock|in stock|free shipping|compare(?: now)?|show(?:ing)? \\d[\\d,.–-]*(?: to \\d+)?(?: of [\\d,.]+)?(?: (?:results?|products?|items?))?',
  'loading|please wait|report (?:this|inappropriate content|abuse|post)|rate this page|was this (?:page|article) helpful\\??|likes this|reply|quote|leave a comment',
  'advertisements?|sponsored|anzeige|werbung|publicidad|publicité|pubblicità|reklama',
  'weiterlesen|mehr (?:lesen|erfahren|anzeigen|dazu)|alle anzeigen|drucken|teilen|nach oben|zum seitenanfang|jetzt (?:kaufen|anmelden)|in den warenkorb|zurück|merken',
  'lire (?:la suite|plus)|en savoir plus|partager|imprimer|haut de page|leer más|ver más|compartir|imprimir|leggi (?:tutto|di più)|condividi|stampa',
  'czytaj (?:więcej|dalej)|więcej|drukuj|udostępnij|lees (?:meer|verder)|delen|läs mer|dela|читать далее|подробнее|поделиться',
  '阅读(?:全文|更多|原文)|查看(?:更多|全部|详情)|更多|打印(?:本页)?|关闭(?:窗口|本页)?|返回(?:顶部|首页|列表|上一页)?|分享(?:到|至)?|收藏(?:本[站页])?|举报|点赞|我要(?:评论|纠错)|加载中|扫一扫.{0,20}|字[号体][:：]?(?:\\s?[大中小]){0,3}|[大中小]',
  '続きを読む|もっと見る|シェア|印刷(?:する)?|더보기|공유하기?|인쇄',
];
const control = new RegExp(`^[\\s>»›→←«\\[【(]*(?:${controls.join('|')})[\\s.…!:：>»›→←«\\]】)]*$`, 'iu');
const maxControl = 40;

/** Notices of the site: who owns it, who runs it, under which number it is registered. */
const notice = new RegExp(
  [
    '^(?:©|\\(c\\)\\s|copyright\\b|powered by)',
    'all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|tutti i diritti riservati',
    '(?:版权|著作权)所有\\s*(?:[©:：(（\\d]|$)|ICP[备证](?:案号)?[:：]?\\s*\\d|公网安备\\s*\\d|[违違]法和不良信息(?:举报|舉報)',
    '未经(?:本[站网]|书面)?(?:授权|许可).{0,12}(?:转载|复制)',
  ].join('|'),
  'iu',
);
const maxNotice = 300;

/** Where a page of China, as its readers know them, says where it stands and from where it comes. */
const place =
  /^(?:(?:您|你)?(?:现在|当前)?(?:的|所在的?)?位置|当前位置|所在位置)(?:是|在)?\s*[:：]|^首页\s*[>»›]|^(?:上|下)一[篇页条则]\s*[:：]/u;
const origin =
  /(?:(?:文章|信息|稿件|新闻)?来源|稿源|(?:责任|本文)?编辑|责编|作者|记者|通讯员|(?:发[布表稿]|更新)(?:时间|日期)|(?:浏览|阅读|点击|访问)(?:次数|量|数|人数)?|字[号体]|审核|校对)\s*[:：]/gu;
/** Beside one of them; alone, they tell when an event is. */
const day = /(?:时间|日期)\s*[:：]/u;
const maxOrigin = 120;
/** A single label may begin a sentence of the text; a line with two is about the page. */
const maxSingleOrigin = 40;

const lineTags = new Set(
  `a span div p li strong b em i small label legend center font section address button h2 h3 h4 h5 h6 td time ul`.split(
    ' ',
  ),
);
/** A single word may be a name: the heading or the entry of a function that is called `close`. */
const nameTags = new Set('h1 h2 h3 h4 h5 h6 li dt dd td th p code'.split(' '));
const maxShare = 0.3;

/** Drops short blocks that say what a control, the site's notice or a source line says, and nothing else. */
export function dropLabels(root: Element): void {
  const found: Element[] = [];
  let weight = 0;
  (function visit(element: Element, mayBeName: boolean, wholeText: string): void {
    for (const child of element.children) {
      if (typeof child === 'string' || child.dropped || child.text === 0 || child.tag === 'pre') continue;
      const isName = mayBeName || nameTags.has(child.tag);
      if (child.text > maxNotice || !lineTags.has(child.tag)) {
        visit(child, isName, '');
        continue;
      }
      // A block in a block often has all of its text.
      const text = wholeText !== '' && child.text === element.text ? wholeText : oneLine(textOf(child));
      if (isLabel(child, text, isName)) {
        found.push(child);
        weight += child.text;
      } else visit(child, isName, text);
    }
  })(root, false, '');
  if (weight <= root.text * maxShare) dropMeasured(found);
}

function isLabel(element: Element, text: string, isName: boolean): boolean {
  if (text.length <= maxControl && control.test(text))
    return !isInSentence(element) && !(isName && oneWord.test(text));
  if (inlineTags.has(element.tag)) return false;
  if (notice.test(text) || place.test(text)) return true;
  if (text.length > maxOrigin) return false;
  const labels = text.match(origin)?.length ?? 0;
  const days = day.test(text.replace(origin, '')) ? 1 : 0;
  return (
    (labels >= 1 && labels + days >= 2) ||
    (labels === 1 && text.length <= maxSingleOrigin && text.search(origin) === 0)
  );
}

const oneWord = /^[^\s\p{Script=Han}]+$/u;
const inlineTags = new Set('a span strong b em i small font time'.split(' '));

/** Whether the words of a link or of emphasis are part of a sentence around it. */
function isInSentence({ tag, parent }: Element): boolean {
  if (!inlineTags.has(tag) || parent === null) return false;
  return parent.children.some((child) => typeof child === 'string' && /\p{L}/u.test(child));
}
