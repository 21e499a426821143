import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** What a browser is told about every answer of ours. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  // The documentation needs its inline style and pictures, nothing else.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'https:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // Answers are there to be read from other sites.
  crossOriginResourcePolicy: 'cross-origin',
  // Whether a whole domain is HTTPS is for the proxy in front to say.
  strictTransportSecurity: false,
});
