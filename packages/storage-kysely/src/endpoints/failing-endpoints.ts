import type { EndpointRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate, writeEach } from '../batch.js';
import { NO_ID } from '../feed-page.js';
import { beyond, defineMerged } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { ENDPOINTS } from '../tables/index.js';

type FailingMethods =
  | 'listPaused'
  | 'listFailing'
  | 'countFailing'
  | 'countSlowed'
  | 'listToWarn'
  | 'saveWarnings';

const START = { failingSince: 0, keyId: NO_ID } as const;

const PAUSED_START = { pausedAt: 0, keyId: NO_ID } as const;

const WARNINGS = ENDPOINTS.pick('key_id', 'failing_warned_at', 'pause_warned_at', 'warn_at');

/** Each query reads one range of a partial index that only has failing or paused endpoints. */
export const prepareFailingEndpoints: Prepare<Pick<EndpointRepository, FailingMethods>> = (preparation) => {
  const { queries, lockFreeRows } = preparation;
  const list = define((param: Param<{ failingSince: Instant; keyId: KeyId; limit: number }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      .where('first_failure_at', 'is not', null)
      .where(beyond('>', { first_failure_at: param('failingSince'), key_id: param('keyId') }))
      .orderBy('first_failure_at')
      .orderBy('key_id')
      .limit(param('limit')),
  );
  const listPaused = defineMerged(
    preparation,
    { columns: ['paused_at', 'key_id'], direction: 'asc' },
    (param: Param<{ pausedAt: Instant; keyId: KeyId; limit: number }>) => [
      queries
        .selectFrom('ph_endpoint')
        .selectAll()
        .where('state', '=', sql.lit('paused'))
        .where(beyond('>', { paused_at: param('pausedAt'), key_id: param('keyId') })),
    ],
  );
  const countOf = (of: 'first_failure_at' | 'gap', order: 'first_failure_at' | 'sends_from') =>
    define((param: Param<{ bound: number }>) =>
      queries
        .selectFrom(
          queries
            .selectFrom('ph_endpoint')
            .select(order)
            .where(of, 'is not', null)
            // The order makes the planner read the index.
            .orderBy(order)
            .limit(param('bound'))
            .as('counted'),
        )
        .select((eb) => eb.fn.countAll<number>().as('count')),
    );
  const countFailing = countOf('first_failure_at', 'first_failure_at');
  const countSlowed = countOf('gap', 'sends_from');
  const listToWarn = define((param: Param<{ now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      // These values are literals, because the planner does not match a parameter to a partial index.
      .where('state', '=', sql.lit('active'))
      .where('warn_at', '<=', param('now'))
      .orderBy('warn_at')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const saveWarnings = defineUpdate(preparation, { table: WARNINGS, by: ['key_id'] });

  return {
    listPaused: (session, { after, limit }) =>
      session.read(async (run) => {
        const { pausedAt, keyId } = after ?? PAUSED_START;
        return run.list(listPaused, { pausedAt, keyId, limit }, ENDPOINTS.toValue);
      }),
    listFailing: (session, { after = START, limit }) =>
      session.read(async (run) => {
        const { failingSince, keyId } = after;
        return run.list(list, { failingSince, keyId, limit }, ENDPOINTS.toValue);
      }),
    countFailing: (session, bound) =>
      session.read(async (run) => (await run.first(countFailing, { bound }))?.count ?? 0),
    countSlowed: (session, bound) =>
      session.read(async (run) => (await run.first(countSlowed, { bound }))?.count ?? 0),
    listToWarn: (session, now, limit) =>
      session.read((run) => run.list(listToWarn, { now, limit }, ENDPOINTS.toValue)),
    saveWarnings: writeEach(saveWarnings, WARNINGS.toRow),
  };
};
