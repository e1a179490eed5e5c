import { createHash, randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import {
  countRequest,
  findIdempotency,
  findJob,
  findKey,
  findSourceId,
  insertApplication,
  insertIdempotency,
  insertResumeTask,
  takeStamp,
} from './statements.js';

/** A submission as it came in. */
export interface HandSubmission {
  readonly secret: string;
  readonly idempotencyKey: string;
  readonly body: {
    readonly jobId: string;
    readonly candidate: Readonly<Record<'firstName' | 'lastName' | 'email' | 'phone', string>>;
    readonly source: string;
    readonly sourceApplicationId: string;
    readonly resumeUrl: string;
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * A durable submission written by hand: one transaction, a statement for each step. The rows whose locks
 * others wait for, the window and the feed head, come as late as they can.
 */
export async function submitByHand(pool: Pool, submission: HandSubmission): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const reply = await submitWithin(client, submission);
    await client.query('commit');
    return reply;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function submitWithin(
  client: PoolClient,
  { secret, idempotencyKey, body }: HandSubmission,
): Promise<string> {
  const key = await one(client, findKey(sha256(secret)));
  if (key === null || key.revoked_at !== null) throw new Error('Unauthorized');
  const fingerprint = sha256(JSON.stringify(body));
  const bound = await one(client, findIdempotency(key.id, idempotencyKey));
  if (bound !== null) return String(bound.reply_body);
  const job = await one(client, findJob(key.id, body.jobId));
  if (job === null || job.revoked_at !== null || job.state !== 'open') throw new Error('Not open');
  if ((await one(client, findSourceId(key.id, body.sourceApplicationId))) !== null)
    throw new Error('Duplicate');

  const now = Date.now();
  const bucket = `by-hand:${String(key.id)}:${String(job.company_id)}`;
  const counted = await one(client, countRequest(bucket, now - (now % 60_000)));
  if (Number(counted?.count) > 1_000_000_000) throw new Error('Limited');

  const id = `ej_app_${randomUUID()}`;
  const stamp = Number((await one(client, takeStamp(key.id, now)))?.at);
  const { firstName, lastName, email, phone } = body.candidate;
  const resume = JSON.stringify({ kind: 'pending', attempts: 0 });
  const candidate = [firstName, lastName, email, phone, body.source, '{}', body.resumeUrl, resume];
  const reference = [id, key.id, body.jobId, job.company_id, body.sourceApplicationId, stamp];
  await client.query(insertApplication(...reference, ...candidate));
  const submittedAt = new Date(stamp).toISOString();
  const reply = JSON.stringify({
    id,
    jobId: body.jobId,
    companyId: job.company_id,
    sourceApplicationId: body.sourceApplicationId,
    status: 'received',
    submittedAt,
  });
  await client.query(
    insertIdempotency(key.id, idempotencyKey, fingerprint, id, job.company_id, reply, stamp),
  );
  await client.query(insertResumeTask(id, key.id, body.resumeUrl, now));
  return reply;
}

type Query = ReturnType<typeof findKey>;

async function one(client: PoolClient, query: Query): Promise<Record<string, unknown> | null> {
  const { rows } = await client.query<Record<string, unknown>>(query);
  return rows[0] ?? null;
}
