/** Every route of an example, of a host that `test/outside` builds, and of a page's program. `strangers.test.ts` calls those of the example server. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fencesOf, listPages, ROOT } from '../docs/fences.js';

/** Routes that anybody may call: they show no person, no key and no metric, and do nothing. */
const FOR_ALL: readonly string[] = [
  'examples/existing-platform/app.ts GET /sign-in',
  'examples/existing-platform/app.ts POST /sign-in',
  'examples/existing-platform/server.ts GET /readyz',
  'examples/next/app/sign-in/action.ts',
  // The partner API, which checks the key.
  'examples/next/app/api/v1/external/[...path]/route.ts',
  'examples/server/api-server.ts GET /',
  'examples/server/api-server.ts GET /healthz',
  'examples/server/api-server.ts GET /sandbox',
  'examples/server/packages.ts GET PACKAGES_PATH/name',
  'examples/server/reference.ts GET /openapi.json',
  'examples/server/reference.ts GET REFERENCE_PATH',
  'examples/server/reference.ts GET SCRIPT_PATH',
  // Receivers, which check the signature.
  'examples/receiver/receiver.ts POST WEBHOOK_PATH',
  'examples/receivers/receiver.mjs createServer',
  'docs/quick-start-partner.md POST /webhooks',
  'packages/webhook-verifier/README.md POST /webhooks',
  'packages/webhook-verifier/README.md createServer',
  // The partner API or the console on another server.
  'docs/adapters.md createServer',
  'docs/console.md ALL /console/*',
  'docs/embed.md ALL /api/v1/external/*',
  'docs/embed.md createServer',
  'docs/hardening.md createServer',
  // Documents and health.
  'docs/embed.md GET /livez',
  'docs/embed.md GET /openapi.json',
  'docs/embed.md GET /readyz',
  'docs/from-an-existing-platform.md GET /readyz',
  'docs/host-guide.md GET /sandbox',
  'docs/nest.md GET health',
];

/** Routes that ask for a sign-in, and what in their file does so. */
const FOR_STAFF: Readonly<Record<string, RegExp>> = {
  // `test/outside` shows the answers of these.
  'examples/existing-platform/app.ts GET /candidates': /'\/candidates',\s+forStaff\(/,
  'examples/existing-platform/server.ts POST /candidates/:id/hire': /const hire = forStaff\(/,
  'docs/from-an-existing-platform.md POST /candidates/:id/hire': /const hire = forStaff\(/,
  'examples/next/app/page.tsx': /if \(!\(await isStaff\(\)\)\) return <SignInForm \/>/,
  'examples/next/app/hire/action.ts': /if \(!\(await isStaff\(\)\)\) throw/,
  'test/outside/hosts/fastify-prisma/main.ts GET /candidates': /'\/candidates', \{ onRequest \}/,
  'test/outside/hosts/fastify-prisma/main.ts POST /candidates/:id/hire': /hire', \{ onRequest \}/,
  'test/outside/hosts/nest-prisma/candidates.controller.ts GET candidates': /@UseGuards\(StaffGuard\)/,
  'test/outside/hosts/nest-prisma/candidates.controller.ts POST candidates/:id/hire':
    /@UseGuards\(StaffGuard\)/,
  // `platform.postgres.test.ts` shows the answers of these.
  'examples/platform/app.ts POST /openings': /app\.use\(requireStaff\(/,
  'examples/platform/app.ts GET /openings/:id/applications': /app\.use\(requireStaff\(/,
  'examples/platform/app.ts POST /applications/:id/screening': /app\.use\(requireStaff\(/,
  'examples/platform/app.ts POST /applications/:id/hire': /app\.use\(requireStaff\(/,
};

/** Routes on a port of their own, which is on the loopback unless somebody says otherwise. */
const ON_LOOPBACK: Readonly<Record<string, RegExp>> = {
  'examples/existing-platform/server.ts GET /metrics': /inside\.listen\(.*METRICS_HOST \?\? '127\.0\.0\.1'\)/,
  'docs/from-an-existing-platform.md GET /metrics': /inside\.listen\(.*METRICS_HOST \?\? '127\.0\.0\.1'\)/,
  // Health, without metrics.
  'examples/operations/health-server.ts createServer': /\['\/livez', health\.live\]/,
};

const FRAMEWORK =
  /from '(?:express|fastify|hono|koa|@hapi\/hapi|@nestjs\/common|node:http)'|import Fastify|FastifyInstance/;

/** Returns the routes of a program, such as `GET /candidates`. */
function routesOf(file: string, text: string): readonly string[] {
  // Next serves these files without a call.
  if (/\/app\/(?:.*\/)?(?:page|route)\.tsx?$/.test(file) || text.startsWith("'use server'")) return [file];
  // Other sources with such calls are clients.
  if (!file.endsWith('.md') && !FRAMEWORK.test(text)) return [];
  const method = String.raw`(get|post|put|patch|delete|all)(?:<[^(]*>)?\(\s*`;
  const [, controller = ''] = /@Controller\('([^']*)'\)/.exec(text) ?? [];
  const found = [
    ...text.matchAll(new RegExp(String.raw`\.${method}['"](\/[^'"]*)['"]`, 'g')),
    ...text.matchAll(
      new RegExp(String.raw`\b(?:app|inside|router)\.${method}([A-Z_]+|\x60[^\x60]*\x60)\s*,`, 'g'),
    ),
    ...text.matchAll(/method: '(\w+)', path: '([^']*)'/g),
  ].map(([, name = '', path = '']) => `${name.toUpperCase()} ${path.replaceAll(/[`${}]/g, '')}`);
  const decorated = [...text.matchAll(/@(Get|Post|Put|Patch|Delete|All)\((?:'([^']*)')?\)/g)].map(
    ([, name = '', path]) => `${name.toUpperCase()} ${[controller, path].filter(Boolean).join('/')}`,
  );
  const servers = text.includes('createServer(') ? ['createServer'] : [];
  return [...found, ...decorated, ...servers].map((route) => `${file} ${route}`);
}

/** Returns all programs, by the file that shows them. */
function listPrograms(): readonly (readonly [file: string, text: string])[] {
  const sources = ['examples', 'test/outside/hosts']
    .flatMap((folder) =>
      readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes('node_modules'))
    // The same host on each framework, for a test on the loopback: its routes show only their own names.
    .filter((file) => !file.startsWith('test/outside/hosts/servers/'));
  const pages = listPages().flatMap((page) =>
    fencesOf(page)
      .filter(({ kind }) => kind === 'ts' || kind === 'js')
      .map(({ text }) => [page, text] as const),
  );
  return [...sources.map((file) => [file, readFileSync(ROOT + file, 'utf8')] as const), ...pages];
}

test('each route of an example and of a page is for all, or asks for a sign-in, or is on a port of its own', () => {
  const guarded = { ...FOR_STAFF, ...ON_LOOPBACK };
  const routes = listPrograms().flatMap(([file, text]) =>
    routesOf(file, text).map((route) => ({ route, text })),
  );
  for (const { route, text } of routes.filter((each) => Object.hasOwn(guarded, each.route))) {
    expect([route, guarded[route]?.test(text)]).toEqual([route, true]);
  }
  const known = [...FOR_ALL, ...Object.keys(guarded)];
  expect([...new Set(routes.map(({ route }) => route))].toSorted()).toEqual(known.toSorted());
});
