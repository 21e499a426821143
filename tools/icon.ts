/** The picture of a tool for people, 24 by 24, as a `data:` URL: strokes only, so that it shows on light and on dark. */
export function strokesIcon(paths: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f8f5b" stroke-width="2" stroke-linecap="round">${paths}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
