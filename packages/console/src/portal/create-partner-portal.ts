import type { ConsoleFastifyPlugin } from '../mount/fastify-plugin.js';
import { mountPages } from '../mount/mount-pages.js';
import type { ConsoleNodeHandler } from '../mount/node-handler.js';
import { checkPortalOptions, type PartnerPortalOptions } from './options.js';
import { createPortalApp } from './portal-app.js';
import { PORTAL_SCREENS } from './screens/screens.js';

/** The portal, ready to mount. */
export interface PartnerPortal {
  /**
   * Answers a request, for Hono, Next, Bun, Deno and other servers that use `Request`. Never rejects. The request's URL
   * must still contain the portal's path.
   * @param host - anything that the actor hook needs beside the request.
   */
  fetch(request: Request, host?: unknown): Promise<Response>;
  /** For Express, Nest and Node's own server: `app.use(portal.node)`. Mount it without a path. */
  readonly node: ConsoleNodeHandler;
  /** For Fastify: `await app.register(portal.fastify)`. Register it without a prefix. */
  readonly fastify: ConsoleFastifyPlugin;
}

/**
 * Creates the portal of partners: server-rendered pages under one path of your server. Each person sees one partner. They
 * sign in with a link of `operator.portal.createLink`, or to your own site if you pass the hook `actor`.
 * @throws OperatorError `MISCONFIGURED` if an option is missing or invalid.
 * @example
 * const portal = createPartnerPortal({
 *   operator: partnerHiring.operator,
 *   brand: { name: 'Elevate Jobs', accent: '#0a7d54' },
 * });
 * await app.register(portal.fastify);
 */
export function createPartnerPortal<HostTx>(options: PartnerPortalOptions<HostTx>): PartnerPortal {
  const checked = checkPortalOptions(options);
  return mountPages(createPortalApp(checked, PORTAL_SCREENS), { ...checked, kind: 'portal' });
}
