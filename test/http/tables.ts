import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { documentedErrors } from '../../src/http/openapi/openapi-errors.ts';
import type { JsonSchema } from '../../src/http/openapi/openapi-schemas.ts';
import { typeName } from '../../src/http/pages/api-page.ts';

const { paths, components } = openApiDocument('1.2.3');

/** The tables of the HTTP API in Markdown, made from what `/openapi.json` says. */
export const tables = {
  parameters: () =>
    table(
      ['parameter', 'value', 'default', 'meaning'],
      (paths['/api/v1/search']?.get?.parameters ?? []).map(({ name, required, schema, description }) => [
        `\`${name}\``,
        typeName(schema),
        required ? 'required' : schema.default === undefined ? '' : `\`${schema.default}\``,
        description,
      ]),
    ),
  response: () => fields('SearchResponse'),
  result: () => fields('SearchResult'),
  content: () => fields('ContentRecord'),
  problem: () => fields('Problem'),
  errors: () =>
    table(
      ['status', 'title', 'when'],
      documentedErrors.map(({ status, title, when }) => [String(status), title, when]),
    ),
};

function fields(name: string): string {
  const { properties = {}, required = [] } = components.schemas[name] as JsonSchema;
  const rows = Object.entries(properties as Record<string, JsonSchema>).map(([field, schema]) => [
    `\`${field}\``,
    typeName(schema) + (required.includes(field) ? '' : ', not always there'),
    schema.description ?? '',
  ]);
  return table(['field', 'value', 'meaning'], rows);
}

/** A table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}
