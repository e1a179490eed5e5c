import fs from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { sealingKey } from '../../examples/server/sealing-key.js';
import { readSettings } from '../../examples/server/settings.js';
import { SetupError } from '../../examples/server/setup-error.js';
import { openOperator } from './open-operator.js';
import { seededDatabase } from './seeded-database.js';

test.each(['-1', '65536', '80a', '1e3', ' '])('a port of "%s" is refused by name', (PORT) => {
  expect(() => readSettings({ PORT })).toThrow('PORT must be a number');
});

test.each(['ats.example.org/webhooks', 'ftp://ats.example.org', 'http://'])(
  'a webhook URL of "%s" is refused by name',
  (WEBHOOK_URL) => {
    expect(() => readSettings({ WEBHOOK_URL })).toThrow('WEBHOOK_URL must be a complete URL');
  },
);

test.each(['WEBHOOK_URL', 'SANDBOX_WEBHOOK_URL'])(
  'credentials in %s are refused by name, and not shown',
  (name) => {
    for (const userinfo of ['ada:hunter2', 'ada', ':hunter2']) {
      const read = () => readSettings({ [name]: `https://${userinfo}@ats.example.org/webhooks` });
      expect(read).toThrow(
        new SetupError(`${name} must not contain credentials. Remove the part before the @.`),
      );
    }
  },
);

test.each(['WEBHOOK_URL', 'SANDBOX_WEBHOOK_URL'])(
  '%s may be as long as the library takes, and a longer one is refused by name',
  async (name) => {
    const { operator } = await openOperator();
    const { id: partnerId } = await operator.partners.create({ name: 'Globex' });
    const urlOf = (length: number) => 'https://ats.example.org/ü'.padEnd(length - '%C3%BC'.length + 1, 'x');
    const longest = urlOf(2_048);
    expect(readSettings({ [name]: longest })).toMatchObject(
      name === 'WEBHOOK_URL' ? { webhookUrl: longest } : { sandboxWebhookUrl: longest },
    );
    await operator.keys.issue({ partnerId, environment: 'production', endpointUrl: longest });

    const longer = urlOf(2_049);
    const refusal = `${name} must be a URL of at most 2048 characters. It has 2049.`;
    expect(() => readSettings({ [name]: longer })).toThrow(new SetupError(refusal));
    const issued = operator.keys.issue({ partnerId, environment: 'sandbox', endpointUrl: longer });
    await expect(issued).rejects.toThrow('at most 2048');
  },
);

test('the sandbox key may have a receiver of its own', () => {
  const SANDBOX_WEBHOOK_URL = 'http://127.0.0.1:4000/webhooks';
  expect(readSettings({ SANDBOX_WEBHOOK_URL })).toMatchObject({
    webhookUrl: null,
    sandboxWebhookUrl: SANDBOX_WEBHOOK_URL,
  });
});

test('a variable that is set to nothing is not set', () => {
  expect(readSettings({ PORT: '', WEBHOOK_URL: '', PARTNER_HIRING_SEALING_KEY: '' })).toMatchObject({
    port: 3000,
    webhookUrl: null,
    secretKey: null,
    deployment: null,
  });
});

test('the sealing key is made once, for its owner only', async () => {
  const settings = readSettings({ DATABASE_FILE: join(temporaryFolder(), 'x.sqlite') });
  const key = sealingKey(settings);
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(sealingKey(settings)).toBe(key);
  expect((await stat(settings.secretKeyFile)).mode & 0o777).toBe(0o600);
});

test('a sealing key that cannot be written whole leaves nothing behind, so that the next start makes one', async () => {
  const settings = readSettings({ DATABASE_FILE: join(temporaryFolder(), 'x.sqlite') });
  const { writeFileSync } = fs;
  // As a full disk does: the file is made, and takes nothing.
  vi.spyOn(fs, 'writeFileSync').mockImplementationOnce((file, _text, options) => {
    writeFileSync(file, '', options);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  mockFileSystem();
  expect(() => sealingKey(settings)).toThrow('no space left');
  expect(await readdir(dirname(settings.databaseFile))).toEqual([]);
  expect(Buffer.from(sealingKey(settings), 'base64')).toHaveLength(32);
});

test('of two first starts at once the later one takes the key of the other, whose database is there by then', async () => {
  const settings = readSettings({ DATABASE_FILE: join(temporaryFolder(), 'x.sqlite') });
  const { readFileSync, writeFileSync } = fs;
  let key = '';
  vi.spyOn(fs, 'readFileSync').mockImplementationOnce((file) => {
    // Just after this look: the other start, as far as its database.
    expect(() => readFileSync(file)).toThrow('ENOENT');
    key = sealingKey(settings);
    writeFileSync(settings.databaseFile, 'sealed');
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  });
  mockFileSystem();
  expect(sealingKey(settings)).toBe(key);
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
});

test('a first start in another container, where it may have the same process number, makes no other key', async () => {
  const settings = readSettings({ DATABASE_FILE: join(temporaryFolder(), 'x.sqlite') });
  const { linkSync } = fs;
  let key = '';
  vi.spyOn(fs, 'linkSync').mockImplementationOnce((draft, file) => {
    key = sealingKey(settings);
    linkSync(draft, file);
  });
  mockFileSystem();
  expect(sealingKey(settings)).toBe(key);
  expect(await readdir(dirname(settings.databaseFile))).toEqual(['x.sqlite.key']);
});

test('an empty database file needs no key brought back, since nothing is sealed in it', async () => {
  const DATABASE_FILE = join(temporaryFolder(), 'x.sqlite');
  await writeFile(DATABASE_FILE, '');
  const { close } = await openPartnerHiring(readSettings({ DATABASE_FILE }));
  await close();
  expect((await stat(DATABASE_FILE)).size).toBeGreaterThan(0);
});

test('a database whose sealing key is gone is not opened with another', async () => {
  const { env } = await seededDatabase();
  const settings = readSettings(env);
  await rm(settings.secretKeyFile);
  await expect(openPartnerHiring(settings)).rejects.toThrow(SetupError);
  await expect(openPartnerHiring(settings)).rejects.toThrow('Restore ');
});

test.each([
  ['in the file', '', /\.key is not the key that sealed .*: it decrypts none of them\. Restore the key/],
  [
    'in PARTNER_HIRING_SEALING_KEY',
    '0123456789abcdef'.repeat(4),
    /^PARTNER_HIRING_SEALING_KEY is not the key .* unset it if that key is in .*\.key, or set/,
  ],
])(
  'a sealing key %s that opens nothing of what is stored is refused',
  async (_where, PARTNER_HIRING_SEALING_KEY, refusal) => {
    const { env } = await seededDatabase();
    const settings = readSettings({ ...env, PARTNER_HIRING_SEALING_KEY });
    if (PARTNER_HIRING_SEALING_KEY === '')
      await writeFile(settings.secretKeyFile, 'fedcba9876543210'.repeat(4));
    const opening = openPartnerHiring(settings);
    await expect(opening).rejects.toThrow(SetupError);
    await expect(opening).rejects.toThrow(refusal);
    await expect(opening).rejects.toThrow('set DATABASE_FILE to another file to start over');
  },
);

test('a sealing key that opens some of what is stored is taken, for rotating the rest', async () => {
  const { env, seeded } = await seededDatabase();
  const database = new Database(env.DATABASE_FILE);
  database
    .prepare("update ph_endpoint set secrets = replace(secrets, 'v2.', 'v2.AAAA') where key_id = ?")
    .run(seeded.sandbox.key.id);
  database.close();
  const { operator, close } = await openPartnerHiring(readSettings(env));
  onTestFinished(close);
  const keyId = seeded.sandbox.key.id;
  expect(await operator.endpoints.rotateSecret({ keyId, overlapMs: 0 })).toBeDefined();
});

test('a sealing key that cannot be read is told as that, not as a database that cannot be used', async () => {
  const { env } = await seededDatabase();
  const settings = readSettings(env);
  await rm(settings.secretKeyFile);
  await mkdir(settings.secretKeyFile);
  const fix =
    /^Cannot read the sealing key .*\.key: .*EISDIR.* in a file that you may read, or set PARTNER_HIRING_SEALING_KEY\.$/;
  await expect(openPartnerHiring(settings)).rejects.toThrow(fix);
});

test('nobody is told to make a new sealing key for a database that another one sealed', async () => {
  const { env } = await seededDatabase();
  const settings = readSettings(env);
  await writeFile(settings.secretKeyFile, 'abc');
  await expect(openPartnerHiring(settings)).rejects.toThrow(
    /\.key is not a usable sealing key\. .* Restore this key, or set DATABASE_FILE/,
  );
  await expect(openPartnerHiring(settings)).rejects.not.toThrow('Make one');
});

test.each([
  [
    'a file that is no database',
    (file: string) => writeFile(file, 'text '.repeat(100)),
    /Restore it from a backup/,
  ],
  ['a folder', (file: string) => mkdir(file), /is a folder\. Name a file in it[^ ]* [^ ]+ \S+$/],
])('%s in place of the database is told with the fix that helps', async (_what, make, fix) => {
  const DATABASE_FILE = join(temporaryFolder(), 'x.sqlite');
  await make(DATABASE_FILE);
  const settings = readSettings({ DATABASE_FILE, PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) });
  await expect(openPartnerHiring(settings)).rejects.toThrow(fix);
  await expect(openPartnerHiring(settings)).rejects.not.toThrow('that you may write to');
});

test('a folder in place of the database is not asked for its key, and gets none', async () => {
  const folder = temporaryFolder();
  const DATABASE_FILE = join(folder, 'data');
  await mkdir(DATABASE_FILE);
  await expect(openPartnerHiring(readSettings({ DATABASE_FILE }))).rejects.toThrow(
    `is a folder. Name a file in it, e.g. ${join(DATABASE_FILE, 'partner-hiring.sqlite')}`,
  );
  expect(await readdir(folder)).toEqual(['data']);
});

test('a database in memory is refused with the fix, and no key is made for it', async () => {
  const folder = temporaryFolder();
  const settings = readSettings({ DATABASE_FILE: join(folder, ':memory:') });
  await expect(openPartnerHiring(settings)).rejects.toThrow('Set it to a file, or leave it out');
  expect(await readdir(folder)).toEqual([]);
});

test('a database that may only be read is refused with the fix', async () => {
  const { env } = await seededDatabase();
  // Root may write whatever the file's mode says.
  vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw new Error('EROFS: read-only file system');
  });
  mockFileSystem();
  const message = /example.sqlite is read-only .*EROFS.*\. Make it writable/;
  await expect(openPartnerHiring(readSettings(env))).rejects.toThrow(message);
});

test('a clock that no instant can be told by is told as that, not as a database', async () => {
  const DATABASE_FILE = join(temporaryFolder(), 'x.sqlite');
  vi.spyOn(Date, 'now').mockReturnValue(-1);
  await expect(openPartnerHiring(readSettings({ DATABASE_FILE }))).rejects.toThrow(
    /^The clock returns -1, .* Set /,
  );
  expect(await readdir(dirname(DATABASE_FILE))).not.toContain('x.sqlite-wal');
});

test('nobody is told to delete a file that may be something else', () => {
  const settings = readSettings({ DATABASE_FILE: fileURLToPath(import.meta.url) });
  expect(() => sealingKey(settings)).toThrow('set DATABASE_FILE to another file');
  expect(() => sealingKey(settings)).not.toThrow('delete');
});

test('an unfit sealing key is refused by name, and leaves no database behind', async () => {
  const DATABASE_FILE = join(temporaryFolder(), 'x.sqlite');
  const settings = readSettings({ DATABASE_FILE, PARTNER_HIRING_SEALING_KEY: 'abc' });
  await expect(openPartnerHiring(settings)).rejects.toThrow(
    'PARTNER_HIRING_SEALING_KEY is not a usable sealing key. ',
  );
  await expect(stat(DATABASE_FILE)).rejects.toThrow('ENOENT');
});

/** Lets the modules under test have the functions of `fs` that were replaced, until the test ends. */
function mockFileSystem(): void {
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}
