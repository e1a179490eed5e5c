/** A process to be killed: a worker that erases candidates and removes their résumés. */
import { appendFileSync } from 'node:fs';
import { createPartnerHiring, createResumeFolder, type ResumeSink, type Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

process.on('disconnect', () => process.exit());

/** A moment at which the process kills itself. */
export type ErasingMoment = 'in_step' | 'before_commit' | 'after_commit' | 'in_removal' | 'after_removal';

export interface ErasingOrders {
  readonly location: DatabaseLocation;
  /** The folder of the résumés. */
  readonly folder: string;
  /** Gets one line per removal: the id of the application. */
  readonly log: string;
  /** Null waits for the parent to kill the process. */
  readonly moment: ErasingMoment | null;
  /** How often the moment passes before. */
  readonly after: number;
  /** Ends the leases of killed workers. */
  readonly clockAheadMs: number;
}

const orders = JSON.parse(process.argv[2] ?? '') as ErasingOrders;
let left = orders.after;

function pass(moment: ErasingMoment): void {
  if (moment !== orders.moment) return;
  left -= 1;
  if (left < 0) process.kill(process.pid, 'SIGKILL');
}

function createSink(): ResumeSink {
  const folder = createResumeFolder(orders.folder);
  return {
    store: folder.store,
    async remove(resume) {
      pass('in_removal');
      await folder.remove?.(resume);
      appendFileSync(orders.log, `${resume.applicationId}\n`);
      pass('after_removal');
    },
  };
}

/** Watches the transactions that erase candidates. */
function watch<HostTx, StorageTx>(storage: Storage<HostTx, StorageTx>): Storage<HostTx, StorageTx> {
  return {
    ...storage,
    async transaction(work) {
      let isErasing = false;
      const result = await storage.transaction(async (tx: Repositories) => {
        const candidates: Repositories['candidates'] = {
          ...tx.candidates,
          async erase(ids, at) {
            const count = await tx.candidates.erase(ids, at);
            isErasing = true;
            pass('in_step');
            return count;
          },
        };
        const done = await work({ ...tx, candidates });
        if (isErasing) pass('before_commit');
        return done;
      });
      if (isErasing) pass('after_commit');
      return result;
    },
  };
}

const clock = { now: () => Date.now() + orders.clockAheadMs };
const OPTIONS = {
  secretKey: '0123456789abcdef'.repeat(4),
  resumeSink: createSink(),
  worker: { pollEveryMs: 20 },
};

async function open() {
  if (orders.location.kind === 'sqlite') {
    const storage = await createSqliteStorage({ file: orders.location.file, clock });
    return createPartnerHiring({ storage: watch(storage), ...OPTIONS });
  }
  const { connectionString, schemas } = orders.location;
  const storage = await createPostgresStorage({ connectionString, ...schemas, clock });
  return createPartnerHiring({ storage: watch(storage), ...OPTIONS });
}

const { worker } = await open();
worker.start();
process.send?.('started');
