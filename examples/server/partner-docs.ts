import { isHttpsOrLoopback } from '@partner-hiring/core/contract';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPartnerDocs, type PartnerDocs } from '@partner-hiring/partner-docs';
import type { FastifyInstance } from 'fastify';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { PACKAGES_PATH } from './packages.js';
import { SELF_SERVICE, SUPPORT } from './self-service.js';

/** The path of the guides for partners and agents. */
export const DOCS_PATH = '/partner-docs';

/** The address before the server listens. */
const NOT_LISTENING = 'http://127.0.0.1:3000';

/**
 * Serves the guides, the reference in Markdown and `llms.txt`. They name the server's address, which this example knows once
 * it listens. A platform knows its public address and needs only
 * `app.register(partnerHiringFastify(createPartnerDocs({ origin })))`.
 */
export async function servePartnerDocs(
  app: FastifyInstance,
  { handler }: ExamplePartnerHiring,
  hasPackages: boolean,
): Promise<void> {
  let created: PartnerDocs | null = null;
  const docs = () => {
    const origin = originOf(app) ?? NOT_LISTENING;
    created ??= createPartnerDocs({
      origin,
      docsPath: DOCS_PATH,
      basePath: handler.basePath,
      sandbox: true,
      selfService: SELF_SERVICE,
      support: SUPPORT,
      // Others on the network could change tarballs that come over plain http.
      packagesUrl:
        hasPackages && isHttpsOrLoopback(new URL(origin)) ? `${origin}${PACKAGES_PATH}` : undefined,
    });
    return created;
  };
  const lazy: PartnerDocs['handler'] = Object.assign(
    (request: Parameters<PartnerDocs['handler']>[0]) => docs().handler(request),
    { basePath: DOCS_PATH },
  );
  await app.register(partnerHiringFastify({ handler: lazy }));
}

/** The address on which the server listens; null before. */
export function originOf(app: FastifyInstance): string | null {
  return app.server.listening ? app.listeningOrigin : null;
}
