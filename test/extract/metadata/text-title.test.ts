import { describe, expect, test } from 'vitest';
import { titleOfText } from '../../../src/extract/metadata/text-title.ts';
import { readPage } from '../extractor.ts';

describe('titleOfText', () => {
  test.each([
    ['rules of signs', '****\nGlossary\n****\n', 'Glossary'],
    ['directives', '.. highlight:: c\n\nSlice Objects\n-----', 'Slice Objects'],
    [
      'what is indented below them',
      '.. module:: netrc\n   :synopsis: Loading.\n\n   more\n\nThe file',
      'The file',
    ],
    ['labels and comments', '.. _glossary:\n\n..\n   hidden\n\n====\nTerms\n====', 'Terms'],
    ['fields', ':orphan:\n:Editor: Ada\n:tocdepth: 2\n\nNews', 'News'],
    ['lines for programs', '#!/bin/sh\n# -*- coding: utf-8 -*-\n\nRun it', 'Run it'],
  ])('passes over %s', (_, text, expected) => {
    expect(titleOfText(text)).toBe(expected);
  });

  test('shows roles as readers see them', () => {
    expect(titleOfText(':mod:`json` --- JSON encoder\n====')).toBe('json --- JSON encoder');
    expect(titleOfText('The :class:`list <list>` type')).toBe('The list type');
  });

  test('gives none where nothing is said, or too much', () => {
    expect(titleOfText('')).toBeUndefined();
    expect(titleOfText('====\n.. note::\n   x\n')).toBeUndefined();
    expect(titleOfText('word '.repeat(100))).toBeUndefined();
  });
});

test('a text source is called by its heading, and keeps its text as it stands', () => {
  const source = '.. currentmodule:: asyncio\n\n.. _streams:\n\n=======\nStreams\n=======\n\nText.';
  const page = readPage(source, { contentType: 'text/plain' });
  expect(page.title).toBe('Streams');
  expect(page.body).toBe(source);
});

test('Markdown is not called by its badges', () => {
  const badge = '[![Build](https://ci.example/b.svg)](https://ci.example/)';
  const page = readPage(`# ${badge} ${badge}\n\nHeron\n=====\n\nA bird.`, { contentType: 'text/markdown' });
  expect(page.title).toBe('Heron');
});
