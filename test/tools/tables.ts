import { z } from 'zod';
import type { JsonSchema } from '../../src/http/openapi/openapi-schemas.ts';
import { typeName } from '../../src/http/pages/api-page.ts';
import { crawlSite } from '../../tools/crawl-site.ts';
import { tools } from '../../tools/index.ts';
import { fullServer } from '../../tools/server-facts.ts';
import { table } from '../http/tables.ts';

function parametersOf(name: string) {
  const { input } = [...tools, crawlSite].find((tool) => tool.name === name) ?? {};
  if (!input) throw new Error(`there is no tool ${name}`);
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  return Object.entries(properties as Record<string, JsonSchema>).map(([parameter, schema]) => ({
    parameter,
    schema,
    isRequired: required.includes(parameter),
  }));
}

/** The tables of the MCP tools in Markdown, made from the tools themselves. */
export const toolTables = {
  tools: () =>
    table(
      ['tool', 'for', 'parameters'],
      tools.map(({ name, describe }) => [
        `\`${name}\``,
        describe(fullServer).slice(0, describe(fullServer).indexOf('. ') + 1),
        parametersOf(name)
          .map(({ parameter, isRequired }) => `\`${parameter}\`${isRequired ? ' (required)' : ''}`)
          .join(', '),
      ]),
    ),
  parameters: (name: string) =>
    table(
      ['parameter', 'value', 'default', 'meaning'],
      parametersOf(name).map(({ parameter, schema, isRequired }) => [
        `\`${parameter}\``,
        typeName(schema),
        isRequired ? 'required' : schema.default === undefined ? '' : `\`${schema.default}\``,
        schema.description ?? '',
      ]),
    ),
};
