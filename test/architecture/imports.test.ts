import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declaredExportsOf, type Import, importsIn, importsOf, ROOT, sourcesOf } from './sources.js';

const CORE = 'packages/core/src/';
const TEST_SUPPORT = 'test-support';
const PACKAGES = readdirSync(join(ROOT, 'packages')).filter(
  (name) => name !== TEST_SUPPORT && existsSync(join(ROOT, 'packages', name, 'src')),
);

/** What a part of core may import: paths inside core, or modules. A trailing `/` or `:` opens what lies behind. */
interface Rule {
  readonly may: readonly string[];
  /** Only as types. */
  readonly mayAsTypes?: readonly string[];
}

/** Imports run downwards only. The longest matching path is the rule of a file. */
const TABLE: Readonly<Record<string, Rule>> = {
  'domain/': { may: ['domain/', 'fast-json-stable-stringify'] },
  'domain/partner-key.ts': { may: ['domain/', 'node:crypto', 'node:zlib'] },
  'domain/idempotency.ts': { may: ['domain/', 'node:crypto', 'fast-json-stable-stringify'] },
  'domain/signature.ts': { may: ['domain/', 'node:crypto'] },
  'domain/email-key.ts': { may: ['domain/', 'node:url'] },
  'domain/page.ts': { may: ['domain/', 'node:crypto'] },
  'ports/': { may: [], mayAsTypes: ['domain/', 'ports/'] },
  'inbox/': { may: ['inbox/', 'domain/', 'ports/', 'errors.ts', 'storage-clock.ts', 'worker/'] },
  'request-log/': {
    may: ['request-log/', 'domain/', 'ports/', 'node:crypto'],
    mayAsTypes: ['http/', 'storage-clock.ts'],
  },
  'partner/': { may: ['partner/', 'domain/', 'ports/', 'errors.ts', 'batcher.ts', 'storage-clock.ts'] },
  'operator/': {
    may: ['operator/', 'inbox/', 'domain/', 'ports/', 'errors.ts', 'batcher.ts', 'storage-clock.ts'],
  },
  /** The inputs of commands. */
  'operator/command/': {
    may: ['operator/', 'domain/', 'ports/', 'errors.ts', 'zod'],
  },
  'worker/': {
    may: ['worker/', 'domain/', 'ports/', 'errors.ts', 'batcher.ts', 'storage-clock.ts', 'p-retry'],
  },
  'http/': { may: ['http/', 'partner/', 'domain/', 'ports/', 'errors.ts', 'zod'] },
  /** It describes what `http` does, and nothing of core knows it. */
  'openapi/': { may: ['openapi/', 'http/', 'domain/', 'errors.ts', 'zod'] },
  /** The pages for partners, for one host. Only this part reads files, and the build replaces it. */
  'docs/': {
    may: [
      'docs/',
      'guide/',
      'openapi/',
      'http/',
      'domain/',
      'errors.ts',
      'defaults/option-checks.ts',
      'node:path',
    ],
  },
  'docs/page-texts.ts': { may: ['node:fs'] },
  /** `errors.ts` for the host's own mistakes: a key that is too short, a folder that is not there. */
  'defaults/': {
    may: [
      'errors.ts',
      'defaults/',
      'ports/',
      'domain/',
      'node:',
      'undici',
      'ipaddr.js',
      'libphonenumber-js/',
      'p-retry',
      '@opentelemetry/api',
    ],
  },
  /** It watches from outside what the others do, and they know nothing of it. */
  'observe/': {
    may: ['observe/', 'domain/', 'ports/'],
    mayAsTypes: ['http/', 'inbox/', 'partner/', 'operator/', 'request-log/', 'worker/', 'storage-clock.ts'],
  },
  /** What partners are shown, from the tables that the code goes by; the hash is for a page's policy. */
  'guide/': { may: ['guide/', 'domain/', 'errors.ts', 'node:crypto'] },
  'errors.ts': { may: [], mayAsTypes: ['domain/'] },
  'batcher.ts': { may: ['errors.ts'] },
  'storage-clock.ts': { may: ['domain/'], mayAsTypes: ['ports/'] },
  'check-options.ts': {
    may: ['defaults/', 'domain/', 'errors.ts'],
    mayAsTypes: ['inbox/', 'options.ts', 'ports/', 'worker/options.ts'],
  },
  'options.ts': { may: [], mayAsTypes: ['defaults/', 'domain/', 'inbox/', 'ports/', 'worker/'] },
  'fill-in-ports.ts': {
    may: [
      'check-options.ts',
      'defaults/',
      'observe/',
      'worker/guard-transport.ts',
      'errors.ts',
      'storage-clock.ts',
    ],
    mayAsTypes: ['options.ts', 'ports/'],
  },
  'create-partner-hiring.ts': {
    may: [
      'check-options.ts',
      'fill-in-ports.ts',
      'domain/',
      'partner/',
      'operator/',
      'inbox/',
      'request-log/',
      'worker/',
      'http/',
      'observe/',
      'errors.ts',
      'node:async_hooks',
    ],
    mayAsTypes: ['options.ts'],
  },
  /** The host's process around all of these. */
  'process/': {
    may: [
      'process/',
      'domain/',
      'errors.ts',
      'defaults/redacting-logger.ts',
      'node:net',
      'node:timers/promises',
    ],
    mayAsTypes: ['create-partner-hiring.ts', 'ports/', 'worker/', 'node:http'],
  },
  'index.ts': {
    may: [
      'create-partner-hiring.ts',
      'options.ts',
      'process/',
      'domain/',
      'operator/',
      'worker/',
      'http/',
      'guide/',
      'defaults/',
      'errors.ts',
    ],
    mayAsTypes: ['inbox/', 'ports/', 'partner/'],
  },
};

/** The packages each package may name, beside the libraries of its own `package.json`. */
const PACKAGE_TABLE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'node-http': ['@partner-hiring/core'],
  express: ['@partner-hiring/core', '@partner-hiring/node-http'],
  fastify: ['@partner-hiring/core', '@partner-hiring/node-http'],
  node: ['@partner-hiring/core', '@partner-hiring/node-http'],
  console: ['@partner-hiring/core', '@partner-hiring/node-http'],
  nest: ['@partner-hiring/core', '@partner-hiring/express', '@partner-hiring/fastify'],
  'storage-kysely': ['@partner-hiring/core', '@partner-hiring/core/ports'],
  sqlite: ['@partner-hiring/core', '@partner-hiring/core/ports', '@partner-hiring/storage-kysely'],
  postgres: ['@partner-hiring/core', '@partner-hiring/core/ports', '@partner-hiring/storage-kysely'],
  conformance: [
    '@partner-hiring/core',
    '@partner-hiring/core/docs',
    '@partner-hiring/core/openapi',
    '@partner-hiring/core/ports',
  ],
  testing: ['@partner-hiring/core', '@partner-hiring/postgres', '@partner-hiring/sqlite'],
  cli: [
    '@partner-hiring/console',
    '@partner-hiring/core',
    '@partner-hiring/postgres',
    '@partner-hiring/sqlite',
  ],
  'webhook-verifier': [],
  certify: ['@partner-hiring/webhook-verifier'],
  client: [],
};

/** The libraries that a package's published work rests on; nobody else may name them. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  fastify: ['fastify'],
  express: ['express'],
  '@nestjs/common': ['nest'],
  '@nestjs/core': ['nest'],
  kysely: ['storage-kysely', 'sqlite', 'postgres'],
  'better-sqlite3': ['sqlite'],
  pg: ['postgres', 'testing'],
  zod: ['core'],
  hono: ['console'],
  ajv: ['conformance'],
  commander: ['cli'],
};

function isAllowed(allowed: readonly string[], target: string): boolean {
  return allowed.some((entry) => (/[/:]$/.test(entry) ? target.startsWith(entry) : target === entry));
}

function ruleOf(file: string): Rule | null {
  const matching = Object.keys(TABLE).filter((key) => isAllowed([key], file));
  const longest = matching.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (TABLE[longest] ?? null);
}

/** The imports of core that its table does not allow, as `from → to`. */
function breaches(imports: readonly Import[]): readonly string[] {
  return imports
    .map(({ from, to, typeOnly }) => ({ from: inside(from), to: inside(to), typeOnly }))
    .filter(({ from, to, typeOnly }) => {
      const rule = ruleOf(from);
      if (rule === null) return true;
      return !isAllowed(rule.may, to) && !(typeOnly && isAllowed(rule.mayAsTypes ?? [], to));
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

function inside(path: string): string {
  return path.startsWith(CORE) ? path.slice(CORE.length) : path;
}

/** The files of a first cycle that is found, or none. */
function findCycle(imports: readonly Import[]): readonly string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of edges.get(file) ?? []) {
      const cycle = walk(next, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of edges.keys()) {
    const cycle = walk(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports inside core', () => {
  test('run downwards only, by the table', () => {
    expect(breaches(sourcesOf('core').flatMap((file) => importsOf(file)))).toEqual([]);
  });

  test.each([
    ['domain/job.ts', "import { z } from 'zod'"],
    ['domain/job.ts', "import { createHash } from 'node:crypto'"],
    ['domain/job.ts', "import type { Clock } from '../ports/runtime.js'"],
    ['ports/storage.ts', "import { toIso } from '../domain/time.js'"],
    ['ports/storage.ts', "import { toIso, type Instant } from '../domain/time.js'"],
    ['partner/admit.ts', "import { createOperator } from '../operator/operator.js'"],
    ['operator/keys.ts', "import type { Reply } from '../http/reply.js'"],
    ['worker/worker.ts', "await import('../defaults/system-runtime.js')"],
    ['http/routes/lists.ts', "import type { Operator } from '../../operator/operator.js'"],
    ['http/handler.ts', "import Fastify from 'fastify'"],
    ['http/handler.ts', "import { createOpenApiDocument } from '../openapi/document.js'"],
    ['index.ts', "export { createOpenApiDocument } from './openapi/document.js'"],
    ['defaults/phone-numbers.ts', "let a: import('../worker/worker.js').Worker"],
    ['defaults/phone-numbers.ts', "export * from '../http/wire.js'"],
    ['observe/requests.ts', "import { trace } from '@opentelemetry/api'"],
    ['observe/requests.ts', "import { createHandler } from '../http/handler.js'"],
    ['worker/delivery/endpoint-sender.ts', "import { observeGroups } from '../../observe/storage.js'"],
    ['a-new-file.ts', "import '../x.js'"],
  ])('in %s, %s is a breach', (file, text) => {
    expect(breaches(importsIn(CORE + file, text))).toHaveLength(1);
  });

  test('of the table point at something that exists', () => {
    for (const part of Object.keys(TABLE)) expect(existsSync(join(ROOT, CORE, part)), part).toBe(true);
  });
});

test.each(PACKAGES)('each export of %s has a name of its own', (name) => {
  // What stands in for another file in one runtime has that one's names.
  const files = sourcesOf(name).filter((file) => !file.endsWith('.node.ts'));
  const exported = files.flatMap((file) => [...new Set(declaredExportsOf(file))]);
  expect(exported.filter((each, index) => exported.indexOf(each) !== index)).toEqual([]);
});

test.each(PACKAGES)('no files of %s import one another in a circle, not even for types', (name) => {
  expect(findCycle(sourcesOf(name).flatMap((file) => importsOf(file)))).toEqual([]);
});

test('a circle is found where there is one', () => {
  const imports = ['a→b', 'b→c', 'c→d', 'd→b'].map((pair) => {
    const [from = '', to = ''] = pair.split('→');
    return { from, to, typeOnly: false };
  });
  expect(findCycle(imports)).toEqual(['b', 'c', 'd', 'b']);
});

describe('packages', () => {
  test('all stand in the table', () => {
    expect(PACKAGES.filter((name) => PACKAGE_TABLE[name] === undefined)).toEqual([]);
  });

  test.each(PACKAGES)(
    '%s reaches no other package but those of its row, and those by their names',
    (name) => {
      const foreign = sourcesOf(name)
        .flatMap((file) => importsOf(file))
        .map(({ to }) => to)
        .filter(
          (to) => to.startsWith('packages/') || to.startsWith('..') || to.startsWith('@partner-hiring/'),
        )
        .filter((to) => !to.startsWith(`packages/${name}/src/`))
        .filter((to) => !PACKAGE_TABLE[name]?.includes(to));
      expect(foreign).toEqual([]);
    },
  );

  test.each(Object.entries(OWNERS))('%s is imported by %j alone', (library, owners) => {
    const importing = PACKAGES.filter((name) => !owners.includes(name)).flatMap((name) =>
      sourcesOf(name).flatMap((file) =>
        importsOf(file).filter(({ to }) => to === library || to.startsWith(`${library}/`)),
      ),
    );
    expect(importing).toEqual([]);
  });

  test('the webhook verifier imports nothing but itself: no library, no module of a runtime', () => {
    const outside = sourcesOf('webhook-verifier')
      .flatMap((file) => importsOf(file))
      .filter(({ to }) => !to.startsWith('packages/webhook-verifier/src/'));
    expect(outside).toEqual([]);
  });

  test('the client imports nothing but itself, and modules of Node only in its file store', () => {
    const outside = sourcesOf('client')
      .flatMap((file) => importsOf(file))
      .filter(({ to }) => !to.startsWith('packages/client/src/'));
    const isFileStore = ({ from, to }: Import) => from.includes('/file-store/') && to.startsWith('node:');
    expect(outside.filter((found) => !isFileStore(found))).toEqual([]);
    expect(outside).not.toEqual([]);
  });
});

/** Before 8.15 pg was CommonJS alone, and Node finds no names in it: who imports one could not even be loaded. */
test('the storage names nothing of pg but its types', () => {
  const named = /^import (?!type )[^;]*?\{(?!(?: type \w+,?)+ \})[^;]*? from 'pg'/m;
  expect("import { Pool, type PoolClient } from 'pg'").toMatch(named);
  for (const file of sourcesOf('postgres'))
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(named);
});

test('only tests import test-support', () => {
  const importers = PACKAGES.flatMap(sourcesOf).filter((file) =>
    importsOf(file).some(({ to }) => to.includes(TEST_SUPPORT)),
  );
  expect(importers).toEqual([]);
});
