import { randomUUID } from 'node:crypto';
import type { KeyId } from '@partner-hiring/core';
import { send, submission } from '@partner-hiring/test-support/partner';
import type { Platform } from '../console/platform.js';

/** A program of a partner that calls the API with a new secret of its key. */
export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Starts a program of a partner. The old secret of the key ends at once. */
export async function startProgram(
  { fixture, acme }: Pick<Platform, 'fixture' | 'acme'>,
  keyId: KeyId = acme.keyId,
) {
  const { secret } = await fixture.operator.keys.rotate({ id: keyId, overlapMs: 0 });
  const authorization = `Bearer ${secret}`;
  return {
    /** Submits a candidate, with other fields than those of a valid submission. */
    submit: (fields: Readonly<Record<string, unknown>> = {}, idempotencyKey = randomUUID()) =>
      send(fixture, 'POST', '/applications', {
        headers: { authorization, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
        body: JSON.stringify(submission(acme.jobId, fields)),
      }),
    get: (path: string) => send(fixture, 'GET', path, { headers: { authorization } }),
  };
}
