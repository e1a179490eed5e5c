/** A partner whose rights are taken away while its request is parked. */
import type { KeyId, PartnerId } from '@partner-hiring/core';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';

/** The address of the portal in these tests. */
export const PORTAL_URL = 'https://jobs.example.com/portal';

/** A partner with a key, an endpoint, an old secret and a delivered event. */
export interface Owner {
  readonly partnerId: PartnerId;
  readonly keyId: KeyId;
  readonly secret: string;
  readonly jobId: string;
  readonly eventId: string;
}

export async function createOwner(fixture: Fixture): Promise<Owner> {
  const { operator, transport } = fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { keyId } = await createPartner(fixture, { partnerId });
  const { secret } = await operator.keys.rotate({ id: keyId });
  const { jobId } = await createEmployer(fixture, { keyId });
  await fixture.pass(1_000);
  const event = transport.events().find(({ data }) => data.jobId === jobId);
  if (event === undefined) throw new Error('The event of the job was not sent.');
  return { partnerId, keyId, secret, jobId, eventId: event.id };
}

/** Everything that an act of the partner can change. */
export async function stateOf({ operator }: Fixture, { partnerId, keyId }: Owner): Promise<string> {
  const [partner, key, endpoint, applications, deliveries, operations, audit] = await Promise.all([
    operator.partners.find({ id: partnerId }),
    operator.keys.find({ id: keyId }),
    operator.endpoints.find({ keyId }),
    operator.applications.list({ keyId }),
    operator.deliveries.list({ keyId }),
    operator.operations.list({}),
    operator.audit.list({ limit: 50 }),
  ]);
  return JSON.stringify([partner, key, endpoint, applications, deliveries, operations, audit], null, 1);
}

/** Takes a right away. */
export type TakeAway = (fixture: Fixture, owner: Owner) => Promise<unknown>;

/** The ways to end an API key. */
export const ENDS_OF_A_KEY: Readonly<Record<string, TakeAway>> = {
  'all secrets are revoked': ({ operator }, { keyId }) => operator.keys.revoke({ id: keyId, all: true }),
  'this secret is revoked': async ({ operator }, { keyId, secret }) => {
    await operator.keys.rotate({ id: keyId });
    await operator.keys.revoke({ id: keyId, secretLastFour: secret.slice(-4) });
  },
  'the key is rotated without an overlap': ({ operator }, { keyId }) =>
    operator.keys.rotate({ id: keyId, overlapMs: 0 }),
  'the secret expires': async (fixture, { keyId }) => {
    await fixture.operator.keys.rotate({ id: keyId, overlapMs: 1_000 });
    await fixture.pass(1_001);
  },
  'the partner is disabled': ({ operator }, { partnerId }) =>
    operator.partners.update({ id: partnerId, disabled: true }),
  'the partner is removed': ({ operator }, { partnerId }) => operator.partners.remove({ id: partnerId }),
};

/** Returns a body that arrives only after something was done: the request is admitted by then. */
export function lateBody(text: string, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        await meanwhile();
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
