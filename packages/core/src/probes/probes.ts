import { randomBytes } from 'node:crypto';
import { type Check, sending } from './check.js';
import { bodyOf, createSample, type SampleType } from './samples.js';

/** An age of a signature beyond the tolerance of 300 s. It allows for a clock that is a minute off. */
export const BEYOND_SECONDS = 600;

export const JOB_OPENED_CHECK = eventCheck('job_opened', 'job.opened');

export const REPEATED_CHECK: Check = {
  name: 'repeated',
  sent: 'the same event again',
  expects: 'taken',
  finding: 'refuses_repeated',
  run: async ({ sign, send, sample }) => {
    const body = bodyOf(sample());
    // Signs the body twice, because the service signs each attempt with a new timestamp.
    await send(await sign(body, { ageSeconds: 1 }));
    return [await send(await sign(body))];
  },
};

export const WRONG_SECRET_CHECK: Check = {
  name: 'wrong_secret',
  sent: 'a signature by a random secret',
  expects: 'refused',
  finding: 'accepts_wrong_secret',
  run: sending(({ sign, sample }) => sign(bodyOf(sample()), { secrets: [foreignSecret()] })),
};

export const STALE_CHECK: Check = signed(
  'stale',
  'a delivery signed ten minutes ago',
  'refused',
  'accepts_stale',
  BEYOND_SECONDS,
);

export function eventCheck(name: string, type: SampleType): Check & { readonly type: SampleType } {
  return {
    name,
    type,
    sent: `${type} as the service sends it`,
    expects: 'taken',
    finding: 'refuses_event_type',
    run: sending(({ sign }) => sign(bodyOf(createSample(type)))),
  };
}

export function foreignSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

export function signed(
  name: string,
  sent: string,
  expects: Check['expects'],
  finding: Check['finding'],
  ageSeconds: number,
): Check {
  const run = sending(({ sign, sample }) => sign(bodyOf(sample()), { ageSeconds }));
  return { name, sent, expects, finding, run };
}
