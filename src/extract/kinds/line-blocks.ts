/** Lines between blank lines. */
export interface LineBlock {
  readonly lines: readonly string[];
  /** Spaces before the first line. */
  readonly indent: number;
}

/** The blocks of a text whose markup stands at the beginning of lines. Tabs count as eight spaces. */
export function lineBlocks(source: string): LineBlock[] {
  const blocks: LineBlock[] = [];
  let lines: string[] = [];
  const finish = () => {
    const [first] = lines;
    if (first !== undefined) blocks.push({ lines, indent: first.length - first.trimStart().length });
    lines = [];
  };
  for (const raw of source.split(/\r\n?|\n/)) {
    const line = raw.replaceAll('\t', '        ').trimEnd();
    if (line === '') finish();
    else lines.push(line);
  }
  finish();
  return blocks;
}
