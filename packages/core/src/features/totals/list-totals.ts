import type { CompanyId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { groupBy } from '../../operator/group-by.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import {
  MOST_SUMS,
  startOfMonth,
  TOTALS_KEPT_MS,
  type TotalFigures,
  type TotalPlace,
  toFigures,
} from './rules.js';

/** Selects totals. */
export interface TotalsFilter extends PageOptions {
  /** What a row is about; default: `partner`. */
  readonly by?: 'partner' | 'company' | 'month' | undefined;
  /** A month in UTC, such as `2026-11`; default: the current one. Not with `by: 'month'`. */
  readonly month?: string | undefined;
  /** Default: `production`. */
  readonly environment?: Environment | undefined;
  readonly partnerId?: PartnerId | undefined;
  /** Not with `by: 'company'`. */
  readonly companyId?: CompanyId | undefined;
}

/** The totals of a month. */
export interface TotalsRow extends Omit<TotalFigures, 'refused' | 'delivered'> {
  /** In UTC, such as `2026-11`. */
  readonly month: string;
  /** Null for all partners. */
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  /** Null for all companies. */
  readonly companyId: CompanyId | null;
  readonly companyName: string | null;
  /** Requests with a valid key that got an error; null for a company, because most of them name none. */
  readonly refused: number | null;
  /** Deliveries that an endpoint took; null for a company. */
  readonly delivered: number | null;
  /**
   * Since when requests and deliveries are counted; null before the first count. Jobs and applications are counted from
   * their beginning.
   */
  readonly startedAt: Instant | null;
  /** Up to when everything is counted; null before the first count. */
  readonly countedUntil: Instant | null;
}

/** The owner and the month of a row, without names. */
interface Counted {
  readonly keyId: TotalPlace['keyId'];
  readonly companyId: CompanyId | null;
  readonly startsAt: Instant;
  readonly figures: TotalFigures;
}

const MONTH_CHARACTERS = '2026-11'.length;

export function monthText(at: Instant): string {
  return new Date(at).toISOString().slice(0, MONTH_CHARACTERS);
}

/** Returns the start of a month. */
function parseMonth(month: string): Instant {
  return Date.parse(`${month}-01T00:00:00Z`);
}

type Reading = Pick<Repositories, 'totals' | 'keys' | 'names'>;

const BY_KEY = definePageCursors<Pick<PartnerKey, 'partnerId'>>('totals', { partnerId: 'id' });
const BY_COMPANY = definePageCursors<{ readonly companyId: CompanyId }>('totals', { companyId: 'id' });

/** Reads ranges of one index: the sums of each month are stored, also those of all keys and of all companies. */
export async function listTotals(read: Reading, filter: TotalsFilter, now: Instant): Promise<Page<TotalsRow>> {
  const counted = await LISTS[filter.by ?? 'partner'](read, filter, now);
  return { items: await withNames(read, counted.items), nextCursor: counted.nextCursor };
}

const LISTS = { partner: listPartners, company: listCompanies, month: listMonths };

/** A key belongs to one partner, and a partner has at most one key in each environment. */
async function keysOf({ keys }: Reading, { environment = 'production', partnerId }: TotalsFilter) {
  const found = await keys.list(partnerId ?? null);
  return found.filter((key) => key.environment === environment);
}

async function listPartners(read: Reading, filter: TotalsFilter, now: Instant): Promise<Page<Counted>> {
  const { month = monthText(now), environment, partnerId, companyId = null } = filter;
  const keys = await keysOf(read, filter);
  const binding = ['partner', month, environment ?? null, partnerId ?? null, companyId];
  const page = await readPage(BY_KEY, binding, filter, async ({ after, limit }) =>
    keys.filter((key) => after === null || key.partnerId > after.partnerId).slice(0, limit),
  );
  const places = page.items.map(({ id }) => ({ keyId: id, companyId, startsAt: parseMonth(month) }));
  return { items: await findFigures(read, places), nextCursor: page.nextCursor };
}

/** Returns the key of the partner, or the environment for all partners. Null if the partner has no such key. */
async function ownerOf(read: Reading, filter: TotalsFilter): Promise<TotalPlace['keyId'] | null> {
  if ((filter.partnerId ?? undefined) === undefined) return filter.environment ?? 'production';
  return (await keysOf(read, filter))[0]?.id ?? null;
}

async function listCompanies(read: Reading, filter: TotalsFilter, now: Instant): Promise<Page<Counted>> {
  const { month = monthText(now), environment, partnerId } = filter;
  const keyId = await ownerOf(read, filter);
  if (keyId === null) return { items: [], nextCursor: null };
  const startsAt = parseMonth(month);
  const binding = ['company', month, environment ?? null, partnerId ?? null];
  return readPage(BY_COMPANY, binding, filter, async ({ after, limit }) => {
    const page = { keyId, startsAt, after: after?.companyId ?? null, limit: limit * MOST_SUMS };
    const totals = groupBy(await read.totals.listCompanies(page), ({ companyId }) => companyId);
    // Of so many sums, only those of the last company may be incomplete.
    return [...totals].slice(0, limit).flatMap(([companyId, sums]) => {
      return companyId === null ? [] : [{ keyId, companyId, startsAt, figures: toFigures(sums) }];
    });
  });
}

/** The months whose sums are kept, newest first. */
async function listMonths(read: Reading, filter: TotalsFilter, now: Instant): Promise<Page<Counted>> {
  const keyId = await ownerOf(read, filter);
  const months: Instant[] = [];
  for (let at = startOfMonth(now); at >= startOfMonth(now - TOTALS_KEPT_MS); at = startOfMonth(at, -1))
    months.push(at);
  const { companyId = null } = filter;
  const places = keyId === null ? [] : months.map((startsAt) => ({ keyId, companyId, startsAt }));
  return { items: await findFigures(read, places), nextCursor: null };
}

async function findFigures(
  { totals }: Reading,
  places: readonly Omit<Counted, 'figures'>[],
): Promise<readonly Counted[]> {
  const found = await totals.findEach(places.map((place) => ({ ...place, unit: 'month' })));
  return places.map((place, index) => ({ ...place, figures: toFigures(found[index] ?? []) }));
}

async function withNames({ names, totals }: Reading, rows: readonly Counted[]): Promise<readonly TotalsRow[]> {
  const owners = await names.ofKeys(rows.map(({ keyId }) => keyId as KeyId));
  const ids = [...new Set(rows.flatMap(({ companyId }) => companyId ?? []))];
  const companies = await names.ofCompanies(ids);
  const head = await totals.findHead('');
  const counted = { startedAt: head?.at ?? null, countedUntil: head?.countedAt ?? null };
  return rows.map(({ companyId, startsAt, figures }, index) => {
    const { partnerId = null, partnerName = null } = owners[index] ?? {};
    const month = monthText(startsAt);
    const row = { month, partnerId, partnerName, companyId, companyName: null, ...figures, ...counted };
    if (companyId === null) return row;
    const companyName = companies[ids.indexOf(companyId)] ?? companyId;
    return { ...row, companyName, refused: null, delivered: null };
  });
}
