import { createConsoleApp } from './http/console-app.js';
import type { ConsoleFastifyPlugin } from './mount/fastify-plugin.js';
import { mountPages } from './mount/mount-pages.js';
import type { ConsoleNodeHandler } from './mount/node-handler.js';
import { type ConsoleOptions, checkConsoleOptions } from './options.js';
import { SCREENS } from './screens/screens.js';

/** The console, ready to mount. */
export interface Console {
  /**
   * Answers a request, for Hono, Next, Bun, Deno and other servers that use `Request`. Never rejects. The request's URL
   * must still contain the console's path.
   * @param host - anything that the actor hook needs beside the request.
   */
  fetch(request: Request, host?: unknown): Promise<Response>;
  /** For Express, Nest and Node's own server: `app.use(console.node)`. Mount it without a path. */
  readonly node: ConsoleNodeHandler;
  /** For Fastify: `await app.register(console.fastify)`. Register it without a prefix. */
  readonly fastify: ConsoleFastifyPlugin;
}

/**
 * Creates the operator's console: server-rendered pages under one path of your server. Nobody gets in unless your actor
 * hook says who they are and what they may do.
 * @throws OperatorError `MISCONFIGURED` if an option is missing or invalid.
 * @example
 * const partnerConsole = createConsole({
 *   operator: partnerHiring.operator,
 *   actor: ({ headers }) => {
 *     // Your proxy has signed the person in.
 *     const id = headers.get('x-forwarded-email');
 *     return id === null ? null : { id, name: id, rights: CONSOLE_RIGHTS.support, partnerIds: 'all' };
 *   },
 * });
 * await app.register(partnerConsole.fastify);
 */
export function createConsole<HostTx>(options: ConsoleOptions<HostTx>): Console {
  const checked = checkConsoleOptions(options);
  return mountPages(createConsoleApp(checked, SCREENS), { ...checked, kind: 'console' });
}
