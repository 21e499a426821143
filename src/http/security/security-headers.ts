import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** Security headers of every response. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  // The pages need their own style, script and pictures; those of the documentation come inside it.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // No other site learns an address. With `no-referrer`, browsers would not say from which page a form was sent.
  referrerPolicy: 'same-origin',
  // Other sites may read the responses.
  crossOriginResourcePolicy: 'cross-origin',
  // Only the proxy in front knows whether the whole domain uses HTTPS.
  strictTransportSecurity: false,
});
