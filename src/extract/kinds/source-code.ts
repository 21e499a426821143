import { oneLine } from '../../text/line/one-line.ts';
import { fileName } from '../plain-text.ts';
import type { Kind } from './kind.ts';
import { codeBlock, readingOfMarkup } from './markup-reading.ts';

/** Languages by the endings of their files. */
const languages: Readonly<Record<string, string>> = {
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  cs: 'csharp',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  scala: 'scala',
  swift: 'swift',
  m: 'objectivec',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  go: 'go',
  rs: 'rust',
  php: 'php',
  pl: 'perl',
  pm: 'perl',
  lua: 'lua',
  r: 'r',
  jl: 'julia',
  hs: 'haskell',
  ml: 'ocaml',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  clj: 'clojure',
  el: 'elisp',
  lisp: 'lisp',
  scm: 'scheme',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  ps1: 'powershell',
  sql: 'sql',
  proto: 'protobuf',
  tf: 'hcl',
  zig: 'zig',
  dart: 'dart',
  vim: 'vim',
  cmake: 'cmake',
  f90: 'fortran',
  pas: 'pascal',
  d: 'd',
  nim: 'nim',
  v: 'v',
};
const mediaTypes =
  'text/x-c text/x-c++ text/x-csrc text/x-c++src text/x-chdr text/x-java text/x-java-source text/x-python text/x-script.python text/x-ruby text/x-go text/x-rust text/x-perl text/x-php text/x-lua text/x-sh text/x-shellscript text/x-csharp text/x-kotlin text/x-scala text/x-swift text/x-typescript text/x-haskell text/x-sql application/x-python application/x-sh application/sql';

const maxNames = 200;
const definition =
  /^\s*(?:(?:export|public|pub(?:\([\w: ]+\))?|private|protected|static|async|abstract|final|default|internal|open|inline|extern|unsafe|const)\s+)*(?:def|class|function\*?|func|fn|interface|trait|struct|enum|type|module|namespace|impl|protocol|object|record|sub|package|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|PROCEDURE))\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$](?:[\w$.:]{0,80}[\w$])?)/i;
const commentLine = /^\s*(?:\/\/[/!]?|#(?!!)|--|;+|\*(?!\/)|"""|''')\s?(.*)$/;

/** A program's source: the code as it stands with its comments, the names that it defines as headings, the first comment as description. */
export const sourceCode: Kind = {
  name: 'source code',
  mediaTypes: mediaTypes.split(' '),
  endings: Object.keys(languages),
  begins: ({ beginning, mediaType }) =>
    /^(?:text\/plain|)$/.test(mediaType) && /^<(?:!doctype|html)/i.test(beginning) ? 'no' : 'maybe',
  read({ url, ending, text }) {
    const source = text();
    if (source === undefined || source.includes('\0')) return null;
    const reading = readingOfMarkup(codeBlock(source, languages[ending] ?? ''), {
      url,
      title: fileName(url),
    });
    return { ...reading, headings: namesIn(source).join('\n'), description: firstComment(source) };
  },
};

function namesIn(source: string): string[] {
  const names = new Set<string>();
  for (const line of source.split('\n')) {
    if (names.size >= maxNames) break;
    const name = line.length > 400 ? undefined : definition.exec(line)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

const maxDescription = 300;
const maxCommentLines = 60;

/** The first comment that is no licence, as one line. */
function firstComment(source: string): string {
  const words: string[] = [];
  let isLicence = false;
  for (const line of source.split('\n', maxCommentLines)) {
    const opened = line
      .replace(/^\s*(?:\/\*+!?|"""|'''|\(\*|<!--|=begin)\s*/, '* ')
      .replace(/\s*(?:\*+\/|\*\)|-->)\s*$/, '');
    const text =
      commentLine
        .exec(opened)?.[1]
        ?.replace(/"""|'''/g, '')
        .trim() ?? '';
    if (/copyright|licen[sc]e|spdx|-\*-|all rights reserved/i.test(text)) isLicence = true;
    if (text === '' && words.length > 0) {
      if (!isLicence) break;
      words.length = 0;
      isLicence = false;
    } else if (text !== '') words.push(text);
  }
  const comment = isLicence ? '' : oneLine(words.join(' '));
  return comment.length > maxDescription ? comment.slice(0, maxDescription).replace(/\s\S*$/, '…') : comment;
}
