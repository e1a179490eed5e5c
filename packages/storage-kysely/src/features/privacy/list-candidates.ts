import {
  type ApplicationId,
  type CandidateRange,
  type CompanyId,
  emailKey,
  type Instant,
  type Repositories,
  type WalkRange,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate } from '../../batch.js';
import { NO_ID } from '../../feed-page.js';
import { beyond, defineMerged, mergeRanges } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { inEachStatus } from '../../repositories/application-rows.js';
import { define, type Param } from '../../statement.js';
import { APPLICATIONS } from '../../tables/index.js';
import { phoneKey } from '../../tables/phone-key.js';

interface ListParams {
  readonly after: ApplicationId;
  readonly limit: number;
}

interface WalkParams {
  readonly companyId: CompanyId;
  readonly submittedBefore: Instant;
  readonly submittedAt: Instant;
  readonly id: ApplicationId;
  readonly limit: number;
}

const BY_ID = { columns: ['id'], direction: 'asc' } as const;

/** Each list reads ranges of one index, in order. */
export const prepareCandidateLists: Prepare<Pick<Repositories['candidates'], 'listByPhone' | 'walk'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const candidates = queries.selectFrom('ph_application').selectAll().where('erased_at', 'is', null);
  const byPhone = defineMerged(preparation, BY_ID, (param: Param<ListParams & { key: string }>) =>
    inEachStatus(candidates.where('phone_key', '=', param('key')).where('id', '>', param('after'))),
  );
  const walkAll = defineWalk(preparation, { company: false });
  const walkCompany = defineWalk(preparation, { company: true });

  return {
    listByPhone: (session, phone, range) =>
      session.read((run) =>
        run.list(byPhone, { key: phoneKey(phone), ...paramsOf(range) }, APPLICATIONS.toValue),
      ),
    walk: (session, { companyId, submittedBefore, after, limit }: WalkRange) =>
      session.read(async (run) => {
        const { submittedAt, id } = after ?? { submittedAt: -1, id: NO_ID };
        const values = { companyId: companyId as CompanyId, submittedBefore, submittedAt, id, limit };
        return run.list(companyId === null ? walkAll : walkCompany, values, WALKED.toValue);
      }),
  };
};

export function paramsOf({ after, limit }: CandidateRange): ListParams {
  return { after: after ?? NO_ID, limit };
}

const WALKED_COLUMNS = ['id', 'source_application_id', 'submitted_at', 'changed_at', 'erased_at'] as const;
const WALKED = APPLICATIONS.pick(...WALKED_COLUMNS);

const OLDEST_SUBMITTED_FIRST = { columns: ['submitted_at', 'id'], direction: 'asc' } as const;

function defineWalk(preparation: Preparation, by: { readonly company: boolean }) {
  return define((param: Param<WalkParams>) => {
    const walked = preparation.queries
      .selectFrom('ph_application')
      .select(WALKED_COLUMNS)
      .where('submitted_at', '<', param('submittedBefore'))
      // Comparing a pair of columns lets the database read one range of the index.
      .where(beyond('>', { submitted_at: param('submittedAt'), id: param('id') }));
    const ofCompany = walked.where('company_id', '=', param('companyId'));
    const lists = by.company ? inEachStatus(ofCompany) : [walked];
    return mergeRanges(preparation, lists, OLDEST_SUBMITTED_FIRST, param('limit'));
  });
}

const BY_KEY = { columns: ['email_key', 'id'], direction: 'asc' } as const;

type EmailLists = Pick<Repositories['candidates'], 'listByEmail' | 'listBySpelling' | 'fillEmailKeys'>;

export const prepareEmailLists: Prepare<EmailLists> = (preparation) => {
  const { queries } = preparation;
  const { byKey, bySpelling } = defineLists(preparation);
  const findMissing = defineMerged(preparation, BY_KEY, (_: Param<{ limit: number }>) =>
    inEachStatus(
      queries
        .selectFrom('ph_application')
        .select(['id', 'email', 'email_key'])
        .where('erased_at', 'is', null)
        .where('email_key', 'is', null),
    ),
  );
  const fill = defineUpdate(preparation, {
    table: APPLICATIONS.pick('id', 'email', 'email_key'),
    // The address may have been erased meanwhile.
    by: ['id', 'email'],
  });

  return {
    listByEmail: (session, email, range) =>
      session.read((run) =>
        run.list(byKey, { key: emailKey(email), ...paramsOf(range) }, APPLICATIONS.toValue),
      ),
    listBySpelling: (session, email, range) =>
      session.read((run) => run.list(bySpelling, { email, ...paramsOf(range) }, APPLICATIONS.toValue)),
    fillEmailKeys: async (session, limit) => {
      const rows = await session.read((run) => run.all(findMissing, { limit }));
      const filled = rows.map(({ id, email }) => ({ id, email, email_key: emailKey(email) }));
      if (filled.length > 0) await session.write((run) => run.batch(fill, filled, {}));
      return filled.length;
    },
  };
};

function defineLists(preparation: Preparation) {
  const stored = preparation.queries.selectFrom('ph_application').selectAll().where('erased_at', 'is', null);
  const byKey = defineMerged(preparation, BY_ID, (param: Param<ListParams & { key: string }>) =>
    inEachStatus(stored.where('email_key', '=', param('key')).where('id', '>', param('after'))),
  );
  const bySpelling = defineMerged(preparation, BY_ID, (param: Param<ListParams & { email: string }>) =>
    inEachStatus(
      stored
        .where('email_key', 'is', null)
        // The database converts both sides, so that they match however its collation converts letters.
        .where(sql`lower(email)`, '=', sql`lower(${param('email')})`)
        .where('id', '>', param('after')),
    ),
  );
  return { byKey, bySpelling };
}
