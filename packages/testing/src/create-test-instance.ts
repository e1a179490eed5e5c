import * as timers from 'node:timers';
import {
  type Clock,
  createPartnerHiring,
  createSystemRuntime,
  type OperatorAlert,
  OperatorError,
  type PartnerHiring,
  type PartnerHiringOptions,
  type ResumeFile,
  type Storage,
} from '@partner-hiring/core';
import { type Builders, createBuilders } from './builders.js';
import { createMemoryResumes } from './memory-resumes.js';
import { createRecordedTransport, type RecordedTransport } from './recorded-transport.js';
import { assertMs, createVirtualClock, settle, type VirtualClock } from './virtual-clock.js';

/** A database for one test instance, such as `temporarySqlite()` or `temporaryPostgres({ pool })`. */
export interface TemporaryDatabase<HostTx, StorageTx> {
  /** Opens a storage with this clock. */
  open(clock: Pick<Clock, 'now'>): Promise<Storage<HostTx, StorageTx>>;
  /** Removes all data. Called after the storage is closed. */
  remove(): Promise<void>;
}

/** The options of `createPartnerHiring` that a test instance sets. */
export type TestOptions<HostTx, StorageTx> = {
  readonly [Name in
    | 'storage'
    | 'secretKey'
    | 'transport'
    | 'runtime'
    | 'alerts'
    | 'resumeSource'
    | 'resumeSink']: NonNullable<PartnerHiringOptions<HostTx, StorageTx>[Name]>;
};

/** The options of {@link createTestInstance}. */
export interface TestInstanceOptions<HostTx, StorageTx> {
  readonly database: TemporaryDatabase<HostTx, StorageTx>;
  /** Creates the instance from the test's options and your own. Default: `createPartnerHiring`. */
  readonly create?: ((options: TestOptions<HostTx, StorageTx>) => PartnerHiring<HostTx>) | undefined;
  /** Default: a virtual clock that starts at the current time. */
  readonly clock?: VirtualClock | undefined;
}

/** How `advance` passes time. */
export interface AdvanceOptions {
  /**
   * How much time passes before the worker runs again, in milliseconds. Default: a hundredth of `ms`, but at least one
   * second and at most half an hour.
   */
  readonly stepMs?: number | undefined;
}

/** A partner API in one test: a temporary database, a virtual clock and a recorded network. */
export interface TestInstance<HostTx> extends Builders {
  readonly partnerHiring: PartnerHiring<HostTx>;
  readonly operator: PartnerHiring<HostTx>['operator'];
  readonly clock: VirtualClock;
  readonly transport: RecordedTransport;
  /** The alerts that the worker sent, in order. */
  readonly alerts: readonly OperatorAlert[];
  /** The résumés that the worker stored, in order. Each download returns the same small PDF. */
  readonly resumeFiles: readonly ResumeFile[];
  /**
   * Does all due work of the worker: webhooks, résumés, alerts, the inbox. If another transaction has locked an
   * endpoint, the worker pauses for 100 ms of the virtual clock, and `drain` passes this time.
   */
  drain(): Promise<void>;
  /**
   * Passes time in steps, and does the due work after each step.
   * @throws OperatorError `INVALID_INPUT` if `ms` or `stepMs` is not a whole number of milliseconds.
   * @example
   * await instance.advance(60 * 60 * 1000);
   */
  advance(ms: number, options?: AdvanceOptions): Promise<void>;
  /**
   * Does the due work and returns the first matching event that no earlier call has returned.
   * @throws Error if no such event is sent within two seconds of real time, or within `timeoutMs`.
   * @example
   * const event = await instance.waitFor('job.opened', { where: ({ data }) => data.jobId === job.id });
   */
  waitFor: RecordedTransport['waitFor'];
  /** Closes the instance and removes its data. Further calls do nothing. */
  close(): Promise<void>;
}

/** The real timers, even if the test replaces the global ones. */
const onTimeout = timers.setTimeout;
const stopTimeout = timers.clearTimeout;

/** Encrypts the signing secrets of test endpoints. It protects nothing. */
const TEST_SECRET_KEY = '0123456789abcdef'.repeat(4);

const MAKER = 'createTestInstance';
const OPTIONS: Readonly<Record<keyof TestInstanceOptions<never, never>, true>> = {
  database: true,
  create: true,
  clock: true,
};

/**
 * Opens a partner API for a test. It uses no network and no timers: time passes when you call `advance`, and webhooks
 * are recorded. Do not start its worker. Call `close` after the test.
 * @throws OperatorError `MISCONFIGURED` if an option is missing or unknown.
 * @throws StorageUnavailable if the database is unreachable.
 * @example
 * const instance = await createTestInstance({ database: temporarySqlite() });
 * const { application, key } = await instance.createApplication();
 * await instance.operator.applications.move({ id: application.id });
 * await instance.operator.applications.decide({ id: application.id, decision: 'accepted' });
 * const { data } = await key.waitFor('application.status_changed');
 * await instance.close();
 */
export async function createTestInstance<HostTx, StorageTx>(
  options: TestInstanceOptions<HostTx, StorageTx>,
): Promise<TestInstance<HostTx>> {
  checkOptions(options);
  const { database, clock = createVirtualClock(), create = createPartnerHiring } = options;
  const alerts: OperatorAlert[] = [];
  const resumes = createMemoryResumes();
  const drain = (): Promise<void> => unstall(clock, opened.worker.drain());
  const transport = createRecordedTransport(drain);
  const opened = await openOrRemove(database, clock, (storage) =>
    create({
      storage,
      secretKey: TEST_SECRET_KEY,
      transport,
      runtime: { ...createSystemRuntime(), clock },
      alerts: { alert: async (alert) => void alerts.push(alert) },
      resumeSource: resumes.source,
      resumeSink: resumes.sink,
    }),
  );
  const partnerHiring = { ...opened, worker: { ...opened.worker, drain } };
  const { waitFor } = transport;
  const { operator, fetch, handler } = partnerHiring;
  let closing: Promise<void> | undefined;

  return {
    ...createBuilders({ operator, fetch, basePath: handler.basePath, waitFor }),
    partnerHiring,
    operator,
    clock,
    transport,
    alerts,
    resumeFiles: resumes.files,
    drain,
    waitFor,
    advance: async (ms, { stepMs = defaultStep(ms) } = {}) => {
      assertMs('ms', ms);
      assertMs('stepMs', stepMs, 1);
      for (let left = ms; left > 0; left -= stepMs) {
        await clock.advance(Math.min(stepMs, left));
        await drain();
      }
    },
    close: () => {
      closing ??= partnerHiring.close().finally(() => database.remove());
      return closing;
    },
  };
}

/** How long to wait, in real time, until the worker counts as waiting for the virtual clock. */
const STALL_MS = 2_000;
/** The worker pauses this long when another transaction has locked the endpoint whose attempts it records. */
const PAUSE_MS = 100;

/** Passes a little time whenever the worker waits for the clock, because nothing else would end the wait. */
async function unstall(clock: VirtualClock, work: Promise<void>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const ended = work.then(end, end);
  while (!isOver) {
    await untilOver(ended, STALL_MS);
    await settle();
    if (!isOver) await clock.advance(PAUSE_MS);
  }
  return work;
}

/** Waits for the work, but no longer than `ms` of real time. */
function untilOver(ended: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = onTimeout(resolve, ms);
    void ended.then(() => {
      stopTimeout(timer);
      resolve();
    });
  });
}

/** Retries wait for minutes or hours, and are late by one step at most. */
function defaultStep(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms / 100), 1_000), 30 * 60_000);
}

/** Leaves no data behind if opening or creating fails. */
async function openOrRemove<HostTx, StorageTx>(
  database: TemporaryDatabase<HostTx, StorageTx>,
  clock: VirtualClock,
  create: (storage: Storage<HostTx, StorageTx>) => PartnerHiring<HostTx>,
): Promise<PartnerHiring<HostTx>> {
  let storage: Storage<HostTx, StorageTx> | undefined;
  try {
    storage = await database.open(clock);
    return create(storage);
  } catch (error) {
    await storage?.close();
    await Promise.allSettled([database.remove()]);
    throw error;
  }
}

function checkOptions(options: object | undefined): void {
  const names = Object.keys(OPTIONS).join('`, `');
  const unknown = Object.keys(options ?? {}).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown.length > 0) {
    throw new OperatorError(
      'MISCONFIGURED',
      `${MAKER} has no option \`${unknown.join('`, `')}\`. Its options are \`${names}\`. ` +
        'Pass options of createPartnerHiring in `create`.',
    );
  }
  const { database } = (options ?? {}) as { readonly database?: { readonly open?: unknown } };
  if (typeof database?.open === 'function') return;
  throw new OperatorError(
    'MISCONFIGURED',
    `${MAKER} needs a \`database\`: temporarySqlite() of @partner-hiring/testing/sqlite, or temporaryPostgres(…) of ` +
      '@partner-hiring/testing/postgres.',
  );
}
