import type { ApplicationId, ApplicationRepository, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate, itemsWith, selectItems, writeEach } from '../batch.js';
import type { JsonRows, LockRows } from '../dialect.js';
import { defineLookUps, type Item, prepareFindByIds } from '../look-ups.js';
import { inOrder, pairKey } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Session } from '../session.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { APPLICATIONS } from '../tables/index.js';
import { prepareApplicationLists } from './application-lists.js';
import { PARTNER_APPLICATIONS, PARTNER_COLUMNS, prepareApplicationPage } from './application-rows.js';

export const prepareApplications: Prepare<Omit<ApplicationRepository, 'listNames' | 'listPhoneEnds'>> = (
  preparation,
) => ({
  ...prepareFindApplications(preparation),
  ...prepareFindForPartners(preparation),
  ...prepareApplicationPage(preparation),
  ...prepareApplicationLists(preparation),
  ...prepareSaveApplications(preparation),
});

type Finders = 'find' | 'findForUpdate' | 'findToErase' | 'findKept';

const prepareFindApplications: Prepare<Pick<ApplicationRepository, Finders>> = (preparation) => {
  const { lockRows, lockKeptRows, keepRows } = preparation;
  const findForUpdate = defineFindLocked(preparation, lockRows);
  const findToErase = defineFindLocked(preparation, lockKeptRows);
  const findKept = defineFindLocked(preparation, keepRows);
  const boundWait = prepareBoundWait(preparation);

  const ascending = (ids: readonly ApplicationId[]) => [...new Set(ids)].sort().map((id) => ({ id }));
  const findLocked = (statement: typeof findKept) => (session: Session, ids: readonly ApplicationId[]) =>
    session.read(async (run) => {
      const { rows } = await run.batch(statement, ascending(ids), {});
      return inOrder(ids, rows, (row) => row.id, APPLICATIONS.toValue);
    });
  return {
    find: prepareFindByIds(preparation, APPLICATIONS, 'id'),
    findForUpdate: findLocked(findForUpdate),
    findToErase: (session, ids) => boundWait(session, () => findLocked(findToErase)(session, ids)),
    findKept: findLocked(findKept),
  };
};

function defineFindLocked(preparation: Preparation, lock: LockRows) {
  return define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    preparation.queries
      .selectFrom('ph_application')
      .selectAll()
      .where('id', 'in', selectItems(preparation, param('rows'), 'id'))
      .orderBy('id')
      .$call(lock),
  );
}

const prepareFindForPartners: Prepare<Pick<ApplicationRepository, 'findOwned' | 'findBySourceIds'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const findOwned = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: ApplicationId }>) =>
    // The condition names only the id: with the key too, PostgreSQL might read all rows of the key.
    // Applications of other keys are removed below.
    queries.selectFrom('ph_application').select(PARTNER_COLUMNS).where('id', '=', item('id')),
  );
  const findBySourceIds = defineLookUps(
    preparation,
    { key_id: 'text', source_id: 'text' },
    (item: Item<{ key_id: KeyId; source_id: string }>) =>
      queries
        .selectFrom('ph_application')
        .select(['id', 'key_id', 'source_application_id'])
        .where('key_id', '=', item('key_id'))
        .where('source_application_id', '=', item('source_id')),
  );

  return {
    findOwned: (session, pairs) =>
      session.read(async (run) => {
        const ids = pairs.map(({ id }) => id);
        const { rows } = await run.batch(findOwned, itemsWith('id', ids), {});
        const found = inOrder(ids, rows, (row) => row.id, PARTNER_APPLICATIONS.toValue);
        return found.map((application, index) =>
          application?.keyId === pairs[index]?.keyId ? application : null,
        );
      }),
    findBySourceIds: (session, pairs) =>
      session.read(async (run) => {
        const asked = pairs.map((pair) => ({ key_id: pair.keyId, source_id: pair.sourceApplicationId }));
        const { rows } = await run.batch(findBySourceIds, asked, {});
        const keys = asked.map((item) => pairKey(item.key_id, item.source_id));
        return inOrder(
          keys,
          rows,
          (row) => pairKey(row.key_id, row.source_application_id ?? ''),
          ({ id }) => ({ id }),
        );
      }),
  };
};

const PROGRESS = APPLICATIONS.pick(
  'id',
  'status',
  'stage',
  'submitted_at',
  'last_status_change_at',
  'changed_at',
);

const RESUME = APPLICATIONS.pick('id', 'resume', 'resume_failed_at');

const prepareSaveApplications: Prepare<Pick<ApplicationRepository, 'saveProgress' | 'saveResume'>> = (
  preparation,
) => {
  const saveProgress = defineUpdate(preparation, { table: PROGRESS, by: ['id'] });
  const saveResume = define((param: Param<Row<typeof RESUME>>) =>
    preparation.queries
      .updateTable('ph_application')
      .set({ resume: param('resume'), resume_failed_at: param('resume_failed_at') })
      .where('id', '=', param('id')),
  );

  return {
    saveProgress: writeEach(saveProgress, PROGRESS.toRow),
    saveResume: (session, id, resume) =>
      session.write((run) => run.execute(saveResume, RESUME.toRow({ id, resume }))),
  };
};

/** As long as the host may take to receive a batch of its inbox. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Runs a statement that locks rows, and fails if it waits too long. The storage's own transactions already have a lock
 * timeout. A transaction of the host may have none, so this function sets one for the statement.
 */
type BoundWait = <T>(session: Session, work: () => Promise<T>) => Promise<T>;

function prepareBoundWait({ queries, lockTimeout }: Preparation): BoundWait {
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
