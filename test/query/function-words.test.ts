import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/query/parser.ts';
import type { Query, Word } from '../../src/query/query.ts';

function wordsOf(query: Query): readonly Word[] {
  if (query.kind === 'words') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}

/** The terms that a page must hold, in order. */
function required(q: string, lang?: string): string {
  const query = parseQuery(q, lang === undefined ? {} : { lang });
  return wordsOf(query)
    .filter((word) => word.required)
    .map(({ term }) => term)
    .join(' ');
}

describe('the function words of a sentence need not match', () => {
  it.each([
    ['how do I install the python package', 'install python package'],
    ['How to cook', 'cook'],
    ['what is rust', 'rust'],
    ['why doesn’t my code work?', 'code work'],
    ["what's new in es2023", 'new es2023'],
    ['how many points did they score', 'points score'],
    ['WHAT IS THE CAPITAL OF FRANCE', 'capital france'],
    ['to be or not to be hamlet', 'hamlet'],
    ['was ist der Unterschied zwischen git merge und rebase', 'unterschied git merge rebase'],
    ['museum für kunst münchen', 'museum kunst munchen'],
    ['où est-ce que je peux acheter du pain', 'peux acheter pain'],
    ["qu'est-ce que la photosynthèse", 'photosynthese'],
    ['¿Cómo instalar Python en Windows?', 'instalar python windows'],
    ['как установить python на windows', 'установить python windows'],
    ['что такое фотосинтез', 'фотосинтез'],
    ['come fare la pizza in casa', 'fare pizza casa'],
    ['hoe installeer ik python op windows', 'installeer python windows'],
    ['πώς να εγκαταστήσω το python', 'εγκαταστησω python'],
  ])('%s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });

  it.each([
    ['怎么 安装 python', '安装 python'],
    ['如何安装软件', '安装 软件'],
    ['python 的 装饰器 是 什么', 'python 装饰 器'],
    ['python 是什么', 'python'],
    ['python是什么？', 'python'],
    ['什么是python', 'python'],
    ['为什么天空是蓝色的？', '天空 蓝色'],
    ['谁在什么时候发明了电话', '发明 电话'],
    ['电话是哪一年发明的', '电话 发明'],
    ['how do I 安装 python', '安装 python'],
    ['日本の首都はどこですか', '日本 首都'],
    ['東京の天気を教えてください', '東京 天気'],
    ['ピザ とは 何', 'ピザ'],
    ['파이썬을 설치하는 방법', '파이 이썬 설치 방법'],
    ['파이썬은 무엇인가요', '파이 이썬'],
  ])('%s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });

  it('still add to the score, and less than other words', () => {
    for (const q of ['how do I install python', '怎么 安装 python', 'python是什么']) {
      const optional = wordsOf(parseQuery(q)).filter((word) => !word.required);
      expect(optional.length).toBeGreaterThan(0);
      for (const { weight } of optional) expect(weight).toBeGreaterThan(0);
      for (const { weight } of optional) expect(weight).toBeLessThan(1);
    }
  });
});

describe('what only asks for a comparison need not match', () => {
  it.each([
    ['rebase vs merge', 'rebase merge'],
    ['rebase vs. merge', 'rebase merge'],
    ['TCP versus UDP latency', 'tcp udp latency'],
    ['difference between rebase merge', 'rebase merge'],
    ['differences between tcp and udp', 'tcp udp'],
    ['What is the Difference between a list and a tuple?', 'list tuple'],
  ])('%s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });

  it.each([
    ['VS Code extensions', 'vs code extensions'],
    ['vs', 'vs'],
    ['git diff vs', 'git diff vs'],
    ['set difference python', 'set difference python'],
    ['rebase +vs merge', 'rebase vs merge'],
  ])('and must where it is a word of its own: %s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });
});

describe('function words must match', () => {
  it.each([
    ['where there is nothing else', 'to be or not to be', 'to be or not'],
    ['where there is nothing else', 'is it the', 'is it the'],
    ['where there is nothing else', '的', '的'],
    ['where there is nothing else', '如何', '如何'],
    ['where there is nothing else', '是什么', '是什 什么'],
    ['where there is nothing else but a filter', 'the who site:thewho.com', 'the who'],
    ['in quotes', '"the state of the art" in robotics today', 'the state of art robotics today'],
    ['in quotes', '"怎么" 安装 python', '怎么 安装 python'],
    ['with a plus', '+the cat in the hat', 'the cat hat'],
    ['in a few words, which may be a name', 'the who', 'the who'],
    ['in a few words, which may be a name', 'vitamin a', 'vitamin a'],
    ['in a few words, which may be a name', 'go to', 'go to'],
    ['in a few words, which may be a name', 'after effects tutorial', 'after effects tutorial'],
    ['where capitals make them names', 'IT jobs in the US', 'it jobs us'],
    ['where capitals make them names', 'population of the U.S.?', 'population us'],
    ['where capitals make them names', 'who guidelines of the WHO', 'guidelines who'],
    ['where capitals make them names', 'Vitamin A deficiency symptoms', 'vitamin a deficiency symptoms'],
    ['where capitals make them names', 'World War I causes', 'world war i causes'],
    ['where capitals make them names', 'how does A* search work', 'a search work'],
    ['inside a group of OR', 'alpha beta gamma (the OR who)', 'alpha beta gamma the who'],
    ['in a compound', 'to-do list app for mac', 'to do list app mac'],
  ])('%s: %s', (_, q, terms) => {
    expect([...new Set(required(q).split(' '))].join(' ')).toBe(terms);
  });

  it('in the title and in exclusions', () => {
    expect(parseQuery('intitle:the how to cook rice')).toMatchObject({
      of: expect.arrayContaining([
        { kind: 'title', text: 'the', words: [expect.objectContaining({ required: true })] },
      ]),
    });
    expect(parseQuery('how to cook the rice -the')).toMatchObject({
      of: expect.arrayContaining([
        {
          kind: 'not',
          of: expect.objectContaining({ words: [expect.objectContaining({ required: true })] }),
        },
      ]),
    });
  });
});

describe('words of one language are not function words of another', () => {
  it.each([
    ['C', 'c'],
    ['r language', 'r language'],
    ['c programming tutorial for beginners', 'c programming tutorial beginners'],
    ['how do I use C', 'use c'],
    ['programmation en c pour les débutants', 'programmation c debutants'],
    ['die hard 2 review', 'die hard 2 review'],
    ['war machine movie release date', 'war machine movie release date'],
    ['sin city film noir', 'sin city film noir'],
    ['sans serif font pairing', 'sans serif font pairing'],
    ['comment on facebook post', 'comment facebook post'],
    ['general final total exam', 'general final total exam'],
    ['Häuser kaufen', 'hauser kaufen'],
    ['casas baratas', 'casas baratas'],
    ['empleo publico en el estado de mexico', 'empleo publico estado mexico'],
    ['el tiempo en la ciudad de madrid', 'tiempo ciudad madrid'],
    ['погода в москве на сегодня', 'погода москве сегодня'],
  ])('%s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });

  it('also when lang names the language of the pages', () => {
    expect(required('wie geht das hier', 'de')).toBe('geht');
    expect(required('hvordan installere python', 'no')).toBe('hvordan installere python');
    expect(required('how do I install the package', 'zh')).toBe('install package');
    expect(required('how do I install the package', 'de')).toBe('install package');
    expect(required('wetter in der stadt', 'de')).toBe('wetter stadt');
  });

  it.each([
    ['三体', '三体'],
    ['三体 是什么', '三体'],
    ['知乎', '知乎'],
    ['如家', '如家'],
    ['大 数据', '大 数据'],
    ['王小二', '王小 小二'],
    ['阿里云', '阿里 云'],
    ['考试结果是什么', '考试 结果'],
    ['自由是什么', '自由'],
    ['ひらがな', 'ひら らが がな'],
    ['もも 栽培', 'もも 栽培'],
  ])('pieces of names are none: %s', (q, terms) => {
    expect(required(q)).toBe(terms);
  });
});
