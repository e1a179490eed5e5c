import { describe, expect, it } from 'vitest';
import type { ResumeFileTask } from '../../../../packages/core/src/domain/resume.js';
import {
  KEY_ID,
  OTHER_COMPANY_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleSubmission,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage } from './storage-under-test.js';

export function describeSubmissions<HostTx>(open: OpenStorage<HostTx>): void {
  describe('submissions', () => {
    const opened = useSeededStorage(open);

    it('stores application, reply and résumé task unchanged', async () => {
      const { submissions, applications, resumeFiles } = opened.direct;
      const application = sampleApplication(1, T0, {
        sourceApplicationId: 'theirs/1',
        resumeUrl: 'https://cv.example/1',
        resume: { kind: 'pending', attempts: 0 },
      });
      const task: ResumeFileTask = {
        applicationId: application.id,
        keyId: application.keyId,
        url: 'https://cv.example/1',
        attempts: 0,
        dueAt: T0,
      };
      const submission = sampleSubmission(application, {}, task);
      expect(await submissions.add([submission, sampleSubmission(sampleApplication(2, T0 + 1))])).toBe(
        'added',
      );
      const [record] = await applications.find([application.id]);
      expect(record).toEqual(application);
      // The answers keep their order.
      expect(JSON.stringify(record?.answers)).toBe(JSON.stringify(application.answers));
      const { keyId, idempotencyKey } = submission.idempotency;
      expect(
        await submissions.findRecords([
          { keyId: OTHER_KEY_ID, idempotencyKey },
          { keyId, idempotencyKey },
        ]),
      ).toEqual([null, submission.idempotency]);
      const { idempotencyKeyAt } = await opened.direct.work.findFirstWaiting();
      expect(idempotencyKeyAt).toBe(submission.idempotency.expiresAt);
      expect(await resumeFiles.claim({ token: 't', forMs: 9 }, T0, 10)).toEqual([task]);
    });

    it('finds a key’s own applications by id and by source id', async () => {
      const { submissions, applications } = opened.direct;
      const mine = sampleApplication(1, T0, { sourceApplicationId: 'shared id' });
      const theirs = sampleApplication(2, T0, { keyId: OTHER_KEY_ID, sourceApplicationId: 'shared id' });
      expect(await submissions.add([sampleSubmission(mine), sampleSubmission(theirs)])).toBe('added');
      const { candidate, source, answers, resumeUrl, resume, erasedAt, ...asPartnerSees } = mine;
      expect(
        await applications.findOwned([
          { keyId: KEY_ID, id: theirs.id },
          { keyId: KEY_ID, id: mine.id },
          { keyId: KEY_ID, id: "' or 1=1 --" },
          { keyId: KEY_ID, id: mine.id },
        ]),
      ).toEqual([null, asPartnerSees, null, asPartnerSees]);
      expect(
        await applications.findBySourceIds([
          { keyId: OTHER_KEY_ID, sourceApplicationId: 'shared id' },
          { keyId: KEY_ID, sourceApplicationId: 'other id' },
          { keyId: KEY_ID, sourceApplicationId: 'shared id' },
        ]),
      ).toEqual([{ id: theirs.id }, null, { id: mine.id }]);
    });

    it('returns conflict for a bound key, and adds nothing', async () => {
      const { submissions, applications } = opened.direct;
      await submissions.add([sampleSubmission(sampleApplication(1, T0), { idempotencyKey: 'bound' })]);
      const batch = [
        sampleSubmission(sampleApplication(2, T0 + 1)),
        sampleSubmission(sampleApplication(3, T0 + 2), { idempotencyKey: 'bound', createdAt: T0 + 999 }),
      ];
      expect(await submissions.add(batch)).toBe('conflict');
      expect(await applications.find(batch.map(({ application }) => application.id))).toEqual([null, null]);
      const bound = { keyId: KEY_ID, idempotencyKey: 'bound' };
      expect(await submissions.findRecords([bound])).toMatchObject([{ createdAt: T0 }]);
    });

    it('returns conflict for an existing source id, and binds no key', async () => {
      const { submissions } = opened.direct;
      const taken = { sourceApplicationId: 'taken' };
      await submissions.add([sampleSubmission(sampleApplication(1, T0, taken))]);
      const late = sampleSubmission(sampleApplication(2, T0 + 1, taken));
      expect(await submissions.add([late])).toBe('conflict');
      expect(await submissions.findRecords([late.idempotency])).toEqual([null]);
    });

    it('binds an expired key again', async () => {
      const { submissions } = opened.direct;
      const again = { idempotencyKey: 'again' };
      await submissions.add([sampleSubmission(sampleApplication(1, T0), again)]);
      const second = sampleSubmission(sampleApplication(2, T0 + 1), {
        ...again,
        fingerprint: 'c'.repeat(64),
        jsonFingerprint: 'd'.repeat(64),
        companyId: OTHER_COMPANY_ID,
        reply: { status: 200, body: 'another' },
        createdAt: T0 + 1_000,
        expiresAt: T0 + 2_000,
      });
      expect(await submissions.add([second])).toBe('added');
      expect(await submissions.findRecords([second.idempotency])).toEqual([second.idempotency]);
    });

    it('binds an idempotency key separately for each key', async () => {
      const { submissions } = opened.direct;
      const [mine, theirs] = [KEY_ID, OTHER_KEY_ID].map((keyId, number) =>
        sampleSubmission(sampleApplication(number, T0 + number, { keyId }), { idempotencyKey: 'one' }),
      );
      if (mine === undefined || theirs === undefined) throw new Error('There are two.');
      expect(await submissions.add([mine])).toBe('added');
      expect(await submissions.findRecords([theirs.idempotency])).toEqual([null]);
      expect(await submissions.add([theirs])).toBe('added');
      const records = [mine.idempotency, theirs.idempotency];
      expect(await submissions.findRecords(records)).toEqual(records);
    });

    it('saves status, stage, instants and the résumé', async () => {
      const { submissions, applications } = opened.direct;
      const [first, second] = [sampleApplication(1, T0), sampleApplication(2, T0 + 1)];
      await submissions.add([sampleSubmission(first), sampleSubmission(second)]);
      const moved = {
        ...first,
        status: 'rejected' as const,
        stage: 'closed' as const,
        submittedAt: T0 + 5,
        lastStatusChangeAt: T0 + 6,
        changedAt: T0 + 7,
      };
      await applications.saveProgress([{ ...moved, sourceApplicationId: 'ignored' }]);
      const resume = { kind: 'fetched' as const, location: 's3://cv', fetchedAt: T0 + 8 };
      await applications.saveResume(second.id, resume);
      expect(await applications.find([first.id, second.id, 'ej_app_none'])).toEqual([
        moved,
        { ...second, resume },
        null,
      ]);
    });

    it('sweeps a limited number of expired records', async () => {
      const { submissions } = opened.direct;
      const batch = [1, 2, 3].map((number) =>
        sampleSubmission(sampleApplication(number, T0 + number), { expiresAt: T0 + number * 100 }),
      );
      await submissions.add(batch);
      expect(await submissions.sweep(T0 + 200, 1)).toBe(1);
      expect(await submissions.sweep(T0 + 200, 10)).toBe(1);
      expect(await submissions.sweep(T0 + 200, 10)).toBe(0);
      const left = await submissions.findRecords(batch.map(({ idempotency }) => idempotency));
      expect(left.map((record) => record?.applicationId ?? null)).toEqual([
        null,
        null,
        batch[2]?.application.id,
      ]);
    });
  });
}
