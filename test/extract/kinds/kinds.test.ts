import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/extract/kinds/registry.ts';
import { extract, readPage } from '../extractor.ts';

const read = (content: string, name: string, contentType: string | null = 'text/plain') =>
  readPage(Buffer.from(content), { url: `https://files.example/${name}`, contentType });
const why = (content: string, name: string, contentType: string | null = null) => {
  const result = extract({ url: `https://files.example/${name}`, bytes: Buffer.from(content), contentType });
  return result.kind === 'unreadable' ? result.why : 'read';
};

test('each kind has a name of its own', () => {
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
});

describe('mail', () => {
  const head = (more = '') =>
    `Received: from a.example\r\nFrom: =?utf-8?Q?Ann_L=C3=A9e?= <ann@a.example>\r\nTo: b@b.example\r\nDate: Tue, 5 Mar 2024 08:00:00 +0100\r\nSubject: =?utf-8?B?SGVyb25z?=\r\n =?utf-8?Q?_in_March?=\r\nMIME-Version: 1.0\r\n${more}`;

  test('has subject, sender, date and the plain text', () => {
    const page = read(
      `${head('Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n')}\r\nThe herons =\r\nare back.\r\n\r\nCaf=C3=A9 at nine?`,
      'a.eml',
      'message/rfc822',
    );
    expect(page).toMatchObject({
      title: 'Herons in March',
      author: 'Ann Lée',
      body: 'The herons are back.\n\nCafé at nine?',
    });
    expect(page.publishedAt).toBe(Date.UTC(2024, 2, 5, 7));
  });

  test('of several parts has the plain one, no attachments, and is recognized by its first lines', () => {
    const parts = [
      'Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/html\r\n\r\n<p>Markup</p>\r\n--in\r\nContent-Type: text/plain\r\n\r\nPlain words.\r\n--in--',
      'Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nAttached words.',
    ];
    const body = parts.map((part) => `--out\r\n${part}`).join('\r\n');
    const page = read(
      `${head('Content-Type: multipart/mixed; boundary="out"\r\n')}\r\n${body}\r\n--out--`,
      'message',
    );
    expect(page.body).toBe('Plain words.');
  });

  test('with HTML alone is that', () => {
    expect(
      read(`${head('Content-Type: text/html\r\n')}\r\n<h2>Plan</h2><p>Nine <b>herons</b>.</p>`, 'a.eml').body,
    ).toBe('Plan\n\nNine herons.');
  });
});

test('MHTML is the page that a browser saved', () => {
  const page = read(
    'From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.example/herons\r\nSubject: Herons\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--x--"\r\n\r\n' +
      '----x--\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: https://a.example/herons\r\n\r\n<html><head><title>Herons</title></head><body><main><h1>Herons</h1><p>The heron stands =\r\nstill for an hour, and longer if the fish do not come near it, as anyone knows who has watched one.</p><a href=3D"/more">More</a></main>\r\n' +
      '----x--\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n----x----\r\n',
    'saved.mhtml',
    'multipart/related',
  );
  expect(page.title).toBe('Herons');
  expect(page.body).toContain('The heron stands still for an hour');
  expect(page.links).toEqual([{ url: 'https://a.example/more', nofollow: false }]);
});

test('a notebook has its Markdown, its code and what it printed', () => {
  const page = read(
    JSON.stringify({
      nbformat: 4,
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', source: ['# Counting herons\n', '\n', 'By *hand*.'] },
        {
          cell_type: 'code',
          source: 'print(3 + 4)',
          outputs: [{ output_type: 'stream', text: ['7\n'] }, { data: { 'image/png': 'iVBO' } }],
        },
        { cell_type: 'markdown', source: '## Result' },
      ],
    }),
    'herons.ipynb',
  );
  expect(page).toMatchObject({ title: 'Counting herons', headings: 'Result' });
  expect(page.body).toBe('Counting herons\n\nBy hand.\n\nprint(3 + 4)\n\n7\n\nResult');
});

test('an API description has its operations and schemas', () => {
  const page = read(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Heron API', description: 'Counts *herons*.' },
      paths: {
        '/herons/{id}': {
          parameters: [{ name: 'id', schema: { type: 'string' }, description: 'The ring.' }],
          get: { summary: 'One heron', responses: { 404: { description: 'No such heron' } } },
        },
      },
      components: {
        schemas: {
          Heron: { required: ['ring'], properties: { ring: { type: 'string', description: 'On its leg.' } } },
        },
      },
    }),
    'openapi.json',
    'application/json',
  );
  expect(page).toMatchObject({ title: 'Heron API', headings: 'GET /herons/{id}\nHeron' });
  expect(page.body).toContain('- id (string): The ring.');
  expect(page.body).toContain('- 404: No such heron');
  expect(page.body).toContain('- ring (string, required): On its leg.');
});

const yamlApi = `# Made by hand
openapi: 3.1.0
info:
  title: Heron API
  description: |
    Counts *herons*.
    All of them.
paths:
  /herons/{id}:
    get:
      summary: One heron
      responses:
        404: { description: No such heron }
components:
  schemas:
    Heron: &heron
      required: [ring]
      properties:
        ring: { type: string, description: On its leg. }
    Bittern: *heron
`;

test.each([
  ['openapi.yaml', 'application/yaml'],
  ['openapi.yml', 'text/plain'],
  ['openapi', 'application/vnd.oai.openapi'],
])('an API description in YAML, as %s (%s)', (name, type) => {
  const page = read(yamlApi, name, type);
  expect(page).toMatchObject({ title: 'Heron API', headings: 'GET /herons/{id}\nHeron\nBittern' });
  expect(page.body).toContain('Counts herons. All of them.');
  expect(page.body).toContain('- 404: No such heron');
  expect(page.body).toContain('- ring (string, required): On its leg.');
});

test('other YAML, damaged YAML and YAML that grows by its aliases is not read as an API', () => {
  const bomb = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join(
    '\n',
  );
  const head = 'openapi: 3.1.0\ninfo: { title: T }\n';
  expect(why('name: heron\nlegs: 2\n', 'a.yaml', 'application/yaml')).toBe('unsupported type');
  expect(why(`${head}paths: [`, 'a.yaml', 'application/yaml')).toBe('unsupported type');
  expect(why(`${head}a0: &a0 [x]\n${bomb}\n`, 'a.yaml', 'application/yaml')).toBe('unsupported type');
  expect(why(`${head}x: ${'#'.repeat(3_000_000)}\n`, 'a.yaml', 'application/yaml')).toBe('unsupported type');
});

test('JSON Schema has its properties, and other JSON is not read', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Heron',
    properties: {
      age: { type: ['integer', 'null'], description: 'In years.' },
      kind: { enum: ['grey', 'purple'] },
    },
  };
  const page = read(JSON.stringify(schema), 'heron.json', 'application/schema+json');
  expect(page.title).toBe('Heron');
  expect(page.body).toBe('- age (integer or null): In years.\n- kind (grey, purple)');
  expect(why('{"a": 1}', 'a.json', 'application/json')).toBe('unsupported type');
});

test('a manual page has sections, options and examples', () => {
  const page = read(
    '.\\" A comment\n.TH HERON 1 2024-03-05\n.SH NAME\nheron \\- stand still\n.SH OPTIONS\n.TP\n.BR \\-w ", " \\-\\-wait =\\fISECONDS\\fR\nWait so long.\n.SS More\nText\\(emhere.\n.SH EXAMPLES\n.nf\nheron \\-w 5\n  two\n.fi\n',
    'heron.1',
  );
  expect(page).toMatchObject({ title: 'heron(1) - stand still', headings: 'NAME\nOPTIONS\nMore\nEXAMPLES' });
  expect(page.body).toContain('-w, --wait=SECONDS Wait so long.');
  expect(page.body).toContain('Text—here.');
  expect(page.body).toContain('heron -w 5\n  two');
});

test('a manual page of mdoc has its flags', () => {
  const page = read(
    '.Dd March 5, 2024\n.Dt HERON 8\n.Os\n.Sh NAME\n.Nm heron\n.Nd stand still\n.Sh SYNOPSIS\n.Bl -tag\n.It Fl w Ar seconds\nWait so long.\n.El\n',
    'heron.8',
  );
  expect(page.title).toBe('heron(8) - stand still');
  expect(page.body).toContain('-w seconds\nWait so long.');
});

test('a source file has its code, its names and its first comment', () => {
  const page = read(
    '# Copyright 2024 Ann Lee\n\n"""Counts herons.\n\nAt dawn."""\nclass Heron:\n    def count(self):\n        return 1  # all\n',
    'heron.py',
    'text/x-python',
  );
  expect(page).toMatchObject({ title: 'heron.py', headings: 'Heron\ncount', description: 'Counts herons.' });
  expect(page.body).toContain('    def count(self):\n        return 1  # all');
});

test('reStructuredText has titles, lists, code and links', () => {
  const page = read(
    'Herons\n======\n\nThe *grey* one, see :ref:`the map <map>` and `a site <https://a.example/>`_::\n\n    code here\n      deeper\n\n.. note:: It flies.\n\nFood\n----\n\n* fish\n* frogs and\n  toads\n\n.. code-block:: python\n\n   eat()\n\n.. a comment\n',
    'herons.rst',
  );
  expect(page).toMatchObject({ title: 'Herons', headings: 'Food' });
  expect(page.body).toBe(
    'Herons\n\nThe grey one, see the map and a site:\n\ncode here\n  deeper\n\nIt flies.\n\nFood\n\n- fish\n- frogs and toads\n\neat()',
  );
  expect(page.links).toEqual([{ url: 'https://a.example/', nofollow: false }]);
});

test('AsciiDoc has headings, lists, code and tables', () => {
  const page = read(
    '= Herons\n:toc:\n\nThe *grey* one, see https://a.example/[a site].\n\n== Food\n\n* fish\n* frogs\n\n[source,python]\n----\neat()\n----\n\n// a comment\n|===\n|a |b\n|===\n',
    'herons.adoc',
  );
  expect(page).toMatchObject({ title: 'Herons', headings: 'Food' });
  expect(page.body).toBe('Herons\n\nThe grey one, see a site.\n\nFood\n\n- fish\n- frogs\n\neat()\n\na\tb');
});

test('DocBook has sections, lists and code', () => {
  const page = read(
    '<?xml version="1.0"?>\n<article xmlns="http://docbook.org/ns/docbook"><info><title>Herons</title><author><personname>Ann Lee</personname></author></info><section><title>Food</title><para>It eats <command>fish</command>.</para><itemizedlist><listitem><para>frogs</para></listitem></itemizedlist><programlisting language="c">eat();</programlisting></section></article>',
    'herons.xml',
    'application/xml',
  );
  expect(page).toMatchObject({ title: 'Herons', author: 'Ann Lee', headings: 'Food' });
  expect(page.body).toBe('Food\n\nIt eats fish.\n\n- frogs\n\neat();');
});

test('subtitles have what is said', () => {
  const vtt =
    'WEBVTT\n\nNOTE made by hand\n\n1\n00:00:01.000 --> 00:00:02.000 align:start\n<v Ann>The heron <i>stands</i>\n\n00:02.000 --> 00:03.000\n<v Ann>The heron <i>stands</i>\nstill.\n';
  expect(read(vtt, 'a.vtt', 'text/vtt').body).toBe('Ann: The heron stands still.');
  const srt =
    '1\r\n00:00:01,000 --> 00:00:02,000\r\nIt waits.\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\nFor fish.\r\n';
  expect(read(srt, 'a.srt').body).toBe('It waits. For fish.');
});

test('a feed has the text of its entries', () => {
  const rss =
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Heron news</title><language>en</language><item><title>Back</title><link>https://a.example/1</link><description>Short.</description><content:encoded><![CDATA[<p>They are <b>back</b>.</p>]]></content:encoded></item></channel></rss>';
  const page = read(rss, 'feed.rss', 'application/rss+xml');
  expect(page).toMatchObject({ title: 'Heron news', headings: 'Back', lang: 'en' });
  expect(page.body).toBe('Back\n\nThey are back.');
  const atom =
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Heron news</title><entry><title>Gone</title><link href="https://a.example/2"/><content type="xhtml"><div><p>They <b>left</b>.</p></div></content></entry></feed>';
  expect(read(atom, 'feed.atom', 'application/atom+xml').body).toBe('Gone\n\nThey left.');
});

test('what is served as a page stays a page, whatever its address', () => {
  const page = read(
    '<!doctype html><title>heron.py</title><main><p>A page about a file, and what it does for those who count herons at dawn, at noon, and in the evening.</p></main>',
    'heron.py',
    'text/html',
  );
  expect(page.fileType).toBe('html');
});

test('damaged files of each kind are read or refused, never thrown over', () => {
  for (const [name, content] of [
    ['a.eml', 'From: a\nTo: b\nDate: x\n'],
    ['a.mhtml', 'Content-Type: multipart/related; boundary=\r\n\r\n--\r\n'],
    ['a.ipynb', '{"nbformat": 4, "cells": [1, {"cell_type": "code", "outputs": 5}, null]}'],
    ['a.json', '{"openapi": "3", "info": {}, "paths": {"/a": {"get": {"responses": [1]}}}}'],
    ['a.1', `.TH\n${'.SH\n'.repeat(50)}.TP\n\\`],
    ['a.rst', '====\n====\n====\n.. ::\n`'],
    ['a.adoc', '= \n----\n|===\n'],
    ['a.vtt', 'WEBVTT\n\n-->\n'],
  ] as const)
    expect(['read', 'no text', 'unsupported type'], name).toContain(why(content, name));
});
