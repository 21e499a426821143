import type { ExternalReport } from '../../../engine/external-results.ts';
import type { Ui } from '../ui/ui.ts';

/** Who could not be asked, in words; undefined when there is nothing to say. */
export function externalWords(ui: Ui, report: ExternalReport, total: number): string | undefined {
  const { t } = ui;
  const { state, reason, failures } = report;
  if (state === 'ok') return undefined;
  if (state === 'off') {
    if (reason === 'budget spent') return t.externalSpent;
    return reason === 'turned off' && total === 0 ? t.externalOff : undefined;
  }
  const named = (isInPart: boolean) =>
    failures
      .filter(({ answeredInPart }) => (answeredInPart ?? false) === isInPart)
      .map(({ provider, message }) => `${provider} (${message})`);
  const [unanswered, inPart] = [named(false), named(true)];
  return [
    ...(unanswered.length > 0 ? [t.notAsked(ui.list(unanswered))] : []),
    ...(inPart.length > 0 ? [t.inPart(ui.list(inPart))] : []),
    t.incomplete,
  ].join(' ');
}
