/** The `@example` blocks of doc comments. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INPUTS } from '../scenarios/operator/every-command.js';
import { compile } from './compile.js';
import { type Example, examplesIn, listExamples } from './examples.js';
import { ROOT } from './fences.js';

const COMPILER_MS = 120_000;

/**
 * Names that examples may use without declaring them, besides the exports of their own file. An example may also declare
 * or import these names itself.
 */
const NAMES = `
import type { PartnerClient } from '@partner-hiring/client';
import type { createContract, describeStorage, HttpUnderTest } from '@partner-hiring/conformance';
import type { Handler, Operator, PartnerHiring, Storage } from '@partner-hiring/core';
import type { ApplicationId, CompanyId, EventId, JobId, KeyId, PartnerId } from '@partner-hiring/core/ports';
import type BetterSqlite3 from 'better-sqlite3';
import type { Express } from 'express';
import type { FastifyInstance } from 'fastify';

declare global {
  type Database = BetterSqlite3.Database;
  const database: Database;
  const storage: Storage<Database>;
  const secretKey: string;
  const partnerHiring: PartnerHiring<Database>;
  const operator: Operator<Database>;
  const app: APP;
  const client: PartnerClient;
  const event: object;
  const request: Request;
  const exchange: Parameters<ReturnType<typeof createContract>['checkResponse']>[0];
  const openStorage: HttpUnderTest['openStorage'];
  const openMyDatabase: Parameters<typeof describeStorage<unknown>>[1];
  const startMyServer: (handler: Handler) => Promise<{ port: number; stop(): Promise<void> }>;
  const partnerId: PartnerId;
  const keyId: KeyId;
  const companyId: CompanyId;
  const jobId: JobId;
  const applicationId: ApplicationId;
  const eventId: EventId;
}
export type Servers = [Express, FastifyInstance];
`;

/** Names from other modules that examples may use without importing them. */
const FROM_MODULES: Readonly<Record<string, readonly string[]>> = {
  '@partner-hiring/core': ['createPartnerHiring'],
  '@partner-hiring/core/openapi': ['createOpenApiDocument'],
  '@partner-hiring/sqlite': ['createSqliteStorage'],
  '@partner-hiring/client': [
    'createPartnerClient',
    'createMemorySubmissionStore',
    'createMemorySyncStore',
    'Application',
    'Job',
  ],
  express: ['express'],
  fastify: ['Fastify'],
  'node:fs/promises': ['writeFile'],
  vitest: ['expect'],
};
const DEFAULT_EXPORTS = ['express', 'Fastify'];

/** Imports the names that the example uses without importing them: of its own file, then of other modules. */
function importsOf({ file, text }: Example): string {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const exported = [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
  const own = exported.map(([, name = '']) => name);
  const imports = Object.entries({ [join(ROOT, file)]: own, ...FROM_MODULES }).flatMap(([module, names]) =>
    names
      .filter((name) => isUsedUndeclared(name, text) && (names === own || !own.includes(name)))
      .map((name) => `import ${DEFAULT_EXPORTS.includes(name) ? name : `{ ${name} }`} from '${module}';\n`),
  );
  return imports.join('');
}

function isUsedUndeclared(name: string, text: string): boolean {
  const isDeclared = new RegExp(`\\b(?:const|let|function|class) ${name}\\b|^import [^;]*\\b${name}\\b`, 'm');
  return new RegExp(`\\b${name}\\b`).test(text) && !isDeclared.test(text);
}

/** Writes each example as a module, in a folder named after its source. */
function writeExamples(
  folder: string,
  examples: readonly Example[],
  app: 'Express' | 'FastifyInstance',
): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'names.ts'), NAMES.replace('APP', app));
  for (const example of examples) {
    const { file, line, text } = example;
    const place = join(folder, file.replaceAll('/', '+'));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `line-${line}.ts`), `${text}${importsOf(example)}export {};\n`);
  }
}

const OPTIONS = {
  noUnusedLocals: false,
  noUnusedParameters: false,
  verbatimModuleSyntax: false,
  isolatedModules: false,
  allowImportingTsExtensions: true,
};

const FOR_EXPRESS = ['packages/express/', 'packages/webhook-verifier/src/express/'];
const isForExpress = ({ file }: Example) => FOR_EXPRESS.some((folder) => file.startsWith(folder));

test('the examples of doc comments compile', { timeout: COMPILER_MS }, () => {
  const examples = listExamples().filter((example) => !isForExpress(example));
  expect(examples.length).toBeGreaterThan(40);
  const { problems } = compile((folder) => writeExamples(folder, examples, 'FastifyInstance'), OPTIONS);
  expect(problems).toBe('');
});

test('the examples for Express compile', { timeout: COMPILER_MS }, () => {
  const examples = listExamples().filter(isForExpress);
  const { problems } = compile((folder) => writeExamples(folder, examples, 'Express'), OPTIONS);
  expect(problems).toBe('');
});

test('an example that does not compile is reported with its source', { timeout: COMPILER_MS }, () => {
  const source =
    '/**\n * Adds.\n *\n * @example\n * operator.partners.add({ nane: 1 });\n * @returns a partner\n */';
  const file = 'packages/core/src/errors.ts';
  const examples = examplesIn(file, source);
  expect(examples).toEqual([{ file, line: 4, text: 'operator.partners.add({ nane: 1 });\n' }]);
  const { problems } = compile((folder) => writeExamples(folder, examples, 'FastifyInstance'), OPTIONS);
  expect(problems).toMatch(/packages\+core\+src\+errors\.ts\/line-4\.ts.*'nane'/);
});

test('an example has at most 14 lines', () => {
  const long = listExamples().filter(({ text }) => text.trim().split('\n').length > 14);
  expect(long.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

test('every operator command has an example', () => {
  const texts = listExamples().map(({ text }) => text);
  const commands = Object.keys(INPUTS);
  expect(commands.length).toBeGreaterThan(40);
  const missing = commands.filter((name) => !texts.some((text) => text.includes(`operator.${name}(`)));
  expect(missing).toEqual([]);
});
