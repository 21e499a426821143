/**
 * An agent that looks something up with Gleaner's MCP tools: node dist/examples/agent.js QUESTION
 *
 * It connects to GLEANER_URL over HTTP, or starts GLEANER_COMMAND over stdio.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}
interface Observation {
  readonly call: ToolCall;
  readonly answer: Record<string, unknown>;
}
type Step = { readonly call: ToolCall } | { readonly answer: string };

const pagesRead = 2;
const maxSteps = 6;

/**
 * Decides what to do next. A real agent asks its model here, with the tools of `listTools()` and what was observed; this
 * plan is fixed, so that the example runs without a key: search, read the best pages, give their passages with the sources.
 */
function nextStep(asked: string, observed: readonly Observation[]): Step {
  const [search, ...reads] = observed;
  if (!search) return { call: { name: 'web_search', arguments: { q: asked, limit: 5 } } };
  const results = search.answer.results as { id: string; url: string; title: string }[];
  const next = results.slice(0, pagesRead)[reads.length];
  if (next) {
    // A local result has an id; any other is read by its URL.
    const page = next.id ? { id: next.id } : { url: next.url };
    return { call: { name: 'fetch_content', arguments: { ...page, find: asked } } };
  }
  const sources = reads.map(({ answer }, index) => {
    const passages = (answer.passages ?? []) as { text: string }[];
    const text = passages
      .slice(0, 2)
      .map((passage) => passage.text)
      .join('\n');
    return `[${index + 1}] ${answer.title}\n${answer.url}\n<page>\n${text}\n</page>`;
  });
  return { answer: sources.length > 0 ? sources.join('\n\n') : 'The index has nothing about that.' };
}

function transport(): Transport {
  const { GLEANER_COMMAND, GLEANER_URL = 'http://127.0.0.1:8080', GLEANER_KEY } = process.env;
  if (GLEANER_COMMAND) {
    const [command = '', ...args] = GLEANER_COMMAND.split(' ');
    return new StdioClientTransport({ command, args, env: process.env as Record<string, string> });
  }
  const headers: Record<string, string> = GLEANER_KEY ? { authorization: `Bearer ${GLEANER_KEY}` } : {};
  // The SDK's class does not fit its own interface under exactOptionalPropertyTypes.
  return new StreamableHTTPClientTransport(new URL('/mcp', GLEANER_URL), {
    requestInit: { headers },
  }) as Transport;
}

const question = process.argv.slice(2).join(' ') || 'how do I crawl a site';
const client = new Client({ name: 'gleaner-example', version: '1.0.0' });
await client.connect(transport());
try {
  const observed: Observation[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const next = nextStep(question, observed);
    if ('answer' in next) {
      console.log(next.answer);
      break;
    }
    const result = await client.callTool(next.call);
    if (result.isError) throw new Error(JSON.stringify(result.content));
    observed.push({ call: next.call, answer: result.structuredContent as Record<string, unknown> });
  }
} finally {
  await client.close();
}
