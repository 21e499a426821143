import type { FileType } from '../page.ts';

const families: Readonly<Record<string, readonly FileType[]>> = {
  pdf: ['pdf'],
  doc: ['doc', 'docx', 'odt'],
  ppt: ['ppt', 'pptx', 'odp'],
  xls: ['xls', 'xlsx', 'ods'],
};

/** The types of a `filetype:` value; empty for a value that v1 does not define. */
export function fileTypesOf(value: string): FileType[] {
  const name = value.trim().toLowerCase();
  return Object.hasOwn(families, name) ? [...(families[name] ?? [])] : [];
}
