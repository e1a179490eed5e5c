import { liesUnder } from '@partner-hiring/node-http';
import type { ExpressRequest } from './express-request.js';

/**
 * Warns once, through the process, of a path in front that takes the base path off the target: a pattern such as
 * `forRoutes('*')` of Nest, or a router. The requests for the API then go on to what comes next, and find nothing.
 */
export function createTakenPathWarning(basePath: string): (request: ExpressRequest) => void {
  let isDue = true;
  return ({ originalUrl, baseUrl }) => {
    if (!isDue || originalUrl === undefined || baseUrl === undefined || baseUrl === '') return;
    if (!liesUnder(originalUrl, basePath) || !liesUnder(baseUrl, basePath)) return;
    isDue = false;
    const message =
      `partnerHiringExpress is mounted at a path that takes "${basePath}" off the target, and serves nothing there. ` +
      'Mount it without a path, `app.use(partnerHiringExpress(partnerHiring))`: it finds its requests by itself.';
    process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
  };
}
