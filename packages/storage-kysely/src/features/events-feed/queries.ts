import {
  type EventPage,
  type EventQuery,
  type EventRepository,
  type EventType,
  type Instant,
  type KeyId,
  PAGE_LIMIT,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { mergeRanges } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import type { Row } from '../../table.js';
import { EVENTS } from '../../tables/index.js';

interface PageParams {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly type: EventType;
  /** One more row than the page holds, to detect whether another page follows. */
  readonly limit: number;
}

/** An empty page has one row whose `id` is null. */
interface PageRow extends Row<typeof EVENTS> {
  readonly head: Instant;
  readonly recorded_after: Instant | null;
  /** The stamp at which a scan for one type ended. Null if it reached the end of the log. */
  readonly scanned_through: Instant | null;
}

/** How many events a page of one type looks at. An index by type would make each event more expensive. */
export const MOST_EVENTS_SCANNED = 5_000;

const IN_ORDER = { columns: ['at'], direction: 'asc' } as const;

/** Pages of `GET /events`. */
export const prepareEventPages: Prepare<Pick<EventRepository, 'page'>> = (preparation) => {
  const page = definePage(preparation, { fromStart: false, ofType: false });
  const pageOfType = definePage(preparation, { fromStart: false, ofType: true });
  const first = definePage(preparation, { fromStart: true, ofType: false });
  const firstOfType = definePage(preparation, { fromStart: true, ofType: true });

  return {
    page: (session, query) =>
      session.read(async (run) => {
        const { keyId, type, after, updatedSince, limit } = query;
        const isFirst = after === null && updatedSince === null;
        const ofAll = isFirst ? first : page;
        const ofType = isFirst ? firstOfType : pageOfType;
        const rows = await run.all(type === null ? ofAll : ofType, {
          keyId,
          after: Math.max(after ?? -1, updatedSince ?? -1),
          type: type ?? 'job.opened',
          limit: limit + 1,
        });
        return toEventPage(query, rows);
      }),
  };
};

/** Reads one range of the log. Without a position, it starts where the log is complete. */
function definePage(preparation: Preparation, by: { readonly fromStart: boolean; readonly ofType: boolean }) {
  const { queries } = preparation;
  return define((param: Param<PageParams>) => {
    const start = queries
      .selectFrom('ph_feed_head')
      .select(sql<Instant>`recorded_after`.as('at'))
      .where('key_id', '=', param('keyId'));
    const range = queries
      .selectFrom('ph_event')
      .where('key_id', '=', param('keyId'))
      .where('at', '>', by.fromStart ? start : param('after'));
    const events = range.selectAll();
    const page = by.ofType
      ? queries
          .selectFrom(
            mergeRanges(
              preparation,
              [events],
              IN_ORDER,
              sql.lit(MOST_EVENTS_SCANNED),
              MOST_EVENTS_SCANNED,
            ).as('scanned'),
          )
          .selectAll()
          .where('scanned.type', '=', param('type'))
          .orderBy('scanned.at')
          .limit(param('limit'))
      : mergeRanges(preparation, [events], IN_ORDER, param('limit'), PAGE_LIMIT.max + 1);
    const scannedThrough = range
      .select('at')
      .orderBy('at')
      .limit(sql.lit(1))
      .offset(sql.lit(MOST_EVENTS_SCANNED - 1));
    return queries
      .selectFrom('ph_feed_head as head')
      .leftJoin(page.as('page'), (join) => join.onTrue())
      .selectAll('page')
      .select(['head.at as head', 'head.recorded_after'])
      .select(by.ofType ? scannedThrough.as('scanned_through') : sql<null>`null`.as('scanned_through'))
      .where('head.key_id', '=', param('keyId'))
      .orderBy('page.at')
      .$castTo<PageRow>();
  });
}

/** All values come from the same snapshot. */
function toEventPage({ limit }: EventQuery, rows: readonly PageRow[]): EventPage {
  const [first] = rows;
  const isEmpty = (first?.id ?? null) === null;
  const kept = isEmpty ? [] : rows.slice(0, limit);
  const scannedThrough = first?.scanned_through ?? null;
  const lastAt = rows.length > limit ? (kept.at(-1)?.at ?? null) : scannedThrough;
  return {
    rows: kept.map(EVENTS.toValue),
    hasMore: lastAt !== null,
    through: lastAt ?? first?.head ?? 0,
    recordedAfter: first?.recorded_after ?? null,
  };
}
