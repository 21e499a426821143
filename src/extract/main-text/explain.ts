import { oneLine } from '../../text/line/one-line.ts';
import { truncate } from '../../text/line/truncate.ts';
import { type Element, textOf } from './tree.ts';

/** A part that a step dropped: its topmost element, as `div#id.class`. */
export interface DroppedPart {
  readonly element: string;
  /** Length of its text, with white space collapsed. */
  readonly characters: number;
  readonly beginning: string;
}

export interface StepTrail {
  readonly step: string;
  readonly why: string;
  readonly cuts: readonly DroppedPart[];
}

/** The source of a field's value. */
export interface Choice {
  readonly field: string;
  readonly from: string;
}

/** Records the steps of an extraction and their reasons. Only on request: it costs more than the steps themselves. */
export interface Trail {
  readonly steps: readonly StepTrail[];
  readonly choices: readonly Choice[];
  /** Records the elements with text that were dropped since the last call. */
  afterStep(step: { readonly name: string; readonly why: string }, root: Element): void;
  choose(field: string, from: string): void;
}

const beginningLength = 60;

export function createTrail(): Trail {
  const steps: StepTrail[] = [];
  const choices: Choice[] = [];
  const seen = new Set<Element>();

  return {
    steps,
    choices,
    afterStep({ name, why }, root) {
      const cuts: DroppedPart[] = [];
      (function visit(element: Element): void {
        for (const child of element.children) {
          if (typeof child === 'string') continue;
          if (!child.dropped) visit(child);
          else if (!seen.has(child)) {
            seen.add(child);
            const text = oneLine(textOf(child));
            if (text !== '')
              cuts.push({
                element: describe(child),
                characters: text.length,
                beginning: truncate(text, beginningLength, ''),
              });
          }
        }
      })(root);
      steps.push({ step: name, why, cuts });
    },
    choose(field, from) {
      choices.push({ field, from });
    },
  };
}

/** An element as a CSS selector, with at most three classes. */
export function describe({ tag, attributes }: Element): string {
  const id = attributes.id?.trim();
  const classes = (attributes.class ?? '').split(/\s+/).filter((name) => name !== '');
  return truncate(
    `${tag}${id ? `#${id}` : ''}${classes
      .slice(0, 3)
      .map((name) => `.${name}`)
      .join('')}`,
    120,
    '',
  );
}
