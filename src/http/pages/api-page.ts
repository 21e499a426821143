import {
  type ApiResponse,
  type OpenApi,
  operationsOf,
  type PathOperation,
} from '../openapi/openapi-document.ts';
import type { JsonSchema, Parameter } from '../openapi/openapi-schemas.ts';
import type { DocsPages } from './docs.ts';
import { apiPath, escapeHtml, layout } from './html.ts';

/** The OpenAPI document as HTML without scripts, with a list of all other pages. */
export function apiPage(document: OpenApi, docs: DocsPages): string {
  const { info, components } = document;
  const operations = operationsOf(document);
  const contents = operations.map(
    ({ operationId, method, path, summary }) =>
      `<li><a href="#${operationId}"><code>${method} ${escapeHtml(path)}</code></a> ${escapeHtml(summary)}</li>`,
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
  const pages = docs.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`);
  const errors = Object.entries(components.responses).map(([name, response]) => [
    `<code id="${name}">${statusOf(name)}</code>`,
    inline(response.description),
    exampleOf(response),
  ]);
  const body = `<h1>API reference</h1>
<p>Gleaner ${escapeHtml(info.version)}. For programs: <a href="/openapi.json">openapi.json</a>,
<a href="/llms.txt">llms.txt</a>.</p>
${paragraphs(info.description)}
<ul>
${contents.join('\n')}
</ul>
${operations.map(operationSection).join('\n')}
<h2 id="errors">Errors</h2>
${table(['status', 'meaning', 'example'], errors)}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}
<h2 id="pages">Documentation</h2>
<ul>
${pages.join('\n')}
</ul>`;
  return layout('API reference', body, docs, apiPath);
}

function operationSection(operation: PathOperation): string {
  const { operationId, method, path, summary, description, parameters } = operation;
  const own: string[][] = [];
  const failures: string[] = [];
  const examples: string[] = [];
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) failures.push(errorLink(response.$ref));
    else {
      own.push([`<code>${status}</code>`, inline(response.description)]);
      examples.push(exampleOf(response));
    }
  }
  return `<h2 id="${operationId}">${escapeHtml(summary)}</h2>
<p><code>${method} ${escapeHtml(path)}</code></p>
${paragraphs(description)}
<pre><code>${escapeHtml(curl(operation))}</code></pre>
${parameters.length > 0 ? table(['parameter', 'value', 'meaning'], parameters.map(parameterRow)) : ''}
${bodyLink(operation)}${examples.join('\n')}
${table(['status', 'meaning'], own)}
<p>Errors: ${failures.join(', ')}.</p>`;
}

function bodyLink({ requestBody }: PathOperation): string {
  if (!requestBody) return '';
  const { $ref } = requestBody.content['application/json'].schema;
  return `<p>The body: ${typeLink({ $ref })}.</p>\n`;
}

function errorLink(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `<a href="#${name}">${statusOf(name)}</a>`;
}

/** `404` of the component `Problem404`. */
function statusOf(name: string): string {
  return name.replace(/\D+/, '');
}

function exampleOf({ content = {} }: ApiResponse): string {
  return Object.values(content)
    .map(
      ({ example }) =>
        `<pre><code>${escapeHtml(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}</code></pre>`,
    )
    .join('\n');
}

const service = 'http://127.0.0.1:8080';

/** A shell command that calls an operation with the examples of its parameters. */
function curl({ path, parameters, requestBody }: PathOperation): string {
  if (requestBody) {
    const { example } = requestBody.content['application/json'];
    return `curl -H 'Content-Type: application/json' '${service}${path}' \\\n  -d '${JSON.stringify(example)}'`;
  }
  const shown = parameters.filter(({ required, name }) => required || name === 'limit' || name === 'format');
  let url = `${service}${path}`;
  const lines: string[] = [];
  for (const { name, in: location, example } of shown) {
    if (location === 'path') url = url.replace(`{${name}}`, String(example));
    else lines.push(` \\\n  --data-urlencode '${name}=${example}'`);
  }
  return `curl ${lines.length > 0 ? '-G ' : ''}'${url}'${lines.join('')}`;
}

function parameterRow({ name, required, schema, description }: Parameter): string[] {
  const fallback = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
  const need = required ? '<strong>required</strong>, ' : '';
  return [`<code>${name}</code>`, need + inline(typeName(schema) + fallback), inline(description)];
}

function schemaSection(name: string, schema: JsonSchema): string {
  const { properties = {}, required = [] } = itemOf(schema);
  const { description = schema.type === 'array' ? 'A list.' : undefined } = schema;
  const rows = Object.entries(properties as Record<string, JsonSchema>).map(([field, value]) => [
    `<code>${field}</code>${required.includes(field) ? '' : ' (not always)'}`,
    typeLink(value),
    inline(value.description ?? ''),
  ]);
  const about = description === undefined ? '' : paragraphs(description);
  const fields = rows.length > 0 ? table(['field', 'value', 'meaning'], rows) : '';
  return `<h3 id="${name}">${name}</h3>\n${about}${fields}`;
}

/** What a list is of; any other schema itself. */
function itemOf(schema: JsonSchema): JsonSchema {
  return (schema.items as JsonSchema | undefined) ?? schema;
}

function typeLink(schema: JsonSchema): string {
  const target = itemOf(schema).$ref;
  const name = target?.slice(target.lastIndexOf('/') + 1);
  if (name === undefined) return inline(typeName(schema));
  return `${schema.$ref ? '' : 'array of '}<a href="#${name}">${name}</a>`;
}

/** The type of a value in a few words: `integer, 1 to 100`, `string or null`. */
export function typeName(schema: JsonSchema): string {
  const { type, enum: values, const: only, anyOf, minimum, maximum, maxLength } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values)
    return values
      .filter((value) => value !== '')
      .map((value) => `\`${value}\``)
      .join(', ');
  if (anyOf) return (anyOf as JsonSchema[]).map(typeName).join(' or ');
  const bound = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined && bound !== undefined) return `${type}, ${minimum} to ${bound}`;
  if (maxLength !== undefined) return `${type}, at most ${maxLength} characters`;
  return schema.format ?? String(type ?? 'any');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead>\n<tbody>${body.join('\n')}</tbody></table>`;
}

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>\n`)
    .join('');
}

/** Renders code between backticks, the only markup of our descriptions. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
