/** Words that carry no subject of their own: articles, prepositions, pronouns, auxiliaries, question words. */
const english = `a about am an and any are as at be been but by can could did do does for from had has have how i if
  in into is it its me my of on or our she should so some than that the their them then there these they this those
  to was we were what when where which while who whom whose why will with would you your`;
const chinese = `的 了 着 地 得 是 在 有 和 与 及 或 而 但 也 都 就 还 又 把 被 让 给 对 从 到 由 于 为 以 之 其 所 吗 呢 吧 啊
  个 这 那 哪 谁 几 我 你 您 他 她 它 们 我们 你们 他们 它们 这个 那个 哪个 哪些 这些 那些 什么 怎么 怎样 如何 为什么 为何 多少
  哪里 哪儿 谁的 是否 可以 能否 请问 有没有 是不是 因为 所以 关于`;
const japanese = `は が を に へ と で の も や か な だ から まで より など です ます した する して いる ある これ それ
  あれ この その あの どの 何 誰 どう どこ いつ なぜ どれ とは って`;
const korean = '은 는 이 가 을 를 의 에 에서 로 으로 와 과 도 무엇 어떻게 왜 언제 어디';

const functionWords: ReadonlySet<string> = new Set(
  `${english} ${chinese} ${japanese} ${korean}`.split(/\s+/),
);

/** Whether a lower-case word is one of a question's function words in English, Chinese, Japanese or Korean. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}
