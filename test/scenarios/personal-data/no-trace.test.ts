/** After an erasure, no byte of the candidate is left in the database. */
import { existsSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { dump, foundIn, isSqlite, openPersonalStage, type PersonalStage } from './stage.js';

/** A word that is part of no other word here, for each number. */
function personOf(number: number): string {
  return `Zq${String(number).padStart(4, '0')}xw`;
}

/** The bytes of the database's files as text. */
function readFiles(stage: PersonalStage): string {
  const { location } = stage.database;
  if (location.kind !== 'sqlite') return '';
  (stage.host.tx as Database).pragma('wal_checkpoint(truncate)');
  return ['', '-wal', '-shm']
    .map((suffix) => `${location.file}${suffix}`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

/** Lets the worker rewrite the file of SQLite. */
async function rewriteFile(stage: PersonalStage): Promise<void> {
  await stage.clock.advance(10 * MINUTE_MS);
  await stage.drain();
}

/** Submits people, decides half of them with an event, and lets the partner's answer quote the person. */
async function populate(stage: PersonalStage, count: number): Promise<ReadonlyMap<string, ApplicationId>> {
  const people = Array.from({ length: count }, (_, index) => personOf((index * 7919) % 9973));
  const ids = new Map<string, ApplicationId>();
  stage.fixture.transport.answerWith(({ body }) => {
    const [person = ''] = /Zq\d{4}xw/.exec(body) ?? [];
    return { kind: 'answered', status: 500, excerpt: `cannot store ${person}` };
  });
  for (const person of people) ids.set(person, await stage.submit(person));
  await stage.drain();
  for (const [index, id] of [...ids.values()].entries()) {
    if (index % 2 === 1) continue;
    await stage.operator.applications.move({ id });
    await stage.operator.applications.decide({ id, decision: index % 4 === 0 ? 'accepted' : 'rejected' });
  }
  await stage.drain();
  return ids;
}

it('nothing about an erased candidate is left, and everything about the others', async () => {
  const stage = await openPersonalStage();
  onTestFinished(() => stage.close());
  const people = await populate(stage, 90);
  expect(foundIn(await dump(stage.host), [...people.keys()])).toHaveLength(people.size);
  const erased = [...people.keys()].filter((_, index) => index % 3 !== 2);
  const kept = [...people.keys()].filter((person) => !erased.includes(person));
  for (const person of erased) {
    const receipt = await stage.operator.candidates.erase({
      email: `mail${person.toUpperCase()}@EXAMPLE.org`,
      clearSourceApplicationId: true,
    });
    expect(receipt.applications.map(({ id }) => id)).toEqual([people.get(person)]);
    expect(foundIn(JSON.stringify(receipt), [person])).toEqual([]);
  }
  await stage.drain();
  await rewriteFile(stage);
  expect(stage.sink.files.size).toBe(kept.length);
  const stored = await dump(stage.host);
  expect(foundIn(stored, erased)).toEqual([]);
  expect(foundIn(stored, kept)).toEqual(kept);
  if (isSqlite) {
    const files = readFiles(stage);
    expect(foundIn(files, erased)).toEqual([]);
    expect(foundIn(files, kept)).toEqual(kept);
  }
  expect(foundIn(stage.logger.text(), [...people.keys()])).toEqual([]);
});

it('nothing is left after an erasure in the host’s transaction', async () => {
  const stage = await openPersonalStage();
  onTestFinished(() => stage.close());
  const people = await populate(stage, 12);
  const { host, operator } = stage;
  for (const applicationId of people.values()) {
    await host.run('begin');
    const commands = operator.within(host.tx);
    await commands.candidates.erase({ applicationId, clearSourceApplicationId: true });
    await host.run('commit');
  }
  await stage.drain();
  await rewriteFile(stage);
  expect(foundIn((await dump(host)) + readFiles(stage), [...people.keys()])).toEqual([]);
  if (isSqlite) expect((host.tx as Database).pragma('secure_delete', { simple: true })).toBe(1);
});

it('an erasure that the host rolls back erases nothing', async () => {
  const stage = await openPersonalStage();
  onTestFinished(() => stage.close());
  const people = await populate(stage, 4);
  const { host, operator } = stage;
  const before = await dump(host);
  for (const applicationId of people.values()) {
    await host.run('begin');
    const erasure = { applicationId, clearSourceApplicationId: true };
    expect((await operator.within(host.tx).candidates.erase(erasure)).counts.applications).toBe(1);
    await host.run('rollback');
  }
  expect(await dump(host)).toBe(before);
});
