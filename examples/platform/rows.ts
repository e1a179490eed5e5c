import type { Pool } from 'pg';
import { expectEqual } from '../server/demo/demo-failure.js';

/** Counts of committed rows. */
export interface Rows {
  readonly hired: number;
  readonly hires: number;
  readonly payroll: number;
  readonly accepted: number;
  readonly events: number;
}

/** Counts the rows on another connection, which sees only committed rows. */
export async function countRows(pool: Pool, partnerSchema: string): Promise<Rows> {
  const { rows } = await pool.query<Rows>(`select
    (select count(*)::int from candidate where state = 'hired')                          as hired,
    (select count(*)::int from hire)                                                     as hires,
    (select count(*)::int from payroll_entry)                                            as payroll,
    (select count(*)::int from ${partnerSchema}.ph_application where status = 'accepted') as accepted,
    (select count(*)::int from ${partnerSchema}.ph_event)                                as events`);
  const [counted] = rows;
  if (counted === undefined) throw new Error('The count returned no row.');
  return counted;
}

/** @throws DemoFailure if a count differs. */
export function expectSameRows(actual: Rows, expected: Rows): void {
  expectEqual(describeRows(actual), describeRows(expected), 'What is committed');
}

/** Formats the counts. */
export function describeRows({ hired, hires, payroll, accepted, events }: Rows): string {
  return `candidates hired ${hired}, hires ${hires}, payroll entries ${payroll}; accepted ${accepted}, events ${events}`;
}
