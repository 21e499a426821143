import { Parser, type QuoteType, Tokenizer } from 'htmlparser2';

/** All attributes that are read anywhere. The others are not kept. */
const readAttributes = [
  'class',
  'id',
  'href',
  'rel',
  'src',
  'style',
  'role',
  'hidden',
  'lang',
  'xml:lang',
  'title',
  'type',
  'name',
  'content',
  'property',
  'http-equiv',
  'itemprop',
  'itemtype',
  'datetime',
  'pubdate',
  'color',
  'bgcolor',
  'start',
  'value',
  'props',
  'aria-hidden',
  'aria-label',
  'data-lang',
  'data-language',
  'data-username',
  'data-post',
  'data-quote',
  'data-reactroot',
  'ng-app',
  'ng-version',
] as const;
const isRead: ReadonlySet<string> = new Set(readAttributes);

/** The attributes of an element that are read. */
export type ReadAttributes = Readonly<Partial<Record<(typeof readAttributes)[number], string>>>;

const lt = 0x3c;
const gt = 0x3e;
const ampersand = 0x26;
const equals = 0x3d;
const slash = 0x2f;
const space = 0x20;

/** The parts of htmlparser2's tokenizer that it declares to be private. */
interface Scanner {
  index: number;
  readonly offset: number;
  readonly buffer: string;
}
type StateHandler = (this: Scanner, character: number, quote: number) => void;
type Handlers = Record<string, StateHandler>;

/**
 * htmlparser2's tokenizer calls a handler for each character. Here the handlers for text, names and quoted values skip, in
 * one step, all characters that change nothing. The events are the same.
 */
export class PageTokenizer extends Tokenizer {}

const inherited = Tokenizer.prototype as unknown as Handlers;
const handlers = PageTokenizer.prototype as unknown as Handlers & {
  fastForwardTo(this: Scanner, character: number): boolean;
};

/** Leaves the index at the last character before one that ends the run; the tokenizer goes on with the next one. */
handlers.stateText = function (character) {
  if (character === lt || character === ampersand) return inherited.stateText?.call(this, character, 0);
  const { buffer, offset } = this;
  let at = this.index - offset + 1;
  for (; at < buffer.length; at++) {
    const next = buffer.charCodeAt(at);
    if (next === lt || next === ampersand) break;
  }
  this.index = at + offset - 1;
};

handlers.handleInAttributeValue = function (character, quote) {
  if (character === quote || character === ampersand)
    return inherited.handleInAttributeValue?.call(this, character, quote);
  const { buffer, offset } = this;
  let at = this.index - offset + 1;
  for (; at < buffer.length; at++) {
    const next = buffer.charCodeAt(at);
    if (next === quote || next === ampersand) break;
  }
  this.index = at + offset - 1;
};

const isInName = (character: number): boolean =>
  character > space && character !== gt && character !== slash && character !== equals;

for (const state of ['stateInTagName', 'stateInClosingTagName', 'stateInAttributeName']) {
  const handle = inherited[state] as StateHandler;
  handlers[state] = function (character) {
    if (!isInName(character)) return handle.call(this, character, 0);
    const { buffer, offset } = this;
    let at = this.index - offset + 1;
    while (at < buffer.length && isInName(buffer.charCodeAt(at))) at++;
    this.index = at + offset - 1;
  };
}

handlers.fastForwardTo = function (character) {
  const { buffer, offset } = this;
  const at = buffer.indexOf(String.fromCharCode(character), this.index - offset + 1);
  this.index = (at < 0 ? buffer.length - 1 : at) + offset;
  return at >= 0;
};

/** The parts of htmlparser2's parser that it declares to be private. */
interface Attributed {
  readonly attribname: string;
  attribvalue: string;
  attribs: Record<string, string> | null;
}

/** What is looked up on every element is in each object, in one order: V8 reads objects of one shape faster. */
const createAttributes = (): Record<string, string> =>
  ({
    class: undefined,
    id: undefined,
    href: undefined,
    rel: undefined,
    style: undefined,
    role: undefined,
    hidden: undefined,
    itemprop: undefined,
    itemtype: undefined,
    'aria-hidden': undefined,
  }) as unknown as Record<string, string>;

/** htmlparser2's parser, but it keeps only the attributes in `readAttributes`. */
export class PageParser extends Parser {
  #isRead = false;

  override onopentagname(start: number, endIndex: number): void {
    super.onopentagname(start, endIndex);
    const state = this as unknown as Attributed;
    if (state.attribs !== null) state.attribs = createAttributes();
  }
  override onattribname(start: number, endIndex: number): void {
    super.onattribname(start, endIndex);
    this.#isRead = isRead.has((this as unknown as Attributed).attribname);
  }
  override onattribdata(start: number, endIndex: number): void {
    if (this.#isRead) super.onattribdata(start, endIndex);
  }
  override onattribentity(codePoint: number): void {
    if (this.#isRead) super.onattribentity(codePoint);
  }
  override onattribend(_quote: QuoteType, endIndex: number): void {
    this.endIndex = endIndex;
    if (!this.#isRead) return;
    const state = this as unknown as Attributed;
    if (state.attribs !== null && state.attribs[state.attribname] === undefined)
      state.attribs[state.attribname] = state.attribvalue;
    state.attribvalue = '';
  }
}
