/** The style sheet of RTF, as far as it names the styles of headings. */
export interface RtfStyles {
  /** A style begins, without a number and a name yet. */
  begin(): void;
  appendName(run: string): void;
  setNumber(number: number): void;
  setHeading(isHeading: boolean): void;
  /** The style ends and is kept where it is one of headings. */
  end(): void;
  isHeading(number: number): boolean;
}

const maxNameLength = 100;
const headingName = /^\s*(?:heading \d|title)\b/i;
const unnamed = { number: 0, name: '', isHeading: false };

export function createRtfStyles(): RtfStyles {
  const headings = new Set<number>();
  let style = { ...unnamed };
  return {
    begin: () => {
      style = { ...unnamed };
    },
    appendName: (run) => {
      style.name = (style.name + run).slice(0, maxNameLength);
    },
    setNumber: (number) => {
      style.number = number;
    },
    setHeading: (isHeading) => {
      style.isHeading = isHeading;
    },
    end: () => {
      if (style.isHeading || headingName.test(style.name)) headings.add(style.number);
    },
    isHeading: (number) => headings.has(number),
  };
}
