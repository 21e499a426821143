/** No name is longer, in UTF-16 units; a longer text is a sentence. */
const maxNameLength = 60;
const maxWords = 5;
const maxNames = 8;

/** Accounts and roles that stand for no person. */
const noPerson =
  /^(?:admin|administrator|author|autor(?:in)?|auteur|editor(?:ial)?|editors|staff|user|guest|gast|root|webmaster|unknown|anonymous|anonym|null|undefined|none|n\/a|test|by|von|par|por|di|somebody|someone|us|our team|作者|编辑|佚名|匿名|本站|原创|网络|未知)$/i;

/** Where other pages of an author are, by language: `View all posts by Ann Lee`. */
const linkLabels = {
  en: '(?:(?:view|see|show|read|browse|find)\\s+)?(?:all|more|other|the latest)?\\s*(?:posts?|articles?|stories|entries|content|work)\\s+(?:by|from|of)\\s+',
  de: '(?:zeige?\\s+)?(?:alle|weitere|mehr)\\s+(?:beiträge|artikel|texte|posts)\\s+(?:von|des autors)\\s+',
  fr: "(?:voir|lire)?\\s*(?:tous les|toutes les|plus d['’])\\s*(?:articles|publications|billets)\\s+(?:de|par)\\s+",
  es: '(?:ver|lee|más)?\\s*(?:tod[ao]s?\\s+(?:l[ao]s)?|más)\\s*(?:entradas|artículos|publicaciones)\\s+(?:de|por)\\s+',
  it: '(?:mostra|vedi|visualizza)?\\s*(?:tutti gli|altri)\\s+articoli\\s+(?:di|da)\\s+',
  pt: '(?:todos os|ver todos os|mais)\\s+(?:posts|artigos)\\s+(?:de|por)\\s+',
  nl: '(?:alle|bekijk alle|meer)\\s+(?:berichten|artikelen)\\s+(?:van|door)\\s+',
  ru: '(?:все|посмотреть все)\\s+(?:записи|статьи|материалы)\\s+(?:автора\\s+)?',
  zh: '(?:查看|浏览)\\s*',
};
const linkLabel = new RegExp(`^(?:${Object.values(linkLabels).join('|')})`, 'iu');

/** Words before a name, by language; the colon is optional after them. */
const byWords = Object.values({
  en: '(?:written |posted |published |authored |words |story |text |reported |started |asked )?by',
  de: '(?:geschrieben |verfasst |veröffentlicht |text )?von|ein(?:e|en)? (?:artikel|beitrag|kommentar|gastbeitrag|interview|bericht|analyse|kolumne|reportage|rezension) von',
  fr: '(?:écrit |publié |rédigé )?par',
  es: '(?:escrito |publicado )?por',
  it: '(?:scritto )?da|di|pubblicato da|a cura di',
  nl: '(?:geschreven )?door',
  nordic: '(?:skrevet )?av|af',
  pl: 'przez',
  ru: 'автор(?:ы)?',
}).join('|');
/** Nouns for an author; a colon must follow. */
const nounLabels = Object.values({
  en: 'authors?|writer|words|story|author name|thread starter|discussion starter',
  de: 'autor(?:in|en)?|redaktion|redakteur(?:in)?|text|verfasser(?:in)?',
  romance: 'auteurs?|autore|autores',
  ru: 'автор',
  cjk: '作者|撰文|楼主|著者|執筆者?|文',
}).join('|');
const reporter = '(?:(?:本报|本刊|本网)?记者|作者)[\\s:：]+';
const label = new RegExp(
  `^(?:(?:${byWords})(?:\\s*[:：]\\s*|\\s+)|(?:${nounLabels})\\s*[:：/／|｜]\\s*|${reporter})`,
  'iu',
);
const onlyLabel = new RegExp(`^(?:${byWords}|${nounLabels})\\s*[:：]?$`, 'iu');

/** What ends the names of a line: dates, numbers, signs, words before a date. */
const endOfNames = new RegExp(
  [
    '(?<!\\p{L})\\d|[|•·∙●◦@([{<>→»›#:：;!?"“”„…=+*~]|\\s[-–—/]+\\s',
    '\\s+(?:on|am|le|il|el|in|at|for|für|pour|para|vom)\\s',
    '\\s+(?:updated|published|posted|last|aktualisiert|veröffentlicht|publié|mis à jour|stand|datum)(?!\\p{L})',
  ].join('|'),
  'iu',
);
const betweenNames = /\s*(?:,|、|，|;|\s&\s|\s(?:and|und|et|y|e|og|och|en|и|with|mit)\s)\s*/iu;

const role =
  /\b(?:editor|reporter|writer|correspondent|staff|contributor|columnist|journalist|director|manager|team|redaktion|redakteur(?:in)?|korrespondent(?:in)?|autor(?:in)?|bio|biography|profile|follow|share|print|drucken|teilen|imprimer|partager|imprimir|compartir|save|submitted|subscribe|comments?|about|contact|more|read|view|email|home|login|guest|experte|professor of|professor at|phd student|posts?|articles?|website|twitter|facebook|newsletter|published|updated|minutes?|views|image|photo|foto|advert\w*|news|magazine|press|agency|agentur)\b/iu;
/** News agencies stand beside the people who wrote. */
const agency = /^(?:dpa(?:[-/]\w+)*|afp|apa|ap|reuters|sda|sid|efe|ansa|lusa|pti|ians|upi|epd|kna)$/i;
const particle =
  /^(?:de|del|della|di|da|dos|das|du|des|le|la|van|von|vom|zu|zur|der|den|ter|ten|el|al|bin|ibn|ben|y|e|af|av|st\.?|d['’]\p{Lu}.*)$/u;
const cjkName =
  /^(?:[\p{Script=Han}·•]{2,6}|[\p{Script=Hangul}]{2,5}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・\s]{2,16})$/u;
const preposition = /^(?:am|um|im|on|at|in|the|for|this|new)\s/iu;
const unwanted = /[\d!?:;"“”„()[\]{}<>=@#|\\/_*+~]|https?|www\.|\.\w{2,}$|…/u;

/** Whether a text is the name of a person, by its shape: a few words with capitals, or a few characters of CJK. */
export function isPersonName(text: string): boolean {
  if (text.length < 2 || text.length > maxNameLength || noPerson.test(text)) return false;
  if (cjkName.test(text)) return true;
  if (unwanted.test(text) || role.test(text)) return false;
  const words = text.split(/\s+/);
  if (preposition.test(text)) return false;
  if (words.length < 2 || words.length > maxWords) return false;
  return words.every((word) => /^['’]?[\p{Lu}\p{Lt}\p{Lo}]/u.test(word) || particle.test(word));
}

/** A single word may be the name of an account, where an element says that it names an author. */
function isAccountName(text: string): boolean {
  return (
    /^[\p{L}][\p{L}\p{N}._-]{1,30}$/u.test(text) &&
    !noPerson.test(text) &&
    !role.test(text) &&
    !agency.test(text)
  );
}

/** Whether a line is nothing but the words before a name. */
export const isByline = (line: string): boolean => onlyLabel.test(line.trim());

/** Whether a line begins with the words before a name. */
export const beginsAsByline = (line: string): boolean => label.test(line.trim());

export interface NameOptions {
  /** A single word counts as a name. */
  readonly accounts: boolean;
}

/** The people whom a line names at its beginning, after `By` and the like; none where it names no one. */
export function namesIn(line: string, { accounts }: NameOptions): string[] {
  let text = line.trim().replace(linkLabel, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(label, '').trim();
  }
  const end = text.search(endOfNames);
  if (end >= 0) text = text.slice(0, end);
  const names: string[] = [];
  for (const part of text.split(betweenNames)) {
    const name = part.replace(/^[\s.,–—-]+|[\s,–—-]+$/g, '');
    if (agency.test(name)) continue;
    if (!isPersonName(name) && !(accounts && isAccountName(name))) break;
    if (!names.includes(name)) names.push(name);
    if (names.length === maxNames) break;
  }
  return names;
}
