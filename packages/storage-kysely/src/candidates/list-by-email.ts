import { emailKey } from '@partner-hiring/core';
import type { CandidateRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate } from '../batch.js';
import { mergeRanges } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { inEachStatus } from '../repositories/application-ranges.js';
import { define, type Param } from '../statement.js';
import { APPLICATIONS } from '../tables/index.js';
import { BY_ID, type ListParams, paramsOf } from './list-candidates.js';

const BY_KEY = { columns: ['email_key', 'id'], direction: 'asc' } as const;

type EmailLists = Pick<CandidateRepository, 'listByEmail' | 'listBySpelling' | 'fillEmailKeys'>;

export const prepareEmailLists: Prepare<EmailLists> = (preparation) => {
  const { queries } = preparation;
  const { byKey, bySpelling } = defineLists(preparation);
  const findMissing = define((param: Param<{ limit: number }>) =>
    mergeRanges(
      preparation,
      inEachStatus(
        queries
          .selectFrom('ph_application')
          .select(['id', 'email', 'email_key'])
          .where('erased_at', 'is', null)
          .where('email_key', 'is', null),
      ),
      BY_KEY,
      param('limit'),
    ),
  );
  const fill = defineUpdate(preparation, {
    table: APPLICATIONS.pick('id', 'email', 'email_key'),
    // The address may have been erased meanwhile.
    by: ['id', 'email'],
  });

  return (session) => ({
    listByEmail: (email, range) =>
      session.read(async (run) => {
        const rows = await run.all(byKey, { key: emailKey(email), ...paramsOf(range) });
        return rows.map(APPLICATIONS.toValue);
      }),
    listBySpelling: (email, range) =>
      session.read(async (run) => {
        const rows = await run.all(bySpelling, { email, ...paramsOf(range) });
        return rows.map(APPLICATIONS.toValue);
      }),
    fillEmailKeys: async (limit) => {
      const rows = await session.read((run) => run.all(findMissing, { limit }));
      const filled = rows.map(({ id, email }) => ({ id, email, email_key: emailKey(email) }));
      if (filled.length > 0) await session.write((run) => run.batch(fill, filled, {}));
      return filled.length;
    },
  });
};

function defineLists(preparation: Preparation) {
  const stored = preparation.queries.selectFrom('ph_application').selectAll().where('erased_at', 'is', null);
  const byKey = define((param: Param<ListParams & { key: string }>) =>
    mergeRanges(
      preparation,
      inEachStatus(stored.where('email_key', '=', param('key')).where('id', '>', param('after') as never)),
      BY_ID,
      param('limit'),
    ),
  );
  const bySpelling = define((param: Param<ListParams & { email: string }>) =>
    mergeRanges(
      preparation,
      inEachStatus(
        stored
          .where('email_key', 'is', null)
          // The database converts both sides, so that they agree whatever its collation does with letters.
          .where(sql`lower(email)`, '=', sql`lower(${param('email')})`)
          .where('id', '>', param('after') as never),
      ),
      BY_ID,
      param('limit'),
    ),
  );
  return { byKey, bySpelling };
}
