import type { AgePosition, Instant, ListPage } from '@partner-hiring/core/ports';
import type { RangeOrder } from './merged-ranges.js';

/** The values of a list of rows that are ordered by age. */
export interface AgeParams<Id extends string> {
  readonly createdAt: Instant;
  readonly id: Id | '';
  readonly limit: number;
}

export const OLDEST_FIRST = { columns: ['created_at', 'id'], direction: 'asc' } as const satisfies RangeOrder;

/** Returns the values for a page. Every stored instant and id comes after the first page's position. */
export function ageParams<Id extends string>({ after, limit }: ListPage<AgePosition<Id>>): AgeParams<Id> {
  return { createdAt: after?.createdAt ?? -1, id: after?.id ?? '', limit };
}
