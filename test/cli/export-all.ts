/** An export of everything: complete, private, from one snapshot. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgresReader } from '@partner-hiring/postgres';
import { openSqliteReader } from '@partner-hiring/sqlite';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { exportRows } from '../../packages/storage-kysely/src/features/exported.js';
import { STORED_TABLES } from '../../packages/storage-kysely/src/features/tables.js';
import { openServer } from './open-server.js';
import { setUp, submit } from './story.js';

interface Line {
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function newFile(): string {
  return join(temporaryFolder(), 'everything.jsonl');
}

function linesOf(file: string): readonly Line[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Tables that no description has, and those that say that an export leaves them out. */
const LEFT_OUT: readonly string[] = [
  'ph_cell',
  'ph_rewrite',
  ...STORED_TABLES.filter(({ rows }) => rows.exportedBy === null).map(({ name }) => name),
];

/** Defines the tests, on the storage of the Vitest project. */
export function describeExportAll(cells?: number): void {
  test('has each row once, with counts, and no secret', async () => {
    const server = await openServer(cells);
    const { cli, json, partnerHiring } = server;
    const { keyId, secret, jobId } = await setUp(server);
    const { operator } = partnerHiring;
    await operator.inbox.turn({ on: true });
    const id = await submit(server, secret, jobId);
    await cli('applications', 'move', id);
    const signing = (await json('endpoints', 'rotate-secret', keyId)) as { readonly secret: string };
    for (let number = 0; number < 1_200; number += 1)
      await operator.companies.create({ name: `Bistro ${number}`, environment: 'production' });

    const file = newFile();
    const run = await cli('export-all', file, '--as', 'ada', '--reason', 'leaving');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = linesOf(file);
    const counts: Record<string, number> = {};
    for (const { kind } of lines.slice(1, -1)) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(lines[0]).toEqual({ kind: 'export', value: { format: 1 } });
    expect(lines.at(-1)).toEqual({ kind: 'end', value: { counts } });
    expect(counts).toMatchObject({ partner: 1, key: 1, company: 1_201, job: 1, application: 1, endpoint: 1 });
    expect(counts).toMatchObject({ access: 1, inbox_entry: 2, key_secret: 1, request: expect.any(Number) });

    const found = await operator.applications.find({ id: id as never });
    const exported = lines.find(({ kind }) => kind === 'application')?.value;
    expect(found).toMatchObject(exported ?? { none: true });
    const acts = lines.filter(({ kind }) => kind === 'audit').map(({ value }) => value);
    expect(acts.map(({ act }) => act)).toContain('audit.recordExport');
    expect(acts.find(({ act }) => act === 'audit.recordExport')).toMatchObject({
      actor: { id: 'ada', reason: 'leaving', door: 'command_line' },
      objects: [{ kind: 'list', id: 'everything' }],
    });

    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(signing.secret);
    expect(text).not.toMatch(/"hash"|"secrets"|"leaseToken"|"body":"\{\\"id\\"/);
    expect(text).not.toMatch(/[0-9a-f]{64}/);

    const again = await cli('export-all', file);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(it exists). Nothing was exported.'),
    });
    expect(linesOf(file)).toHaveLength(lines.length);
  });

  test('that cannot be recorded writes nothing', async () => {
    const { cli, partnerHiring } = await openServer(cells);
    await partnerHiring.close();
    const file = newFile();
    const run = await cli('export-all', file, '--as', 'system:ada');
    expect(run.code).toBeGreaterThan(0);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  test('reads one snapshot while others write', async () => {
    const database = await createTestDatabase(cells);
    onTestFinished(() => database.remove());
    const storage = await database.open({ now: Date.now });
    onTestFinished(() => storage.close());
    const { location } = database;
    const seen: string[] = [];
    const { partners, companies } = storage.direct;
    const addCompany = (id: `co_${string}`) =>
      companies.addMissing([{ id, name: 'Bistro', environment: 'production', createdAt: 1 }]);
    const write = async (rows: readonly { readonly kind: string; readonly value: object }[]) => {
      seen.push(...rows.map(({ kind, value }) => `${kind} ${'id' in value ? value.id : ''}`));
      await addCompany(`co_${seen.length + 1}`);
    };
    await partners.add({ id: 'ptn_1', name: 'Acme', createdAt: 1 });
    await addCompany('co_1');
    if (location.kind === 'sqlite') {
      const reader = openSqliteReader({ file: location.file });
      onTestFinished(() => reader.close());
      await reader.exportAll(write);
    } else {
      const { connectionString, schemas } = location;
      const reader = openPostgresReader({ connectionString });
      onTestFinished(() => reader.close());
      await reader.exportAll('schema' in schemas ? [schemas.schema] : schemas.schemas, write);
    }
    expect(await companies.find('co_2')).not.toBeNull();
    expect(seen).toEqual(['partner ptn_1', 'company co_1']);
  });

  test('has every table, except for secrets, sessions, stored replies and what is computed', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    await (await database.open({ now: Date.now })).close();
    const host = await database.host();
    onTestFinished(() => host.close());
    const { location } = database;
    const list =
      location.kind === 'sqlite'
        ? "select name from sqlite_schema where type = 'table' and name like 'ph!_%' escape '!'"
        : `select tablename as name from pg_tables where schemaname = '${location.schema}'`;
    const tables = (await host.rows(list)) as readonly { readonly name: string }[];
    const read = new Set<string>();
    const rows = (sql: string) => {
      read.add(/ from (\w+)/.exec(sql)?.[1] ?? '');
      return [];
    };
    await exportRows({ prefixes: [''], rows, write: async () => {} });
    const known = [...read, ...LEFT_OUT.filter((name) => tables.some((table) => table.name === name))];
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });
}
