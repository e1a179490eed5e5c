/** Ours, whole: leases, signatures, the safe transport, and settlement. Only what is in flight is as the others'. */
import { createPartnerHiring, type PartnerHiringOptions, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { OursArguments } from '../deliveries/ours.js';
import { obey } from './obey.js';

const { database, endpoints, worker, without } = JSON.parse(process.argv[2] ?? '{}') as OursArguments;

async function open<HostTx>(opened: Storage<HostTx>): Promise<void> {
  const storage = leaveOut(opened, without);
  const options: PartnerHiringOptions<HostTx> = {
    storage,
    secretKey: '0123456789abcdef'.repeat(4),
    allowPrivateNetworks: true,
    worker,
    requestLog: !without.includes('request log'),
  };
  const api = createPartnerHiring(options);
  const keyIds: string[] = [];
  for (const url of endpoints) {
    const { id: partnerId } = await api.operator.partners.create({ name: 'Bench ATS' });
    const { key } = await api.operator.keys.issue({ partnerId, environment: 'production' });
    await api.operator.endpoints.setUrl({ keyId: key.id, url });
    keyIds.push(key.id);
  }
  obey(
    {
      start: () => api.worker.start(),
      stop: () => api.worker.stop(),
      // What the operator does with a decision, without the tables that it would fill.
      commit: async (mark, key) => {
        const keyId = keyIds[Number(key)] as `key_${string}`;
        await storage.transaction(async (tx) => {
          const [range] = await tx.feed.take([{ keyId, count: 1 }], Date.now());
          if (range === undefined) throw new Error('There is no feed.');
          const body = JSON.stringify({ mark, padding: 'x'.repeat(450) });
          await tx.events.append([{ id: `evt_${mark}`, keyId, type: 'job.opened', at: range.first, body }]);
        });
        api.worker.wake(new Set([keyId]));
      },
    },
    { keyIds },
  );
}

/** The same storage, but settlements append no evidence, or the counts of the hour are not stored. */
function leaveOut<HostTx>(storage: Storage<HostTx>, parts: OursArguments['without']): Storage<HostTx> {
  const { direct } = storage;
  const hourCounts = { ...direct.hourCounts, add: async () => {} };
  const transaction: typeof storage.transaction = (work) =>
    storage.transaction((tx) => work({ ...tx, evidence: { ...tx.evidence, append: async () => {} } }));
  return {
    ...storage,
    direct: parts.includes('counts') ? { ...direct, hourCounts } : direct,
    transaction: parts.includes('evidence') ? transaction : storage.transaction,
  };
}

if (database.kind === 'postgres') {
  const { connectionString } = database;
  await open(await createPostgresStorage({ connectionString }));
} else {
  await open(await createSqliteStorage({ file: database.file }));
}
