import type { JsonSchema, Parameter } from './openapi-schemas.ts';

/** The parts of an OpenAPI 3.1 document that we write and that our API page reads. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** The operation of a path. HEAD and OPTIONS go without saying. */
export type PathItem =
  | { readonly get: Operation; readonly post?: never }
  | { readonly get?: never; readonly post: Operation };

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<
      Record<'application/json', { readonly schema: Reference; readonly example: unknown }>
    >;
  };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  readonly links?: object;
}

export interface PathOperation extends Operation {
  readonly path: string;
  readonly method: 'GET' | 'POST';
}

/** Every operation with its path and its method, in the order of the document. */
export function operationsOf({ paths }: Pick<OpenApi, 'paths'>): PathOperation[] {
  return Object.entries(paths).map(([path, { get, post }]) =>
    get ? { path, method: 'GET', ...get } : { path, method: 'POST', ...post },
  );
}
