import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Sets the headers of every reply. A page loads only the console's own style sheet and script, sends forms only to the
 * console, and is not kept in a cache. `same-origin` instead of `no-referrer`: otherwise older browsers send `Origin: null`
 * with the console's own forms.
 */
export function securityHeaders(frameAncestors: readonly string[]): MiddlewareHandler {
  const isFramed = frameAncestors.length > 0;
  const setHeaders = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: isFramed ? [...frameAncestors] : ["'none'"],
    },
    referrerPolicy: 'same-origin',
    xFrameOptions: isFramed ? false : 'DENY',
    // The host decides about these for its origin.
    strictTransportSecurity: false,
    originAgentCluster: false,
    crossOriginOpenerPolicy: isFramed ? false : 'same-origin',
    crossOriginResourcePolicy: isFramed ? false : 'same-origin',
  });
  return async (context, next) => {
    await setHeaders(context, next);
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
    context.res.headers.set('x-robots-tag', 'noindex');
  };
}
