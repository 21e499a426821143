/** A page whose text its scripts draw, as the site sent it. */
export interface ScriptedPage {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The page's own policy, which holds in the browser, too. */
  readonly contentSecurityPolicy?: string | undefined;
}

/** What became of a page in the browser. */
export type Drawing =
  | { readonly kind: 'html'; readonly html: string }
  /** Its scripts lead on to another page. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'failed'; readonly why: string };

/** A request of a page's scripts. All of them are GET. */
export interface PartRequest {
  readonly url: string;
  readonly type: 'script' | 'data';
  readonly accept: string;
}

/** What the browser is given for it. */
export interface PartAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A layer that keeps the browser from the network. */
export type Defence = 'interception' | 'proxy' | 'names' | 'webrtc' | 'permissions';

export interface RenderProcessOptions {
  readonly executablePath: string;
  readonly path: string;
  /** For everything that the browser writes. */
  readonly folder: string;
  /** Layers that are left out, for the test that shows what each of them is for. */
  readonly without: readonly Defence[];
}

export type ToRenderProcess =
  | { readonly kind: 'draw'; readonly shell: ScriptedPage }
  /** Null where the request is refused. */
  | { readonly kind: 'answer'; readonly ask: number; readonly answer: PartAnswer | null };

export type FromRenderProcess =
  | { readonly kind: 'ask'; readonly ask: number; readonly request: PartRequest }
  | { readonly kind: 'unavailable'; readonly why: string }
  | {
      readonly kind: 'drawn';
      readonly drawing: Drawing;
      /** Whether this browser should draw no further page. */
      readonly isWorn: boolean;
      readonly isSandboxed: boolean;
    };
