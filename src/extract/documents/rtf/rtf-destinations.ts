/** Where the text of a group goes. */
export type Destination =
  | 'body'
  | 'nowhere'
  | 'fonts'
  | 'styles'
  | 'bullet'
  | 'information'
  | 'title'
  | 'author'
  | 'subject'
  | 'created'
  | 'revised';

const destinations: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  listtext: 'bullet',
  pntext: 'bullet',
  info: 'information',
  title: 'title',
  author: 'author',
  subject: 'subject',
  creatim: 'created',
  revtim: 'revised',
};
const nowhere = new Set(
  `colortbl pict objdata leveltext levelnumbers levelmarker listname listpicture header headerl headerr headerf footer footerl footerr footerf annotation atnid atnauthor
  atntime atnref themedata colorschememapping latentstyles listtable listoverridetable revtbl rsidtbl generator datastore
  xmlnstbl fldinst bkmkstart bkmkend nonshppict operator company manager category keywords doccomm hlinkbase comment
  printim buptim sp sn sv background template ftnsep ftnsepc aftnsep aftnsepc filetbl do xe tc rxe private`.split(
    /\s+/,
  ),
);
/** Optional destinations that hold text which is shown. */
const shownOptional = new Set([
  'shptxt',
  'fldrslt',
  'footnote',
  'pntext',
  'listtext',
  'shppict',
  'nesttableprops',
]);

/**
 * The destination that a control word opens in a group; undefined when it opens none. `isOptional`: the word follows `\*`,
 * so that a reader that does not know it skips the group.
 */
export function destinationOf(
  name: string,
  { current, isOptional }: { readonly current: Destination; readonly isOptional: boolean },
): Destination | undefined {
  const named = destinations[name];
  if (isOptional && !shownOptional.has(name) && named === undefined) return 'nowhere';
  if (current === 'nowhere') return undefined;
  return nowhere.has(name) ? 'nowhere' : named;
}
