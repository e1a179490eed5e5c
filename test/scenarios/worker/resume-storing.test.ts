/** Contract: 6.10, storing a fetched résumé. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { RESUME_DELAYS_MS } from '../../../packages/core/src/domain/resume.js';
import { DAY_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { noting, openStage, PDF } from './stage.js';
import { resumeOf, submitWithResume } from './submission.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a fetched résumé', () => {
  it('is stored after a brief failure, and in another round after a longer one', async () => {
    const id = await submitWithResume(stage);
    let offers = 0;
    const worker = stage.worker({
      resumeSink: {
        async store() {
          offers += 1;
          if (offers <= 4) throw new Error('The store is down.');
          return { location: 'store:1' };
        },
      },
    });
    await worker.drain();
    expect(offers).toBe(3);
    expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: 1 });
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
    expect(offers).toBe(5);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched', location: 'store:1' });
  });

  it('fails after the last round when the store refuses it', async () => {
    const id = await submitWithResume(stage);
    const givenUp: unknown[] = [];
    const worker = stage.worker({
      resumeSink: { store: () => Promise.reject(new Error('The store is down.')) },
      logger: noting(givenUp),
    });
    for (const delay of RESUME_DELAYS_MS) {
      expect(givenUp).toEqual([]);
      await stage.clock.advance(delay);
      await worker.drain();
    }
    expect(givenUp).toEqual([[id, 'not_stored']]);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'not_stored' });
  });

  it.each([
    ['not recorded', false],
    ['recorded without a word', true],
  ])('is not stored twice when its record was %s at first', async (_, isDone) => {
    const id = await submitWithResume(stage);
    const { direct, transaction } = stage.storage;
    let failures = 0;
    const failing: typeof transaction = async (work) => {
      failures += 1;
      if (failures > 1) return transaction(work);
      if (isDone) await transaction(work);
      throw new StorageUnavailable('The connection was lost.');
    };
    await stage.worker({ storage: { direct, transaction: failing } }).drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    await stage.clock.advance(60 * MINUTE_MS);
    await stage.worker().drain();
    expect(stage.files).toHaveLength(1);
  });

  it('is logged without its name when the store refuses it', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => ({ ...PDF, fileName: 'Ada Lovelace.pdf' }));
    const store = () => Promise.reject(new Error('Upload of Ada Lovelace.pdf failed: quota.'));
    await stage.worker({ resumeSink: { store } }).drain();
    const message = 'Upload of ….pdf failed: quota.';
    expect(stage.errors).toMatchObject([{ applicationId: id, err: { message } }]);
  });

  it('is stored again, at last once a day, when the database refuses the record', async () => {
    const id = await submitWithResume(stage);
    const { direct, transaction } = stage.storage;
    const refusing: typeof transaction = (work) =>
      transaction((tx) => {
        const saveResume = () => Promise.reject(new Error('The trigger refuses.'));
        return work({ ...tx, applications: { ...tx.applications, saveResume } });
      });
    const worker = stage.worker({ storage: { direct, transaction: refusing } });
    for (const waitMs of [...RESUME_DELAYS_MS, DAY_MS, DAY_MS]) {
      await stage.clock.advance(Math.max(0, waitMs - 1));
      const before = stage.files.length;
      if (waitMs > 0) {
        await worker.drain();
        expect(stage.files).toHaveLength(before);
        await stage.clock.advance(1);
      }
      await worker.drain();
      expect(stage.files).toHaveLength(before + 1);
    }
    const err = expect.objectContaining({ message: 'The trigger refuses.' });
    expect(stage.errors).toMatchObject(Array.from({ length: 5 }, () => ({ err, applicationId: id })));

    await stage.clock.advance(DAY_MS);
    await stage.worker().drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
  });

  it.each([{}, { Location: 'https://bucket.example/1' }, { location: 5 }, { location: '' }])(
    'is not stored when the store answers %j',
    async (answer) => {
      const id = await submitWithResume(stage);
      const resumeSink = { store: async () => answer as { location: string } };
      await stage.worker({ resumeSink }).drain();
      expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: 1 });
      const message = expect.stringContaining('must answer { location }');
      expect(stage.errors).toMatchObject([{ applicationId: id, err: { message } }]);
    },
  );

  it('is recorded together with its application', async () => {
    const id = await submitWithResume(stage);
    const { direct, transaction } = stage.storage;
    let failures = 0;
    const failing: typeof transaction = (work) =>
      transaction((tx) =>
        work({
          ...tx,
          applications: {
            ...tx.applications,
            async saveResume(...asked) {
              failures += 1;
              if (failures === 1) throw new StorageUnavailable('The connection was lost.');
              return tx.applications.saveResume(...asked);
            },
          },
        }),
      );
    await stage.worker({ storage: { direct, transaction: failing } }).drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    expect([stage.files.length, stage.errors]).toEqual([1, []]);
  });
});
