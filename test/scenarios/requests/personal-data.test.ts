/** Nothing that a partner wrote is in the request log or in the lines of the logger. */

import { type Partner, send, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { expect, it } from 'vitest';
import { openRequestStage } from './stage.js';

const UNLIMITED = 1_000_000;
const stage = perTest(
  () =>
    openRequestStage({
      limits: {
        guard: UNLIMITED,
        failed_authentication: UNLIMITED,
        submit_application: UNLIMITED,
        read_application: UNLIMITED,
        list_applications: UNLIMITED,
        list_jobs: UNLIMITED,
      },
    }),
  (opened) => opened.close(),
);

const ROUNDS = process.env.FULL === '1' ? 10_000 : 300;

/** A text that occurs nowhere else: ids have no o and no u. Each has the number of its request, so that no two are alike. */
const markerOf = (number: number, what: string) => `qouz${number}${what}`;

/** A request with a marker wherever a partner can write. */
type Attempt = (number: number, partner: Partner, jobId: string) => Promise<unknown>;

const candidateOf = (number: number) => ({
  firstName: markerOf(number, 'First'),
  lastName: markerOf(number, 'Last'),
  email: `${markerOf(number, 'mail')}@example.org`,
  phone: '+14155550123',
});

function bodyOf(number: number, jobId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return submission(jobId, {
    candidate: candidateOf(number),
    source: markerOf(number, 'source'),
    sourceApplicationId: markerOf(number, 'sourceId'),
    resumeUrl: `https://cv.example/${markerOf(number, 'resume')}.pdf`,
    ...changes,
  });
}

const ATTEMPTS: readonly Attempt[] = [
  (number, partner, jobId) => partner.submit(bodyOf(number, jobId)),
  (number, partner, jobId) =>
    partner.submit(bodyOf(number, jobId, { consentToContact: markerOf(number, 'consent') })),
  (number, partner) => partner.submit(bodyOf(number, markerOf(number, 'job'))),
  (number, partner, jobId) =>
    partner.submit(
      bodyOf(number, jobId, { candidate: { ...candidateOf(number), phone: markerOf(number, 'phone') } }),
    ),
  (number, partner, jobId) =>
    partner.submit(
      bodyOf(number, jobId, {
        applicationFormAnswers: { [markerOf(number, 'question')]: markerOf(number, 'answer') },
      }),
    ),
  (number, partner, jobId) =>
    partner.submit(bodyOf(number, jobId, { [markerOf(number, 'field')]: `\0${markerOf(number, 'text')}` })),
  (number, partner) => partner.submit(`{"candidate": "${markerOf(number, 'cut')}`),
  (number, partner) => partner.submit(`"${markerOf(number, 'large').repeat(30_000)}"`),
  (number, partner, jobId) => partner.submit(bodyOf(number, jobId), markerOf(number, 'idempotency')),
  (number, partner, jobId) =>
    partner.request('POST', '/applications', {
      headers: {
        'content-type': `text/${markerOf(number, 'type')}`,
        'x-request-id': markerOf(number, 'requestId'),
      },
      body: JSON.stringify(bodyOf(number, jobId)),
    }),
  (number, partner) => partner.get(`/applications/${markerOf(number, 'id')}`),
  (number, partner) => partner.get(`/applications/ej_app_${markerOf(number, 'id')}`),
  (number, partner) =>
    partner.get(`/${markerOf(number, 'path')}/${markerOf(number, 'part')}?${markerOf(number, 'query')}`),
  (number, partner) =>
    partner.get(`/jobs?cursor=${markerOf(number, 'cursor')}&status=${markerOf(number, 'status')}`),
  (number, partner) =>
    partner.get(
      `/applications?updated_since=${markerOf(number, 'since')}&limit=${markerOf(number, 'limit')}`,
    ),
  (number, partner) => partner.get(`/jobs?company_id=${markerOf(number, 'company')}`),
  (number, partner) => partner.request('DELETE', `/applications?${markerOf(number, 'query')}`),
  (number) =>
    send(stage.fixture, 'GET', `/jobs?${markerOf(number, 'query')}`, {
      headers: {
        authorization: `Bearer pek_live_${markerOf(number, 'key')}`,
        'x-request-id': markerOf(number, 'requestId'),
      },
    }),
  (number) =>
    stage.fixture.partnerHiring.handler({
      ...neutralRequest(`QOUZ${number}`, `/api/v1/external/${markerOf(number, 'path')}`),
      clientAddress: markerOf(number, 'address'),
    }),
];

it(`no marker of ${ROUNDS} varied requests is in the log`, { timeout: 600_000 }, async () => {
  const { partner, jobId, clock, fixture, logger, storage } = stage;
  for (let number = 0; number < ROUNDS; number += 1) {
    await ATTEMPTS[number % ATTEMPTS.length]?.(number, partner, jobId);
    // Before a code has more rows in a minute than the log keeps.
    if (number % 150 === 149) await clock.advance(60_000);
  }
  const rows: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await fixture.operator.requests.list({
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(rows.length).toBeGreaterThan(ROUNDS * 0.8);
  const reads = await storage.direct.requests.listReads({ keyId: partner.keyId, after: null, limit: 1_000 });
  expect(reads).not.toEqual([]);
  expect(JSON.stringify([rows, reads])).not.toMatch(/qouz/i);
  const { items: entries } = await fixture.operator.audit.list({ limit: 1_000 });
  expect(entries).not.toEqual([]);
  expect(JSON.stringify(entries)).not.toMatch(/qouz/i);
  expect(logger.lines).not.toEqual([]);
  expect(logger.text()).not.toMatch(/qouz/i);
});
