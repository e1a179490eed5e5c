import type { CompanyId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import {
  defineAgeCursors,
  definePageCursors,
  type Page,
  type PageOptions,
  scanPage,
} from '../../operator/page-cursor.js';
import type { KeyPosition, ListPage } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import { FIGURES, type Figure, medianOf, startOfMonth, TOTALS_KEPT_MS, type TotalOwner } from './rules.js';

/** Selects totals. */
export interface TotalsFilter extends PageOptions {
  /** What a row is about; default: `partner`. */
  readonly by?: 'partner' | 'company' | 'month' | undefined;
  /**
   * The first month in UTC, such as `2026-11`. Default: the first kept one; by `partner` or `company` without `to`, the
   * current one.
   */
  readonly from?: string | undefined;
  /** The last month. Default: the current one. */
  readonly to?: string | undefined;
  /** Default: `production`. */
  readonly environment?: Environment | undefined;
  readonly partnerId?: PartnerId | undefined;
  readonly companyId?: CompanyId | undefined;
}

/** The totals of one or more months. */
export interface TotalsRow extends Readonly<Record<Exclude<Figure, 'refused' | 'delivered'>, number>> {
  /** The first month that is counted, in UTC, such as `2026-11`. */
  readonly from: string;
  /** The last one. By `month`, the same. */
  readonly to: string;
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
   * Half of the decisions came within this time of the submission, in milliseconds, rounded up to a step; null without a
   * decision. A year stands for all longer times.
   */
  readonly medianToDecisionMs: number | null;
  /**
   * Since when refused requests and deliveries are counted, jobs and applications from the first one; null before the
   * first count.
   */
  readonly startedAt: Instant | null;
  /** Up to when jobs and applications are counted, and refused requests and deliveries until the last full hour. */
  readonly countedUntil: Instant | null;
}

interface Place extends TotalOwner {
  /** The starts of the first and the last month. */
  readonly from: Instant;
  readonly to: Instant;
}

const BY_KEY = definePageCursors<KeyPosition>('totals', { partnerId: 'id', environment: 'id' });
const BY_COMPANY = defineAgeCursors<CompanyId>('totals');
const NONE = { items: [], nextCursor: null };
const SCAN = { most: Number.POSITIVE_INFINITY, atOnce: 500 };

export async function listTotals(
  read: Repositories,
  filter: TotalsFilter,
  now: Instant,
): Promise<Page<TotalsRow>> {
  const { items: places, nextCursor } = await listPlaces(read, filter, now);
  const days = places.map((place) => ({ ...place, until: startOfMonth(place.to, 1) }));
  const sums = await read.totals.sumEach(days);
  const owners = await read.names.ofKeys(places.map(({ keyId }) => keyId as KeyId));
  const companies = await read.names.ofCompanies(places.map(({ companyId }) => companyId as CompanyId));
  const head = await read.totals.findHead('');
  const items = places.map(({ companyId: id, from, to }, index) => {
    const counts = sums[index] ?? new Map<string, number>();
    const figures = FIGURES.map((name) => [name, counts.get(name) ?? 0] as const);
    const { refused, delivered, ...all } = Object.fromEntries(figures) as Readonly<Record<Figure, number>>;
    const companyId = id === 'all' ? null : id;
    return {
      from: monthText(from),
      to: monthText(to),
      partnerId: owners[index]?.partnerId ?? null,
      partnerName: owners[index]?.partnerName ?? null,
      companyId,
      companyName: companies[index] ?? companyId,
      ...all,
      refused: companyId === null ? refused : null,
      delivered: companyId === null ? delivered : null,
      medianToDecisionMs: medianOf(counts),
      startedAt: head?.hour ?? null,
      countedUntil: head?.at ?? null,
    };
  });
  return { items, nextCursor };
}

function monthText(month: Instant): string {
  return new Date(month).toISOString().slice(0, '2026-11'.length);
}

async function listPlaces(
  read: Pick<Repositories, 'keys' | 'companies' | 'access'>,
  filter: TotalsFilter,
  now: Instant,
): Promise<Page<Place>> {
  const { by = 'partner', environment = 'production' } = filter;
  const partnerId = filter.partnerId ?? null;
  const companyId = filter.companyId ?? 'all';
  const { from, to } = monthsOf(filter, now);
  const binding = [by, from, to, environment, partnerId, companyId];
  const company = companyId === 'all' ? null : await read.companies.find(companyId);
  if (from > to || (companyId !== 'all' && company?.environment !== environment)) return NONE;
  const isKept = (row: { readonly environment: Environment }) => row.environment === environment;
  if (by === 'partner') {
    const list = (start: ListPage<KeyPosition>) => read.keys.list(partnerId, start);
    const { items, nextCursor } = await scanPage(BY_KEY, binding, filter, { list, isKept, ...SCAN });
    return { items: items.map(({ id }) => ({ keyId: id, companyId, from, to })), nextCursor };
  }
  const key = partnerId === null ? undefined : (await read.keys.list(partnerId)).find(isKept);
  if (partnerId !== null && key === undefined) return NONE;
  const keyId = key?.id ?? environment;
  if (by === 'month') {
    const items: Place[] = [];
    for (let at = to; at >= from; at = startOfMonth(at, -1))
      items.push({ keyId, companyId, from: at, to: at });
    return { items, nextCursor: null };
  }
  if (companyId !== 'all') return { items: [{ keyId, companyId, from, to }], nextCursor: null };
  const accesses = key && (await read.access.listOfKey(key.id));
  const seen = accesses && new Set(accesses.map((access) => access.companyId));
  const { items, nextCursor } = await scanPage(BY_COMPANY, binding, filter, {
    list: (start) => read.companies.list(start),
    isKept: (company) => isKept(company) && seen?.has(company.id) !== false,
    ...SCAN,
  });
  return { items: items.map(({ id }) => ({ keyId, companyId: id, from, to })), nextCursor };
}

/** Returns the starts of the first and the last chosen month, of those that are kept. */
function monthsOf({ by, from, to }: TotalsFilter, now: Instant): Pick<Place, 'from' | 'to'> {
  const current = startOfMonth(now);
  const oldest = startOfMonth(now - TOTALS_KEPT_MS, 1);
  const first =
    from === undefined ? (by === 'month' || to !== undefined ? oldest : current) : Date.parse(from);
  const last = to === undefined ? current : Date.parse(to);
  return { from: Math.max(first, oldest), to: Math.min(last, current) };
}
