import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type Operator } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../packages/cli/src/command/command.js';
import { type CommandOption, isSwitch } from '../../packages/cli/src/command/command-option.js';
import { OPERATOR_TABLE } from '../../packages/cli/src/commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../../packages/cli/src/connection/connection-options.js';
import { runCommandLine, runDoctor, runMigrate } from '../../packages/cli/src/index.js';
import { runCli } from './run-cli.js';

const PASSWORD = 'Hunter2Password';

/** Ways in which the address of a database is written, copied or misspelt. Nothing listens on port 1. */
const DATABASES: readonly string[] = [
  ...[
    '"…"',
    "'…'",
    '`…`',
    '“…”',
    '…"',
    '<…>',
    'jdbc:…',
    'psql …',
    'DATABASE_URL=…',
    'export DATABASE_URL="…"',
    'url: …',
    'file:…',
    'file://…',
    'file:///…',
    'sqlite:…',
    '\u001b[0m…',
    './…',
    '//…',
  ].map((form) => form.replace('…', `postgres://app:${PASSWORD}@127.0.0.1:1/x`)),
  `jdbc:postgresql://127.0.0.1:1/x?user=app&password=${PASSWORD}`,
  `postgres:/app:${PASSWORD}@127.0.0.1:1/x`,
  `postgresql:app:${PASSWORD}@127.0.0.1:1/x`,
  `postgres//app:${PASSWORD}@127.0.0.1:1/x`,
  `postgress://app:${PASSWORD}@127.0.0.1:1/x`,
  `postgres+asyncpg://app:${PASSWORD}@127.0.0.1:1/x`,
  `app:${PASSWORD}@127.0.0.1:1/x`,
  `/app:${PASSWORD}@127.0.0.1`,
  `127.0.0.1:1:x:app:${PASSWORD}`,
  `host=127.0.0.1 port=1 user=app password=${PASSWORD}`,
  `password='${PASSWORD}' host=/tmp`,
  `Host=127.0.0.1;Username=app;Password=${PASSWORD}`,
  `postgres://app:${PASSWORD}`,
  `postgres://app:${PASSWORD}/x`,
  `postgres://app:${PASSWORD}/more@127.0.0.1:1/x`,
  `postgres://app:${PASSWORD}#more@127.0.0.1:1/x`,
  `postgres://app:12?${PASSWORD}@127.0.0.1:1/x`,
  `postgres://app:a@${PASSWORD}@127.0.0.1:1/x`,
  `postgres://127.0.0.1:1/x?password=a@${PASSWORD}`,
  `postgres://127.0.0.1:1/x?user=app&password=${PASSWORD}`,
  `postgres://app:${PASSWORD}%zz@127.0.0.1:1/x`,
  `postgres://app:${PASSWORD} more@127.0.0.1:1/x`,
];

describe('the password of a database is never printed', () => {
  test.each(DATABASES)('written as %j', async (value) => {
    const runs = [
      runCli(['jobs', '--debug'], { env: { DATABASE_URL: value } }),
      runCli(['doctor', '--json'], { env: { PARTNER_HIRING_DATABASE: value } }),
      runCli(['migrate', '--dry-run', '--database', value]),
    ];
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toContain(PASSWORD);
      expect(stdout + stderr).not.toBe('');
    }
    const database = { kind: 'sqlite', file: value } as const;
    expect(
      JSON.stringify([await runDoctor({ database: value }), await runDoctor({ database })]),
    ).not.toContain(PASSWORD);
    const refusal = await runMigrate({ database: value, mode: 'dry-run' }).catch(
      (error: Error) => error.stack,
    );
    expect(JSON.stringify(refusal)).not.toContain(PASSWORD);
  });
});

const MIDDLE = '4kT9zQ2mXw7Lr5Vb';
const BODY = `aB3${MIDDLE}${MIDDLE}xYz0123`;
/** A key, its parts and misspellings, a signing secret, and sealing keys in both forms. */
const SECRETS: readonly string[] = [
  `pek_live_${BODY}`,
  `pek_test_${BODY}`,
  `PEK-LIVE_${BODY}`,
  `pek live ${BODY}`,
  `Bearer pek_live_${BODY}`,
  `key_pek_live_${BODY}`,
  `whsec_${BODY}`,
  `"whsec_${BODY}"`,
  `whsec-${BODY}=`,
  `pk_live_${BODY}`,
  BODY,
  `${BODY}+/=`,
  '0123456789abcdef'.repeat(3) + MIDDLE,
];

describe('a key or a secret in the wrong place is not repeated', () => {
  const server: { close(): Promise<void>; operator?: Operator<never>; file: string } = {
    close: async () => {},
    file: '',
  };
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ph-secrets-'));
    server.file = join(folder, 'test.sqlite');
    const storage = await createSqliteStorage({ file: server.file });
    const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
    server.operator = partnerHiring.operator;
    return async () => {
      await partnerHiring.close();
      rmSync(folder, { recursive: true, force: true });
    };
  });

  const { groups, singles } = OPERATOR_TABLE;
  const commands = [
    ...Object.entries(groups).flatMap(([group, { commands }]) =>
      Object.entries<Command>(commands).map(([verb, command]) => ({ path: [group, verb], command })),
    ),
    ...Object.entries<Command>(singles).map(([single, command]) => ({ path: [single], command })),
  ];

  /** Runs a command on the operator of a server, which stays open. */
  async function expectSilence(words: readonly string[]): Promise<void> {
    const errors: string[] = [];
    await runCommandLine({
      argv: words,
      open: async () => ({ operator: server.operator as Operator<never>, close: async () => {} }),
      output: { out: () => {}, error: (text) => void errors.push(text) },
    });
    expectNone(words, errors.join('\n'));
  }

  /** Runs the program, which opens the database. */
  async function expectProgramSilence(words: readonly string[], env = {}): Promise<void> {
    expectNone(words, (await runCli(['--database', server.file, ...words], { env })).stderr);
  }

  function expectNone(words: readonly string[], stderr: string): void {
    if (stderr.includes(MIDDLE)) throw new Error(`${JSON.stringify(words)} prints: ${stderr}`);
  }

  /** Every place of a command for a word that does not belong there. */
  function* wrongLines(secret: () => string): Generator<readonly string[]> {
    for (const { path, command } of commands) {
      const args = command.arguments ?? [];
      yield [...path, `--${secret()}`];
      yield [...path, `--all=${secret()}`];
      yield [...path, ...args.map(() => 'x'), secret()];
      if (args.length > 0) yield [...path, ...args.map(secret)];
      for (const [name, option] of Object.entries<CommandOption>(command.options ?? {})) {
        if (!isSwitch(option)) yield [...path, ...args.map(() => 'x'), `--${name}=${secret()}`];
      }
    }
  }

  test('as an argument or an option of each command', async () => {
    let count = 0;
    const next = () => SECRETS[count++ % SECRETS.length] ?? '';
    for (const words of wrongLines(next)) await expectSilence(words);
    expect(count).toBeGreaterThan(200);
  });

  test.each([...SECRETS, MIDDLE])('%j as a command, an argument or an option', async (secret) => {
    for (const words of [
      [secret],
      ['help', secret],
      [`--${secret}`, 'jobs'],
      ['jobs', secret],
      ['keys', 'rotate', secret],
      ['keys', 'rotate', 'key_x', secret],
      ['keys', 'issue', 'ptn_x', secret],
      ['deliveries', 'show', secret],
      ['jobs', 'list', `--${secret}`],
      ['jobs', 'list', `--all=${secret}`],
      ['jobs', 'list', `--limit=${secret}`],
      ['timeline', 'key_x', `--since=${secret}`],
    ]) {
      await expectSilence(words);
    }
  });

  test('as an option of the program, or an argument of a command without an operator', async () => {
    for (const name of Object.keys(CONNECTION_OPTIONS))
      await expectProgramSilence(['jobs', `--${name}=${BODY}`]);
    for (const words of [['cells', 'add'], ['doctor'], ['migrate'], ['completion']]) {
      await expectProgramSilence([...words, BODY]);
    }
    await expectProgramSilence(['migrate', '--sql', '--grant-to', BODY]);
    await expectProgramSilence(['console', '--port', BODY]);
  });

  test('also if it is the sealing key, or the name of its file', async () => {
    for (const secret of SECRETS) await expectProgramSilence(['endpoints', '--sealing-key-file', secret]);
    await expectProgramSilence(['doctor', '--sealing-key-file', BODY]);
    await expectProgramSilence(['endpoints', 'list'], { PARTNER_HIRING_SEALING_KEY: BODY });
  });

  test('also if a file is no JSON', async () => {
    const path = `${server.file}.json`;
    writeFileSync(path, `whsec_${BODY}`);
    await expectSilence(['jobs', 'import', path]);
  });
});
