/** A partner that has the ids and cursors of another one. */
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { expect, it, onTestFinished } from 'vitest';
import { readStoredRows } from '../audit/stored-rows.js';

/** 20,000 with `FULL=1`, which take minutes. */
const IDS = process.env.FULL === '1' ? 20_000 : 50;
/** Rows of a page. Each page but the last has a cursor. */
const PAGE = 25;
const FULL_TIMEOUT_MS = 3_000_000;
const JOBS_AT_ONCE = 500;
const UNLIMITED = 10_000_000;
const AT_ONCE = 50;

/** Tables that record requests of the thief, also when its secret was last used, and the work of processes. */
const TRACES = [
  'ph_rate_window',
  'ph_request',
  'ph_request_read',
  'ph_hour_count',
  'ph_total',
  'ph_total_head',
  'ph_key_secret',
  'ph_worker',
];

type Kind = 'event' | 'cursorOfEvents' | 'cursorOfDeliveries';

/** Each request that takes an id or a cursor, with what the thief puts into it. */
const REQUESTS: readonly (readonly [method: string, path: string, kind: Kind])[] = [
  ['POST', '/webhook-endpoint/deliveries/{}/resend', 'event'],
  ['GET', '/applications/{}', 'event'],
  ['GET', '/webhook-endpoint/deliveries?cursor={}', 'cursorOfDeliveries'],
  ['GET', '/events?cursor={}', 'cursorOfEvents'],
  ['GET', '/events?cursor={}', 'cursorOfDeliveries'],
  ['GET', '/jobs?cursor={}', 'cursorOfEvents'],
  ['GET', '/applications?cursor={}', 'cursorOfEvents'],
];

it('foreign ids and cursors get the bytes of unknown ones on every route, and nothing is read or written', {
  timeout: FULL_TIMEOUT_MS,
}, async () => {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const limits = {
    webhook_endpoint: UNLIMITED,
    list_events: UNLIMITED,
    list_jobs: UNLIMITED,
    list_applications: UNLIMITED,
    read_application: UNLIMITED,
    guard: UNLIMITED,
  };
  const selfService = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };
  const storage = await database.open(clock);
  const fixture = await createFixture({ storage, selfService, limits }, {}, clock);
  const host = await database.host();
  onTestFinished(async () => {
    await host.close();
    await fixture.close();
    await database.remove();
  });
  const [owner, thief] = [await createPartner(fixture), await createPartner(fixture)];
  const { companyId } = await createEmployer(fixture, owner);
  await createEmployer(fixture, thief);
  for (let left = IDS; left > 0; left -= JOBS_AT_ONCE) {
    const count = Math.min(left, JOBS_AT_ONCE);
    await fixture.operator.jobs.publish(
      Array.from({ length: count }, () => ({ ...WAREHOUSE_JOB, companyId })),
    );
    // The first ones are delivered. The others wait, which is quicker.
    if (left === IDS) await fixture.partnerHiring.worker.drain();
  }
  const [events, deliveries] = [
    await walk(owner, '/events'),
    await walk(owner, '/webhook-endpoint/deliveries'),
  ];
  const foreign: Readonly<Record<Kind, readonly string[]>> = {
    event: events.ids,
    cursorOfEvents: events.cursors,
    cursorOfDeliveries: deliveries.cursors,
  };
  expect(new Set(foreign.event).size).toBe(IDS + 1);
  expect(new Set([...events.cursors, ...deliveries.cursors]).size).toBe((2 * IDS) / PAGE);

  const stored = async () => [...(await readStoredRows(host))].filter(([table]) => !TRACES.includes(table));
  const before = await stored();
  const attempts = fixture.transport.attempts.length;
  for (const [method, path, kind] of REQUESTS) {
    const ask = async (value: string) => bytesOf(await thief.request(method, path.replace('{}', value)));
    const unknown = await ask('evt_unknown');
    const answers = new Set<string>();
    for (let from = 0; from < foreign[kind].length; from += AT_ONCE) {
      const some = foreign[kind].slice(from, from + AT_ONCE);
      for (const bytes of await Promise.all(some.map(ask))) answers.add(bytes);
    }
    expect([path, ...answers]).toEqual([path, unknown]);
    expect(unknown).toMatch(/^4(04|22) /);
  }
  expect(fixture.transport.attempts).toHaveLength(attempts);
  const after = await stored();
  for (const [index, [table, rows]] of before.entries()) {
    const [same, left] = after[index] ?? [];
    expect([same, left?.length]).toEqual([table, rows.length]);
    expect(rows.find((row, place) => row !== left?.[place])).toBeUndefined();
  }
});

function bytesOf({ status, text }: Reply): string {
  return `${status} ${text}`;
}

/** Reads a list. Returns the ids of its rows, if they have one, and the cursors of its pages. */
async function walk(owner: Partner, path: string) {
  const ids: string[] = [];
  const cursors: string[] = [];
  for (let query = ''; ; ) {
    const { json } = await owner.get(`${path}?limit=${PAGE}${query}`);
    for (const { id } of json.data as readonly { readonly id?: string }[]) if (id !== undefined) ids.push(id);
    if (typeof json.next_cursor !== 'string') return { ids, cursors };
    cursors.push(json.next_cursor);
    query = `&cursor=${json.next_cursor}`;
  }
}
