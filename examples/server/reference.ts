import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import type { FastifyInstance } from 'fastify';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { DOCS_PATH, originOf } from './partner-docs.js';
import { SELF_SERVICE, SUPPORT } from './self-service.js';

/** The path of the rendered reference. */
export const REFERENCE_PATH = '/docs';

const SCRIPT_PATH = `${REFERENCE_PATH}/redoc.js`;

/** The logo that Redoc would load from its vendor's server. */
const MAKERS_PICTURE = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
/** An empty image. */
const NO_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/**
 * The Content-Security-Policy of the page. The page loads nothing from other servers, so it works offline and
 * tells no other server who reads it.
 */
const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Partner Hiring API</title>
    <link rel="icon" href="data:,">
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <redoc spec-url="/openapi.json" required-props-first="true" json-sample-expand-level="4"></redoc>
    <script src="${SCRIPT_PATH}"></script>
  </body>
</html>
`;

const WITHOUT_VIEWER = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Partner Hiring API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <p>The guides and the reference are at <a href="${DOCS_PATH}">${DOCS_PATH}</a>. The OpenAPI document is
    <a href="/openapi.json">/openapi.json</a>.</p>
    <p>If you run this example: to show the document here with Redoc, stop the server and run <code>npm run reference</code>.</p>
  </body>
</html>
`;

/** Returns the script of Redoc, or null if it is not installed. `npm run reference` installs it. */
export function findViewer(): string | null {
  const { resolve } = createRequire(new URL('../../test/openapi/tools/', import.meta.url));
  try {
    return readFileSync(resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  } catch {
    return null;
  }
}

/**
 * Serves the OpenAPI document at `/openapi.json`, and rendered at `/docs`. Without a viewer, `/docs` names the command that
 * installs it.
 */
export function serveReference(
  app: FastifyInstance,
  { handler }: Pick<ExamplePartnerHiring, 'handler'>,
  viewer: string | null = findViewer(),
): void {
  const { basePath } = handler;
  app.get('/openapi.json', async () => {
    const origin = originOf(app);
    const options = { basePath, selfService: SELF_SERVICE, support: SUPPORT };
    if (origin === null) return createOpenApiDocument(options);
    return createOpenApiDocument({ ...options, origin, docsUrl: `${origin}${DOCS_PATH}` });
  });
  app.get(REFERENCE_PATH, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', POLICY)
      .send(viewer === null ? WITHOUT_VIEWER : PAGE),
  );
  if (viewer === null) return;
  const script = viewer.replaceAll(MAKERS_PICTURE, NO_PICTURE);
  app.get(SCRIPT_PATH, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
}
