import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { createAuthority } from '@partner-hiring/test-support/network/self-signed';
import { fatal } from '@partner-hiring/test-support/postgres/messages';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { HASTY } from '@partner-hiring/test-support/postgres/setup';
import { addHbaLines, useCertificate } from '@partner-hiring/test-support/postgres/tls';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { Client, Pool } from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import { openPostgresReader, type PostgresReaderOptions } from './open-postgres-reader.js';

const PASSWORD = 'S3cret-pa#ss';
const TIMEOUTS = { connectMs: 400 };

const authority = await createAuthority();

const server = await startPostgresServer(HASTY);
await run(`create role app login password '${PASSWORD}'`, `create role closed password '${PASSWORD}'`);
await run('create database shut', 'alter database shut allow_connections false');
await run('create database mine', 'revoke connect on database mine from public');
await run(`create role crowded login password '${PASSWORD}' connection limit 0`);
afterAll(() => server?.stop());

async function run(...commands: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  for (const command of commands) await client.query(command);
  await client.end();
}

/** The URL of the role `app`, with some parts replaced. */
function urlWith(
  parts: Partial<Record<'username' | 'password' | 'hostname' | 'port' | 'pathname' | 'search', string>>,
) {
  const url = new URL(server.url);
  return Object.assign(url, { username: 'app', password: encodeURIComponent(PASSWORD), ...parts }).href;
}

type Given = Extract<PostgresStorageOptions, { readonly connectionString: string }>;

async function errorOf(options: Partial<Given>): Promise<string> {
  const opened = createPostgresStorage({
    timeouts: TIMEOUTS,
    migrate: 'never',
    ...options,
  } as PostgresStorageOptions);
  const error: unknown = await opened.then(
    (storage) => storage.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageUnavailable);
  const { message } = error as StorageUnavailable;
  for (const part of ['S3cret', 'pa#ss', 'pa%23ss', 'postgres://']) expect(message).not.toContain(part);
  return message;
}

const at = () => `at ${new URL(server.url).host}`;

describe('a database that cannot be reached', () => {
  it.each([
    [
      'a wrong password',
      { password: 'wrong' },
      /the server refuses the user "app" or the password\. Correct both/,
    ],
    ['no password', { password: '' }, /asks for the password of "app", and there is none\. Add/],
    ['an unknown user', { username: 'nobody' }, /refuses the user "nobody" or the password/],
    [
      'a role without login',
      { username: 'closed' },
      /the role "closed" may not log in\. Run `alter role "closed" login`/,
    ],
    [
      'a role at its limit',
      { username: 'crowded' },
      /connections that the role "crowded" may have are in use\. .*connection limit/,
    ],
  ] as const)(
    '%s is reported with the user, the server, the database and the fix',
    async (_, parts, says) => {
      const message = await errorOf({ connectionString: urlWith(parts) });
      expect(message).toMatch(says);
      expect(message).toContain(`Cannot connect to the PostgreSQL database "postgres" ${at()}: `);
    },
  );

  it.each([
    [
      'a database that does not exist',
      '/nowhere',
      /"nowhere" at .*: there is no database "nowhere"\. .*create database "nowhere"/,
    ],
    [
      'a database that accepts no connections',
      '/shut',
      /: the database "shut" accepts no connections\. .*allow_connections/,
    ],
    [
      'a database without the right to connect',
      '/mine',
      /: the role "app" may not connect to the database\. .*grant connect on database "mine" to "app"/,
    ],
  ])('%s is named with the statement to run', async (_, pathname, says) => {
    expect(await errorOf({ connectionString: urlWith({ pathname }) })).toMatch(says);
  });

  it('a port without a server, a host without an address, and no socket: each names the place', async () => {
    expect(await errorOf({ connectionString: urlWith({ port: '1' }) })).toMatch(
      /"postgres" at 127\.0\.0\.1:1: no server listens there \(ECONNREFUSED\)\. Check the host and the port .*In a container/,
    );
    expect(await errorOf({ connectionString: urlWith({ hostname: 'db.invalid' }) })).toMatch(
      /"postgres" at db\.invalid:\d+: the host db\.invalid was not found \(E\w+\)\. Check the host/,
    );
    expect(await errorOf({ connectionString: 'postgres:///hiring?host=/nowhere&user=app' })).toMatch(
      /"hiring" at \/nowhere\/\.s\.PGSQL\.5432: the socket does not exist.*unix_socket_directories/,
    );
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', '', /no answer within 400 ms|not that of PostgreSQL/],
    [
      'another database',
      '\x4a\0\0\0\x0a8.0.33\0',
      '',
      /the answer is not that of PostgreSQL\. Check the port/,
    ],
    [
      'another protocol instead of TLS',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      '?sslmode=verify-full',
      /not that of PostgreSQL/,
    ],
    ['silence', '', '', /no answer within 400 ms\. .*firewall.*raise `timeouts\.connectMs`/],
  ])('%s is reported as that', async (_, greeting, search, says) => {
    const other = await startRawServer((socket) => void socket.write(greeting));
    const message = await errorOf({ connectionString: urlWith({ port: String(other.port), search }) });
    expect(message).toMatch(says);
    expect(message).toContain(`"postgres" at 127.0.0.1:${other.port}: `);
  });

  it('a server that closes the connection at once: names the port and the log', async () => {
    const other = await startRawServer((socket) => void socket.end());
    expect(await errorOf({ connectionString: urlWith({ port: String(other.port) }) })).toMatch(
      /the server closed the connection before it answered\. Check that the port is that of PostgreSQL/,
    );
  });

  it.each([
    [
      '57P03',
      'the database system is starting up',
      /the server is starting.*Wait until it accepts connections/,
    ],
    ['57P03', 'the database system is shutting down', /the server is shutting down/],
    [
      '53300',
      'sorry, too many clients already',
      /all connections of the server are in use\. .*max_connections/,
    ],
    ['53300', 'too many connections for database "postgres"', /alter database "postgres" connection limit/],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.1", user "app", database "x", no encryption',
      /no entry .* without TLS\. .*`tls: true`.*sslmode=verify-full/,
    ],
    ['28000', 'role "app" does not exist', /the role "app" does not exist/],
    [
      '28000',
      'connection requires a valid client certificate',
      /certificate of the client\. .*`tls\.cert`.*`sslcert`/,
    ],
    ['08P01', 'unsupported startup parameter: search_path', /search_path\. .*ignore_startup_parameters/],
    ['08P01', 'no such database: postgres', /there is no database "postgres"/],
    ['XX000', 'Tenant or user not found', /the pooler does not know the user\. Supabase/],
    ['XX000', 'The endpoint has been disabled', /refuses it: The endpoint has been disabled \(XX000\)/],
  ])('a server or pooler that refuses with %s, "%s": says what to do', async (code, text, says) => {
    const other = await startRawServer((socket) => {
      socket.once('data', () => socket.end(fatal(code, text)));
    });
    expect(await errorOf({ connectionString: urlWith({ port: String(other.port) }) })).toMatch(says);
  });

  it('each of several hosts: says what is wrong with it', async () => {
    const connectionString = urlWith({}).replace(/@[^/]+/, '@127.0.0.1:1,db.invalid:5432');
    expect(await errorOf({ connectionString })).toMatch(
      /127\.0\.0\.1:1: no server listens there.* db\.invalid:5432: the host db\.invalid was not found/,
    );
  });

  it("a pool of the host is reported with the pool's options", async () => {
    const silent = await startRawServer(() => {});
    const pool = new Pool({
      connectionString: urlWith({ port: String(silent.port) }),
      connectionTimeoutMillis: 200,
    });
    onTestFinished(() => pool.end());
    await expect(createPostgresStorage({ pool })).rejects.toThrow(
      /"postgres" at 127\.0\.0\.1:\d+: no answer within 200 ms\. .*raise `connectionTimeoutMillis` of your pool/,
    );
  });
});

it.each([
  'postgres://app:12/S3cret@db/hiring',
  'postgres://app:12?S3cret@db/hiring',
  'postgres://app:12#S3cret@db/hiring',
])('%s is refused before a part of the password becomes a name', async (connectionString) => {
  const error: unknown = await createPostgresStorage({ connectionString }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'MISCONFIGURED', message: expect.stringContaining('percent-encoded') });
  expect(String(error)).not.toContain('S3cret');
});

describe('TLS', () => {
  const connectionString = () => urlWith({ hostname: 'localhost' });

  it('a server without TLS is told how to turn it on, and how to connect without', async () => {
    const says =
      /"postgres" at localhost:\d+: the server has no TLS, but the connection requires it\. Set `ssl = on` .*`tls: false`.*`sslmode=disable`/;
    expect(await errorOf({ connectionString: connectionString(), tls: true })).toMatch(says);
    expect(await errorOf({ connectionString: `${connectionString()}?sslmode=verify-full` })).toMatch(says);
  });

  it('an unknown authority leads to `tls.ca` and `sslrootcert`, and both work', async () => {
    await useCertificate(server, await authority.issue(['localhost']));
    const says =
      /does not know the authority that signed the server's certificate \(\w+\)\. .*`tls\.ca`.*`sslrootcert=ca\.pem`/;
    await expect.poll(() => errorOf({ connectionString: connectionString(), tls: true })).toMatch(says);
    expect(await errorOf({ connectionString: `${connectionString()}?sslmode=require` })).toMatch(says);

    const folder = temporaryFolder();
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.cert);
    const working: readonly PostgresReaderOptions[] = [
      { connectionString: server.url.replace('127.0.0.1', 'localhost'), tls: { ca: authority.cert } },
      // What a platform puts into DATABASE_URL does not switch off `tls`.
      {
        connectionString: `${server.url.replace('127.0.0.1', 'localhost')}?sslmode=require`,
        tls: { ca: [authority.cert] },
      },
      {
        connectionString: `${server.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${file}`,
      },
      { connectionString: server.url, tls: { ca: authority.cert, servername: 'localhost' } },
      { connectionString: `${server.url}?sslmode=no-verify` },
    ];
    for (const options of working) {
      const reader = openPostgresReader(options);
      expect(
        await reader.rows('select ssl::int as tls from pg_stat_ssl where pid = pg_backend_pid()'),
      ).toEqual([{ tls: 1 }]);
      await reader.close();
    }
  });

  it('a certificate for another name, and an expired one, are reported as that', async () => {
    const tls = { ca: authority.cert };
    await useCertificate(server, await authority.issue(['db.internal']));
    await expect
      .poll(() => errorOf({ connectionString: connectionString(), tls }))
      .toMatch(
        /certificate is not for localhost, but for db\.internal\. Connect with a name of .*`tls\.servername`/,
      );
    await useCertificate(server, await authority.issue(['localhost'], new Date('2020-01-01')));
    await expect
      .poll(() => errorOf({ connectionString: connectionString(), tls }))
      .toMatch(/certificate has expired \(CERT_HAS_EXPIRED\)\. Renew/);
  });

  it('a server that admits nobody without TLS: names the option', async () => {
    await addHbaLines(server, [
      'hostnossl all app all reject',
      'hostssl all app all scram-sha-256 clientcert=verify-ca',
    ]);
    await expect
      .poll(() => errorOf({ connectionString: connectionString() }))
      .toMatch(/pg_hba\.conf rejects this user, database and address without TLS\. .*`tls: true`/);
  });
});
