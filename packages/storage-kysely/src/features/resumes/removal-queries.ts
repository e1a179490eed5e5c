import type { Repositories } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineSave, defineUpdate, itemsWith, writeEach } from '../../batch.js';
import { defineRemove, prepareTakeDue } from '../../leased-queue.js';
import { prepareFindByIds } from '../../look-ups.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { RESUME_REMOVALS } from './table.js';

const NEW_REMOVALS = RESUME_REMOVALS.omit('lease_token', 'lease_until');

const QUEUE = { table: RESUME_REMOVALS, id: 'application_id' } as const;

const POSTPONED = RESUME_REMOVALS.pick('application_id', 'attempts', 'due_at');

const MOST_COUNTED = 10_000;

export const prepareResumeRemovals: Prepare<Repositories['resumeRemovals']> = (preparation) => {
  const { queries } = preparation;
  const add = defineSave(preparation, NEW_REMOVALS, ['application_id']);
  const count = define(() =>
    queries
      .selectFrom(
        queries
          .selectFrom('ph_resume_removal as removal')
          .innerJoin('ph_application as application', 'application.id', 'removal.application_id')
          .select('application.erased_at')
          .orderBy('removal.due_at')
          .orderBy('removal.application_id')
          .limit(sql.lit(MOST_COUNTED))
          .as('first'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('first.erased_at').as('oldest')]),
  );
  const takeDue = prepareTakeDue(preparation, QUEUE);
  const finish = defineRemove(preparation, QUEUE);
  const postpone = defineUpdate(preparation, {
    table: POSTPONED,
    by: ['application_id'],
    finish: (update, param: Param<{ token: string }>) =>
      update
        .set((eb) => ({ lease_token: null, lease_until: eb.lit(0) }))
        .where('lease_token', '=', param('token')),
  });

  return {
    add: writeEach(add, NEW_REMOVALS.toRow),
    find: prepareFindByIds(preparation, RESUME_REMOVALS, 'application_id'),
    counts: (session) =>
      session.read(async (run) => {
        const row = await run.first(count, {});
        return { waiting: row?.waiting ?? 0, oldestErasedAt: row?.oldest ?? null };
      }),
    claim: (session, lease, dueBy, limit) =>
      session.write(async (run) => (await takeDue(run, lease, dueBy, limit)).map(RESUME_REMOVALS.toValue)),
    finish: (session, ids, token) =>
      session.write((run) => run.each(finish, itemsWith('application_id', ids), { token })),
    postpone: (session, removals, token) =>
      session.write((run) => run.each(postpone, removals.map(POSTPONED.toRow), { token })),
  };
};
