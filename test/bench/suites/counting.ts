import { createPostgresStorage } from '@partner-hiring/postgres';
import { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createBatcher } from '../../../packages/core/src/batcher.js';
import { keyBucket, RATE_LIMITS } from '../../../packages/core/src/domain/rate-limit.js';
import { chargeEach } from '../../../packages/core/src/partner/rate-limit.js';
import { type Comparison, inTurn } from '../compare.js';

const LIMITS = { ...RATE_LIMITS, read_application: 1_000_000_000 };
const KEYS = ['key_a', 'key_b', 'key_c', 'key_d'] as const;
const POOL_SIZE = 10;

/** Requests counted per second, the group of the admission against `rate-limiter-flexible` on one database. */
export function countingAgainstRateLimiterFlexible(
  connectionString: string,
  { connections, durationMs }: { readonly connections: number; readonly durationMs: number },
): { readonly comparison: Comparison; close(): Promise<void> } {
  const pool = new Pool({ connectionString, max: POOL_SIZE });
  // `end` does not wait for the sockets. The drop of the database then reports an error on those that still close.
  pool.on('error', () => undefined);
  const storage = createPostgresStorage({ connectionString });
  const limiter = new Promise<RateLimiterPostgres>((resolve, reject) => {
    const options = {
      storeClient: pool,
      points: LIMITS.read_application,
      duration: 60,
      tableName: 'counted',
    };
    const made: RateLimiterPostgres = new RateLimiterPostgres(options, (error?: Error) =>
      error === undefined ? resolve(made) : reject(error),
    );
  });
  const count = createBatcher(async (keys: readonly (typeof KEYS)[number][]) => {
    const { rateWindows } = (await storage).direct;
    const requests = keys.map((key) => ({
      bucket: keyBucket('read_application', { id: key, loweredLimits: null }, LIMITS),
    }));
    return chargeEach((charges) => rateWindows.charge(charges), requests);
  });

  /** As many callers as there are connections, each counting its next request once the last is counted. */
  async function perSecond(countOne: (key: (typeof KEYS)[number]) => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    let counted = 0;
    const caller = async () => {
      while (performance.now() < startedAt + durationMs) {
        counted += 1;
        await countOne(KEYS[counted % KEYS.length] ?? KEYS[0]);
      }
    };
    await Promise.all(Array.from({ length: connections }, caller));
    return counted / ((performance.now() - startedAt) / 1_000);
  }

  return {
    comparison: {
      name: 'counting requests, against rate-limiter-flexible',
      unit: 'per second',
      goal: { atLeast: 5 },
      measure: inTurn(
        () => perSecond(count),
        async () => {
          const counter = await limiter;
          return perSecond((key) => counter.consume(key));
        },
      ),
    },
    close: async () => {
      await (await storage).close();
      await pool.end();
    },
  };
}
