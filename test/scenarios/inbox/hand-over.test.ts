/** The host hears of each candidate once, in its own transaction. */
import type { ResumeDownload } from '@partner-hiring/core';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { isSqlite, namesOf, openInboxStage } from './stage.js';

let download: ResumeDownload = { kind: 'failed', reason: 'too_large', retryable: false };

const stage = perTest(
  () =>
    openInboxStage({ platform: { resumeSource: { fetch: async () => download, close: async () => {} } } }),
  ({ close }) => close(),
);

describe('the inbox', () => {
  it('hands over each application with its candidate, key and partner', async () => {
    const id = await stage.submit('Lovelace', { sourceApplicationId: 'ats-7' });
    await stage.drain();
    expect(await stage.received()).toEqual(['Lovelace']);
    expect(stage.batches).toHaveLength(1);
    const found = await stage.fixture.operator.applications.find({ id: id as `ej_app_${string}` });
    const { consent: _consent, notice: _notice, ...application } = found ?? {};
    expect(stage.batches[0]).toEqual([
      {
        id: `${id}.${found?.submittedAt}`,
        kind: 'application.submitted',
        applicationId: id,
        application,
        warnings: [],
        at: found?.submittedAt,
        keyId: stage.partner.keyId,
        environment: 'production',
        partnerId: expect.stringMatching(/^ptn_/) as string,
        partnerName: 'Acme ATS',
      },
    ]);
    await stage.drain();
    expect(await stage.received()).toEqual(['Lovelace']);
  });

  it('keeps the order of each key over several batches', async () => {
    const names = namesOf(230);
    for (const name of names) await stage.submit(name);
    await stage.drain();
    expect(await stage.received()).toEqual(names);
    expect(stage.batches.length).toBeGreaterThan(2);
  });

  it('hands over the items of several keys', async () => {
    const other = await createPartner(stage.fixture);
    const { companyId } =
      (await stage.fixture.operator.jobs.find({ id: stage.jobId as `job_${string}` })) ?? {};
    await stage.fixture.operator.access.grant({ keyId: other.keyId, companyId: companyId as `co_${string}` });
    await stage.submit('Ours');
    await stage.submit('Theirs', {}, other);
    await stage.drain();
    expect((await stage.received()).toSorted()).toEqual(['Ours', 'Theirs']);
  });

  it.each([
    [
      'fetched',
      { kind: 'fetched', bytes: Buffer.from('%PDF-1.7'), mediaType: 'application/pdf', fileName: 'a.pdf' },
    ],
    ['failed', { kind: 'failed', reason: 'too_large', retryable: false }],
  ] as const)('tells the host after the application that its résumé is %s', async (kind, result) => {
    download = result;
    await stage.submit('Lovelace', { resumeUrl: 'https://ats.example.org/a.pdf' });
    await stage.fixture.pass(60_000, 5_000);
    expect(await stage.received()).toEqual(['Lovelace', `Lovelace resume.${kind}`]);
    expect(stage.batches.at(-1)?.[0]?.application?.resume.kind).toBe(kind);
  });

  it('records applications that a process without the option accepts', async () => {
    // The worker has started once, so the inbox is on.
    await stage.drain();
    const other = await stage.another();
    const { secret, keyId } = stage.partner;
    await other.partnerHiring.fetch(
      new Request('http://api.test/api/v1/external/applications', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': '11111111-1111-4111-8111-111111111111',
        },
        body: JSON.stringify({
          jobId: stage.jobId,
          candidate: {
            firstName: 'Ada',
            lastName: 'Elsewhere',
            email: 'a@example.org',
            phone: '+14155550123',
          },
          consentToContact: true,
        }),
      }),
    );
    await stage.fixture.pass(1_000);
    expect(await stage.received()).toEqual(['Elsewhere']);
    expect(stage.batches[0]?.[0]?.keyId).toBe(keyId);
  });

  it('records nothing while it is turned off, and keeps what is unread', async () => {
    const { inbox, system } = stage.fixture.operator;
    await stage.submit('Before');
    expect(await inbox.turn({ on: false })).toEqual({ changed: true });
    await stage.submit('Meanwhile');
    expect((await system.status()).inbox).toMatchObject({ isOn: false, unread: 1, parked: 0, isExact: true });
    await stage.drain();
    expect(await inbox.turn({ on: true })).toEqual({ changed: true });
    await stage.submit('After');
    await stage.drain();
    expect(await stage.received()).toEqual(['Before', 'After']);
    expect((await system.status()).inbox).toMatchObject({ isOn: true, unread: 0, oldestUnreadAt: null });
  });

  it('turns itself on before the first submission of a process', async () => {
    await stage.fixture.operator.inbox.turn({ on: false });
    const restarted = await stage.another({ receive: () => (isSqlite ? undefined : Promise.resolve()) });
    const partner = await createPartner(restarted);
    const { jobId } = await createEmployer(restarted, partner);
    expect((await partner.submit(submission(jobId))).status).toBe(201);
    expect((await restarted.operator.system.status()).inbox).toMatchObject({ isOn: true, unread: 1 });
  });
});
