import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** Security headers of every response. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  // The documentation needs only its inline style and pictures.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'https:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // Other sites may read the responses.
  crossOriginResourcePolicy: 'cross-origin',
  // Only the proxy in front knows whether the whole domain uses HTTPS.
  strictTransportSecurity: false,
});
