import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from './examples.js';
import { ROOT } from './fences.js';

/**
 * Names that examples may use without declaring them, besides the exports of their own file. An example may also declare
 * or import these names itself.
 */
const NAMES = `
import type { PartnerClient } from '@partner-hiring/client';
import type { createContract, describeStorage, HttpUnderTest } from '@partner-hiring/conformance';
import type { ApplicationId, CompanyId, EventId, Job, JobId, KeyId, OperationId, PartnerId } from '@partner-hiring/core';
import type { Handler, maskApplication, Operator, PartnerHiring, Storage } from '@partner-hiring/core';
import type { RecordedTransport, TestInstance, TestKey } from '@partner-hiring/testing';
import type BetterSqlite3 from 'better-sqlite3';

declare global {
  type Database = BetterSqlite3.Database;
  const database: Database;
  const storage: Storage<Database>;
  const secretKey: string;
  const partnerHiring: PartnerHiring<Database>;
  const operator: Operator<Database>;
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
  const application: Parameters<typeof maskApplication>[0];
  const eventId: EventId;
  const requestId: string;
  const operationId: OperationId;
  const instance: TestInstance<Database>;
  const transport: RecordedTransport;
  const key: TestKey;
  const job: Job;
}
`;

/** The host's server, unless an example creates its own. */
const APPS = {
  express: "declare const app: import('express').Express;\n",
  fastify: "declare const app: import('fastify').FastifyInstance;\n",
};
const FOR_EXPRESS = ['packages/express/', 'packages/webhook-verifier/src/express/'];

/** Names from other modules that examples may use without importing them. */
const FROM_MODULES: Readonly<Record<string, readonly string[]>> = {
  '@partner-hiring/core': ['createPartnerHiring'],
  '@partner-hiring/cli': ['doctorExitCode', 'doctorText', 'migrateText'],
  '@partner-hiring/console': ['CONSOLE_RIGHTS', 'createConsole'],
  '@partner-hiring/fastify': ['partnerHiringFastify'],
  '@partner-hiring/node': ['createNodeHandler'],
  '@partner-hiring/partner-docs': [
    'createOpenApiDocument',
    'createPartnerDocs',
    'SANDBOX_PAGE_HEADERS',
    'sandboxMarkdown',
    'sandboxPage',
  ],
  '@partner-hiring/sqlite': ['createSqliteStorage'],
  '@partner-hiring/client': [
    'createPartnerClient',
    'createMemorySubmissionStore',
    'createMemorySyncStore',
    'Application',
    'FetchedEvent',
    'Job',
  ],
  '@partner-hiring/testing': ['createTestInstance'],
  '@partner-hiring/testing/sqlite': ['temporarySqlite'],
  express: ['express'],
  fastify: ['Fastify'],
  'node:fs/promises': ['writeFile'],
  'node:http': ['createServer'],
  vitest: ['expect'],
};
const DEFAULT_EXPORTS = ['express', 'Fastify'];

/** The operator and the storage of a host whose transactions are those of another library. */
const ON_POSTGRES = `
import type { Operator as HostOperator } from '@partner-hiring/core';
import type { PostgresTransaction as HostTx } from '@partner-hiring/postgres';
declare const operator: HostOperator<HostTx>;
`;
const ON_SQLITE = `
import type { Operator as HostOperator, Storage as HostStorage } from '@partner-hiring/core';
import type { SqliteTransaction as HostTx } from '@partner-hiring/sqlite';
declare const operator: HostOperator<HostTx>;
declare const storage: HostStorage<HostTx, Database>;
`;
const KNEX = `import type { Knex } from 'knex';\ndeclare const knex: Knex;\n`;
const KYSELY = `
import type { Kysely } from 'kysely';
declare const db: Kysely<{ payroll_entry: { application_id: string } }>;
`;
const TYPEORM = `
import type { DataSource } from 'typeorm';
declare const dataSource: DataSource;
declare class PayrollEntry { applicationId: string }
`;
/** Prisma generates its types from the host's schema. */
const PRISMA = `
interface Tx {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  readonly payrollEntry: { create(entry: { data: { applicationId: string } }): Promise<unknown> };
}
declare const prisma: { $transaction(run: (tx: Tx) => Promise<void>): Promise<void> };
`;

const POOL = "declare const pool: import('pg').Pool;\n";

/** Names of a host's library, for the examples of one file. They hide the names of all examples. */
const OF_LIBRARIES: Readonly<Record<string, string>> = {
  'packages/postgres/src/drizzle/index.ts': `${ON_POSTGRES}
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
declare const db: NodePgDatabase;
const payrollEntry = pgTable('payroll_entry', { applicationId: text() });
`,
  'packages/postgres/src/host-statements.ts': `${ON_POSTGRES}
declare const sequelize: { query(text: string, options: object): Promise<Record<string, unknown>[]> };
declare const transaction: object;
declare const QueryTypes: { readonly SELECT: string };
`,
  'packages/postgres/src/knex/index.ts': ON_POSTGRES + KNEX,
  'packages/postgres/src/kysely/index.ts': ON_POSTGRES + KYSELY,
  'packages/postgres/src/pg/index.ts': `${ON_POSTGRES}
import type { Client } from 'pg';
declare const client: Client;
`,
  'packages/postgres/src/postgres-js/index.ts': `${ON_POSTGRES}
import type { Sql } from 'postgres';
declare const sql: Sql;
`,
  'packages/postgres/src/prisma/index.ts': ON_POSTGRES + PRISMA,
  'packages/postgres/src/typeorm/index.ts': ON_POSTGRES + TYPEORM,
  'packages/sqlite/src/better-sqlite3/index.ts': ON_SQLITE,
  'packages/sqlite/src/drizzle/index.ts': `${ON_SQLITE}
import { sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
declare const db: BetterSQLite3Database & { $client: Database };
declare const payrollEntry: ReturnType<typeof createPayrollEntry>;
const createPayrollEntry = () => sqliteTable('payroll_entry', { applicationId: text() });
`,
  'packages/sqlite/src/host-statements.ts': `${ON_SQLITE}
interface Connection {
  execute(text: string, values: readonly unknown[], method: 'all', tx: object): Promise<Record<string, unknown>[]>;
}
declare const em: { getConnection(): Connection; getTransactionContext(): object };
`,
  'packages/postgres/src/cells/add-postgres-cell.ts': POOL,
  'packages/postgres/src/cells/list-postgres-cells.ts': POOL,
  'packages/postgres/src/cells/move-postgres-partner.ts': POOL,
  'packages/sqlite/src/knex/index.ts': ON_SQLITE + KNEX,
  'packages/sqlite/src/kysely/index.ts': ON_SQLITE + KYSELY,
  'packages/sqlite/src/prisma/index.ts': ON_SQLITE + PRISMA,
  'packages/sqlite/src/typeorm/index.ts': ON_SQLITE + TYPEORM,
};

/** Imports the names that the example uses without importing them: of its own file, then of other modules. */
function importsOf({ file, text }: Example): string {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const exported = [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)];
  const own = [...new Set(exported.map(([, name = '']) => name))];
  const imports = Object.entries({ [join(ROOT, file)]: own, ...FROM_MODULES }).flatMap(([module, names]) =>
    names
      .filter((name) => isUsedUndeclared(name, text) && (names === own || !own.includes(name)))
      .map((name) => `import ${DEFAULT_EXPORTS.includes(name) ? name : `{ ${name} }`} from '${module}';\n`),
  );
  const app = FOR_EXPRESS.some((folder) => file.startsWith(folder)) ? APPS.express : APPS.fastify;
  return imports.join('') + (isUsedUndeclared('app', text) ? app : '') + (OF_LIBRARIES[file] ?? '');
}

function isUsedUndeclared(name: string, text: string): boolean {
  const isDeclared = new RegExp(`\\b(?:const|let|function|class) ${name}\\b|^import [^;]*\\b${name}\\b`, 'm');
  return new RegExp(`\\b${name}\\b`).test(text) && !isDeclared.test(text);
}

/** Whether the example needs a library that `npm test` does without. Its test is in `test/host-transactions/orms`. */
export function needsOrm({ file }: Example): boolean {
  return /from '(?:drizzle-orm|knex|postgres|typeorm)'/.test(OF_LIBRARIES[file] ?? '');
}

/**
 * Writes each example as a module, in a folder named after its source. They import from the workspace's `node_modules`, and
 * first from those in `libraries`.
 */
export function writeExamples(folder: string, examples: readonly Example[], libraries?: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'names.ts'), NAMES);
  for (const example of examples) {
    const { file, line, text } = example;
    const place = join(folder, file.replaceAll('/', '+'));
    mkdirSync(place, { recursive: true });
    if (libraries !== undefined && !existsSync(join(place, 'node_modules'))) {
      symlinkSync(libraries, join(place, 'node_modules'));
    }
    writeFileSync(join(place, `line-${line}.ts`), `${text}${importsOf(example)}export {};\n`);
  }
}

/** Examples are less strict than sources. */
export const EXAMPLE_OPTIONS = {
  noUnusedLocals: false,
  noUnusedParameters: false,
  verbatimModuleSyntax: false,
  isolatedModules: false,
  allowImportingTsExtensions: true,
};
