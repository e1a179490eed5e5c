import type { Clock, ResumeDownload, ResumeFile, Storage } from '@partner-hiring/core/ports';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import type { OperatorAlert } from '../../../packages/core/src/domain/alert.js';
import type { AttemptOutcome, Delivery } from '../../../packages/core/src/domain/delivery.js';
import { type Endpoint, FRESH_HEALTH, resumeEndpoint } from '../../../packages/core/src/domain/endpoint.js';
import { createEvent, type PartnerEvent } from '../../../packages/core/src/domain/event.js';
import type { EventId, KeyId } from '../../../packages/core/src/domain/ids.js';
import { createWorker, type Worker, type WorkerParts } from '../../../packages/core/src/worker/worker.js';
import { createFakeClock, type FakeClock, settle } from '../../support/clock.js';
import { createTestDatabase, type DatabaseLocation } from '../../support/storages.js';
import { answered, createRecordingTransport, type RecordingTransport } from '../../support/transport.js';

type AnyStorage = Pick<Storage<unknown>, 'direct' | 'transaction' | 'close'>;

/** Real storage, a clock turned by hand, a recorded network, and as many workers as the story needs. */
export interface Stage {
  readonly storage: AnyStorage;
  /** A further storage on the same database, with a clock of its own for leases and rate windows. */
  another(clock: Pick<Clock, 'now'>): Promise<AnyStorage>;
  /** Where the database is, for workers in processes of their own. */
  readonly location: DatabaseLocation;
  readonly clock: FakeClock;
  readonly transport: RecordingTransport;
  /** What the host was alerted to. */
  readonly alerts: OperatorAlert[];
  /** What the host's store was given. */
  readonly files: ResumeFile[];
  readonly errors: unknown[];
  /** The jitter of the next delays: 0 is the shortest, towards 1 the longest. */
  setJitter(fraction: number): void;
  /** How résumé downloads end from now on. */
  downloadWith(download: () => ResumeDownload | Promise<ResumeDownload>): void;
  /** A further worker, as in another process. */
  worker(parts?: Partial<WorkerParts>): Worker;
  /** The same, started; it is stopped at the latest when the stage closes. */
  start(parts?: Partial<WorkerParts>): Worker;
  /** A key with an active endpoint. */
  key(changes?: Partial<Endpoint>): Promise<KeyId>;
  /** Records events in a key's log, in one commit. */
  record(keyId: KeyId, count?: number): Promise<readonly PartnerEvent[]>;
  endpoint(keyId: KeyId): Promise<Endpoint>;
  /** What an operator does to an endpoint. */
  change(keyId: KeyId, change: (endpoint: Endpoint) => Endpoint): Promise<void>;
  pause(keyId: KeyId): Promise<void>;
  resume(keyId: KeyId): Promise<void>;
  delivery(keyId: KeyId, eventId: EventId): Promise<Delivery | null>;
  /** The ids of the events that were posted, one for each attempt. */
  sent(): readonly string[];
  close(): Promise<void>;
}

/** Opens a stage on a fresh database. */
export async function openStage(clock = createFakeClock()): Promise<Stage> {
  const database = await createTestDatabase();
  const storage: AnyStorage = await database.open(clock);
  const transport = createRecordingTransport();
  const system = createSystemRuntime();
  let jitter = 0.5;
  let download: () => ResumeDownload | Promise<ResumeDownload> = () => PDF;
  const runtime = { ...system, clock, random: { ...system.random, fraction: () => jitter } };
  const alerts: OperatorAlert[] = [];
  const files: ResumeFile[] = [];
  const errors: unknown[] = [];
  const started: Worker[] = [];
  const others: AnyStorage[] = [];
  const { direct } = storage;

  async function endpoint(keyId: KeyId): Promise<Endpoint> {
    const found = await direct.endpoints.find(keyId);
    if (found === null) throw new Error('The key has no endpoint.');
    return found;
  }

  async function change(keyId: KeyId, how: (endpoint: Endpoint) => Endpoint): Promise<void> {
    await storage.transaction(async (tx) => {
      const found = await tx.endpoints.findForUpdate(keyId);
      if (found !== null) await tx.endpoints.save(how(found));
    });
  }

  function worker(parts: Partial<WorkerParts> = {}): Worker {
    return createWorker({
      storage,
      runtime,
      transport,
      secretBox: SECRET_BOX,
      resumeSource: { fetch: async () => download(), close: async () => {} },
      resumeSink: {
        async store(file) {
          files.push(file);
          return { location: `memory:${file.fileName}` };
        },
      },
      alerts: {
        async alert(alert) {
          alerts.push(alert);
        },
      },
      logger: { debug() {}, info() {}, warn() {}, error: (fields) => errors.push(fields) },
      ...parts,
    });
  }

  return {
    storage,
    another: async (other) => {
      const opened = await database.open(other);
      others.push(opened);
      return opened;
    },
    location: database.location,
    clock,
    transport,
    alerts,
    files,
    errors,
    endpoint,
    change,
    setJitter(fraction) {
      jitter = fraction;
    },
    downloadWith(next) {
      download = next;
    },
    worker,
    start(parts) {
      const next = worker(parts);
      next.start();
      started.push(next);
      return next;
    },

    async key(changes = {}) {
      const now = clock.now();
      const partner = { id: system.ids.next('partner'), name: 'Acme ATS', createdAt: now };
      const key = {
        id: system.ids.next('key'),
        partnerId: partner.id,
        world: 'production',
        createdAt: now,
      } as const;
      await direct.partners.add(partner);
      await direct.keys.add(key);
      await direct.endpoints.save({
        keyId: key.id,
        url: 'https://ats.example.org/webhooks',
        state: { kind: 'active' },
        health: FRESH_HEALTH,
        secrets: [{ sealed: 'sealed:first', expiresAt: null }],
        createdAt: now,
        ...changes,
      });
      return key.id;
    },

    record: (keyId, count = 1) =>
      storage.transaction(async (tx) => {
        const [range] = await tx.feed.take([{ keyId, count }], clock.now());
        if (range === undefined) throw new Error('The key has no feed.');
        const events = Array.from({ length: count }, (_, index) =>
          createEvent(system.ids.next('event'), keyId, range.first + index, {
            type: 'job.closed',
            jobId: `job_${index}`,
            companyId: 'co_1',
            reason: 'closed_by_customer',
          }),
        );
        await tx.events.append(events);
        return events;
      }),

    pause: (keyId) =>
      change(keyId, (found) => ({
        ...found,
        state: { kind: 'paused', reason: 'operator', pausedAt: clock.now() },
      })),
    resume: (keyId) => change(keyId, resumeEndpoint),
    delivery: async (keyId, eventId) => (await direct.deliveries.find(keyId, [eventId]))[0] ?? null,
    sent: () => transport.events().map(({ id }) => id),
    async close() {
      await Promise.all(started.map((each) => each.stop()));
      await Promise.all([storage, ...others].map((each) => each.close()));
      await database.remove();
    },
  };
}

/** How long an ended attempt waits to be recorded. */
export const SETTLE_MS = 100;

/** A résumé that was downloaded. */
export const PDF: ResumeDownload = {
  kind: 'fetched',
  bytes: new Uint8Array([37, 80, 68, 70]),
  mediaType: 'application/pdf',
  fileName: 'resume.pdf',
};

/** Seals visibly. What was sealed elsewhere it cannot open. */
const SECRET_BOX = {
  seal: (secret: string) => `sealed:${secret}`,
  open(sealed: string) {
    if (!sealed.startsWith('sealed:')) throw new Error('It was sealed with another key.');
    return sealed.slice('sealed:'.length);
  },
};

/** Attempts that hang until the story ends them. */
export interface Hanging {
  /** How many hang. */
  count(): number;
  /** Ends those that hang, the first ones if a number is given. */
  endWith(outcome: AttemptOutcome, count?: number): Promise<void>;
}

/** Lets the attempts that match hang; the others are answered with 200. */
export function hang(
  transport: RecordingTransport,
  matches: (eventId: string) => boolean = () => true,
): Hanging {
  let waiting: ((outcome: AttemptOutcome) => void)[] = [];
  transport.answerWith(({ body }) => {
    const { id } = JSON.parse(body) as { readonly id: string };
    if (!matches(id)) return answered(200);
    return new Promise((resolve) => waiting.push(resolve));
  });
  return {
    count: () => waiting.length,
    async endWith(outcome, count = waiting.length) {
      const ending = waiting.slice(0, count);
      waiting = waiting.slice(count);
      for (const end of ending) end(outcome);
      await settle();
    },
  };
}

/** Lets what needs no time go on until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isSo(); turn += 1) await settle(1);
  if (!isSo()) throw new Error('It did not come to be so.');
}
