/** A process to be killed: the API on a port, a worker that fills the host's table, or both in one. */
import type { AddressInfo } from 'node:net';
import { createPartnerHiring, type InboxItem, type PartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import Fastify from 'fastify';

process.on('disconnect', () => process.exit());

export interface InboxReplicaSettings {
  readonly role: 'api' | 'worker' | 'both';
  readonly location: DatabaseLocation;
}

const { role, location } = JSON.parse(process.argv[2] ?? '') as InboxReplicaSettings;

const OPTIONS = {
  secretKey: '0123456789abcdef'.repeat(4),
  limits: { submit_application: 1_000_000, list_applications: 1_000_000 },
  worker: { pollEveryMs: 20 },
};

/** In several statements, so that a kill finds a batch half written. */
const toRow = (item: InboxItem) =>
  [item.applicationId, item.at, 'change' in item ? item.change.to.status : item.kind] as const;

/** An API alone has no inbox option: it must record what the worker hands over. */
async function open(): Promise<PartnerHiring<never>> {
  if (location.kind === 'sqlite') {
    const storage = await createSqliteStorage({ file: location.file });
    if (role === 'api') return createPartnerHiring({ storage, ...OPTIONS });
    return createPartnerHiring({
      storage,
      ...OPTIONS,
      inbox: {
        receive(items, { tx }) {
          const insert = tx.prepare('insert into candidate (application_id, at, news) values (?, ?, ?)');
          for (const item of items) insert.run(...toRow(item));
        },
      },
    });
  }
  const { connectionString, schema, schemas } = location;
  const storage = await createPostgresStorage({ connectionString, ...schemas });
  if (role === 'api') return createPartnerHiring({ storage, ...OPTIONS });
  return createPartnerHiring({
    storage,
    ...OPTIONS,
    inbox: {
      async receive(items, { tx }) {
        const insert = `insert into ${schema}.candidate (application_id, at, news) values ($1, $2, $3)`;
        for (const item of items) await tx.query(insert, [...toRow(item)]);
      },
    },
  });
}

const partnerHiring = await open();
let port: number | null = null;
if (role !== 'worker') {
  const app = Fastify();
  await app.register(partnerHiringFastify(partnerHiring));
  // Staff and the platform decide in this process too, so that a kill finds a decision half written.
  app.post('/decide/:door/:id', async ({ params }) => {
    const { door, id } = params as { readonly door: string; readonly id: `ej_app_${string}` };
    const { operator } = partnerHiring;
    const acting = (door === 'library' ? operator : operator.through('console')).as({ id: 'staff-7' });
    await acting.applications.move({ id });
    await acting.applications.decide({ id, decision: 'accepted' });
    if (door === 'erase') await acting.candidates.erase({ applicationId: id });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
}
if (role !== 'api') partnerHiring.worker.start();
process.send?.({ port });
