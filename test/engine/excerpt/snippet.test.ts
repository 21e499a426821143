import { describe, expect, it } from 'vitest';
import { examplePage } from '../../pages.ts';
import { snippetFor, snippetOf } from '../snippet-for.ts';

const filler = 'Nothing to see in this sentence, which goes on for a while about other things entirely.';
const fillers = (count: number) => Array.from({ length: count }, () => filler).join(' ');

describe('a snippet', () => {
  it('is the sentence that holds the words', () => {
    const wanted = 'The quick brown fox jumps over the lazy dog while the whole village looks on in silence.';
    expect(snippetFor('fox dog', { body: `${fillers(5)} ${wanted} ${fillers(5)}` })).toBe(wanted);
  });

  it('joins a second passage that adds a word', () => {
    const fox = 'A fox lives in the wood behind the old mill, where nobody goes after dark any more.';
    const dog = 'A dog lives in the yard beside the new mill, where everybody goes after dark now.';
    expect(snippetFor('dog fox', { body: `${fox}\n\n${fillers(3)}\n\n${dog}` })).toBe(`${fox} … ${dog}`);
  });

  it('shows one stretch rather than two sentences where only that holds all the words', () => {
    const near = ['fox', 'dog', 'owl', 'bat', 'elk', 'ape'].map((animal) => `The ${animal} was seen today.`);
    const apart = `${filler.slice(0, -1)}, a fox and a dog. ${filler.slice(0, -1)}, an owl and a bat.`;
    const found = snippetFor('fox dog owl bat elk ape', { body: `${apart}\n\n${near.join(' ')} ${filler}` });
    expect(found).toBe(near.join(' '));
  });

  it('shows other forms of a word where the body has only those', () => {
    const body = `${fillers(2)} Jumping over fences comes naturally to every healthy animal of this size and age.`;
    expect(snippetFor('jumps', { body })).toMatch(/^Jumping over fences/);
  });

  it('lengthens a short sentence by its neighbours in the paragraph', () => {
    const body = `Garbage is collected now and then.\n\nA module is loaded once. Later imports find it in sys.modules. Reloading needs importlib.\n\n${filler}`;
    expect(snippetFor('imports', { body })).toBe(
      'A module is loaded once. Later imports find it in sys.modules. Reloading needs importlib.',
    );
  });

  it('has no second passage for the sake of a word that hardly counts', () => {
    const pair = 'A fox and a dog live in the wood behind an old mill, and nobody goes there after dark.';
    const body = `${pair}\n\n${fillers(3)} How the fox got there is not known to anybody in either of the towns.`;
    const weights = new Map([
      ['fox', 5],
      ['dog', 5],
      ['how', 0.3],
    ]);
    expect(snippetOf({ body, description: '', lang: 'en' }, weights)).toBe(pair);
  });

  it('takes a page as it is', () => {
    const page = examplePage({ url: 'https://example.com/', body: `${filler} A walrus sleeps on the ice.` });
    expect(snippetOf(page, new Map([['walrus', 1]]))).toContain('A walrus sleeps on the ice.');
  });
});

describe('what is not a sentence', () => {
  it('is not glued to the paragraph below', () => {
    const body =
      'Porting Extension Modules to Python 3\n\nWe recommend the following resources for porting extension modules to Python 3:\n\n- The Migrating C extensions chapter, which guides the reader through it.';
    const title = 'Python 3.11';
    expect(snippetFor('recommend resources', { body, title })).toMatch(
      /^We recommend the following resources/,
    );
    expect(
      snippetFor('第 5 章', { body: '第 5 章 网络设置\n\n提示\n\n在桌面环境中设置网络。', lang: 'zh' }),
    ).toBe('第 5 章 网络设置 · 提示 · 在桌面环境中设置网络。');
  });

  it('is not all there is when it is the title', () => {
    const body =
      'The query language\n\nJuxtaposition means AND. Operators narrow a search to a site, a title or a type of file.';
    const shown = snippetFor('query language', { body, title: 'The query language' });
    expect(shown).toBe(
      'The query language · Juxtaposition means AND. Operators narrow a search to a site, a title or a type of file.',
    );
  });

  it('gives way to a sentence that holds the same words', () => {
    const body = `Contents\n\n- json.dumps() and its indent\n- json.loads()\n\nPretty printing\n\n${filler}\n\nIf indent is a positive integer, dumps writes array elements with that indent level.`;
    const headings = 'Contents\nPretty printing';
    expect(snippetFor('dumps indent', { body, headings })).toMatch(/^If indent is a positive integer/);
  });

  it('is shown without the signs of a list where there is nothing else', () => {
    const body =
      'Index\n\n- indent (json option)\n- Index of tables\n- indexOf\n  - String method\n- infinity';
    expect(snippetFor('indexOf', { body, title: 'Index – I' })).toBe('indexOf · String method · infinity');
    expect(snippetFor('indent', { body, title: 'Index – I' })).not.toMatch(/(?:^|· )- /);
  });

  it('reads as a row of cells when it is one', () => {
    const body = 'Berlin\t3,769,962\t891 km²\nHamburg\t1,910,160\t755 km²';
    expect(snippetFor('Hamburg', { body })).toBe('Hamburg · 1,910,160 · 755 km²');
  });
});

describe('sentences', () => {
  const shown = (sentence: string, word: string, lang = 'en') =>
    snippetFor(word, { body: `${filler} ${sentence} ${filler}`, lang });

  it.each([
    [
      'Functions that take a callback, e.g. map and filter, are faster on long lists than a loop of one’s own.',
      'faster',
    ],
    [
      'The value of pi is 3.14 to two places, which the standard module math gives to many more of them.',
      'standard',
    ],
    [
      'Call os.path.join to put paths together, since os.path.sep differs between the systems that it runs on.',
      'differs',
    ],
    [
      'The parser follows the work of Mr. J. R. R. Smith et al. Details are in the second part of the paper.',
      'follows',
    ],
    [
      '“Where does it live?” asked the visitor, who had come from the U.S. to see the animal in its own country.',
      'visitor',
    ],
    [
      'Is it true that none of these words end a sentence, though they look a lot like it (see fig. 3 below)?',
      'true',
    ],
  ])('%s', (sentence, word) => {
    expect(shown(sentence, word)).toBe(sentence);
  });

  it('are cut into passages at a border of words where they are too long, around the words', () => {
    const many = 'and one more thing that has to be said here, ';
    const body = `It began ${many.repeat(10)}the walrus slept, ${many.repeat(10)}and so it ended.`;
    const found = snippetFor('walrus', { body });
    expect(found).toMatch(/^… .*the walrus slept, .* …$/);
    expect(found.length).toBeGreaterThan(150);
    expect(found.length).toBeLessThanOrEqual(244);
    for (const word of found.split(/[ ,.…]+/)) expect(body).toMatch(new RegExp(`\\b${word}\\b`));
    expect(snippetFor('began', { body })).toMatch(/^It began/);
  });

  it('of plain text go on over the line ends that its width made', () => {
    const body =
      'The collector runs when the number of allocations exceeds the\nnumber of deallocations by more than a threshold,\nwhich can be set.';
    expect(snippetFor('threshold', { body })).toBe(body.replaceAll('\n', ' '));
  });

  it('of Chinese end in its own stops, and are cut between characters', () => {
    const wanted =
      '数据库的查询优化是一个重要的问题，因为同一个查询可以用许多种方式来执行，而它们的代价相差很大。';
    const body = `${'这里没有什么可看的内容。'.repeat(20)}${wanted}${'其他的句子在这里。'.repeat(20)}`;
    const found = snippetFor('查询优化', { body, lang: 'zh' });
    expect(found).toContain(wanted);
    expect(found).toMatch(/^[^。]*。?数据库|^数据库|^这里/);
    const endless = `${'没有句号的长文字'.repeat(40)}优化${'没有句号的长文字'.repeat(40)}`;
    expect(snippetFor('优化', { body: endless, lang: 'zh' })).toMatch(
      /^… \p{Script=Han}+优化\p{Script=Han}+ …$/u,
    );
  });

  it.each([
    [
      'ja',
      '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。吾輩はここで始めて人間というものを見た。',
      '人間',
      '吾輩はここで始めて人間というものを見た。',
    ],
    [
      'ru',
      'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме Облонских. Жена узнала, что муж был в связи с бывшею в их доме француженкою-гувернанткой.',
      'дом',
      'в доме Облонских.',
    ],
    [
      'ar',
      'لا يصعب العثور على الكتاب في المكتبة القديمة، لكن قراءته تحتاج إلى وقت طويل. هل قرأت الكتاب كله؟ نعم، قرأته مرتين في الصيف الماضي.',
      'الصيف',
      'مرتين في الصيف الماضي.',
    ],
    [
      'ko',
      '나랏말싸미 중국과 달라 한자와는 서로 통하지 아니하다. 이런 까닭으로 어리석은 백성이 말하고자 하는 바가 있어도 그 뜻을 펴지 못하는 사람이 많다.',
      '백성',
      '어리석은 백성이 말하고자',
    ],
    [
      'th',
      'การเขียนโปรแกรมคือการสร้างคำสั่งให้คอมพิวเตอร์ทำงานตามที่ต้องการ ภาษาไพทอนเป็นภาษาที่อ่านง่ายและเหมาะสำหรับผู้เริ่มต้น',
      'ไพทอน',
      'ไพทอน',
    ],
  ])('are found in %s', (lang, body, query, expected) => {
    expect(snippetFor(query, { body, lang })).toContain(expected);
  });

  it('of a script without spaces are cut between words', () => {
    const body = 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอนหรือวรรณยุกต์'.repeat(20);
    const found = snippetFor('วรรณยุกต์', { body, lang: 'th' });
    const words = new Set(
      Array.from(new Intl.Segmenter('th', { granularity: 'word' }).segment(body), ({ segment }) => segment),
    );
    const shown = Array.from(
      new Intl.Segmenter('th', { granularity: 'word' }).segment(found.replace(/^… | …$/g, '')),
      ({ segment }) => segment,
    );
    expect(shown.filter((word) => !words.has(word))).toEqual([]);
  });
});

describe('without a match', () => {
  it('is the description, else the beginning of the body', () => {
    expect(snippetFor('absent', { body: filler, description: 'What it is.' })).toBe('What it is.');
    expect(snippetFor('absent', { body: 'Short body.', description: ' ' })).toBe('Short body.');
    expect(snippetOf({ body: filler, description: '', lang: 'en' }, new Map())).toBe(filler);
    expect(snippetFor('absent', { body: '' })).toBe('');
  });
  it('skips a heading that repeats the title', () => {
    expect(snippetFor('absent', { title: 'Walrus - Animals', body: `Walrus\n\n${filler}` })).toBe(filler);
  });
  it('cuts a long description between words', () => {
    const found = snippetFor('absent', { body: filler, description: 'many words '.repeat(50) });
    expect(found).toMatch(/^(?:many words )+(?:many )?…$/);
    expect(found.length).toBeLessThanOrEqual(242);
  });
});
