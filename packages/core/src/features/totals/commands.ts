import { onCompany, onKey, onPartner } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { environment, id, oneOf, optional, optionalId, page, value } from '../../operator/command/fields.js';
import { filter, record } from '../../operator/command/input.js';
import type { Page } from '../../operator/page-cursor.js';
import { listMissing, type MissingJobFilter, type UnseenJob } from './list-missing.js';
import { listTotals, type TotalsFilter, type TotalsRow } from './list-totals.js';

/** Counts what happened in each month, and compares what keys see. See docs/totals.md. */
export interface TotalCommands {
  /**
   * Returns a page of the figures of one or more months by partner, in the order of the ids, or by company, oldest first, or
   * of each month, newest first, 100 by default. Workers count every five minutes: `countedUntil` says up to when.
   * @example
   * const { items: partners } = await operator.totals.list({ from: '2026-09', to: '2026-11' });
   * const { items: months } = await operator.totals.list({ by: 'month', partnerId });
   */
  list(filter?: TotalsFilter): Promise<Page<TotalsRow>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { partnerName, hired } of operator.totals.each()) console.log(partnerName, hired);
   */
  each(filter?: TotalsFilter): AsyncIterable<TotalsRow>;
  /**
   * Returns a page of the jobs that another key of the environment sees and this key does not, with the reason, in the
   * order of that key's feed, 100 by default. A page compares at most 5,000 jobs: it may be empty and not the last one.
   * @throws OperatorError `KEY_NOT_FOUND`
   * @example
   * const { items } = await operator.totals.listMissing({ keyId, otherKeyId: 'key_beta' });
   * const withoutAccess = items.filter(({ reason }) => reason === 'no_access');
   */
  listMissing(filter: MissingJobFilter): Promise<Page<UnseenJob>>;
  /**
   * Iterates over the rows of `listMissing` in its order. Reads each page only when the loop reaches it.
   * @example
   * const keys = { keyId, otherKeyId: 'key_beta' } as const;
   * for await (const { jobId, reason } of operator.totals.eachMissing(keys)) console.log(jobId, reason);
   */
  eachMissing(filter: MissingJobFilter): AsyncIterable<UnseenJob>;
}

const month = value<string>(
  (given) => typeof given === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(given),
  'must be a month, such as 2026-11',
  'text',
);

export const totalDefinitions: Definitions<TotalCommands> = {
  list: {
    summary: 'Counts what happened in months, by partner or by company',
    input: filter(
      {
        by: optional(oneOf(['partner', 'company', 'month']), 'What a row is about; default partner'),
        from: optional(
          month,
          'First month, such as 2026-11, in UTC; default: the first kept or the current one',
        ),
        to: optional(month, 'Last month; default: the current one'),
        environment: optional(environment, 'Default production'),
        partnerId: optionalId('partner'),
        companyId: optionalId('company'),
        ...page,
      },
      ({ from = '', to = from }) => (from > to ? [{ at: ['from'], rule: 'must not be after to' }] : []),
    ),
    right: 'totals:read',
    // Without a partner, the totals cover all of them.
    claims: ({ partnerId, companyId }) =>
      partnerId === undefined || companyId === undefined
        ? onPartner({ partnerId })
        : [...onPartner({ partnerId }), ...onCompany({ companyId })],
    gate: {
      narrow: async ({ items, nextCursor }, _, sees) => {
        const seen = await sees(items.flatMap(({ companyId }) => companyId ?? []));
        const isSeen = ({ companyId }: TotalsRow) => companyId === null || seen.has(companyId);
        return { items: items.filter(isSeen), nextCursor };
      },
    },
    run: async ({ read, now }, asked) => listTotals(read, asked, await now()),
  },
  listMissing: {
    summary: 'Lists the jobs that another key sees and this key does not, with the reason',
    input: record({ keyId: id('key'), otherKeyId: id('key'), ...page }),
    right: () => ['totals:read', 'jobs:read'],
    claims: ({ keyId, otherKeyId }) => [...onKey({ keyId }), ...onKey({ keyId: otherKeyId })],
    run: ({ read }, asked) => listMissing(read, asked),
  },
};
