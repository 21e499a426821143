import { html } from 'hono/html';
import type { Html } from './frame.ts';

export interface KeyFormOptions {
  /** Where it is sent. */
  readonly action: string;
  /** What to enter, above the form. */
  readonly text: string;
  readonly label: string;
  readonly button: string;
  /** Said after a key that opened nothing. */
  readonly wrong?: string | undefined;
  /** Sent along. */
  readonly to?: string;
}

/** The form by which a person shows a key. */
export function keyForm({ action, text, label, button, wrong, to }: KeyFormOptions): Html {
  return html`<p>${text}</p>
${wrong === undefined ? '' : html`<p class="notice error" role="alert">${wrong}</p>`}
<form method="post" action="${action}" class="fields">${to === undefined ? '' : html`<input type="hidden" name="to" value="${to}">`}
<label>${label} <input type="password" name="key" autocomplete="current-password" required></label>
<button>${button}</button></form>`;
}
