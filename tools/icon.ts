/** The icon of the server, 24 by 24, as a `data:` URL. It has strokes only, and is visible on light and dark backgrounds. */
export function strokesIcon(paths: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f8f5b" stroke-width="2" stroke-linecap="round">${paths}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
