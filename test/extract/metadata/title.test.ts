import { describe, expect, test } from 'vitest';
import { pageTitle } from '../../../src/extract/metadata/title.ts';

const title = (titleTag: string, evidence: Partial<Parameters<typeof pageTitle>[0]> = {}) =>
  pageTitle({
    titleTag,
    headings: [],
    subheadings: [],
    logos: [],
    names: [],
    siteName: null,
    host: 'docs.example.org',
    ...evidence,
  });

describe('pageTitle', () => {
  test('takes off what the heading does not say, and knows it for the site', () => {
    const found = title('json — JSON encoder and decoder — Python 3.11.2 documentation', {
      headings: ['json — JSON encoder and decoder'],
    });
    expect(found).toMatchObject({
      title: 'json — JSON encoder and decoder',
      site: 'Python 3.11.2 documentation',
    });
  });

  test('takes off a known site name at either end', () => {
    expect(title('Array - JavaScript | MDN', { siteName: 'MDN' }).title).toBe('Array - JavaScript');
    expect(title('MDN | Array', { siteName: 'MDN' }).title).toBe('Array');
  });

  test('knows the host for a site name', () => {
    expect(title('Pricing | Example.org', { host: 'www.example.org' }).title).toBe('Pricing');
  });

  test('knows the logo for a site name, and a part with the name of the host in it', () => {
    expect(title('Bienenstich | Aus meinem Ofen', { logos: ['Aus meinem Ofen'] }).title).toBe('Bienenstich');
    expect(title('Sorting lists - The Gardeners Forum', { host: 'gardeners.example' }).title).toBe(
      'Sorting lists',
    );
    expect(title('Safety | Occupational Safety Administration Board', { host: 'www.osab.gov' }).title).toBe(
      'Safety',
    );
  });

  test('finds the part in the middle that a heading confirms, be it a lesser one', () => {
    const tag = 'Durch die Gegend | Mit Voodoo in Wien | Viertausend | Das Label';
    expect(title(tag, { headings: ['Mit Voodoo in Wien'] }).title).toBe('Mit Voodoo in Wien');
    expect(
      title('My Digital Home | Reflections on Python', { subheadings: ['Reflections on Python'] }),
    ).toMatchObject({
      title: 'Reflections on Python',
      site: 'My Digital Home',
    });
  });

  test('takes the kicker off a heading when the page has the name without it', () => {
    const heading = 'Security budgets Attacks: put twenty percent into security';
    expect(title('Attacks: put twenty percent into security', { headings: [heading] }).title).toBe(
      'Attacks: put twenty percent into security',
    );
  });

  test('works with the separators of Chinese sites', () => {
    expect(title('武汉的声音-新华网', { siteName: '新华网' }).title).toBe('武汉的声音');
    expect(title('如何优化索引_数据库', { headings: ['如何优化索引'] }).title).toBe('如何优化索引');
  });

  test('leaves a title alone that nothing confirms', () => {
    expect(title('C++ - Rust - Go: a comparison').title).toBe('C++ - Rust - Go: a comparison');
  });

  test('prefers the visible heading when both mean the same', () => {
    expect(title('6 Best Bread Machines, Tested', { headings: ['Our 6 Best Bread Machines'] }).title).toBe(
      'Our 6 Best Bread Machines',
    );
  });

  test('does not take a heading that says something else', () => {
    expect(title('Install Node on Debian', { headings: ['Welcome'] }).title).toBe('Install Node on Debian');
  });

  test('falls back to the heading, then to other names', () => {
    expect(title('', { headings: ['A'], names: ['B'] }).title).toBe('A');
    expect(title('', { names: ['B'] }).title).toBe('B');
  });

  test.each([' | ', ' - ', ' – ', ' :: '])(
    'knows a heading for the site’s name where <title> ends with it after “%s” and begins with another',
    (between) => {
      const site = 'Node.js v18.20.4 documentation';
      const found = title(`File system${between}Node.js v18.20.4 Documentation`, {
        headings: [site],
        subheadings: ['Table of contents', 'File system', 'Promises API'],
      });
      expect(found).toMatchObject({ title: 'File system', site: 'Node.js v18.20.4 Documentation' });
    },
  );

  test('knows it at the other end, too, where the next heading is the page’s', () => {
    const found = title('Cookery » Bread', { headings: ['Cookery'], subheadings: ['Bread', 'Rye'] });
    expect(found).toMatchObject({ title: 'Bread', site: 'Cookery' });
  });

  test('leaves a heading its page where the site’s name is a lesser heading further down', () => {
    const found = title('Bread | Cookery', { headings: ['Bread'], subheadings: ['Flour', 'Cookery'] });
    expect(found).toMatchObject({ title: 'Bread', site: 'Cookery' });
  });

  test('finds the page’s own among two level-one headings', () => {
    const tag = 'Writing views — Django 3.2 documentation';
    const found = title(tag, { headings: ['Django 3.2 documentation', 'Writing views'] });
    expect(found).toMatchObject({ title: 'Writing views', site: 'Django 3.2 documentation' });
    const source = title('django.apps.config — Django 3.2 documentation', {
      headings: ['Django 3.2 documentation', 'Source code for django.apps.config'],
    });
    expect(source).toMatchObject({ site: 'Django 3.2 documentation' });
    expect(source.title).toContain('django.apps.config');
  });

  test('takes the heading that names a type with its kind and its parameters', () => {
    const tag = (name: string) => `${name} (Java SE 17 & JDK 17)`;
    for (const [name, heading] of [
      ['AbstractMap', 'Class AbstractMap<K,V>'],
      ['Optional', 'Class Optional<T>'],
      ['java.util', 'Package java.util'],
    ] as const)
      expect(title(tag(name), { headings: [heading] }).title).toBe(heading);
    expect(title('Mercury (planet)', { headings: ['Venus'] }).title).toBe('Mercury (planet)');
  });

  test('keeps what else may be the title', () => {
    const found = title('Help', { headings: ['Help'], subheadings: ['Pivot tables', 'See also'] });
    expect(found.others).toEqual(['Pivot tables', 'See also']);
  });
});

test.each([
  ['市地铁五号线明日开通运营_新闻频道_江河网', '市地铁五号线明日开通运营'],
  ['国内新闻-市地铁五号线明日开通运营-江河在线', '市地铁五号线明日开通运营'],
  ['市地铁五号线明日开通运营 江河晚报网', '市地铁五号线明日开通运营'],
  ['前半句话说明情况 后半句话给出结果', '前半句话说明情况 后半句话给出结果'],
  ['数据库系统-索引与查询', '数据库系统-索引与查询'],
])(
  'of a Chinese title without a heading that confirms it, %s, the names of the site go',
  (titleTag, title) => {
    const evidence = {
      titleTag,
      headings: [],
      subheadings: [],
      logos: [],
      names: [],
      siteName: null,
      host: 'a.example',
    };
    expect(pageTitle(evidence).title).toBe(title);
  },
);
