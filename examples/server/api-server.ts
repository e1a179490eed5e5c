import { createPartnerPortal } from '@partner-hiring/console/portal';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { SANDBOX_PAGE_HEADERS, sandboxPage } from '@partner-hiring/partner-docs';
import Fastify, { type FastifyInstance } from 'fastify';
import { printLine } from './console-output.js';
import type { LocalConsole } from './local-console.js';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { servePackages } from './packages.js';
import { DOCS_PATH, originOf, servePartnerDocs } from './partner-docs.js';
import { serveReference } from './reference.js';
import { SELF_SERVICE, SUPPORT } from './self-service.js';

/**
 * The host's web application with its own routes and hooks, and the partner API.
 * @param local - the operator's console. Null to serve none.
 * @param packagesFolder - the folder of packed packages. Null to serve none.
 * @param portalPath - the path of the partner portal. Null to serve none. Programs on other ports must not learn it.
 */
export async function createApiServer(
  partnerHiring: ExamplePartnerHiring,
  local: Pick<LocalConsole, 'console' | 'path'> | null = null,
  packagesFolder: string | null = null,
  portalPath: string | null = null,
): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook('onResponse', async ({ method, url }, reply) => {
    printLine(
      'api',
      `${method} ${withoutSecrets(url, [local?.path ?? null, portalPath])} → ${reply.statusCode} in ${Math.round(reply.elapsedTime)} ms`,
    );
  });
  // This header tells browsers not to guess a content type.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  app.get('/', (_request, reply) => reply.redirect(DOCS_PATH));
  app.get('/healthz', async () => ({ ok: true }));
  serveReference(app, partnerHiring);
  await servePartnerDocs(app, partnerHiring, servePackages(app, packagesFolder));
  // Public documentation of the sandbox, with the address of this server in its commands.
  app.get('/sandbox', (_request, reply) => {
    const origin = originOf(app);
    const page = sandboxPage(
      origin === null
        ? { selfService: SELF_SERVICE, support: SUPPORT }
        : {
            selfService: SELF_SERVICE,
            support: SUPPORT,
            baseUrl: `${origin}${partnerHiring.handler.basePath}`,
            docsUrl: `${origin}${DOCS_PATH}`,
          },
    );
    return reply.headers(SANDBOX_PAGE_HEADERS).send(page);
  });
  await app.register(partnerHiringFastify(partnerHiring));
  if (portalPath !== null) {
    const { operator } = partnerHiring;
    const portal = createPartnerPortal({ operator, path: portalPath, docs: DOCS_PATH, support: SUPPORT });
    await app.register(portal.fastify);
  }
  if (local !== null) await app.register(local.console.fastify);
  return app;
}

/** Hides the random part of these paths, and the tokens of links that sign in. */
function withoutSecrets(url: string, paths: readonly (string | null)[]): string {
  const shown = url.replace(/\/sign-in\?.*/, '/sign-in?…');
  const path = paths.find((each) => each !== null && shown.startsWith(each)) ?? '';
  return `${path.replace(/[^/]+$/, '…')}${shown.slice(path.length)}`;
}
