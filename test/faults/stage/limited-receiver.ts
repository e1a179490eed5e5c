import type { ServerResponse } from 'node:http';
import { startTextServer } from './text-server.js';

/** How a receiver refuses. */
export interface Refusal {
  readonly status: 429 | 503;
  /** Whether it says how long to wait. */
  readonly withRetryAfter: boolean;
}

/** Returns how many milliseconds are left until the next request is accepted, or 0 to accept this one. */
export type Admission = (nowMs: number) => number;

/** Accepts nothing in its first milliseconds. */
export function awayFor(ms: number): Admission {
  let backAt: number | null = null;
  return (now) => {
    backAt ??= now + ms;
    return Math.max(0, backAt - now);
  };
}

/** Accepts so many requests within each second, whenever the second begins. */
export function limitOf(perSecond: number): Admission {
  const accepted: number[] = [];
  return (now) => {
    while (accepted[0] !== undefined && accepted[0] <= now - 1_000) accepted.shift();
    if (accepted.length >= perSecond) return (accepted[0] ?? now) + 1_000 - now;
    accepted.push(now);
    return 0;
  };
}

/** A receiver of webhooks on loopback that counts by event. */
export type LimitedReceiver = Awaited<ReturnType<typeof startLimitedReceiver>>;

export async function startLimitedReceiver() {
  const accepted = new Map<string, number>();
  const refused = new Map<string, number>();
  let attempts = 0;
  let begunAt = 0;
  let admission: Admission = () => 0;
  let refusal: Refusal = { status: 503, withRetryAfter: false };

  function answer(id: string, response: ServerResponse): void {
    const now = performance.now();
    attempts += 1;
    const leftMs = admission(now);
    if (leftMs > 0) {
      refused.set(id, (refused.get(id) ?? 0) + 1);
      response.statusCode = refusal.status;
      if (refusal.withRetryAfter) response.setHeader('retry-after', Math.ceil(leftMs / 1_000));
    } else if (!accepted.has(id)) accepted.set(id, now - begunAt);
    response.end();
  }

  const server = await startTextServer((_request, body, response) => {
    answer((JSON.parse(body) as { readonly id: string }).id, response);
  });
  return {
    ...server,
    /** Refuses from the next request on, and forgets what came before. */
    refuse(next: Admission, how: Refusal) {
      accepted.clear();
      refused.clear();
      [attempts, begunAt] = [0, performance.now()];
      [admission, refusal] = [next, how];
    },
    /** When each event was first accepted, in milliseconds after `refuse`. */
    accepted,
    /** How often each event was refused. */
    refused,
    attempts: () => attempts,
  };
}
