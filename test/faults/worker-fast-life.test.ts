/** The life of a platform on a fast clock. */

import { usedMemory } from '@partner-hiring/test-support/turns';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_ATTEMPTS } from '../../packages/core/src/domain/retry-schedule.js';
import { HOUR_MS } from '../../packages/core/src/domain/time.js';
import { type Caller, candidateFor, type FastLife, KEPT_MS, openFastLife } from './stage/fast-life.js';
import { inWords, report, sized } from './stage/size.js';

/** Five minutes pass in a second: a poll in 3 ms, a lease in 300. */
const TIMES = 300;
const DAYS = sized(6, 3);
/** In real time: fifty fast minutes, or a quarter of that. */
const DAY_LASTS_MS = sized(10_000, 2_500);
/** The machine sleeps at night. */
const NIGHT_MS = 14 * HOUR_MS;
/** Less than the memory of one leaked candidate per submission. */
const MAX_GROWTH_BYTES = 8_000_000;
const CLOSES_WITHIN_MS = 5_000;
/** The limit for due work, in real time. */
const LIMIT_MS = 30_000;
/** All retries end within four days. */
const [MOST_NIGHTS, MORNING_MS] = [20, 300];
/** Includes the refusals of a revoked key. */
const EXPECTED: ReadonlySet<number> = new Set([200, 201, 401, 403, 404]);
/** Deliveries to active endpoints. */
const OF_ACTIVE = "key_id in (select key_id from ph_endpoint where state = 'active')";
const DELIVERED = {
  ph_event: `${OF_ACTIVE} and id not in (select event_id from ph_delivery)`,
  ph_delivery: `${OF_ACTIVE} and state = 'delivered'`,
};

let life: FastLife;
let hasClosed: boolean;
beforeEach(async () => {
  life = await openFastLife(TIMES);
  hasClosed = false;
});
afterEach(async () => {
  if (!hasClosed) await life.close();
});

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** Simulates a day and counts the statuses that partners get. */
async function liveADay(callers: Caller[], sandbox: Caller, jobId: string, statuses: Map<number, number>) {
  const until = performance.now() + DAY_LASTS_MS;
  const { operator, receiver } = life;

  async function eachSoOften(ms: number, work: () => Promise<void>): Promise<void> {
    while (performance.now() < until) {
      await work();
      await pause(ms);
    }
  }

  function note({ status }: { readonly status: number }): number {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  }

  async function apply(): Promise<void> {
    const caller = anyOf(callers);
    const { idempotencyKey, body } = candidateFor(jobId, { resumeUrl: `${receiver.url}/cv` });
    const answer = await life.submit(caller, idempotencyKey, body);
    if (note(answer) !== 201) return;
    const { id } = JSON.parse(answer.text) as { readonly id: `ej_app_${string}` };
    const replay = await life.submit(caller, idempotencyKey, body);
    if (note(replay) === 201) expect(replay.text).toBe(answer.text);
    await operator.applications.move({ id });
    await operator.applications.decide({ id, decision: anyOf(['accepted', 'rejected']) });
  }

  async function changeKeys(): Promise<void> {
    callers.push(await life.caller(anyOf(['/ok', '/flaky', '/gone'])));
    const [former] = callers.length > 8 ? callers.splice(1, 1) : [];
    if (former === undefined) return;
    await operator.keys.revoke({ id: former.keyId, all: true });
    await operator.access.revoke({ keyId: former.keyId, companyId: life.companyId });
  }

  await Promise.all([
    ...Array.from({ length: 3 }, () => eachSoOften(15, apply)),
    eachSoOften(DAY_LASTS_MS / 6, changeKeys),
    eachSoOften(300, async () => {
      await operator.jobs.close({ id: await life.publish() });
      note(await life.get(anyOf(callers), '/jobs'));
    }),
    eachSoOften(200, async () => {
      const { keyId } = anyOf(callers);
      await operator.endpoints.pause({ keyId });
      await pause(30);
      await operator.endpoints.resume({ keyId });
    }),
    eachSoOften(400, async () => {
      const { data } = JSON.parse((await life.get(sandbox, '/jobs')).text) as { data: { id: string }[] };
      const { idempotencyKey, body } = candidateFor(anyOf(data).id, { email: 'accepted@sandbox.example' });
      expect((await life.submit(sandbox, idempotencyKey, body)).status).toBeLessThan(500);
    }),
  ]);
}

/** On the fast clock, half a busy second exceeds the limit of a download. */
function isHeldUp({ err }: FastLife['errors'][number]): boolean {
  return err?.name === 'DeadlinePassed';
}

/** Advances until no delivery to an active endpoint is pending. */
async function letAllBeSent(): Promise<void> {
  const counts = async () => (await life.operator.deliveries.count()).overall;
  for (let night = 0; night < MOST_NIGHTS; night += 1) {
    const leftNow = async () => ((found) => found.due + found.inFlight)(await counts());
    await expect.poll(leftNow, { timeout: LIMIT_MS }).toBe(0);
    if ((await counts()).scheduled === 0) return;
    life.clock.leap(NIGHT_MS);
    await pause(MORNING_MS);
  }
  expect(await counts()).toMatchObject({ scheduled: 0 });
}

/** Advances until all rows have expired. */
async function letAllGo(): Promise<void> {
  life.clock.leap(KEPT_MS + HOUR_MS);
  const tables = { ph_idempotency: 'true', ph_rate_window: 'true', ph_resume_task: 'true', ...DELIVERED };
  for (const [table, where] of Object.entries(tables)) {
    await expect.poll(() => life.count(table, where), { timeout: LIMIT_MS, message: table }).toBe(0);
  }
}

/** On a busy machine the steps of the sandbox lag behind. */
async function letPlayThrough(sandbox: Caller): Promise<void> {
  async function statuses(): Promise<ReadonlySet<string>> {
    const { text } = await life.get(sandbox, '/applications?limit=100');
    const { data } = JSON.parse(text) as { readonly data: readonly { readonly status: string }[] };
    return new Set(data.map(({ status }) => status));
  }
  await expect.poll(statuses, { timeout: LIMIT_MS }).toEqual(new Set(['accepted']));
}

it(`loses no event and leaks no row or memory in ${DAYS} days of ${DAY_LASTS_MS / 1_000} s`, async () => {
  const callers = [await life.caller('/ok'), await life.caller('/ok'), await life.caller('/flaky')];
  const sandbox = await life.sandboxCaller();
  const jobId = await life.publish();
  const statuses = new Map<number, number>();
  const events = new Map<string, string>();
  const memory: number[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    await liveADay(callers, sandbox, jobId, statuses);
    for (const { id, keyId } of await life.events()) events.set(id, keyId);
    if (day % (DAYS / 3) === 0) memory.push(await usedMemory());
    life.clock.leap(NIGHT_MS);
  }
  await letPlayThrough(sandbox);
  await letAllBeSent();
  const { items: endpoints } = await life.operator.endpoints.list();
  const active = new Set(endpoints.filter(({ state }) => state.kind === 'active').map(({ keyId }) => keyId));
  await letAllGo();

  const { received } = life.receiver;
  const isActive = ([, keyId]: readonly [string, string]) => active.has(keyId as Caller['keyId']);
  expect([...events].filter(isActive).filter(([id]) => !received.has(id))).toEqual([]);
  expect([...received].filter(([, times]) => times > MAX_ATTEMPTS)).toEqual([]);
  expect([...statuses.keys()].filter((status) => !EXPECTED.has(status))).toEqual([]);
  expect(life.errors.filter((error) => !isHeldUp(error))).toEqual([]);
  const [, second = 0, last = 0] = memory;
  expect(last - second).toBeLessThan(MAX_GROWTH_BYTES);
  hasClosed = true;
  const closedMs = await life.close();
  expect(closedMs).toBeLessThan(CLOSES_WITHIN_MS);
  report(
    `${DAYS} days in fast motion`,
    `${statuses.get(201) ?? 0} times 201, ${events.size} events, ${received.size} of them received, ` +
      `${active.size} of ${endpoints.length} endpoints active; memory ${memory.map(inMegabytes).join(', ')}; ` +
      `closed in ${inWords(closedMs)}`,
  );
}, 900_000);
