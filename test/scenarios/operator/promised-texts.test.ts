/** Ports that return promises by mistake: the library never stores a promise as a value. */
import type { PhoneNumbers, SecretBox } from '@partner-hiring/core/ports';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { afterEach, expect, it, vi } from 'vitest';

let fixture: Fixture;
afterEach(() => fixture.close());

const misconfigured = (message: RegExp) =>
  expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringMatching(message) });

it('an asynchronous seal is reported, and no key is issued', async () => {
  const secretBox = { seal: async () => 'sealed', open: async () => 'opened' } as unknown as SecretBox;
  fixture = await createFixture({ secretBox });
  const { operator } = fixture;
  await expect(createPartner(fixture)).rejects.toEqual(misconfigured(/`seal` of the `secretBox`/));
  expect(await operator.keys.list()).toEqual([]);
});

it('an asynchronous open is reported as such, not as a wrong sealing key', async () => {
  const secretBox = { seal: () => 'sealed', open: async () => 'opened' } as unknown as SecretBox;
  fixture = await createFixture({ secretBox });
  const { keyId } = await createPartner(fixture);
  const sending = fixture.operator.endpoints.test({ keyId, type: 'job.opened' });
  await expect(sending).rejects.toEqual(misconfigured(/`open` of the `secretBox`.*Nothing was sent/));
});

it('a candidate is not stored if normalizing its phone number returns a promise', async () => {
  const error = vi.fn();
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error };
  const phoneNumbers = { normalize: async () => '+14155550123' } as unknown as PhoneNumbers;
  fixture = await createFixture({ phoneNumbers, logger });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  expect(await partner.submit(submission(jobId))).toMatchObject({ status: 500 });
  const told = error.mock.calls.map(([{ err }]) => String(err.message));
  expect(told).toContainEqual(expect.stringMatching(/`normalize` of the `phoneNumbers`/));
});
