import { sql } from 'kysely';
import type { Preparation } from './preparation.js';
import type { Session } from './session.js';
import { define, type Param } from './statement.js';

/** As long as the host may take to receive a batch of its inbox. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Runs a statement that locks rows, and fails if it waits too long. The storage's own transactions already have a lock
 * timeout. A transaction of the host may have none, so this function sets one for the statement.
 */
export type BoundWait = <T>(session: Session, work: () => Promise<T>) => Promise<T>;

export function prepareBoundWait({ queries, lockTimeout }: Preparation): BoundWait {
  if (lockTimeout === null) return (_session, work) => work();
  const read = define(() => queries.selectNoFrom(lockTimeout.currentMs.as('ms')));
  const set = define((param: Param<{ ms: string }>) =>
    queries.selectNoFrom(lockTimeout.set(sql`${param('ms')}`).as('set')),
  );
  return async (session, work) => {
    const isOfHost = session.writeLast === null;
    if (!isOfHost) return work();
    const { ms } = (await session.read((run) => run.first(read, {}))) ?? { ms: '0' };
    if (Number(ms) > 0 && Number(ms) <= LONGEST_WAIT_MS) return work();
    const change = (to: string) => session.read((run) => run.execute(set, { ms: to }));
    await change(String(LONGEST_WAIT_MS));
    const result = await work();
    await change(ms);
    return result;
  };
}
