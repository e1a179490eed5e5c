/** In each transaction, rows of features are locked in the order of the list, so that no two can deadlock on them. */
import { existsSync, readFileSync } from 'node:fs';
import type { InboxItem } from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createTestInstance } from '@partner-hiring/testing';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createFromFeatures } from '../../../packages/core/src/create-partner-hiring.js';
import { FEATURES } from '../../../packages/core/src/features/features.js';
import { commandsOf, createSetting, INPUTS, outcomeOf } from '../operator/every-command.js';
import { openStage } from '../operator/stage.js';

const ROOMS = new URL('../../../packages/storage-kysely/src/features/', import.meta.url);
const NAMES: readonly string[] = FEATURES.map(({ name }) => name);

/** The feature that each table belongs to. */
const OWNERS = new Map(
  NAMES.flatMap((name) => {
    const file = new URL(`${name}/table.ts`, ROOMS);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [...text.matchAll(/'(ph_\w+)'/g)].map(([, table = '']) => [table, name] as const);
  }),
);

/** What locks rows that others may wait for. A row that is only added is nobody else's. */
const LOCKS = [
  { says: /./, of: /\b(?:update|delete from) (?:"\w+"\.)?"(ph_\w+)"/g },
  { says: /\bon conflict\b/, of: /\binsert into (?:"\w+"\.)?"(ph_\w+)"/g },
  { says: /\bfor (?:no key )?(?:update|share)\b/, of: /\b(?:from|join) (?:"\w+"\.)?"(ph_\w+)"/g },
];

/** The features whose rows a statement locks, in the order of its text. */
function lockedBy(sql: string): readonly string[] {
  const found = LOCKS.filter(({ says }) => says.test(sql)).flatMap(({ of }) => [...sql.matchAll(of)]);
  return found
    .sort((a, b) => a.index - b.index)
    .flatMap(([, table = '']) => OWNERS.get(table) ?? [])
    .filter((name, place, all) => all.indexOf(name) === place);
}

/** From now on, collects the features that each transaction locks, in the order of their first locks. */
function collectTransactions(): readonly (readonly string[])[] {
  const ended: (readonly string[])[] = [];
  const open = new Map<pg.Client, string[]>();
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [{ readonly text?: string } | string];
    const sql = typeof first === 'string' ? first : (first.text ?? '');
    if (/^\s*begin/i.test(sql)) open.set(this, []);
    const locked = open.get(this);
    locked?.push(...lockedBy(sql).filter((name) => !locked.includes(name)));
    if (locked !== undefined && /^\s*(commit|rollback)/i.test(sql)) {
      ended.push(locked);
      open.delete(this);
    }
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as never);
  return ended;
}

const stage = await openStage({ sandbox: true });

/** Runs each command once. */
async function runCommands(): Promise<void> {
  const setting = await createSetting(stage);
  for (const [name, command] of commandsOf(stage.operator)) await outcomeOf(command, INPUTS[name]?.(setting));
}

/** Runs the worker with all features, from a submission to the end of its retention. */
async function runWorker(): Promise<void> {
  const instance = await createTestInstance({
    database: await createTestDatabase(),
    create: (given) =>
      createFromFeatures(
        {
          ...given,
          inbox: { receive: async (_: readonly InboxItem[]) => {} },
          jobs: { read: async () => [], everyMs: 3_600_000, missing: 'keep' },
          retention: { applicationsMs: 90 * 86_400_000 },
          sandbox: true,
        },
        FEATURES,
      ),
  });
  const { operator, createKey, createApplication, advance, close } = instance;
  const key = await createKey();
  const fields = { resumeUrl: 'https://ats.example/resume.pdf' };
  const { id } = (await createApplication({ key, fields })).application;
  await createApplication({ key });
  await advance(60_000);
  await operator.candidates.erase({ applicationId: id });
  await advance(100 * 86_400_000, { stepMs: 50 * 86_400_000 });
  await close();
}

test('each transaction locks rows of features in the order of the list', async () => {
  const transactions = collectTransactions();
  await runCommands();
  await runWorker();
  const kinds = new Set(transactions.filter(({ length }) => length > 1).map((names) => names.join(' ')));

  const inOrder = (names: string) =>
    names
      .split(' ')
      .sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b))
      .join(' ');
  expect([...kinds]).toEqual([...kinds].map(inOrder));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['resumes inbox', 'jobs-sync operations', 'resumes alerts portal']),
  );
});
