import { liesUnder } from '@partner-hiring/node-http';
import type { ExpressRequest } from './express-request.js';

/** Warns once if a router or a pattern such as Nest's `forRoutes('*')` removes the base path from the target. */
export function createTakenPathWarning(basePath: string): (request: ExpressRequest) => void {
  let isDue = true;
  return ({ originalUrl, baseUrl }) => {
    if (!isDue || originalUrl === undefined || baseUrl === undefined || baseUrl === '') return;
    if (!liesUnder(originalUrl, basePath) || !liesUnder(baseUrl, basePath)) return;
    isDue = false;
    const message =
      `partnerHiringExpress is mounted at a path that removes "${basePath}" from the target, so it serves nothing. ` +
      'Mount it without a path: `app.use(partnerHiringExpress(partnerHiring))`.';
    process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
  };
}
