import { ServiceError } from '../contract/errors.ts';
import type { Admitted } from '../limits/admission.ts';
import type { RequestContext } from './request-context.ts';
import { rpcCodes, rpcError } from './rpc-error.ts';
import type { ToolCallParts } from './tool-call.ts';

const statusUri = 'gleaner://status';
const pageUri = /^gleaner:\/\/page\/([^/?#]+)$/;

const resources = [
  {
    uri: statusUri,
    name: 'status',
    title: 'Index status',
    description: 'How many pages are kept, and how many of them can be found now.',
    mimeType: 'application/json',
  },
];

const resourceTemplates = [
  {
    uriTemplate: 'gleaner://page/{id}',
    name: 'page',
    title: 'A page of the index',
    description: 'The text of a page by the id of a local result, with its address and dates above it.',
    mimeType: 'text/markdown',
  },
];

export interface ReadContext extends RequestContext {
  /** The JSON-RPC code for a resource that does not exist, which differs between revisions of MCP. */
  readonly resourceNotFound: number;
}

/** A type, because interfaces have no index signature, which the SDKs ask for. */
type ResourceContents = { contents: { uri: string; mimeType: string; text: string }[] };

export interface Resources {
  listResources(): { resources: typeof resources };
  listResourceTemplates(): { resourceTemplates: typeof resourceTemplates };
  /** Throws an error with a JSON-RPC code. */
  readResource(uri: string, context: ReadContext): Promise<ResourceContents>;
}

/**
 * The pages of the index, and its status, as resources that users attach in their client. Reading a page counts as a
 * content request.
 */
export function createResources({ engine }: Pick<ToolCallParts, 'engine'>): Resources {
  return {
    listResources: () => ({ resources }),
    listResourceTemplates: () => ({ resourceTemplates }),
    readResource: async (uri, { signal, admit, resourceNotFound }) => {
      const unknown = (why: string): Error =>
        rpcError(resourceNotFound, `Resource not found. ${why}`, { uri });
      const id = pageUri.exec(uri)?.[1];
      if (uri === statusUri) return one(uri, 'application/json', JSON.stringify((await engine()).status()));
      if (id === undefined) throw unknown('There is gleaner://status and gleaner://page/{id}.');
      const readPage = async () => (await engine()).content(id, { signal });
      let admitted: Admitted | undefined;
      try {
        admitted = await admit?.('content');
        const record = await (admitted ? admitted.run(readPage) : readPage());
        // Loaded on first use: clients wait for the start.
        const { pageText } = await import('./page-text.ts');
        return one(uri, 'text/markdown', pageText(record));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ServiceError && error.code === 'not_found') throw unknown(error.message);
        if (error instanceof ServiceError && error.code !== 'internal')
          throw rpcError(rpcCodes.refused, `${error.message}.`);
        throw rpcError(rpcCodes.internal, 'Internal error.');
      } finally {
        admitted?.release();
      }
    },
  };
}

function one(uri: string, mimeType: string, text: string): ResourceContents {
  return { contents: [{ uri, mimeType, text }] };
}
