import { failingAlert, type NewAlert } from '../../domain/alert.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import { type FailingReason, failingFacts, warnByTime } from '../../domain/failing-endpoint.js';
import type { AlertId } from '../../domain/ids.js';
import { type Instant, isReached, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';

export interface FailingWarnerOptions {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  /** Measures the interval between polls. Warnings are due by the storage's clock. */
  readonly clock: Pick<Clock, 'now'>;
  nextAlertId(): AlertId;
}

/** How often to look for due warnings. A warning is at most this late. A poll without warnings is one index look-up. */
export const WARN_EVERY_MS = MINUTE_MS;
const BATCH = 100;

/**
 * Warns the host of endpoints that have been failing for a long time. One commit adds the alert and marks the endpoint,
 * so each warning is sent once, even after a crash. Warnings about the number of failures are added with the
 * settlement of the attempts.
 */
export function createFailingWarner({ storage, clock, nextAlertId }: FailingWarnerOptions): PeriodicTask {
  let nextAt: Instant = clock.now();

  async function poll(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, WARN_EVERY_MS)) return 'nothing';
    const found = (await isAnyDue(storage.direct)) ? await storage.transaction(warn) : 0;
    if (found === BATCH) return 'full';
    nextAt = now + WARN_EVERY_MS;
    return found > 0 ? 'some' : 'nothing';
  }

  /** Without this check, the polls of an idle worker would write. */
  async function isAnyDue({ time, endpoints }: Repositories): Promise<boolean> {
    return (await endpoints.listToWarn(await time.now(), 1)).length > 0;
  }

  async function warn({ time, endpoints, alerts }: Repositories): Promise<number> {
    // The time must not come from a cache: a warning that is too early cannot be taken back.
    const now = await time.now();
    const due = await endpoints.listToWarn(now, BATCH);
    if (due.length === 0) return 0;
    const warned = due.map((endpoint) => warnByTime(endpoint, now));
    await endpoints.saveWarnings(warned.map(({ endpoint }) => endpoint));
    await alerts.add(
      warned.flatMap(({ endpoint, reasons }) => reasons.flatMap((reason) => alertOf(endpoint, reason, now))),
    );
    return due.length;
  }

  function alertOf(endpoint: StoredEndpoint, reason: FailingReason, at: Instant): readonly NewAlert[] {
    const facts = failingFacts(endpoint);
    return facts === null ? [] : [failingAlert(facts, { id: nextAlertId(), reason, at })];
  }

  return { name: 'warn-of-failing', poll, idle: async () => {} };
}
