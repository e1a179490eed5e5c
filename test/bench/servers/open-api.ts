import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { announcePort } from './announce-port.js';
import { type BenchPartner, seedBenchmark, UNREACHED } from './seed.js';

/**
 * Serves the partner API on Fastify as a host would run it: durable, authenticated, limited. Only the limits
 * themselves are raised, so that counting goes on without refusing.
 */
export async function openApi<HostTx>(
  storage: Storage<HostTx>,
  seeded?: readonly BenchPartner[],
): Promise<void> {
  const partnerHiring = createPartnerHiring({
    storage,
    secretKey: '0123456789abcdef'.repeat(4),
    requestLog: process.env.BENCH_REQUEST_LOG !== 'off',
    limits: {
      submit_application: UNREACHED,
      read_application: UNREACHED,
      list_applications: UNREACHED,
      list_jobs: UNREACHED,
    },
  });
  const partners = seeded ?? (await seedBenchmark(partnerHiring));
  await fillInbox(storage, Number(process.env.BENCH_UNREAD ?? 0));
  const app = Fastify();
  await app.register(partnerHiringFastify(partnerHiring));
  await app.listen({ port: 0, host: '127.0.0.1' });
  // By `exit`, so that what was opened for it is cleared away.
  for (const event of ['disconnect', 'SIGTERM']) process.on(event, () => process.exit());
  announcePort(app.server, { partners });
}

/** Turns the inbox on, with that many unread entries of one key. */
async function fillInbox<HostTx>({ direct }: Storage<HostTx>, unread: number): Promise<void> {
  if (unread === 0) return;
  await direct.inbox.turn(true);
  const [key] = await direct.keys.list(null);
  if (key === undefined) throw new Error('No key was seeded.');
  const kind = 'application.submitted';
  await direct.inbox.add(
    Array.from({ length: unread }, (_, at) => ({
      applicationId: `ej_app_old_${at}`,
      keyId: key.id,
      at: at + 1,
      kind,
    })),
  );
}
