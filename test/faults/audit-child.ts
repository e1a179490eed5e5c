/** A process that runs one command of an operator, and kills itself at a moment of the command's transaction. */
import type { Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { createOperatorOf } from '../../packages/core/src/features/commands.js';
import { createStorageClock } from '../../packages/core/src/storage-clock.js';
import { commandsOf } from '../scenarios/operator/every-command.js';
import { SECRET_BOX, WITHOUT_SENDING } from '../scenarios/operator/stage.js';
import { openLocated } from './stage/open-located.js';

/** The orders of the process. */
export interface AuditOrders {
  readonly location: DatabaseLocation;
  readonly command: string;
  readonly input: unknown;
  readonly now: number;
  /** Kills the process before or after this call of a repository, or this commit. Both count from 1. */
  readonly killAt:
    | { readonly call: number; readonly moment: 'before' | 'after' }
    | { readonly commit: number; readonly moment: 'before' | 'after' };
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

type Method = (...input: readonly unknown[]) => Promise<unknown>;

/** Counts the calls of repositories over all transactions of the command. */
function watch(tx: Repositories, onCall: (moment: 'before' | 'after') => void): Repositories {
  const watched = Object.entries(tx).map(([name, repository]) => {
    const methods = Object.entries(repository as Record<string, Method>).map(([method, call]) => [
      method,
      async (...input: readonly unknown[]) => {
        onCall('before');
        const answer = await call(...input);
        onCall('after');
        return answer;
      },
    ]);
    return [name, Object.fromEntries(methods)];
  });
  return Object.fromEntries(watched) as unknown as Repositories;
}

async function run({ location, command, input, now, killAt }: AuditOrders): Promise<void> {
  const storage = await openLocated(location, { now: () => now });
  const passed = { call: 0, commit: 0 };
  const pass = (step: 'call' | 'commit', moment: 'before' | 'after') => {
    if (moment === 'before') passed[step] += 1;
    const at = step in killAt ? Reflect.get(killAt, step) : null;
    if (at === passed[step] && killAt.moment === moment) die();
  };
  const watched: Storage<unknown> = {
    ...storage,
    async transaction(work) {
      const result = await storage.transaction(async (tx) => {
        const done = await work(watch(tx, (moment) => pass('call', moment)));
        pass('commit', 'before');
        return done;
      });
      pass('commit', 'after');
      return result;
    },
  };
  const system = createSystemRuntime();
  const runtime = { ...system, clock: { ...system.clock, now: () => now } };
  const { operator } = createOperatorOf<unknown>({
    storage: watched,
    storageClock: createStorageClock(storage.direct.time, runtime.clock),
    runtime,
    secretBox: SECRET_BOX,
    rules: { decideFromReceived: false },
    urlPolicy: { allowPlainHttp: false },
    ...WITHOUT_SENDING,
    sandbox: true,
  });
  await commandsOf(operator.as({ id: 'killed' })).get(command)?.(input);
  await storage.close();
  process.exit();
}

process.once('disconnect', () => process.exit());
process.once('message', (orders: AuditOrders) => void run(orders));
process.send?.('ready');
