import { fileTypesOf } from '../query/file-types.ts';
import { lex } from '../query/lexer.ts';

/**
 * What a reader should know of how a query was read, a sentence each: operators of other search engines that are read as
 * words, `NOT`, and file types that do not exist.
 */
export function queryNotices(q: string): string[] {
  const notices: string[] = [];
  const unknownTypes = lex(q).flatMap((lexeme) =>
    lexeme.kind === 'leaf' && lexeme.operator === 'filetype' && fileTypesOf(lexeme.text).length === 0
      ? [lexeme.text]
      : [],
  );
  if (unknownTypes.length > 0)
    notices.push(
      'filetype: knows pdf, doc, ppt and xls, each with its newer forms; any other finds nothing.',
    );
  const other = /(?:^|[\s(+-])(inurl|intext)[:：]\S/i.exec(q)?.[1]?.toLowerCase();
  if (other !== undefined)
    notices.push(`${other}: is not an operator here: its word was looked for in text, title and URL.`);
  if (/\sNOT\s/.test(q) && lex(q).length < lex(q.replace(/\sNOT\s/g, ' not ')).length)
    notices.push('NOT was read as the - before the next word.');
  return notices;
}
