import { describe, expect, it } from 'vitest';
import { createPartnerHiring, type PartnerHiringOptions } from './partner-hiring.js';
import type { Storage } from './ports/storage.js';

const storage = { direct: {} } as Storage<never>;

/** What a host reads when it has put the library together wrongly. */
function complaint(options: Partial<PartnerHiringOptions<never>>): unknown {
  try {
    createPartnerHiring({ storage, secretKey: new Uint8Array(32), ...options });
    return null;
  } catch (error) {
    return error;
  }
}

describe('a misconfigured host gets a message that names the fix', () => {
  it.each([
    ['no secret key', { secretKey: undefined }, /needs `secretKey`.*openssl rand -base64 32/],
    ['a secret key of the wrong length', { secretKey: new Uint8Array(16) }, /32/],
    ['a limit of zero', { limits: { guard: 0 } }, /`limits.guard` as 0.*whole number above 0/],
    ['a limit that is no number', { limits: { list_jobs: Number.NaN } }, /`limits.list_jobs` as NaN/],
    ['a worker option below zero', { worker: { leaseMs: -1 } }, /`worker.leaseMs` as -1/],
  ] as unknown as [string, Partial<PartnerHiringOptions<never>>, RegExp][])('%s', (_, options, message) => {
    expect(complaint(options)).toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(message),
    });
  });

  it('and one that is put together rightly gets none', () => {
    expect(complaint({ limits: { list_jobs: 5 }, worker: { leaseMs: 1_000 } })).toBeNull();
  });
});
