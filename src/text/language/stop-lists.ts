import { createRequire } from 'node:module';

/** Content words in the library's lists that are removed: nouns, verbs, adjectives and numerals. */
const contentWords: Readonly<Record<string, string>> = {
  es: `actualmente acuerdo adelante adrede afirmó agregó alrededor ampleamos antano antaño anterior aproximadamente
    arriba arribaabajo aseguró ayer añadió breve buen buena buenas bueno buenos cierta ciertas cierto ciertos cinco
    claro comentó conocer conseguimos conseguir considera consideró consigue consiguen consigues cosas creo cuatro
    cuenta da dado decir dejó deprisa despacio dia dias dice dicen dicho dieron diferente diferentes dijeron dijo dio
    dos día días ejemplo embargo empleais emplean emplear empleas empleo encuentra enseguida estado estados ex existe
    existen explicó expresó fin final general gran grandes gueno habla hablan horas hoy igual indicó informo informó
    intenta intentais intentamos intentan intentar intentas intento ir lado largo lejos llegó lleva llevar lugar mal
    manera manifestó mayor medio mejor mencionó menudo modo momento nueva nuevas nuevo nuevos ocho pais parece parte
    partir pasada pasado paìs peor poner posible primer primera primero primeros principalmente pronto propia propias
    propio propios proximo próximo próximos qeu quedó queremos raras realizado realizar realizó repente sabe sabeis
    sabemos saben saber sabes segunda segundo seis señaló siete sigue siguiente sola solamente solas solos soyos
    supuesto sé tarde temprano tercera tiempo total trabaja trabajais trabajamos trabajan trabajar trabajas trabajo
    trata tres ultimo usa usais usamos usan usar usas uso valor varias varios vaya veces ver verdad verdadera
    verdadero vez última últimas último últimos`,
  fr: 'été étée étées étés',
  ru: 'говорил два жизнь лучше один раз сегодня сказал сказала сказать три хорошо человек',
  tr: `altı altmış beş bin doksan dokuz dört elli iki katrilyon kırk milyar milyon on otuz sekiz seksen trilyon yedi
    yetmiş yirmi yüz üç`,
  zh: `一切 一般 一转眼 两者 个别 人们 他人 他们们 以来 全体 全部 出来 分别 前后 别处 叮咚 受到 各自 大家 对待 对方 对比
    开始 开外 当地 彼时 彼此 截至 所在 替代 本人 本地 本身 来自 极了 根据 依据 正值 此地 此处 眨眼 结果 自家 自身 许多
    赖以 逐步 遵循 遵照 随时 首先 不如 不得`,
};

/**
 * The only function words of one character. Other characters in the library's lists are as often part of a name in
 * Chinese (阿里, 王小二, 三体), or of a verb in Japanese.
 */
const singleCharacters: Readonly<Record<string, string>> = {
  ja: 'はがをにへとでのもやかなねよばてただ何誰彼私',
  zh: `我你您他她它们谁哪几这那此其该某每各的地得了着过所者之等吗呢吧啊呀嘛啦呗在于从由被把将给让对向往和与及或跟而但
    且则若因为以按比除连当至到离不没也都就还又再才已曾很最更较只却仍亦是有会能可要请使用做叫来去什么啥咋怎何个些中上下
    内时后前`,
};

/** Words of questions that the library's lists lack. */
const additions: Readonly<Record<string, string>> = {
  da: 'hvem hvilken hvordan hvorfor hvornår',
  de: 'bitte wann warum wer weshalb wieso woher wohin',
  en: `a also anyone anything everyone everything many much someone something whose
    `,
  fr: `aussi c'est combien comment d'un d'une donc est-ce j'ai l'on n'est où plus pourquoi qu'est-ce qu'il qu'on qu'un
    qu'une quand quoi s'il très y-a-t-il`,
  it: 'cosa qual quando',
  ja: `から まで より など とは って だけ しか いつ どこ どう どうすれば どうやって どれ どちら どんな なぜ なんで だれ
    いくら いくつ ください 下さい 教えて`,
  ko: `그 그리고 누가 누구 되는 또는 및 뭐 뭔가요 무엇 무엇인가 무엇인가요 무엇입니까 몇 어느 어디 어디서 어떤 어떻게 언제 얼마나
    왜 이 있나요 있는 저 좀 하나요 하는 합니까`,
  nl: 'hoeveel waar waarom wanneer welke',
  pt: 'onde porque quais quanto quantos',
  ru: 'где какие кем почему сколько такое это',
  zh: `吗 呢 吧 请问 有没有 是不是 怎样 为何 多少 哪里 是否 可否 应该 没有 什么时候 多久 多大 多远 多重 多长 多高`,
};

/** The names of the library's lists by ISO 639-1; none for a list that is all our own. */
const libraryNames: Readonly<Record<string, string | undefined>> = {
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  it: 'italian',
  ja: 'japanese',
  ko: undefined,
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
  zh: 'mandarin',
};

const require = createRequire(import.meta.url);

/** Loaded when it is needed: most searches need the lists of Latin letters alone. */
function libraryList(lang: string): readonly string[] {
  const name = libraryNames[lang];
  if (name === undefined) return [];
  const library: { readonly stopwords: readonly string[] } = require(`@orama/stopwords/${name}`);
  return library.stopwords;
}

/** Elided forms and names of letters: `c` is a programming language. */
const latinConsonant = /^[b-df-hj-np-tv-xz]$/;
const singleCjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const words = (text = ''): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The languages with a list, by ISO 639-1. */
export const listedLanguages = Object.keys(libraryNames);

/**
 * The function words of a language as they are written; none for a language without a list. It is the list of
 * @orama/stopwords without its content words and with the words that it lacks.
 */
export function stopList(lang: string): string[] {
  if (!listedLanguages.includes(lang)) return [];
  const content = new Set(words(contentWords[lang]));
  const stopWords = libraryList(lang).filter(
    (word) =>
      /\p{L}/u.test(word) && !content.has(word) && !latinConsonant.test(word) && !singleCjk.test(word),
  );
  const single = (singleCharacters[lang] ?? '').replace(/\s/g, '');
  return [...stopWords, ...single, ...words(additions[lang])];
}
