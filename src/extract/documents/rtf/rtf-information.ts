import type { Properties } from '../properties.ts';

export type TextField = 'title' | 'author' | 'subject';
export type DateField = 'created' | 'revised';

/** The information group of RTF: title, author, subject and dates. */
export interface RtfInformation {
  append(field: TextField, run: string): void;
  /** Sets a part of a date; false for a control word that is none. */
  setDatePart(field: DateField, name: string, value: number): boolean;
  properties(): Properties;
}

const maxFieldLength = 1000;
/** Control words of the parts of a date, in the order of `Date.UTC`. */
const dateParts = ['yr', 'mo', 'dy', 'hr', 'min'];

export function createRtfInformation(): RtfInformation {
  const texts: Record<TextField, string> = { title: '', author: '', subject: '' };
  const dates: Record<DateField, number[]> = { created: [], revised: [] };
  return {
    append(field, run) {
      texts[field] = (texts[field] + run).slice(0, maxFieldLength);
    },
    setDatePart(field, name, value) {
      const index = dateParts.indexOf(name);
      if (index < 0) return false;
      dates[field][index] = value;
      return true;
    },
    properties: () => ({
      ...texts,
      description: texts.subject,
      created: timeOf(dates.created),
      modified: timeOf(dates.revised),
    }),
  };
}

function timeOf([year, month, day, hour = 0, minute = 0]: readonly number[]): number | undefined {
  if (!year || !month || !day) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute);
}
