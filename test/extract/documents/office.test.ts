import { expect, test } from 'vitest';
import { officeFile, relations, zipOf } from './build-files.ts';
import { readDocument } from './read.ts';

const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (placeholder: string, ...paragraphs: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;

test('slides come in the order of the show, each title first, then items, rows and notes', () => {
  const page = readDocument(
    officeFile('ppt', {
      'ppt/presentation.xml':
        '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="257" r:id="rId2"/><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations([
        ['rId1', 'slide', 'slides/slide1.xml'],
        ['rId2', 'slide', 'slides/slide2.xml'],
      ]),
      'ppt/slides/slide2.xml': `<p:sld>${shape('body', paragraph('Egrets'), paragraph('White', '<a:pPr lvl="1"/>'))}
        ${shape('ctrTitle', paragraph('Waders'))}${shape('sldNum', paragraph('7'))}</p:sld>`,
      'ppt/slides/_rels/slide2.xml.rels': relations([
        ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
      ]),
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', paragraph('Say hello'))}</p:notes>`,
      'ppt/slides/slide1.xml': `<p:sld><p:graphicFrame><a:tbl><a:tr><a:tc>${paragraph('A')}</a:tc><a:tc>${paragraph('B')}</a:tc></a:tr></a:tbl></p:graphicFrame></p:sld>`,
    }),
  );
  expect(page).toMatchObject({ fileType: 'pptx', title: 'Waders' });
  expect(page.body).toBe('Waders\n\n- Egrets\n  - White\n\nSay hello\n\nA\tB');
});

test('a sheet shows rows with its dates and shares, but neither hidden sheets nor default names', () => {
  const page = readDocument(
    officeFile('xl', {
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Herons" sheetId="1" r:id="rId1"/>
        <sheet name="Sheet2" sheetId="2" r:id="rId2"/><sheet name="Old" sheetId="3" state="hidden" r:id="rId3"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
        ['rId3', 'worksheet', 'worksheets/sheet3.xml'],
      ]),
      'xl/sharedStrings.xml':
        '<sst><si><t>Day</t></si><si><r><t>Sh</t></r><r><t>are</t></r><rPh><t>シ</t></rPh></si></sst>',
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
        <row><c r="A2" s="1"><v>45356</v></c><c r="C2" s="2"><v>0.25</v></c><c r="D2"><v>0.30000000000000004</v></c></row></sheetData></worksheet>`,
      'xl/worksheets/sheet2.xml':
        '<worksheet><sheetData><row><c t="inlineStr"><is><t>inline</t></is></c><c t="b"><v>1</v></c></row></sheetData></worksheet>',
      'xl/worksheets/sheet3.xml': '<worksheet><sheetData><row><c><v>99</v></c></row></sheetData></worksheet>',
    }),
  );
  expect(page).toMatchObject({ fileType: 'xlsx', title: 'Herons' });
  expect(page.body).toBe('Herons\n\nDay\t\tShare\n2024-03-05\t\t25%\t0.3\ninline\tTRUE');
});

const odf = (type: string, content: string, more = {}) =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'content.xml': `<office:document-content><office:body>${content}</office:body></office:document-content>`,
    ...more,
  });

test('an OpenDocument text has headings, items and rows, and no comments or deletions', () => {
  const page = readDocument(
    odf(
      'text',
      `<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Herons</text:h>
      <text:p>One<text:s/>two<office:annotation><text:p>remark</text:p></office:annotation></text:p>
      <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>
      <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>
      <table:table-cell table:number-columns-repeated="99999"/></table:table-row></table:table>`,
      {
        'meta.xml':
          '<office:meta><meta:initial-creator>Ada</meta:initial-creator><meta:creation-date>2024-03-05T10:00:00</meta:creation-date></office:meta>',
      },
    ),
  );
  expect(page).toMatchObject({ fileType: 'odt', title: 'Herons', author: 'Ada' });
  expect(page.publishedAt).toBe(Date.UTC(2024, 2, 5, 10));
  expect(page.body).toBe('Herons\n\nOne two\n\n- item\n\na');
});

test.each([
  ['presentation', 'odp'],
  ['spreadsheet', 'ods'],
])('an OpenDocument %s is called %s', (type, fileType) => {
  expect(readDocument(odf(type, '<text:p>Some words</text:p>'))).toMatchObject({
    fileType,
    body: 'Some words',
  });
});

test('a book has its chapters in the order of the spine', () => {
  const chapter = (title: string) =>
    `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>${title}</h1><p>${`Words about ${title}, many of them. `.repeat(8)}</p></body></html>`;
  const page = readDocument(
    zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      'OEBPS/book.opf': `<package xmlns:dc="d"><metadata><dc:title>Waders</dc:title><dc:creator>Ada Byron</dc:creator>
        <dc:language>en</dc:language><dc:date>2019-05-06</dc:date></metadata>
        <manifest><item id="b" href="text/b%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/>
        <item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest>
        <spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
      'OEBPS/nav.xhtml': chapter('Contents'),
      'OEBPS/text/a.xhtml': chapter('Egrets'),
      'OEBPS/text/b b.xhtml': chapter('Herons'),
    }),
  );
  expect(page).toMatchObject({ fileType: 'epub', title: 'Waders', author: 'Ada Byron', lang: 'en' });
  expect(page.publishedAt).toBe(Date.UTC(2019, 4, 6));
  expect(page.body).toMatch(/^Words about Herons[\s\S]*Words about Egrets|^Herons[\s\S]*Egrets/);
  expect(page.body).not.toContain('Contents');
});
