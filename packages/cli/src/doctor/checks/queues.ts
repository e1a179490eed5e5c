import type { DoctorDatabase } from '../database/open-database.js';

/** The columns by which the rows of each queue are due, in the order of an index. */
const ORDERS = {
  ph_alert: 'at, id',
  ph_resume_task: 'due_at, application_id',
  ph_resume_removal: 'due_at, application_id',
} as const;

/** A queue that no command of the operator lists. */
export type Queue = keyof typeof ORDERS;

/** Returns since when the first row of a queue is due, or null if the queue is empty. */
export async function findFirst(
  { rows, prefix }: Pick<DoctorDatabase, 'rows' | 'prefix'>,
  queue: Queue,
): Promise<number | null> {
  const order = ORDERS[queue];
  const [first] = await rows<{ at: number }>(
    `select ${order.split(',')[0]} as at from ${prefix}${queue} order by ${order} limit 1`,
  );
  return first?.at ?? null;
}
