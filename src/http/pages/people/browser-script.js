// The script of the pages, as browsers run it. Every page works without it: it adds results as one types, keys and copying.

const typingPauseMs = 120;
/** A shorter query in Latin letters means too much. */
const minLetters = 2;

const form = document.querySelector('#search');
const box = document.querySelector('#q');
const results = document.querySelector('#results');

if (form && box && results) {
  let timer = 0;
  let request = new AbortController();

  const address = (isPart) => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== '') query.set(name, value);
    if (isPart) query.set('part', '1');
    return `${form.getAttribute('action')}?${query}`;
  };

  const show = async () => {
    request.abort();
    request = new AbortController();
    const typed = box.value.trim();
    if (typed.length < minLetters && !/\p{Lo}/u.test(typed)) return;
    try {
      const { signal } = request;
      const response = await fetch(address(true), { signal, headers: { Accept: 'text/html' } });
      // What is refused, such as too many requests, is said when the form is sent.
      if (!response.ok) return;
      const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return;
      results.replaceChildren(...answer.body.childNodes);
      history.replaceState(null, '', address(false));
      const said = document.querySelector('#said');
      if (said) said.textContent = results.querySelector('.count')?.textContent ?? '';
    } catch {
      // The next key asks again.
    }
  };

  const soon = (event) => {
    clearTimeout(timer);
    if (!event.isComposing) timer = setTimeout(show, typingPauseMs);
  };
  box.addEventListener('input', soon);
  box.addEventListener('compositionend', soon);
  form.addEventListener('submit', () => {
    clearTimeout(timer);
    request.abort();
  });
  for (const select of form.querySelectorAll('select'))
    select.addEventListener('change', () => box.value.trim() !== '' && form.requestSubmit());
}

const live = document.querySelector('#live[data-events]');

if (live) {
  const part = new URL(location.href);
  part.searchParams.set('part', '1');
  let isAsking = false;
  const renew = async () => {
    if (isAsking || live.contains(document.activeElement)) return;
    isAsking = true;
    try {
      const response = await fetch(part, { headers: { Accept: 'text/html' } });
      const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
      const found = answer.querySelector('#live');
      if (response.ok && found) live.replaceChildren(...found.childNodes);
    } catch {
      // The next event asks again.
    } finally {
      isAsking = false;
    }
  };
  new EventSource(live.dataset.events).addEventListener('state', renew);
}

const resultLinks = () => [...document.querySelectorAll('.results h2 a, .results h3 a')];

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = target.matches('input, select, textarea');
  const links = resultLinks();
  const index = links.indexOf(target);
  if (key === '/' && !isField) (box ?? document.querySelector('input[type=search]'))?.focus();
  else if (key === 'ArrowDown' && (target === box || index >= 0)) links[index + 1]?.focus();
  else if (key === 'ArrowUp' && index >= 0) (links[index - 1] ?? box)?.focus();
  else if (key === 'Escape' && index >= 0) box?.focus();
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    const response = await fetch(button.dataset.copy);
    if (!response.ok) return;
    await navigator.clipboard.writeText(await response.text());
    button.textContent = button.dataset.copied;
  });
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
