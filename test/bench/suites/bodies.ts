import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { compare, inTurn, printHead, type RunSize } from '../compare.js';
import { SHAPES, shapedBody } from '../shaped-bodies.js';

/** Just under the largest body that the API reads, and an eighth of it. */
const LARGE_BYTES = 248 * 1024;
const SMALL_BYTES = LARGE_BYTES / 8;

/** Bytes that one round reads of each size, so that both sizes do the same work if the work is linear. */
const BYTES_A_ROUND = 8 * LARGE_BYTES;

const UNREACHED = 1_000_000_000;

/**
 * How much longer a byte may take in the large body. Quadratic work would take 8 times as long; the garbage collector
 * takes up to twice as long, because more of a large body is still in use when it runs.
 */
const MOST = 2.5;

/**
 * Shows that the work per body is linear in its size: the time of the event loop per kilobyte of a large body,
 * against the same shape in a small body.
 */
export async function benchBodies({ rounds, durationMs }: RunSize, only: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const storage = await createSqliteStorage({ file: join(folder, 'bodies.sqlite') });
  const api = createPartnerHiring({
    storage,
    secretKey: '0123456789abcdef'.repeat(4),
    limits: { submit_application: UNREACHED, guard: UNREACHED },
  });
  const partner = await api.operator.partners.create({ name: 'ATS' });
  const { secret } = await api.operator.keys.issue({ partnerId: partner.id, environment: 'production' });

  async function submit(body: string): Promise<void> {
    const response = await api.fetch(
      new Request('http://bench/api/v1/external/applications', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body,
      }),
    );
    const text = await response.text();
    if (response.status !== 422) throw new Error(`Expected 422, got ${response.status}: ${text}`);
  }

  /** Milliseconds for which the event loop was busy. Waiting for a turn is not work. */
  async function busyMs(body: string, requests: number): Promise<number> {
    const before = performance.eventLoopUtilization();
    for (let sent = 0; sent < requests; sent += 1) await submit(body);
    return performance.eventLoopUtilization(before).active;
  }

  /** Without what a request costs that has an empty body. */
  async function microsecondsPerKilobyte(body: string): Promise<number> {
    const requests = BYTES_A_ROUND / Buffer.byteLength(body);
    const emptyMs = await busyMs('{}', requests);
    const bodyMs = await busyMs(body, requests);
    return ((bodyMs - emptyMs) * 1_000) / (BYTES_A_ROUND / 1024);
  }

  printHead(
    `The time of a byte in a body of ${LARGE_BYTES / 1024} kB, against one of ${SMALL_BYTES / 1024} kB`,
  );
  for (const shape of Object.keys(SHAPES).filter((name) => name.includes(only))) {
    const [large, small] = [LARGE_BYTES, SMALL_BYTES].map((bytes) => shapedBody(shape, bytes)) as [
      string,
      string,
    ];
    const comparison = {
      name: shape,
      unit: 'µs/kB',
      goal: { atMost: MOST },
      measure: inTurn(
        () => microsecondsPerKilobyte(large),
        () => microsecondsPerKilobyte(small),
      ),
    };
    await compare(comparison, { rounds, durationMs });
  }
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
}
