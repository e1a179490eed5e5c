import { stableJson } from '../json.js';
import type { PendingSubmission } from '../submission-store.js';
import type { NewSubmission } from '../wire.js';

/** Creates the record with a new idempotency key and the body that every attempt sends. */
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

/** Returns the id of a record. It is unambiguous, because a scope does not contain a line break. */
export function recordId(scope: string, sourceApplicationId: string): string {
  return `${scope}\n${sourceApplicationId}`;
}

export function requireSourceId({ sourceApplicationId }: NewSubmission): void {
  if (typeof sourceApplicationId === 'string' && sourceApplicationId !== '') return;
  throw new TypeError(
    'A submission needs a sourceApplicationId: pass your own identifier, unique among your submissions.',
  );
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
