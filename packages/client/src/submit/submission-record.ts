import type { PendingSubmission } from '../submission-store.js';
import type { NewSubmission } from '../wire.js';
import { stableJson } from './stable-json.js';

/** A new record of a submission, with a key of its own. The body is what every attempt will send. */
export async function createRecord(scope: string, submission: NewSubmission): Promise<PendingSubmission> {
  const { jobId, sourceApplicationId } = submission;
  const body = stableJson(submission);
  return {
    state: 'pending',
    id: recordId(scope, sourceApplicationId),
    scope,
    sourceApplicationId,
    jobId,
    idempotencyKey: crypto.randomUUID(),
    body,
    fingerprint: await sha256(body),
  };
}

/** Names the record of a submission in a store. No two pairs share a name: a scope has no line break. */
export function recordId(scope: string, sourceApplicationId: string): string {
  return `${scope}\n${sourceApplicationId}`;
}

/** @throws TypeError if there is no `sourceApplicationId`, by which a submission is known. */
export function requireSourceId({ sourceApplicationId }: NewSubmission): void {
  if (typeof sourceApplicationId === 'string' && sourceApplicationId !== '') return;
  throw new TypeError('A submission needs a sourceApplicationId: your own identifier, unique among yours.');
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
