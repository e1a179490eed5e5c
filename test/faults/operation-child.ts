/** A process that runs the steps of operations until it is killed, or until none is left. */
import type { Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { HOST_ACTOR } from '../../packages/core/src/domain/audit.js';
import { createStepperOf } from '../../packages/core/src/features/commands.js';
import type { OperatorOptions } from '../../packages/core/src/operator/operator.js';
import { separateTransactions } from '../../packages/core/src/operator/runners.js';
import { createStorageClock } from '../../packages/core/src/storage-clock.js';
import { WITHOUT_SENDING } from '../scenarios/operator/stage.js';
import { openLocated } from './stage/open-located.js';

/** The orders of the process. */
export interface OperationOrders {
  readonly location: DatabaseLocation;
  /** Kills the process at this moment of a step. Null runs all steps. */
  readonly moment: OperationMoment | null;
  /** Which step, from 1 on. */
  readonly nth: number;
}

export type OperationMoment = 'in_step' | 'before_commit' | 'after_commit';

async function run({ location, moment, nth }: OperationOrders): Promise<void> {
  const storage = await openLocated(location);
  let step = 0;
  const pass = (met: OperationMoment) => {
    if (met === moment && step === nth) process.kill(process.pid, 'SIGKILL');
  };
  const watched: Storage<unknown> = {
    ...storage,
    async transaction(work) {
      step += 1;
      const result = await storage.transaction(async (tx: Repositories) => {
        const events: Repositories['events'] = {
          ...tx.events,
          async append(some) {
            await tx.events.append(some);
            pass('in_step');
          },
        };
        const deliveries: Repositories['deliveries'] = {
          ...tx.deliveries,
          async save(some) {
            await tx.deliveries.save(some);
            if (some.length > 0) pass('in_step');
          },
        };
        const done = await work({ ...tx, events, deliveries });
        pass('before_commit');
        return done;
      });
      pass('after_commit');
      return result;
    },
  };
  const runtime = createSystemRuntime();
  const options: OperatorOptions<unknown> = {
    storage: watched,
    storageClock: createStorageClock(storage.direct.time, runtime.clock),
    runtime,
    secretBox: { seal: (secret) => secret, open: (sealed) => sealed },
    rules: { decideFromReceived: false },
    urlPolicy: { allowPlainHttp: false },
    ...WITHOUT_SENDING,
  };
  const stepper = createStepperOf(separateTransactions(options, HOST_ACTOR));
  while ((await stepper.step()) !== null);
  await storage.close();
  process.exit();
}

process.once('disconnect', () => process.exit());
process.once('message', (orders: OperationOrders) => void run(orders));
process.send?.('ready');
