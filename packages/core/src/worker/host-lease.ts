import { DAY_MS, type Instant, SECOND_MS } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { Clock, Runtime } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { isReached } from './is-reached.js';
import type { Found, PeriodicTask } from './loop.js';
import { recordThroughOutage } from './record-through-outage.js';

/** The argument of each run of a lease. */
export interface LeaseContext {
  /**
   * Aborts when the run should end. Either the worker stops, or it could not renew the lease in time, so another
   * process may begin a run. Pass the signal to `fetch`, or check `signal.aborted` between two steps.
   */
  readonly signal: AbortSignal;
}

/** The periodic work of a lease. */
export type LeaseRun = (context: LeaseContext) => unknown;

export interface HostLease {
  readonly name: string;
  readonly everyMs: number;
  readonly run: LeaseRun;
}

export interface LeaseDeps {
  readonly direct: Pick<Repositories, 'leases'>;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly logger: Logger;
  /** How long a lease lasts at most without a renewal, in milliseconds. */
  readonly leaseMs: number;
}

type RunEnd = 'done' | 'broken_off';

/** The longest time without a run after a process was killed. A run renews its lease after each third of it. */
const MAX_LEASE_MS = 30 * SECOND_MS;

/** Runs the host's work, in one process at a time. A run that was broken off is repeated. */
export function createLeaseTask(lease: HostLease, deps: LeaseDeps): PeriodicTask {
  const { name, everyMs, run } = lease;
  const { direct, runtime, logger } = deps;
  const { clock } = runtime;
  const forMs = Math.min(deps.leaseMs, MAX_LEASE_MS);
  let askAt: Instant = clock.now();
  let isClosed = false;
  let current: { readonly ended: Promise<void>; readonly abort: AbortController } | null = null;

  async function poll(): Promise<Found> {
    if (isClosed || current !== null || !isReached(clock.now(), askAt, everyMs)) return 'nothing';
    const token = runtime.random.token();
    const startedAt = clock.now();
    const waitMs = await direct.leases.take({ name, token, forMs }, everyMs);
    if (waitMs !== null) {
      // The holder may release the lease before its end.
      askAt = clock.now() + Math.min(waitMs, everyMs);
      return 'nothing';
    }
    const abort = new AbortController();
    if (isClosed) abort.abort(STOPS);
    const ended = work(token, startedAt + forMs, abort).then((end) => {
      current = null;
      // Rests after each run. Otherwise, a drain would never end if the work takes longer than `everyMs`.
      const restUntil = clock.now() + MIN_EVERY_MS;
      askAt = end === 'done' ? Math.max(startedAt + everyMs, restUntil) : restUntil;
    });
    current = { ended, abort };
    return 'some';
  }

  async function work(token: string, heldUntil: Instant, abort: AbortController): Promise<RunEnd> {
    const over = new AbortController();
    const renewed = keepLease(
      { clock, heldUntil, forMs, renew: () => direct.leases.renew({ name, token, forMs }) },
      { over: over.signal, onLost: () => abort.abort(LOST) },
    );
    let end: RunEnd = 'done';
    try {
      abort.signal.throwIfAborted();
      await run({ signal: abort.signal });
    } catch (err) {
      if (abort.signal.aborted) end = 'broken_off';
      else logger.error({ err, lease: name, everyMs }, FAILED);
    }
    over.abort();
    await renewed;
    try {
      await recordThroughOutage(() => direct.leases.release(name, token, end));
    } catch (err) {
      logger.error({ err, lease: name }, NOT_RELEASED);
    }
    return end;
  }

  return {
    name: `lease ${name}`,
    poll,
    idle: async () => current?.ended,
    isBusy: () => current !== null,
    nextAt: () => (current === null ? askAt : null),
    end() {
      isClosed = true;
      current?.abort.abort(STOPS);
    },
    async cut() {
      current?.abort.abort(STOPS);
      await current?.ended;
    },
  };
}

interface Kept {
  readonly clock: Clock;
  readonly heldUntil: Instant;
  readonly forMs: number;
  renew(): Promise<boolean>;
}

/** Renews a lease until `over` aborts. Calls `onLost` before another process may take the lease. */
async function keepLease(
  { clock, heldUntil, forMs, renew }: Kept,
  { over, onLost }: { readonly over: AbortSignal; readonly onLost: () => void },
): Promise<void> {
  const everyMs = forMs / 3;
  let until = heldUntil;
  for (;;) {
    await clock.sleep(everyMs, over);
    if (over.aborted) return;
    const next = clock.now() + forMs;
    // During an outage, no other process can take the lease either. When the outage ends, one can.
    const isRenewed = await renew().catch(() => null);
    if (isRenewed === true) until = next;
    if (isRenewed !== false && clock.now() + everyMs < until) continue;
    onLost();
    return;
  }
}

const STOPS = new Error('The worker stops.');
const LOST = new Error('The lease could not be renewed in time, so another process may run this work.');

const FAILED = "The host's periodic work failed; it runs again when its time has passed.";
const NOT_RELEASED = 'A lease could not be released; it ends on its own, and the work may run again early.';

const NAME = /^[\w.:-]{1,100}$/;
/** A worker polls each second. */
const MIN_EVERY_MS = SECOND_MS;
const MAX_EVERY_MS = 366 * DAY_MS;

/** @throws OperatorError `MISCONFIGURED` */
export function readLease(lease: HostLease): HostLease {
  const { name, everyMs, run } = lease;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw refused('`name` must have 1 to 100 characters of A-Z, a-z, 0-9, `_`, `-`, `.` and `:`.');
  }
  if (!Number.isSafeInteger(everyMs) || everyMs < MIN_EVERY_MS || everyMs > MAX_EVERY_MS) {
    throw refused(
      `\`everyMs\` is ${String(everyMs)}, but must be a whole number of milliseconds from ${MIN_EVERY_MS} to ${MAX_EVERY_MS}.`,
    );
  }
  if (typeof run !== 'function') throw refused('`run` must be a function.');
  return lease;
}

export function leaseIsTaken(name: string): OperatorError {
  return refused(`this process has a lease \`${name}\` already. Choose another name.`);
}

function refused(problem: string): OperatorError {
  return new OperatorError('MISCONFIGURED', `lease: ${problem}`);
}
