import { APPLICATION_STATUSES } from '@partner-hiring/core';
import type { ApplicationRecord, ApplicationRepository, Instant } from '@partner-hiring/core/ports';
import { type SelectQueryBuilder, sql } from 'kysely';
import { type PageParams, pageOf, pageParams, toFeedPage } from '../feed-page.js';
import type { Range } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { APPLICATIONS } from '../tables/index.js';

/** The columns that a partner may read. */
export const PARTNER_COLUMNS = [
  'id',
  'key_id',
  'job_id',
  'company_id',
  'source_application_id',
  'status',
  'stage',
  'submitted_at',
  'last_status_change_at',
  'changed_at',
] as const satisfies readonly (keyof Row<typeof APPLICATIONS>)[];

export const PARTNER_APPLICATIONS = APPLICATIONS.pick(...PARTNER_COLUMNS);

/** The columns of a submission, whose résumé has not failed yet. */
export const NEW_APPLICATIONS = APPLICATIONS.omit('erased_at', 'erased_counts', 'resume_failed_at');

export function fromNewApplication(
  application: ApplicationRecord,
  idempotencyKey: string,
): Row<typeof NEW_APPLICATIONS> {
  return Object.assign(NEW_APPLICATIONS.toRow(application), { idempotency_key: idempotencyKey });
}

/**
 * Splits applications into one range for each status, the first column of most indexes. The statuses are literals, so
 * that the planner knows them.
 */
export function inEachStatus<Row>(
  rows: SelectQueryBuilder<Schema, 'ph_application', Row>,
): readonly Range<Row>[] {
  return APPLICATION_STATUSES.map((status) => rows.where('status', '=', sql.lit(status)));
}

export const prepareApplicationPage: Prepare<Pick<ApplicationRepository, 'page'>> = (preparation) => {
  const pages = {
    all: definePage(preparation, { company: false, status: false }),
    ofCompany: definePage(preparation, { company: true, status: false }),
    inStatus: definePage(preparation, { company: false, status: true }),
    ofCompanyInStatus: definePage(preparation, { company: true, status: true }),
  };

  return {
    page: (session, query) =>
      session.read(async (run) => {
        const ofCompany = query.status === null ? pages.ofCompany : pages.ofCompanyInStatus;
        const ofAll = query.status === null ? pages.all : pages.inStatus;
        const statement = query.companyId === null ? ofAll : ofCompany;
        return toFeedPage(query, await run.all(statement, pageParams(query)), PARTNER_APPLICATIONS.toValue);
      }),
  };
};

/** Reads one range of a feed index of `ph_application`, or merges the ranges of all statuses. */
function definePage(preparation: Preparation, by: { readonly company: boolean; readonly status: boolean }) {
  const { queries } = preparation;
  return define((param: Param<PageParams>) => {
    const rows = queries
      .selectFrom('ph_application')
      .select(PARTNER_COLUMNS)
      .where('key_id', '=', param('keyId'))
      .where('changed_at', '>', param('after'))
      .$if(by.company, (query) => query.where('company_id', '=', param('companyId')));
    const ranges = by.status ? [rows.where('status', '=', param('status'))] : inEachStatus(rows);
    return queries
      .selectFrom('ph_feed_head as head')
      .leftJoin(pageOf(preparation, ranges, param('limit')), (join) => join.onTrue())
      .selectAll('page')
      .select('head.at as head')
      .where('head.key_id', '=', param('keyId'))
      .orderBy('page.changed_at')
      .$castTo<Row<typeof PARTNER_APPLICATIONS> & { readonly head: Instant }>();
  });
}
