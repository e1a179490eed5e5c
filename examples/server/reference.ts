import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createOpenApiDocument } from '@partner-hiring/core/openapi';
import type { FastifyInstance } from 'fastify';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { originOf } from './partner-docs.js';

/** The path of the rendered reference. */
export const REFERENCE_PATH = '/docs';

const SCRIPT_PATH = `${REFERENCE_PATH}/redoc.js`;
const SCRIPT_FILE = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');

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

/** Serves the OpenAPI document at `/openapi.json`, and rendered at `/docs`. */
export function serveReference(app: FastifyInstance, { handler }: ExamplePartnerHiring): void {
  const { basePath } = handler;
  const script = readFileSync(SCRIPT_FILE, 'utf8').replaceAll(MAKERS_PICTURE, NO_PICTURE);
  app.get('/openapi.json', async () => {
    const origin = originOf(app);
    return createOpenApiDocument(origin === null ? { basePath } : { origin, basePath });
  });
  app.get(REFERENCE_PATH, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', POLICY).send(PAGE),
  );
  app.get(SCRIPT_PATH, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
}
