import { markdownToHtml } from '../markdown/markdown-html.ts';
import { isObject, type Json, objectEntries, objectsOf, parseObject, stringOf } from './json.ts';
import type { Kind } from './kind.ts';
import { htmlText, readingOfMarkup } from './markup-reading.ts';
import { parseYamlObject } from './yaml.ts';

const methods = new Set('get put post delete options head patch trace query'.split(' '));
/** The line that every such description has, mostly as its first. */
const apiInYaml = /^(?:openapi|swagger)[ \t]*:[ \t]*["']?\d/m;
const maxItems = 5000;
const maxNesting = 6;

/**
 * A description of an API (OpenAPI, Swagger; JSON or YAML) or of data (JSON Schema): each operation and each schema under a
 * heading, with its parameters or properties as a list.
 */
export const openApi: Kind = {
  name: 'OpenAPI or JSON Schema',
  mediaTypes: [
    'application/vnd.oai.openapi+json',
    'application/openapi+json',
    'application/schema+json',
    'application/vnd.oai.openapi',
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
    'text/x-yaml',
  ],
  endings: ['json', 'yaml', 'yml'],
  begins: ({ beginning }) => (beginning.startsWith('{') || apiInYaml.test(beginning) ? 'maybe' : 'no'),
  read({ url, beginning, text }) {
    const root = beginning.startsWith('{') ? parseObject(text()) : parseYamlObject(text());
    if (root === null) return null;
    if (stringOf(root.openapi ?? root.swagger) !== '' && isObject(root.info))
      return api(root, root.info, url);
    return /json-schema\.org/.test(stringOf(root.$schema)) ? schemaFile(root, url) : null;
  },
};

function api(root: Json, info: Json, url: string) {
  const operations = objectEntries(root.paths).flatMap(([path, operationsOfPath]) =>
    objectEntries(operationsOfPath)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) =>
        operationMarkup(method, path, operation, objectsOf(operationsOfPath.parameters)),
      ),
  );
  const components = isObject(root.components) ? root.components.schemas : root.definitions;
  const schemas = objectEntries(components).map(([name, schema]) => schemaMarkup(name, schema));
  const html = [described(info), ...[...operations, ...schemas].slice(0, maxItems)].join('\n');
  return readingOfMarkup(html, { url, title: stringOf(info.title) || undefined });
}

function operationMarkup(method: string, path: string, operation: Json, shared: readonly Json[]): string {
  const parameters = [...shared, ...objectsOf(operation.parameters)].map((parameter) =>
    item(
      stringOf(parameter.name),
      typeOf(isObject(parameter.schema) ? parameter.schema : parameter),
      parameter,
    ),
  );
  const responses = objectEntries(operation.responses).map(([status, response]) =>
    item(status, '', response),
  );
  return [
    `<h2>${htmlText(`${method.toUpperCase()} ${path}`)}</h2>`,
    described(operation),
    list(parameters),
    list(responses),
  ].join('\n');
}

function schemaFile(root: Json, url: string) {
  const parts = [...objectEntries(root.$defs), ...objectEntries(root.definitions)].slice(0, maxItems);
  const html = [
    described(root),
    properties(root, 0),
    ...parts.map(([name, schema]) => schemaMarkup(name, schema)),
  ].join('\n');
  const title = stringOf(root.title);
  return readingOfMarkup(html, { url, title: title || undefined });
}

function schemaMarkup(name: string, schema: Json): string {
  return `<h2>${htmlText(name)}</h2>\n${described(schema)}\n${properties(schema, 0)}`;
}

function properties(schema: Json, nesting: number): string {
  if (nesting > maxNesting) return '';
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return list(
    objectEntries(schema.properties).map(([name, property]) =>
      item(
        name,
        `${typeOf(property)}${required.has(name) ? ', required' : ''}`,
        property,
        properties(property, nesting + 1),
      ),
    ),
  );
}

const list = (items: readonly string[]) =>
  items.length === 0 ? '' : `<ul>${items.slice(0, maxItems).join('')}</ul>`;

function item(name: string, type: string, { description }: Json, inner = ''): string {
  const text = stringOf(description);
  const about = `<code>${htmlText(name)}</code>${type === '' ? '' : ` (${htmlText(type)})`}`;
  return `<li>${about}${text === '' ? '' : `: ${htmlText(text)}`}${inner}</li>`;
}

/** Summary and description, which is Markdown. */
function described({ summary, description }: Json): string {
  return markdownToHtml([stringOf(summary), stringOf(description)].filter(Boolean).join('\n\n')).html;
}

function typeOf(schema: Json): string {
  const reference = stringOf(schema.$ref).replace(/^.*\//, '');
  if (reference !== '') return reference;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : stringOf(schema.type);
  const inner = type === 'array' && isObject(schema.items) ? typeOf(schema.items) : '';
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value !== 'object') : [];
  return [inner === '' ? type : `array of ${inner}`, values.slice(0, 50).join(', ')]
    .filter(Boolean)
    .join(': ');
}
