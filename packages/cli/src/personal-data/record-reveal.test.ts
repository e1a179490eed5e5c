import { expect, it } from 'vitest';
import type { AnyOperator } from '../command/command.js';
import { createCommandInput } from '../command/command-input.js';
import { recordReveal } from './record-reveal.js';

/** Returns the applications that the audit would name. */
async function revealedBy(result: unknown, args: Readonly<Record<string, string>> = {}) {
  const revealed: unknown[] = [];
  const operator = {
    candidates: {
      reveal: async ({ applicationId }: { readonly applicationId: string }) =>
        void revealed.push(applicationId),
    },
    deliveries: {
      find: async ({ eventId }: { readonly eventId: string }) =>
        eventId === 'evt_job'
          ? { event: { body: '{"data":{"jobId":"job_1"}}' } }
          : { event: { body: `{"data":{"applicationId":"ej_app_of_${eventId}"}}` } },
    },
  } as unknown as AnyOperator;
  await recordReveal(operator, result, createCommandInput(args, {}));
  return revealed;
}

const QUOTE = { kind: 'answered', status: 500, excerpt: 'no Ada' };

it.each([
  ['an item of the inbox', { items: [{ applicationId: 'ej_app_1', lastError: 'no Ada' }] }, {}, ['ej_app_1']],
  ['an item without an error', { items: [{ applicationId: 'ej_app_1', lastError: null }] }, {}, []],
  ['a timeline', { entries: [{ entry: { lastError: 'no Ada' } }] }, { id: 'ej_app_1' }, ['ej_app_1']],
  ['a timeline without a quote', { entries: [{ text: 'Submitted.' }] }, { id: 'ej_app_1' }, []],
  [
    'attempts, once for each application',
    [1, 2, 3].map((at) => ({ keyId: 'key_1', eventId: at === 3 ? 'evt_2' : 'evt_1', outcome: QUOTE })),
    { key: 'key_1' },
    ['ej_app_of_evt_1', 'ej_app_of_evt_2'],
  ],
  ['an answer to a job’s event', [{ keyId: 'key_1', eventId: 'evt_job', lastOutcome: QUOTE }], {}, []],
  ['a request', [{ requestId: 'r', applicationId: 'ej_app_1' }], { application: 'ej_app_1' }, []],
])('names whose data is shown: %s', async (_, result, args, expected) => {
  expect(await revealedBy(result, args as Readonly<Record<string, string>>)).toEqual(expected);
});
