import { setTimeout } from 'node:timers/promises';
import { secondsOf } from './compress.js';
import type { AlertDeployment } from './deployment.js';
import type { AlertFault } from './faults.js';
import type { PartnerLoad } from './load.js';
import type { Alert } from './rules.js';

/** An alert that fired because of a fault. */
export interface FiredAlert {
  readonly alert: string;
  readonly fault: string;
  readonly afterSeconds: number;
  readonly allowedSeconds: number;
}

/** A slow machine may need this many seconds more. */
const SLACK_SECONDS = 25;
const LOOK_EVERY_MS = 500;

/** Returns the names of the alerts that have fired in the last seconds. */
export async function firedWithin(
  { prometheus }: AlertDeployment,
  seconds: number,
): Promise<readonly string[]> {
  const found = await prometheus.query(
    `max by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${Math.ceil(seconds)}s]))`,
  );
  return found.map(({ metric }) => metric.alertname ?? '');
}

/** Injects a fault, and waits until each of its alerts fires. @throws Error if one does not fire in its window. */
export async function watchFault(
  fault: AlertFault,
  deployment: AlertDeployment,
  load: PartnerLoad,
  alerts: readonly Alert[],
  factor: number,
): Promise<readonly FiredAlert[]> {
  const startedAt = performance.now();
  const end = await fault.inject(deployment, load);
  try {
    return await Promise.all(
      fault.alerts.map(async (name) => {
        const within = alerts.find((each) => each.alert === name)?.annotations.within ?? '';
        const allowedSeconds = secondsOf(within) / factor + (fault.fixedSeconds ?? 0) + SLACK_SECONDS;
        const query = `ALERTS{alertstate="firing", alertname="${name}"}`;
        for (;;) {
          const afterSeconds = (performance.now() - startedAt) / 1_000;
          if ((await deployment.prometheus.query(query)).length > 0) {
            return { alert: name, fault: fault.name, afterSeconds, allowedSeconds };
          }
          if (afterSeconds > allowedSeconds) {
            throw new Error(`${name} did not fire within ${allowedSeconds} s, although ${fault.name}.`);
          }
          await setTimeout(LOOK_EVERY_MS);
        }
      }),
    );
  } finally {
    await end();
  }
}
