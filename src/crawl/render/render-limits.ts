/** Limits of drawing one page, and of the browser that draws. */

/** From the page's document to its text, the start of the browser not included. */
export const maxDrawMs = 15_000;
/** What a page's scripts may ask for: requests, and bytes of all of them after decompression. */
export const maxPageParts = 100;
export const maxPartBytes = 10 * 1024 * 1024;
/** Characters of a drawn page, as for HTML that a site sends. */
export const maxDrawnHtml = 5 * 1024 * 1024;
/** Between two looks at the text. */
export const pollMs = 250;
/** The text has to stay equal for this long: with nothing under way, before there is any, and while requests go on. */
export const quietMs = 750;
export const emptyMs = 2500;
export const busyQuietMs = 4000;
/** What the time since the last look counts at most: while a page or the machine is busy, nothing can change. */
export const maxLookMs = 500;
/** A new browser after this many pages, or when its processes have more memory of their own. */
export const maxPagesOfBrowser = 100;
export const maxBrowserBytes = 600 * 1024 * 1024;
/** A page that makes the browser larger than this is given up. */
export const maxBytesWhileDrawing = 1024 * 1024 * 1024;
/** JavaScript heap of one page. */
export const maxPageHeapMB = 384;
/** For the first page of a browser, which has to start. */
export const maxStartMs = 30_000;
/** A browser without work ends after this time. */
export const idleMs = 60_000;
