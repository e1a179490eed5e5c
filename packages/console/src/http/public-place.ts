import { createPrefixReader } from '@partner-hiring/core/contract';
import { trustsProxy } from '@partner-hiring/node-http';
import type { PagesOptions } from '../options.js';

/** Where browsers see the pages. A proxy may have removed the start of the path. */
export interface PublicPlace {
  /** The path of the first page. */
  readonly base: string;
  /** Returns an address of the host as browsers see it: a path such as `/logout`, or a URL. */
  addressOf(target: string): string;
}

/** Creates a function that says where the browser of a request sees the pages. */
export function createPlaceReader({
  path,
  publicPath,
  logger,
}: Pick<PagesOptions, 'path' | 'publicPath' | 'logger'>): (request: Request, host: unknown) => PublicPlace {
  const prefixOf = createPrefixReader(publicPath, (message) =>
    logger.warn === undefined ? logger.error({}, message) : logger.warn({}, message),
  );
  return ({ headers }, host) => {
    const prefix = prefixOf(headers.get('x-forwarded-prefix'), () => trustsProxy(host));
    const addressOf = (target: string) => (target.startsWith('/') ? `${prefix}${target}` : target);
    return { base: `${prefix}${path}`, addressOf };
  };
}
