/**
 * The processor time of a worker, and of PostgreSQL, while 10,000 endpoints have a gap of a minute and an event each, as a
 * share of one core: `npx tsx test/bench/deliveries/slowed.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { FRESH_HEALTH } from '../../../packages/core/src/domain/endpoint.js';
import { createEvent } from '../../../packages/core/src/domain/event.js';
import { openDatabases } from '../databases.js';

const ENDPOINTS = 10_000;
const SECONDS = 30;
const MINUTE_MS = 60_000;
const FAILED = { kind: 'answered', status: 500, excerpt: '' } as const;

async function fill(storage: Storage<never>, seal: (keyId: `key_${string}`) => string): Promise<void> {
  const now = Date.now();
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const partnerId = `ptn_${index}` as const;
    const keyId = `key_${index}` as const;
    const until = now + Math.round((index / ENDPOINTS) * MINUTE_MS);
    const cause = { kind: 'answered', status: 500 } as const;
    const gap = { isPaced: false, ms: MINUTE_MS, since: now, at: now, until, cause };
    await storage.transaction(async (tx) => {
      await tx.partners.add({ id: partnerId, name: `Partner ${index}`, createdAt: now });
      await tx.keys.add({ id: keyId, partnerId, environment: 'production', createdAt: now });
      await tx.endpoints.save({
        keyId,
        url: 'https://ats.example.org/webhooks',
        state: { kind: 'active' },
        health: { ...FRESH_HEALTH, consecutiveFailures: 11, firstFailureAt: now, gap },
        secrets: [{ sealed: seal(keyId), createdAt: now, expiresAt: null }],
        createdAt: now,
        resumedAt: null,
        replacedUrl: null,
      });
      const [range] = await tx.feed.take([{ keyId, count: 1 }], now);
      const fact = {
        type: 'job.closed',
        jobId: 'job_1',
        companyId: 'co_1',
        reason: 'closed_by_customer',
      } as const;
      await tx.events.append([createEvent(`evt_${index}`, keyId, range?.first ?? now, fact)]);
    });
  }
}

/** The processor time of all PostgreSQL processes of this machine, those that ended included, in milliseconds. */
function postgresMs(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        if (!stat.includes('(postgres)')) return 0;
        // Fields 14 to 17: user and system time, its own and that of the children that ended.
        const ticks = stat.slice(stat.indexOf(')')).split(' ').slice(12, 16).map(Number);
        return ticks.reduce((sum, each) => sum + each, 0) * 10;
      } catch {
        return 0;
      }
    })
    .reduce((sum, each) => sum + each, 0);
}

async function measure(name: string, storage: Storage<never>): Promise<void> {
  const secretBox = { seal: (text: string) => text, open: (text: string) => text };
  await fill(storage, () => `whsec_${'x'.repeat(43)}`);
  let posts = 0;
  const transport = {
    post: async () => {
      posts += 1;
      return FAILED;
    },
    close: async () => {},
  };
  const partnerHiring = createPartnerHiring<never, unknown>({ storage, secretBox, transport });
  partnerHiring.worker.start();
  await setTimeout(3_000);
  const before = { own: process.cpuUsage(), server: postgresMs(), posts };
  await setTimeout(SECONDS * 1_000);
  const own = process.cpuUsage(before.own);
  const ownShare = (own.user + own.system) / 1_000 / (SECONDS * 1_000);
  const serverShare = name === 'PostgreSQL' ? (postgresMs() - before.server) / (SECONDS * 1_000) : 0;
  console.log(
    `${name}: ${((posts - before.posts) / SECONDS).toFixed(0)} attempts a second, worker ${(100 * ownShare).toFixed(1)} % of a core, server ${(100 * serverShare).toFixed(1)} %`,
  );
  await partnerHiring.close();
}

const sqlite = await createTestDatabase();
if (sqlite.location.kind !== 'sqlite') throw new Error('Unset STORAGE.');
await measure('SQLite', (await createSqliteStorage({ file: sqlite.location.file })) as Storage<never>);
await sqlite.remove();
const databases = await openDatabases();
const connectionString = await databases.create();
await measure('PostgreSQL', (await createPostgresStorage({ connectionString })) as Storage<never>);
await databases.close();
