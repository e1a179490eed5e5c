import type { Instant, LeaseRepository, NamedLease } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';

interface TakeParams extends NamedLease {
  readonly everyMs: number;
  readonly now: Instant;
}

export const prepareLeases: Prepare<LeaseRepository> = (preparation) => {
  const { queries, storageNow, now } = preparation;
  const take = define((param: Param<TakeParams>) =>
    queries
      .insertInto('ph_lease')
      .values({
        name: param('name'),
        taken_at: storageNow(param('now')),
        ran_at: null,
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({
            taken_at: eb.ref('excluded.taken_at'),
            lease_token: eb.ref('excluded.lease_token'),
            lease_until: eb.ref('excluded.lease_until'),
          }))
          .whereRef('ph_lease.lease_until', '<=', 'excluded.taken_at')
          .where((eb) =>
            eb.or([
              eb('ph_lease.ran_at', 'is', null),
              eb(eb('ph_lease.ran_at', '+', param('everyMs')), '<=', eb.ref('excluded.taken_at')),
            ]),
          ),
      )
      .returning(WRITTEN),
  );
  const find = define((param: Param<{ name: string; now: Instant }>) =>
    queries
      .selectFrom('ph_lease')
      .select(['ran_at', 'lease_until', leaseClock(preparation, param('now')).as('now')])
      .where('name', '=', param('name')),
  );
  const renew = define((param: Param<NamedLease & { readonly now: Instant }>) =>
    queries
      .updateTable('ph_lease')
      .set({ lease_until: leaseEnd(preparation, param('now'), param('forMs')) })
      .where('name', '=', param('name'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );
  const defineRelease = (isDone: boolean) =>
    define((param: Param<{ name: string; token: string }>) =>
      queries
        .updateTable('ph_lease')
        .set((eb) => ({
          ran_at: isDone ? eb.ref('taken_at') : eb.ref('ran_at'),
          lease_token: null,
          lease_until: sql.lit(0),
        }))
        .where('name', '=', param('name'))
        .where('lease_token', '=', param('token')),
    );
  const release = { done: defineRelease(true), broken_off: defineRelease(false) };

  return {
    take: (session, { name, token, forMs }, everyMs) =>
      session.write(async (run) => {
        const taken = await run.count(take, { name, token, forMs, everyMs, now: now() });
        if (taken > 0) return null;
        const row = await run.first(find, { name, now: now() });
        if (row === null) return 0;
        const dueAt = row.ran_at === null ? 0 : row.ran_at + everyMs;
        return Math.max(0, row.lease_until - row.now, dueAt - row.now);
      }),
    renew: (session, { name, token, forMs }) =>
      session.write(async (run) => (await run.count(renew, { name, token, forMs, now: now() })) > 0),
    release: (session, name, token, end) =>
      session.write((run) => run.execute(release[end], { name, token })),
  };
};
