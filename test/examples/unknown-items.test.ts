/** The receivers of the examples ignore kinds of inbox items that they do not know. */
import { expect, it } from 'vitest';
import { receiveCandidates } from '../../examples/platform/receive-candidates.js';
import { candidateInbox } from '../../examples/server/candidates.js';

const APPLICATION = {
  id: 'ej_app_1',
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'a@x.org' },
};
const item = (kind: string) => ({ kind, applicationId: APPLICATION.id, application: APPLICATION }) as never;
const ITEMS = [item('application.submitted'), item('application.praised'), item('application.changed')];

it('the example server stores the candidate once and ignores made-up kinds', async () => {
  const stored: string[] = [];
  const tx = { prepare: (text: string) => ({ run: () => stored.push(text.split(' ')[0] ?? '') }) } as never;
  await candidateInbox.receive?.(ITEMS, { tx } as never);
  expect(stored).toEqual(['insert']);
});

it('the example platform stores the candidate once and ignores made-up kinds', async () => {
  const stored: string[] = [];
  const client = { query: async (text: string) => void stored.push(text.split(' ')[0] ?? '') } as never;
  await receiveCandidates(client, ITEMS);
  expect(stored).toEqual(['insert']);
});
