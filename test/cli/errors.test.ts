import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NEXT_RELEASE } from './next-release.js';
import { openServer, SEALING_KEY } from './open-server.js';
import { type CliRun, runCli } from './run-cli.js';

/** Expects one line on standard error, and nothing else. */
function expectFailure({ code, stdout, stderr }: CliRun, expected: string | RegExp, exitCode = 1): void {
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain('\n');
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
}

const notInstalled = (name: string) => async () => {
  throw Object.assign(new Error(`Cannot find package '${name}' imported from /app/cli.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
};

describe('without a usable database name', () => {
  test('says how to name one, and exits with 2', async () => {
    expectFailure(
      await runCli(['jobs', 'list']),
      /^Name the database with --database, .* or set PARTNER_HIRING_DATABASE or DATABASE_URL\.$/,
      2,
    );
    expectFailure(await runCli(['jobs', '--database', '']), /^Name the database/, 2);
    const env = { PARTNER_HIRING_DATABASE: '', DATABASE_URL: ' ' };
    expectFailure(await runCli(['jobs'], { env }), /^Name the database/, 2);
  });

  test('refuses another kind of database without its password', async () => {
    const env = { DATABASE_URL: 'mysql://root:hunter2@localhost/shop' };
    const refused = await runCli(['jobs', 'list'], { env });
    expectFailure(refused, /^DATABASE_URL must be a PostgreSQL URL or .* It starts with mysql:\/\/\.$/, 2);
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('refuses a schema for SQLite', async () => {
    expectFailure(await runCli(['jobs', '--database', 'x.sqlite', '--schema', 's']), /^--schema needs/, 2);
  });
});

describe('a SQLite database', () => {
  test('that does not exist is not created', async () => {
    const file = join(temporaryFolder(), 'none.sqlite');
    expectFailure(
      await runCli(['jobs', '--database', file]),
      /none\.sqlite does not exist\. Check --database, or start/,
    );
    const env = { DATABASE_URL: `file:${file}` };
    expectFailure(await runCli(['jobs'], { env }), /none\.sqlite does not exist\. Check DATABASE_URL, or/);
  });

  test('of another program stays as it is', async () => {
    const file = join(temporaryFolder(), 'foreign.sqlite');
    new Sqlite(file).exec('create table mine (id integer)').close();
    expectFailure(
      await runCli(['jobs', '--database', file]),
      /foreign\.sqlite has no tables of the partner API\. Check --database\. To create them, run: partner-hiring migrate$/,
    );
    const handle = new Sqlite(file, { readonly: true });
    onTestFinished(() => void handle.close());
    expect(handle.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(handle.prepare('select name from sqlite_schema').pluck().all()).toEqual(['mine']);
  });

  test('that lacks a migration is not migrated', async () => {
    const { connection, partnerHiring } = await openServer();
    await partnerHiring.close();
    const file = connection[1] ?? '';
    const handle = new Sqlite(file);
    onTestFinished(() => void handle.close());
    const count = () => handle.prepare('select count(*) from ph_schema_migration').pluck().get();
    const before = count();
    expectFailure(
      await runCli(['jobs', ...connection], { packages: NEXT_RELEASE }),
      /lacks migrations of this release\. Run: partner-hiring migrate\. A server of this release also migrates/,
    );
    expect(count()).toBe(before);
  });

  test('that is a folder, a text, or a circle of links is explained', async () => {
    const folder = temporaryFolder();
    expectFailure(await runCli(['jobs', '--database', folder]), / is a folder\. Name a file in it/);
    const text = join(folder, 'notes.txt');
    await writeFile(text, 'No database.'.repeat(100));
    expectFailure(
      await runCli(['jobs', '--database', text]),
      /notes\.txt is not a SQLite database\. Check --database\.$/,
    );
    const circle = join(folder, 'circle.sqlite');
    await symlink(circle, circle);
    expectFailure(
      await runCli(['jobs', '--database', circle]),
      /^Cannot use .*circle\.sqlite: .*ELOOP.* Check --database/,
    );
  });

  test('whose driver is missing or was built for another Node is explained', async () => {
    const { connection } = await openServer();
    const packages = { postgres: notInstalled('pg'), sqlite: notInstalled('@partner-hiring/sqlite') };
    expectFailure(
      await runCli(['jobs', ...connection], { packages }),
      'A SQLite database needs packages that are not installed. Run: npm install @partner-hiring/sqlite better-sqlite3',
    );
    expectFailure(
      await runCli(['jobs', '--database', 'postgres://u:hunter2@h/d'], { packages }),
      'A PostgreSQL database needs packages that are not installed. Run: npm install @partner-hiring/postgres pg',
    );
    const outdated = async () => {
      throw Object.assign(new Error('The module was compiled against\nanother version.'), {
        code: 'ERR_DLOPEN_FAILED',
      });
    };
    expectFailure(
      await runCli(['jobs', ...connection], { packages: { ...packages, sqlite: outdated } }),
      /^Cannot load better-sqlite3: The module .* Run npm rebuild better-sqlite3/,
    );
  });
});

test('an error of the library has its code and the names of commands, and exits with 1', async () => {
  const { cli } = await openServer();
  expectFailure(
    await cli('keys', 'rotate', 'key_unknown'),
    'KEY_NOT_FOUND: Key key_unknown does not exist. keys list shows all keys.',
  );
});

describe('the sealing key', () => {
  test('is read from a file, with a line break at its end', async () => {
    const { connection, json } = await openServer();
    const { id } = (await json('partners', 'create', 'Acme ATS')) as { readonly id: string };
    const file = join(temporaryFolder(), 'sealing.key');
    await writeFile(file, `${SEALING_KEY}\n`);
    const issue = ['keys', 'issue', id, 'production', '--endpoint', 'https://ats.invalid/'];
    const issued = await runCli([...connection, ...issue, '--sealing-key-file', file]);
    expect(issued).toMatchObject({ code: 0, stderr: '' });
  });

  test('that cannot be read or is no key is explained without its text', async () => {
    const { connection } = await openServer();
    const run = (...words: readonly string[]) => runCli([...connection, 'partners', ...words]);
    expectFailure(
      await run('--sealing-key-file', '/none/sealing.key'),
      /^Cannot read the sealing key: the file does not exist\. --sealing-key-file must be the path of a file, not/,
    );
    const file = join(temporaryFolder(), 'short.key');
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, 'hunter2');
    const short = await run('--sealing-key-file', file);
    expectFailure(short, /^--sealing-key-file \S+short\.key is not a sealing key\. It must be the 32 bytes/);
    expect(short.stderr).not.toContain('hunter2');
    const env = { PARTNER_HIRING_SEALING_KEY: '0'.repeat(64) };
    expectFailure(
      await runCli([...connection, 'partners'], { env }),
      /^PARTNER_HIRING_SEALING_KEY is not a sealing key/,
    );
  });
});
