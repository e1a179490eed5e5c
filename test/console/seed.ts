import { randomUUID } from 'node:crypto';
import type { ApplicationId, EventId, KeyId, Storage } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { send, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { NOTICES_OF_FEATURES } from '../../packages/console/src/features/features.js';
import { readNotice } from '../../packages/console/src/http/notices.js';
import { openPlatform, type Platform } from './platform.js';

const HOURS_MS = 3_600_000;

/** Ten attempts take 93 hours, up to a quarter more, and up to a step more for each. */
const STEPS = 27;
const STEP_MS = 6 * HOURS_MS;

/**
 * Publishes jobs whose events fail at the endpoints of Acme and Globex until they are dead. Other events succeed, so the
 * endpoints are not paused. Returns the dead letters of a key.
 */
export async function seedDeadLetters(
  { fixture: { operator, transport, pass }, acme }: Platform,
  count: number,
): Promise<(keyId: KeyId) => Promise<readonly EventId[]>> {
  const companyId = acme.companyId as `co_${string}`;
  transport.answerWith(({ body }) => answered(body.includes('Broken job') ? 500 : 200));
  await operator.jobs.publish(
    Array.from({ length: count }, (_, index) => ({
      ...WAREHOUSE_JOB,
      companyId,
      title: `Broken job ${index}`,
    })),
  );
  for (let step = 0; step < STEPS; step += 1) {
    await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId, title: `Working job ${step}` });
    await pass(STEP_MS);
  }
  return async (keyId) => {
    const { items: deliveries } = await operator.deliveries.list({ keyId, state: 'dead' });
    return deliveries.map(({ eventId }) => eventId);
  };
}

/** Publishes a job whose event fails once at each active endpoint, so that it waits for a retry. Returns Acme's event. */
export async function seedFailing({
  fixture: { operator, transport, pass },
  acme,
}: Platform): Promise<EventId> {
  transport.answerWith(({ body }) => ({
    ...answered(body.includes('Broken job') ? 503 : 200),
    excerpt: 'down for maintenance',
  }));
  const companyId = acme.companyId as `co_${string}`;
  await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId, title: 'Broken job' });
  await pass(1_000);
  const { items: deliveries } = await operator.deliveries.list({ keyId: acme.keyId, state: 'pending' });
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('No delivery waits.');
  return delivery.eventId;
}

/** Publishes a job whose event is refused by each active endpoint for twelve minutes. */
export async function seedSlowed({ fixture: { operator, transport, pass }, acme }: Platform): Promise<void> {
  const limited = { kind: 'answered', status: 503, excerpt: '', retryAfterMs: 720_000 } as const;
  transport.answerWith(() => limited);
  await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId: acme.companyId as `co_${string}` });
  await pass(1_000);
}

/** Starts an operation of three steps. The worker runs none of them before time passes. */
export async function seedOperation({ fixture: { operator }, acme }: Platform): Promise<string> {
  const companyId = acme.companyId as `co_${string}`;
  const jobs = Array.from({ length: 300 }, () => ({ ...WAREHOUSE_JOB, companyId }));
  const { id } = await operator.as({ id: 'user_9', name: 'Kim' }).jobs.publishInSteps(jobs);
  return id;
}

/** Returns the text of a notice that a redirection left for the next page. */
export function noticeOf({ headers }: { readonly headers: Headers }): string {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return readNotice({ headers: new Headers({ cookie }) }, NOTICES_OF_FEATURES)?.text ?? '';
}

/** A storage that a test may write to, as another process would. */
interface WithStorage {
  readonly storage: Storage<HostTransaction>;
}

export type SystemPlatform = Platform & WithStorage;

/** Opens a platform with its inbox turned on. */
export function openSystemPlatform(): Promise<SystemPlatform> {
  return openWithStorage(openPlatform);
}

/** Opens a platform with its inbox turned on, on a storage that a test may write to. */
export async function openWithStorage<Opened extends Platform>(
  open: (...given: Parameters<typeof openPlatform>) => Promise<Opened>,
): Promise<Opened & WithStorage> {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const storage = await database.open(clock);
  const platform = await open({ storage }, clock);
  await platform.fixture.operator.inbox.turn({ on: true });
  const close = async () => {
    await platform.close();
    await database.remove();
  };
  return { ...platform, storage, close };
}

/** One worker died two minutes ago, and another one is alive. */
export async function seedWorkers({ storage, fixture }: SystemPlatform): Promise<void> {
  const { workers } = storage.direct;
  const release = '0.1.0';
  await workers.beat({
    id: 'wkr_dead',
    name: 'worker-dead',
    pid: 4711,
    release,
    deployment: null,
    lastSweepAt: null,
    sealing: null,
    sleepMs: null,
  });
  await fixture.pass(2 * 60_000);
  await workers.beat({
    id: 'wkr_alive',
    name: 'worker-alive',
    pid: 4712,
    release,
    deployment: null,
    lastSweepAt: fixture.clock.now(),
    sealing: null,
    sleepMs: null,
  });
}

/** Two candidates apply, and the hiring platform has refused both for a day. Returns their applications. */
export async function seedParked({
  storage,
  fixture,
  acme,
}: SystemPlatform): Promise<readonly ApplicationId[]> {
  const { operator, clock } = fixture;
  const { secret } = await operator.keys.rotate({ id: acme.keyId });
  const ids: ApplicationId[] = [];
  for (const lastName of ['Liskov', 'Perlman']) {
    const candidate = { firstName: 'Kim', lastName, email: `${lastName}@example.org`, phone: '+14155550126' };
    const reply = await send(fixture, 'POST', '/applications', {
      headers: {
        authorization: `Bearer ${secret}`,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify(submission(acme.jobId, { candidate })),
    });
    const id = reply.json.id as ApplicationId;
    const at = (await operator.applications.find({ id }))?.submittedAt ?? 0;
    const refused = {
      failures: 10,
      firstFailureAt: at,
      parkedAt: clock.now(),
      retryAt: Number.MAX_SAFE_INTEGER,
    };
    await storage.direct.inbox.postpone([
      {
        keyId: acme.keyId,
        applicationId: id,
        at,
        kind: 'application.submitted',
        isBehind: false,
        isRetry: false,
        ...refused,
        lastError: 'Error: the host is closed',
      },
    ]);
    ids.push(id);
  }
  return ids;
}
