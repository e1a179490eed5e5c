import type { Pool } from 'pg';
import { expectEqual } from '../server/demo/demo-failure.js';

/** What is committed, on both sides of the transaction. */
export interface Rows {
  readonly hired: number;
  readonly hires: number;
  readonly payroll: number;
  readonly accepted: number;
  readonly events: number;
}

/** Counts it on a connection that took no part. */
export async function countRows(pool: Pool, partnerSchema: string): Promise<Rows> {
  const { rows } = await pool.query<Rows>(`select
    (select count(*)::int from candidate where state = 'hired')                          as hired,
    (select count(*)::int from hire)                                                     as hires,
    (select count(*)::int from payroll_entry)                                            as payroll,
    (select count(*)::int from ${partnerSchema}.ph_application where status = 'accepted') as accepted,
    (select count(*)::int from ${partnerSchema}.ph_event)                                as events`);
  const [counted] = rows;
  if (counted === undefined) throw new Error('A count has one row.');
  return counted;
}

/** @throws DemoFailure unless all are as many. */
export function expectSameRows(actual: Rows, expected: Rows): void {
  expectEqual(describeRows(actual), describeRows(expected), 'What is committed');
}

/** Says it for people. */
export function describeRows({ hired, hires, payroll, accepted, events }: Rows): string {
  return `candidates hired ${hired}, hires ${hires}, payroll entries ${payroll}; accepted ${accepted}, events ${events}`;
}
