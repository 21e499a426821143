import { describe, expect, test } from 'vitest';
import { coreXml, docx, relations, wordParagraph } from '../build-files.ts';
import { readDocument } from '../read.ts';

const styles = `<w:styles xmlns:w="w">
<w:style w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:styleId="Own"><w:name w:val="Chapter"/><w:basedOn w:val="H"/></w:style>
</w:styles>`;
const item = (text: string, level = 0) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr>`);
const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;

test('paragraphs, headings, items and rows stand as they are shown', () => {
  const page = readDocument(
    docx(
      wordParagraph('Heron counts', '<w:pStyle w:val="T"/>') +
        wordParagraph('Method', '<w:pStyle w:val="Own"/>') +
        wordParagraph('We counted twice.') +
        item('at dawn') +
        item('in the reeds', 1) +
        `<w:tbl><w:tr>${cell('Year')}${cell('Herons')}</w:tr><w:tr>${cell('2024')}${cell('17')}</w:tr></w:tbl>` +
        wordParagraph('Done.'),
      { 'word/styles.xml': styles },
    ),
  );
  expect(page).toMatchObject({ fileType: 'docx', title: 'Heron counts', headings: 'Method' });
  expect(page.body).toBe(
    'Heron counts\n\nMethod\n\nWe counted twice.\n\n- at dawn\n  - in the reeds\n\nYear\tHerons\n2024\t17\n\nDone.',
  );
});

test('what is hidden, deleted, an instruction or shown twice is no content', () => {
  const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const { body } = readDocument(
    docx(
      `<w:p>${run('Shown ')}${run('hidden', '<w:vanish/>')}${run('again', '<w:vanish w:val="0"/>')}
      <w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>
      <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${wordParagraph('In a box')}</w:txbxContent></mc:Choice>
      <mc:Fallback><w:txbxContent>${wordParagraph('In a box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    ),
  );
  expect(body).toBe('Shown again\n\nIn a box');
});

test('footnotes follow the body', () => {
  const { body } = readDocument(
    docx(wordParagraph('Body'), {
      'word/_rels/document.xml.rels': relations([['rId1', 'footnotes', 'footnotes.xml']]),
      'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote>${wordParagraph('A note')}</w:footnote></w:footnotes>`,
    }),
  );
  expect(body).toBe('Body\n\nA note');
});

test('a chart gives its titles, and its numbers as a table', () => {
  const points = (...values: string[]) =>
    values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');
  const { body } = readDocument(
    docx(wordParagraph('Body'), {
      'word/_rels/document.xml.rels': relations([['rId1', 'chart', 'charts/chart1.xml']]),
      'word/charts/chart1.xml': `<c:chart><c:title><a:p><a:r><a:t>Herons by year</a:t></a:r></a:p></c:title>
        <c:ser><c:tx>${points('Grey')}</c:tx><c:cat>${points('2023', '2024')}</c:cat><c:val>${points('17', '0.30000000000000004')}</c:val></c:ser>
        <c:ser><c:tx>${points('Purple')}</c:tx><c:cat>${points('2023', '2024')}</c:cat><c:val>${points('4', '5')}</c:val></c:ser></c:chart>`,
    }),
  );
  expect(body).toBe('Body\n\nHerons by year\n\n\tGrey\tPurple\n2023\t17\t4\n2024\t0.3\t5');
});

test('a document that Word saved as one XML file is read by the same rules', () => {
  const page = readDocument(
    Buffer.from(`<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="w">
      <o:DocumentProperties><o:Author>Ada Byron</o:Author></o:DocumentProperties>
      <w:body>${wordParagraph('Herons')}<w:sectPr><w:hdr>${wordParagraph('top')}</w:hdr></w:sectPr></w:body></w:wordDocument>`),
  );
  expect(page).toMatchObject({ fileType: 'doc', body: 'Herons', author: 'Ada Byron' });
});

describe('properties', () => {
  const withCore = (fields: string, text = 'A first line\u2028and more') =>
    readDocument(
      docx(wordParagraph(text), { 'docProps/core.xml': coreXml(fields) }),
      'https://x.example/a/plan.docx',
    );
  const dates = (created: string, modified: string) =>
    `<dcterms:created>${created}</dcterms:created><dcterms:modified>${modified}</dcterms:modified>`;

  test('title, author, language and the day of making come from the file', () => {
    const page = withCore(
      `<dc:title>Plan for herons</dc:title><dc:creator>Ada Byron</dc:creator><dc:language>de-CH</dc:language>
      ${dates('2024-03-05T10:00:00Z', '2024-03-09T10:00:00Z')}`,
    );
    expect(page).toMatchObject({ title: 'Plan for herons', author: 'Ada Byron', lang: 'de-CH' });
    expect(page.publishedAt).toBe(Date.UTC(2024, 2, 5, 10));
  });

  test.each([
    ['worked on for more than a month', '2024-01-05T10:00:00Z', '2024-03-09T10:00:00Z'],
    [
      'made by python-docx, which keeps the day of its template',
      '2013-12-23T23:15:00Z',
      '2013-12-23T23:15:00Z',
    ],
    ['from the future', '2031-01-05T10:00:00Z', '2031-01-05T10:00:00Z'],
    ['from before 1990', '1601-01-01T00:00:00Z', '1601-01-01T00:00:00Z'],
  ])('a file %s has no day of publication', (_, created, modified) => {
    expect(withCore(dates(created, modified)).publishedAt).toBeNull();
  });

  test.each(['Microsoft Word - plan_v3.docx', 'Document1', 'plan_v3.doc', '  '])(
    '%j is no title',
    (title) => {
      expect(withCore(`<dc:title>${title}</dc:title>`).title).toBe('A first line');
    },
  );

  test.each(['python-docx', 'Administrator', 'user', '12'])('%j is no author', (author) => {
    expect(withCore(`<dc:creator>${author}</dc:creator>`).author).toBeNull();
  });

  test('without any line that could be a title, the file name is', () => {
    expect(withCore('', '12 34').title).toBe('plan.docx');
  });
});

test('the numbers of headings and items are those that Word counts', () => {
  const level = (depth: number, format: string, text: string, start = 1) =>
    `<w:lvl w:ilvl="${depth}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering xmlns:w="w">
    <w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerRoman', '%1.%2)')}</w:abstractNum>
    <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '')}</w:abstractNum>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num>
    <w:num w:numId="4"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="5"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
  </w:numbering>`;
  const styles = `<w:styles xmlns:w="w"><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>`;
  const numbered = (text: string, list: number, depth = 0) =>
    wordParagraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);
  const heading = (text: string) => wordParagraph(text, '<w:pStyle w:val="H1"/>');
  const body = [
    heading('Herons'),
    numbered('grey', 3, 1),
    numbered('purple', 3, 1),
    heading('Storks'),
    numbered('white', 3, 1),
    numbered('bullet', 4),
    numbered('anew', 5),
    numbered('no list', 0),
  ];
  const page = readDocument(
    docx(body.join(''), { 'word/numbering.xml': numbering, 'word/styles.xml': styles }),
  );
  expect(page.body).toBe(
    '1. Herons\n\n  1.i) grey\n  1.ii) purple\n\n2. Storks\n\n  2.i) white\n- bullet\n7. anew\n\nno list',
  );
});
