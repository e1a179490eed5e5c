/** A host that fails: for one item, for a while, or for a day. */
import type { ApplicationId } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { candidate, isSqlite, namesOf, openInboxStage } from './stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const stage = perTest(
  () =>
    openInboxStage({
      platform: {
        resumeSource: {
          fetch: async () => ({ kind: 'failed', reason: 'too_large', retryable: false }),
          close: async () => {},
        },
      },
    }),
  ({ close }) => close(),
);

const isPoison = (name: string) => name.startsWith('Poison');

function poison(): void {
  stage.failFor(({ application }) => isPoison(application?.candidate.lastName ?? ''));
}

describe('a host that refuses one item in fifty', () => {
  it('receives all others in order, each after at most one further batch', async () => {
    poison();
    const names = namesOf(150, (index) => (index % 50 === 25 ? `Poison${index}` : `Name${index}`));
    for (const name of names) await stage.submit(name);
    await stage.drain();
    expect(await stage.received()).toEqual(names.filter((name) => !isPoison(name)));
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 3, parked: 0 });
    stage.failFor(() => false);
    await stage.fixture.pass(10_000, 1_000);
    expect((await stage.received()).length).toBe(150);
  });

  it('does not delay a new item by the refused ones', async () => {
    poison();
    await stage.submit('Poison');
    await stage.drain();
    await stage.submit('Lovelace');
    await stage.fixture.pass(1_000);
    expect(await stage.received()).toEqual(['Lovelace']);
  });

  it('parks an item after ten failures in a day, alerts once, and keeps the items behind it', async () => {
    poison();
    const id = await stage.submit('Poison', { resumeUrl: 'https://ats.example.org/a.pdf' });
    for (const name of namesOf(60)) {
      await stage.submit(name);
      await stage.fixture.pass(HOUR_MS, HOUR_MS / 4);
    }
    const { inbox, system } = stage.fixture.operator;
    const { items, nextCursor } = await inbox.list({ state: 'parked' });
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      {
        applicationId: id,
        kind: 'application.submitted',
        keyId: stage.partner.keyId,
        lastError: 'Error: no place for …',
      },
    ]);
    const [parked] = items;
    expect(parked?.failures).toBeGreaterThanOrEqual(10);
    expect((parked?.parkedAt ?? 0) - (parked?.firstFailureAt ?? 0)).toBeGreaterThanOrEqual(DAY_MS);
    const alerts = stage.fixture.alerts.filter(({ kind }) => kind === 'inbox_item_parked');
    expect(alerts).toMatchObject([{ itemId: parked?.id, failures: parked?.failures }]);
    expect(await stage.received()).toEqual(namesOf(60));

    stage.failFor(() => false);
    expect(await inbox.retry({ ids: parked === undefined ? [] : [parked.id] })).toEqual({ retried: 1 });
    await stage.fixture.pass(60_000, 5_000);
    expect((await stage.received()).slice(-2)).toEqual(['Poison', 'Poison resume.failed']);
    expect((await system.status()).inbox).toMatchObject({ unread: 0, parked: 0 });
  });
});

it('a refused item among accepted ones is logged with its id and its application', async () => {
  poison();
  await stage.submit('Lovelace');
  const id = await stage.submit('Poison', { resumeUrl: 'https://ats.example.org/a.pdf' });
  await stage.submit('Hopper');
  await stage.fixture.pass(2_000, 1_000);
  const lines = stage.logger.lines.filter(({ message }) =>
    message.startsWith('The host refused inbox items.'),
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const { fields } of lines) {
    expect(fields).toMatchObject({ items: 1, itemIds: [expect.stringMatching(`^${id}\\.\\d+$`)] });
  }
});

describe('the list of refused items', () => {
  it('has an item from its first refusal on, with the next try, until the host accepts it', async () => {
    poison();
    const { inbox } = stage.fixture.operator;
    await stage.submit('Lovelace');
    const id = await stage.submit('Poison');
    await stage.submit('Hopper');
    await stage.drain();
    const { items } = await inbox.list();
    const [item] = items;
    expect(items).toEqual([
      {
        id: `${id}.${item?.at}`,
        kind: 'application.submitted',
        keyId: stage.partner.keyId,
        partnerId: expect.any(String),
        partnerName: expect.any(String),
        keyLabel: expect.any(String),
        applicationId: id,
        at: expect.any(Number),
        failures: 1,
        firstFailureAt: expect.any(Number),
        lastError: 'Error: no place for …',
        retryAt: (item?.firstFailureAt ?? 0) + 2_000,
        parkedAt: null,
      },
    ]);
    expect((await inbox.list({ state: 'parked' })).items).toEqual([]);
    stage.failFor(() => false);
    await stage.fixture.pass(10_000, 1_000);
    expect((await inbox.list()).items).toEqual([]);
  });

  it('has the only new item, which a host in an outage could have refused too, and counts it once', async () => {
    poison();
    const { inbox } = stage.fixture.operator;
    const id = await stage.submit('Poison');
    await stage.fixture.pass(10_000, 1_000);
    expect((await inbox.list()).items).toMatchObject([
      { applicationId: id, failures: 1, retryAt: null, parkedAt: null, lastError: 'Error: no place for …' },
    ]);
    await stage.submit('Lovelace');
    await stage.fixture.pass(1_000);
    expect(await stage.received()).toEqual(['Lovelace']);
    expect((await inbox.list()).items).toMatchObject([{ failures: 2 }]);
    stage.failFor(() => false);
    await stage.fixture.pass(60_000, 1_000);
    expect(await stage.received()).toEqual(['Lovelace', 'Poison']);
    expect((await inbox.list()).items).toEqual([]);
  });

  it('has an erasure that the host refuses, and pages through all items in order', async () => {
    stage.failFor(() => true);
    const { inbox, candidates } = stage.fixture.operator;
    const ids = [];
    for (const name of namesOf(3)) ids.push(await stage.submit(name));
    await candidates.erase({ applicationId: ids[0] as ApplicationId });
    await stage.fixture.pass(10_000, 1_000);
    const rows = [];
    for await (const row of inbox.each({ limit: 1 })) rows.push(row);
    expect(rows.map(({ kind, applicationId }) => [kind, applicationId])).toEqual(
      expect.arrayContaining([
        ['application.submitted', ids[1]],
        ['application.submitted', ids[2]],
        ['candidate.erased', ids[0]],
      ]),
    );
    expect(rows).toHaveLength(3);
    stage.failFor(() => false);
    await stage.fixture.pass(60_000, 1_000);
    expect((await inbox.list()).items).toEqual([]);
  });

  it('forgets the error of a candidate that is erased', async () => {
    stage.failFor(() => true);
    const id = await stage.submit('Lovelace');
    await stage.fixture.pass(3_000, 1_000);
    const { inbox, candidates } = stage.fixture.operator;
    expect((await inbox.list()).items).toHaveLength(1);
    await candidates.erase({ applicationId: id as ApplicationId });
    expect((await inbox.list()).items).toEqual([]);
  });
});

describe('a host whose own table is missing', () => {
  it('is named as the cause, and receives everything once the table is back', async () => {
    await stage.host.run('alter table candidate rename to renamed');
    await stage.submit('Lovelace');
    await stage.fixture.pass(2_000, 1_000);
    const text = stage.logger.text();
    expect(text).toContain('The host refused all inbox items of a hand-over.');
    expect(text).toMatch(isSqlite ? /no such table: candidate/ : /candidate\W+ does not exist/);
    await stage.host.run('alter table renamed rename to candidate');
    await stage.fixture.pass(60_000, 5_000);
    expect(await stage.received()).toEqual(['Lovelace']);
  });

  it('does not keep an item from other items that do not need the table', async () => {
    const missing = isSqlite ? 'select 1 from missing' : 'select 1 from public.missing';
    stage.alsoRun(({ application }) => (isPoison(application?.candidate.lastName ?? '') ? missing : null));
    await stage.submit('Poison');
    await stage.submit('Lovelace');
    await stage.drain();
    expect(await stage.received()).toEqual(['Lovelace']);
  });
});

describe('a host that is down for a day', () => {
  it('parks nothing, and receives everything in order when it is back', async () => {
    stage.failFor(() => true);
    const names = namesOf(48);
    for (const name of names) {
      await stage.submit(name);
      await stage.fixture.pass(HOUR_MS / 2, HOUR_MS / 4);
    }
    expect(await stage.received()).toEqual([]);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 48, parked: 0 });
    stage.failFor(() => false);
    await stage.fixture.pass(60_000, 10_000);
    expect(await stage.received()).toEqual(names);
    expect(stage.fixture.alerts).toEqual([]);
  });
});

it('never logs personal data of the items', async () => {
  stage.failFor(() => true);
  await stage.submit('Lovelace');
  await stage.drain();
  const { email, phone, lastName } = candidate('Lovelace');
  const text = stage.logger.text();
  expect(text).toContain('The host refused all inbox items of a hand-over.');
  expect(text).toContain('no place for …');
  for (const value of [email, phone, lastName]) expect(text.toLowerCase()).not.toContain(value.toLowerCase());
});
