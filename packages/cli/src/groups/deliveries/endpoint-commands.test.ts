import type { Gap } from '@partner-hiring/core';
import { expect, it } from 'vitest';
import type { AnyOperator } from '../../command/command.js';
import { createCommandInput } from '../../command/command-input.js';
import { jsonText } from '../../report/report.js';
import { endpointGroup } from './endpoint-commands.js';

const GAP: Gap = {
  isPaced: false,
  ms: 60_000,
  since: Date.UTC(2026, 0, 31, 10, 2),
  at: Date.UTC(2026, 0, 31, 10, 13),
  until: Date.UTC(2026, 0, 31, 10, 14),
  cause: { kind: 'answered', status: 503 },
};
const ENDPOINT = {
  keyId: 'key_1',
  keyLabel: 'Acme ATS (production)',
  url: 'https://ats.example/hooks',
  state: { kind: 'active' },
  health: { consecutiveFailures: 9, lastFailure: GAP.cause, lastSuccessAt: null, gap: GAP },
};
const COUNTS = { due: 0, inFlight: 0, scheduled: 121, paused: 0, dead: 0, isExact: true };
const SLOWLY =
  'Sending slowly since 2026-01-31 10:02:00Z, because it answered 503: the next attempt at 2026-01-31 10:14:00Z.';

const operator = {
  keys: { find: async () => ({ label: ENDPOINT.keyLabel }) },
  endpoints: {
    list: async () => ({ items: [ENDPOINT], nextCursor: null }),
    find: async () => ({ ...ENDPOINT, counts: COUNTS }),
    resume: async () => ({ endpoint: ENDPOINT, changed: true, pausedReason: null }),
  },
} as unknown as AnyOperator;

const run = (verb: string) =>
  endpointGroup.commands[verb]?.run(operator, createCommandInput({ key: 'key_1' }, {}));

it('says why an endpoint is sent to slowly: endpoints list and show', async () => {
  expect((await run('list'))?.text).toContain(SLOWLY);
  const report = await run('show');
  expect(report?.text).toContain('9 failures in a row; the last one: HTTP 503;');
  expect(report?.text).toContain(`\n${SLOWLY} 121 events wait.\n`);
  expect(jsonText(report?.value)).toContain('"until": "2026-01-31T10:14:00.000Z"');
});

it('says that an endpoint that is sent to slowly is tried now: endpoints resume', async () => {
  expect((await run('resume'))?.text).toBe('https://ats.example/hooks gets one attempt now.');
});
