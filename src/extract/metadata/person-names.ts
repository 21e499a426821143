/** No name is longer, in UTF-16 units; a longer text is a sentence. */
const maxNameLength = 60;
const maxWords = 5;
const maxNames = 8;
/** What stands after this in a line is not looked at. */
const maxLine = 500;

/** Accounts that come with a content management system, and words that stand where no name is known. */
const systemAccount =
  /^(?:(?:wp|web|site|super|default|blog|cms|shop|power)[ _-]?(?:admin\w*|user|master|editor)|admin|administrator|editor|user|author|test|webmaster|demo|guest|staff|root|sysadmin|moderator|unknown|anonymous|null|undefined|none|n\/a)$/i;

/** Whether a name is that of no one: an account of a system, or a word such as `unknown`. */
export const isSystemAccount = (name: string): boolean => systemAccount.test(name);

/** Whole texts that name no person, by language: roles, labels, words for someone unknown. */
const noPerson = new RegExp(
  `^(?:${Object.values({
    en: 'authors|editors|editorial|our team|us|somebody|someone|last|by',
    de: 'autor(?:in)?|gast|anonym|von',
    fr: 'auteur|par',
    es: 'por',
    it: 'autori|di',
    zh: '作者|编辑|佚名|匿名|本站|原创|网络|未知',
  }).join('|')})$`,
  'i',
);

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
/** Words before who asked in an interview, by language. */
const interviewWords = Object.values({
  en: 'interview(?:ed)? by|interview conducted by|as told to',
  de: '(?:das |dieses )?(?:gespräch|interview) führten?|die fragen stellten?|interviewt von',
  fr: '(?:propos )?recueillis? par|(?:entretien|interview) (?:réalisée?|menée?|conduite?) par',
  es: 'entrevista (?:realizada )?por',
  pt: 'entrevista conduzida por',
  it: 'intervista (?:di|a cura di|realizzata da)',
  nl: 'interview door',
  nordic: 'inter[vw]ju av|interview af',
  pl: '(?:wywiad|rozmowę) przeprowadził[ai]?|rozmawiał[ai]?',
  ru: 'беседовал[аи]?|интервью (?:взял|пров[её]л)[аи]?',
}).join('|');
/** Nouns for an interview; in credits with a colon they name who asked. */
const interviewNouns =
  'interview(?:er(?:in)?)?|gespräch|entretien|entrevista|intervista|wywiad|интервью|采访者?|採訪|采写|聞き手|取材・文|インタビュアー?|인터뷰';
const interviewNoun = new RegExp(`^\\(?(?:${interviewNouns})\\s*[:：]`, 'iu');
const interviewCredit = new RegExp(`^\\(?(?:${interviewWords})\\s`, 'iu');
const reporter = '(?:(?:本报|本刊|本网)?记者|作者)[\\s:：]+';
const label = new RegExp(
  `^\\(?(?:(?:${byWords}|${interviewWords})(?:\\s*[:：]\\s*|\\s+)|(?:${nounLabels}|${interviewNouns})\\s*[:：/／|｜]\\s*|${reporter})`,
  'iu',
);
const nounLabel = new RegExp(
  `^\\(?(?:(?:${nounLabels}|${interviewNouns})\\s*[:：]|(?:${interviewWords})\\s)`,
  'iu',
);
const onlyLabel = new RegExp(
  `^(?:(?:${byWords}|${nounLabels}|${interviewWords})\\s*[:：]?|(?:${interviewNouns})\\s*[:：])$`,
  'iu',
);

/** What ends the names of a line: dates, numbers, signs, words before a date. */
const endOfNames = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])\\d|[|•·∙●◦@([{<>→»›#:：;!?"“”„…=+*~]|\\s[-–—/]+\\s',
    '\\s+(?:on|am|le|il|el|in|at|for|für|pour|para|vom)\\s',
    '\\s+(?:updated|published|posted|last|aktualisiert|veröffentlicht|publié|mis à jour|stand|datum)(?!\\p{L})',
    // A date in words.
    '(?<!\\p{L})\\p{L}{3,12}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?\\s*,?\\s+(?:19|20)\\d\\d',
    '\\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?!\\p{L})',
    '\\s+(?:illustrations?|photos?|photograph(?:y|s)|fotos?|bilder?)\\s',
  ].join('|'),
  'iu',
);
/** `Richard (R.J.) Eskow`. */
const nickname = /\s[("“]\p{Lu}[^()"“”]{0,20}[)"”](?=\s\p{Lu}\p{Ll})/gu;
const betweenNames = /\s*(?:,|、|，|;|\s&\s|\s(?:and|und|et|y|e|og|och|en|и|with|mit)\s)\s*/iu;

/** A text with one of these words is no person's name. It need not be that of an organization either. */
const noNameWord = new RegExp(
  `\\b(?:${Object.values({
    roles:
      'editor|reporter|writer|correspondent|staff|contributor|columnist|journalist|director|manager|president|team|guest|professor of|professor at|phd student|redakteur(?:in)?|korrespondent(?:in)?|autor(?:in)?|experte',
    publishers:
      'news|magazine|press|agenc(?:y|ies|ia|e)|agentur|agenzia|desk|media|division|corp|department|bureau|services?|redaktion|nachrichten|verlag',
    buttons:
      'follow|share|print|drucken|teilen|imprimer|partager|imprimir|compartir|save|submitted|subscribe|comments?|contact|more|read|view|email|home|login|sign',
    labels:
      'bio|biography|profile|about|posts?|articles?|website|twitter|facebook|newsletter|published|updated|minutes?|views|image|photo|foto|advert\\w*|thread|starter|categor(?:y|ies)|kategorien?',
  }).join('|')})\\b`,
  'iu',
);
/** News agencies stand beside the people who wrote. */
const agency = /^(?:dpa(?:[-/]\w+)*|afp|apa|ap|reuters|sda|sid|efe|ansa|lusa|pti|ians|upi|epd|kna)$/i;
const particle =
  /^(?:de|del|della|di|da|dos|das|du|des|le|la|van|von|vom|zu|zur|der|den|ter|ten|el|al|bin|ibn|ben|y|e|af|av|st\.?|d['’]\p{Lu}.*)$/u;
const cjkName =
  /^(?:[\p{Script=Han}·•]{2,6}|[\p{Script=Hangul}]{2,5}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・\s]{2,16})$/u;
/** Words of Chinese, Japanese and Korean that stand in bylines and name no person: roles, labels, papers. */
const cjkNoPerson =
  /编辑|編輯|責任|责任|编审|校对|来源|來源|人气|人氣|本报|本刊|本站|网友|匿名|公司|中心|官方|编者|質問者|回答者|投稿|編集|(?:社|网|網|报|報|部|台|系|者|日|号)$|뉴스|신문|일보|방송|조선|통신|기자$/u;
/** Words that a name neither begins nor ends with. */
const preposition =
  /^(?:am|um|im|on|at|in|the|for|this|new)\s|\s(?:von|by|par|por|di|da|door|av|af|of|for|and|und)$/iu;
const unwanted = /[\d!?:;"“”„()[\]{}<>=@#|\\/_*+~]|https?|www\.|\.\w{2,}$|…/u;

const isNoName = (text: string): boolean => isSystemAccount(text) || noPerson.test(text);

/** Whether a text is the name of a person, by its shape: a few words with capitals, or a few characters of CJK. */
export function isPersonName(text: string): boolean {
  if (text.length < 2 || text.length > maxNameLength || isNoName(text)) return false;
  if (cjkName.test(text)) return !cjkNoPerson.test(text);
  if (unwanted.test(text) || noNameWord.test(text)) return false;
  const words = text.split(/\s+/);
  if (preposition.test(text)) return false;
  if (words.length < 2 || words.length > maxWords) return false;
  return words.every((word) => /^['’]?[\p{Lu}\p{Lt}\p{Lo}]/u.test(word) || particle.test(word));
}

/** A single word may be the name of an account, where an element says that it names an author. */
function isAccountName(text: string): boolean {
  return (
    /^[\p{L}][\p{L}\p{N}._-]{1,30}$/u.test(text) &&
    !isNoName(text) &&
    !noNameWord.test(text) &&
    !agency.test(text) &&
    !cjkNoPerson.test(text)
  );
}

/** Whether a line is nothing but the words before a name. */
export const isByline = (line: string): boolean => onlyLabel.test(line.trim());

/** Whether a line begins with the words before a name. */
export const beginsAsByline = (line: string): boolean => label.test(line.trim());

/** Whether a text begins with the words before who asked in an interview. They also stand in the middle of sentences. */
export const beginsAsCredit = (text: string): boolean => interviewCredit.test(text.trimStart());

/** Whether a line begins with a noun for an interview and a colon. */
export const beginsAsInterview = (line: string): boolean => interviewNoun.test(line.trim());

/**
 * Whether a line begins with a noun for an author and a colon, or says who asked in an interview: sure enough to be read
 * anywhere on the page.
 */
export const beginsWithNoun = (line: string): boolean => nounLabel.test(line.trimStart());

export interface NameOptions {
  /** A single word counts as a name. */
  readonly accounts: boolean;
}

/** The people whom a line names at its beginning, after `By` and the like; none where it names no one. */
export function namesIn(line: string, { accounts }: NameOptions): string[] {
  let text = line
    .slice(0, maxLine)
    .trim()
    .replace(/^\((.*)\)$/u, '$1')
    .replace(linkLabel, '');
  if (/^[^:]{0,20}(?:interview|gespräch|entretien|entrevista|intervista)/iu.test(text))
    text = text.replace(/\s(?:mit|with|avec|con)\s.*/iu, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(label, '').trim();
  }
  text = text.replace(nickname, '');
  const end = text.search(endOfNames);
  // `Interview: Ann Lee on her work` names who answers.
  if (interviewNoun.test(line) && /[^\s).]/.test(end < 0 ? '' : text.slice(end))) return [];
  if (end >= 0) text = text.slice(0, end);
  const names: string[] = [];
  for (const part of text.split(betweenNames)) {
    const name = part.replace(/^[\s.,–—-]+|[\s,–—-]+$/g, '').replace(/(?<=\p{Ll}{2})\.$/u, '');
    if (agency.test(name)) continue;
    if (!isPersonName(name) && !(accounts && isAccountName(name))) break;
    if (!names.includes(name)) names.push(name);
    if (names.length === maxNames) break;
  }
  return names;
}
