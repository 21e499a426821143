import MarkdownIt, { type Env, type RendererRule, type StateBlock, type StateCore } from 'markdown-it';
import { completeTags } from './complete-tags.ts';

export interface MarkdownHtml {
  /** Links without their targets, no pictures, and raw HTML that ends where it stands. */
  readonly html: string;
  /** Targets as they are written: of links in their order, then of definitions that are not used. */
  readonly targets: readonly string[];
}

/** What the renderer notes while it writes. */
interface Notes {
  readonly targets: string[];
  readonly pictures: Set<string>;
}

/** Levels of blocks within blocks, two for a list: markdown-it leaves out the rest of the document after 100. */
const maxLevel = 95;

/**
 * Turns Markdown into HTML: CommonMark with GitHub's tables, strikethrough and task lists. Its length is at most a small
 * multiple of the source's. Lines that stand deeper than `maxLevel` become paragraphs with the marks that are left.
 */
export function markdownToHtml(source: string): MarkdownHtml {
  const notes: Notes = { targets: [], pictures: new Set() };
  const environment: Env = { notes };
  const html = parser.render(source, environment);
  const defined = Object.values(environment.references ?? {}).map(({ href }) => href);
  return { html, targets: [...notes.targets, ...defined.filter((href) => !notes.pictures.has(href))] };
}

const parser = createParser();

function createParser() {
  const markdown = new MarkdownIt({ html: true });
  // A target of any scheme is no text. What is no page is left out by who reads the targets.
  markdown.validateLink = () => true;
  markdown.block.ruler.before('table', 'deep_line', readDeepLine);
  markdown.core.ruler.after('block', 'task_marks', dropTaskMarks);
  const rawHtml: RendererRule = (tokens, index) => completeTags(tokens[index]?.content ?? '');
  const rules: Record<string, RendererRule> = {
    link_open: noteLink,
    image: notePicture,
    html_block: rawHtml,
    html_inline: rawHtml,
  };
  Object.assign(markdown.renderer.rules, rules);
  return markdown;
}

/**
 * Notes the target instead of writing it out: one definition of 4 kB that is used in every line would make gigabytes of
 * a megabyte. Links within the page stay recognizable, since some are the sign next to a heading.
 */
function noteLink(...[tokens, index, , environment]: Parameters<RendererRule>): string {
  const target = String(tokens[index]?.attrGet('href') ?? '');
  notesOf(environment).targets.push(target);
  return target.startsWith('#') ? '<a href="#">' : '<a>';
}

/** Notes the picture, whose definition is no link. */
function notePicture(...[tokens, index, , environment]: Parameters<RendererRule>): string {
  notesOf(environment).pictures.add(String(tokens[index]?.attrGet('src') ?? ''));
  return '';
}

function notesOf(environment: Env | undefined): Notes {
  return (environment as { notes: Notes }).notes;
}

/** A rule for blocks (see markdown-it's `ParserBlock`): takes one line that stands too deep for any other rule. */
function readDeepLine(state: StateBlock, line: number, _: number, silent: boolean): boolean {
  if (state.level < maxLevel || silent) return false;
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(line, line + 1, state.blkIndent, false).trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = line + 1;
  return true;
}

/** GitHub Flavored Markdown, section 5.3: the mark at the beginning of a task's first paragraph. */
function dropTaskMarks({ tokens }: StateCore): void {
  for (const [index, token] of tokens.entries()) {
    const isFirstInItem = tokens[index - 2]?.type === 'list_item_open' && tokens[index - 1]?.tag === 'p';
    if (token.type === 'inline' && isFirstInItem) token.content = token.content.replace(/^\[[ xX]\]\s+/, '');
  }
}
