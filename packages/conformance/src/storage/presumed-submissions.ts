import type {
  AddPresumed,
  KeyOfSecret,
  PresumedSubmission,
  Repositories,
  Storage,
} from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { followFeed, pause, readFeed } from './follow-feed.js';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleJob,
  sampleSecret,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const SECRET = sampleSecret('f00d'.repeat(16));
const GUARD = { id: `guard:${KEY_ID}`, limit: 3, scope: { kind: 'partner' } } as const;
const BUCKET = {
  id: `submit_application:${KEY_ID}:${COMPANY_ID}`,
  limit: 2,
  scope: { kind: 'partner_company', companyId: COMPANY_ID },
} as const;
/** Behind the head of a key that was issued at the start. */
const STAMP = T0 + 10;
const RESUME = { keyId: KEY_ID, url: 'https://cv.example/1', attempts: 0, dueAt: T0 };

export function describePresumedSubmissions<HostTx>(open: OpenStorage<HostTx>): void {
  describe('presumed submissions, where the storage takes them', () => {
    const opened = useStorage(open);

    /** What a process remembers of the samples; null where the storage takes no presumptions. */
    async function remember(): Promise<Stage | null> {
      const { addPresumed } = opened.storage;
      if (addPresumed === null) return null;
      await seed(opened.direct);
      await opened.direct.keys.addSecret(SECRET);
      return createStage(opened.storage, addPresumed);
    }

    /** A story of a storage that takes presumptions. One that takes none has promised nothing. */
    function presuming(name: string, tell: (stage: Stage) => Promise<void>): void {
      it(name, async () => {
        const stage = await remember();
        if (stage !== null) await tell(stage);
      });
    }

    presuming('adds all that a submission leaves behind, counts it, and takes the stamp', async (stage) => {
      const application = sampleApplication(1, STAMP, {
        sourceApplicationId: 'theirs',
        resumeUrl: RESUME.url,
      });
      const submission = sampleSubmission(application, {}, { ...RESUME, applicationId: application.id });
      expect(await stage.add({ submission })).toMatchObject({ count: 1 });
      const { applications, submissions, resumes, feed, rateWindows } = opened.direct;
      expect(await applications.find([application.id])).toEqual([application]);
      expect(await submissions.findRecords([submission.idempotency])).toEqual([submission.idempotency]);
      expect(await resumes.claim({ token: 't', forMs: 9 }, T0, 10)).toEqual([submission.resume]);
      expect(await feed.listHeads('production')).toContainEqual({ keyId: KEY_ID, at: STAMP });
      expect(await rateWindows.read([BUCKET.id, GUARD.id])).toMatchObject([{ count: 1 }, { count: 0 }]);
    });

    presuming('adds one after another, until the limit is met', async (stage) => {
      expect(await stage.add({ submission: stage.submission(1, STAMP) })).toMatchObject({ count: 1 });
      expect(await stage.add({ submission: stage.submission(2, STAMP + 1) })).toMatchObject({ count: 2 });
      await stage.leavesNoTrace({ submission: stage.submission(3, STAMP + 2) });
    });

    presuming('replaces an expired idempotency record', async (stage) => {
      await opened.direct.submissions.add([
        sampleSubmission(sampleApplication(8, T0), { idempotencyKey: 'again', expiresAt: T0 + 5 }),
      ]);
      const again = { idempotencyKey: 'again', createdAt: T0 + 5, expiresAt: T0 + 9_000 };
      const submission = sampleSubmission(sampleApplication(1, STAMP), again);
      expect(await stage.add({ submission })).toMatchObject({ count: 1 });
      expect(await opened.direct.submissions.findRecords([submission.idempotency])).toEqual([
        submission.idempotency,
      ]);
    });

    presuming('does not mind that the secret was used meanwhile', async (stage) => {
      await opened.direct.keys.touchSecrets([SECRET.hash], T0 + 60_000);
      expect(await stage.add({})).toMatchObject({ count: 1 });
    });

    const meanwhile: Readonly<Record<string, (direct: Repositories) => Promise<unknown>>> = {
      'the secret was revoked': ({ keys }) => keys.saveSecrets([{ ...SECRET, revokedAt: T0 }]),
      'the secret was given an end': ({ keys }) => keys.saveSecrets([{ ...SECRET, expiresAt: T0 + 99_999 }]),
      'the access was revoked': ({ access }) => access.save({ ...ACCESS, revokedAt: T0 }),
      'bootstrap mode began': ({ access }) => access.save({ ...ACCESS, bootstrapUntil: T0 + 99_999 }),
      'the job was closed': ({ jobs }) => jobs.save([sampleJob(JOB_ID, { state: 'closed' })]),
      'the job was made internal': ({ jobs }) => jobs.save([sampleJob(JOB_ID, { internalOnly: true })]),
      'the job asks something else': ({ jobs }) =>
        jobs.save([sampleJob(JOB_ID, { applicationFormSchema: null })]),
      'the company was renamed': ({ companies }) =>
        companies.save({ ...sampleCompany(COMPANY_ID), name: 'Diner & Sons' }),
      'the guard was used up': ({ rateWindows }) =>
        rateWindows.charge([{ bucketId: GUARD.id, cost: GUARD.limit }]),
      'the limit was met': ({ rateWindows }) =>
        rateWindows.charge([{ bucketId: BUCKET.id, cost: BUCKET.limit }]),
      'the feed went on to the same stamp': ({ feed }) => feed.take([{ keyId: KEY_ID, count: 1 }], STAMP),
      'the feed went on beyond': ({ feed }) => feed.take([{ keyId: KEY_ID, count: 1 }], STAMP + 500),
      'the idempotency key was bound': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(9, T0), { idempotencyKey: 'mine' })]),
      'the source id was taken': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(9, T0, { sourceApplicationId: 'theirs' }))]),
      'the application’s id was taken': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(1, T0))]),
    };
    describe.each([
      ['a résumé to fetch', RESUME],
      ['no résumé', null],
    ])('with %s, leaves no trace', (_, resume) => {
      describe.each(Object.entries(meanwhile))('if', (name, happens) => {
        presuming(name, async (stage) => {
          await happens(opened.direct);
          const application = sampleApplication(1, STAMP, { sourceApplicationId: 'theirs' });
          const task = resume === null ? null : { ...resume, applicationId: application.id };
          await stage.leavesNoTrace({
            submission: sampleSubmission(application, { idempotencyKey: 'mine' }, task),
          });
        });
      });
    });

    presuming('leaves no trace of a job or a secret that is not there', async (stage) => {
      const job = sampleJob('job_none');
      await stage.leavesNoTrace({ found: { ...stage.presumed.found, job } });
      const secret = sampleSecret('beef'.repeat(16));
      await stage.leavesNoTrace({ caller: { ...stage.presumed.caller, secret } });
    });

    presuming('two storages: one source id, and one idempotency key, are let in once', async (stage) => {
      const other = await opened.another();
      const storages = [opened.storage, other];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, number) => {
          const application = sampleApplication(number, STAMP + number, { sourceApplicationId: 'one' });
          const submission = sampleSubmission(application, { idempotencyKey: 'one' });
          const bucket = { ...BUCKET, limit: 100 };
          return storages[number % 2]?.addPresumed?.({ ...stage.presumed, bucket, submission });
        }),
      );
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
      expect((await readFeed(opened.direct, KEY_ID)).ids).toHaveLength(1);
    });

    presuming(
      'two storages, with and without presumptions: the limit is exact, and nobody who follows the feed misses a row',
      async (stage) => {
        const other = await opened.another();
        const bucket = { ...BUCKET, limit: 30 };
        const writers = Promise.all(
          Array.from({ length: 60 }, async (_, number) => {
            await pause((number * 7) % 23);
            const storage = number % 2 === 0 ? opened.storage : other;
            if (number % 3 === 0) return addInOrder(storage, number);
            const submission = sampleSubmission(sampleApplication(number, STAMP + number * 10));
            const counted = await storage.addPresumed?.({ ...stage.presumed, bucket, submission });
            if (!counted) return null;
            expect(counted.count).toBeLessThanOrEqual(bucket.limit);
            return submission.application.id;
          }),
        );
        const followed = await followFeed(opened.direct, KEY_ID, writers);
        const added = (await writers).filter((id) => id !== null);
        expect([...followed].sort()).toEqual(added.sort());
        const presumedOnes = added.filter((id) => Number(id.slice(-6)) % 3 !== 0);
        expect(await opened.direct.rateWindows.read([BUCKET.id])).toMatchObject([
          { count: presumedOnes.length },
        ]);
      },
    );

    presuming(
      'what was revoked or closed when it was sent is never added, whatever goes on beside it',
      async (stage) => {
        const other = await opened.another();
        const bucket = { ...BUCKET, limit: 1_000 };
        let number = 0;
        for (let round = 0; round < 6; round += 1) {
          let isOver = false;
          const late: string[] = [];
          let added = 0;
          const writer = async (storage: Storage<HostTx>) => {
            for (let turn = 0; turn < 15; turn += 1) {
              number += 1;
              const wasOver = isOver;
              const submission = sampleSubmission(sampleApplication(number, STAMP + number * 10));
              const counted = await storage.addPresumed?.({ ...stage.presumed, bucket, submission });
              if (counted) added += 1;
              if (wasOver && counted) late.push(submission.application.id);
            }
          };
          const end = async () => {
            await pause(round * 3);
            if (round % 2 === 0) await other.direct.access.save({ ...ACCESS, revokedAt: T0 });
            else await other.direct.jobs.save([sampleJob(JOB_ID, { state: 'closed' })]);
            isOver = true;
          };
          await Promise.all([writer(opened.storage), writer(other), end()]);
          expect(late).toEqual([]);
          if (round > 2) expect(added).toBeGreaterThan(0);
          await other.direct.access.save(ACCESS);
          await other.direct.jobs.save([sampleJob()]);
        }
      },
    );

    /** A submission of the ordinary way: stamp and rows in one transaction. */
    async function addInOrder(storage: Storage<HostTx>, number: number): Promise<string> {
      return storage.transaction(async (tx) => {
        const [range] = await tx.feed.take([{ keyId: KEY_ID, count: 1 }], STAMP + number * 10);
        await pause(number % 5);
        const application = sampleApplication(number, range?.first ?? 0);
        expect(await tx.submissions.add([sampleSubmission(application)])).toBe('added');
        return application.id;
      });
    }
  });
}

const ACCESS = {
  keyId: KEY_ID,
  companyId: COMPANY_ID,
  grantedAt: T0,
  revokedAt: null,
  bootstrapUntil: null,
} as const;

interface Stage {
  readonly presumed: PresumedSubmission;
  submission(number: number, stamp: number): PresumedSubmission['submission'];
  add(changes: Partial<PresumedSubmission>): ReturnType<AddPresumed>;
  /** Fails, and all that a submission could change is as it was. */
  leavesNoTrace(changes: Partial<PresumedSubmission>): Promise<void>;
}

async function createStage<HostTx>(storage: Storage<HostTx>, addPresumed: AddPresumed): Promise<Stage> {
  const { direct } = storage;
  const [caller] = await direct.keys.findByHashes([SECRET.hash]);
  const [found] = await direct.jobs.findForKeys([{ keyId: KEY_ID, jobId: JOB_ID }]);
  const submission = (number: number, stamp: number) => sampleSubmission(sampleApplication(number, stamp));
  const presumed: PresumedSubmission = {
    caller: required<KeyOfSecret>(caller),
    found: required(found),
    guard: GUARD,
    bucket: BUCKET,
    submission: submission(1, STAMP),
  };
  const add = (changes: Partial<PresumedSubmission>) => addPresumed({ ...presumed, ...changes });
  /** All that a submission could have touched, except résumé tasks, which nobody can read without taking them. */
  const everything = async ({ application, idempotency }: PresumedSubmission['submission']) => ({
    applications: await direct.applications.find([application.id]),
    records: await direct.submissions.findRecords([idempotency]),
    windows: await direct.rateWindows.read([BUCKET.id, GUARD.id]),
    heads: await direct.feed.listHeads('production'),
    feed: await readFeed(direct, KEY_ID),
    secrets: await direct.keys.listSecrets(KEY_ID),
  });
  return {
    presumed,
    submission,
    add,
    leavesNoTrace: async (changes) => {
      const tried = { ...presumed, ...changes }.submission;
      const before = await everything(tried);
      expect(await add(changes)).toBeNull();
      expect(await everything(tried)).toEqual(before);
      expect(await direct.resumes.claim({ token: 't', forMs: 9 }, T0, 10)).toEqual([]);
    },
  };
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The samples were not stored.');
  return value;
}
