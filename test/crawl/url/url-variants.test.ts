import { expect, test } from 'vitest';
import { otherForms } from '../../../src/crawl/url/url-variants.ts';

test.each([
  ['/a/', ['/a', '/a/index.html', '/a/index.php'], ['/a/']],
  ['/a', ['/a/', '/a/index.html'], ['/a']],
  ['/a/index.html', ['/a/', '/a', '/a/index.htm'], ['/a/index.html']],
  ['/a/Index.PHP', ['/a/', '/a'], []],
  ['/', ['/index.html', '/default.aspx'], ['/']],
  ['/index.html', ['/'], ['/index.html']],
  ['/a/?page=2', ['/a?page=2', '/a/index.html?page=2'], ['/a/']],
])('%s may also be %j', (path, among, not) => {
  const forms = otherForms(`https://a.example${path}`);
  const urls = (paths: string[]) => paths.map((each) => `https://a.example${each}`);
  expect(forms).toEqual(expect.arrayContaining(urls(among)));
  expect(forms.filter((form) => urls(not).includes(form))).toEqual([]);
});

test.each(['/a/page.html', '/manual.pdf', '/v1.2'])('%s has no other form', (path) => {
  expect(otherForms(`https://a.example${path}`)).toEqual([]);
});
