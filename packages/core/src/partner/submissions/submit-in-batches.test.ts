import { KEY } from '@partner-hiring/test-support/client/fake-partner-api';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import { StorageUnavailable } from '../../errors.js';
import type { SubmitCall } from '../partner-api.js';
import { BatchConflict } from './submission-batch.js';
import { createSubmitInBatches, type SubmitInBatchesDeps } from './submit-in-batches.js';

const call = (idempotencyKey: string) =>
  ({ key: KEY, idempotencyKey, parsed: { kind: 'invalid' } }) as unknown as SubmitCall;

/** Submits two together to a storage whose every transaction fails so; what was told of it. */
async function submitTwo(failure: Error): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const submit = createSubmitInBatches({
    runtime: { clock: createFakeClock() },
    storageClock: { sync: async () => 0 },
    storage: { transaction: () => Promise.reject(failure) },
    onBatch: () => {},
    onBroken: (size: number, err: unknown) => told.push([size, err]),
  } as unknown as SubmitInBatchesDeps);
  await Promise.allSettled(['a', 'b'].map((each) => submit(call(each))));
  return told;
}

it('a batch that fails as a whole is told of, unless others bound its keys or there is no storage', async () => {
  const failure = new Error('a trigger of the host’s');
  expect(await submitTwo(failure)).toEqual([[2, failure]]);
  expect(await submitTwo(new BatchConflict())).toEqual([]);
  expect(await submitTwo(new StorageUnavailable('down'))).toEqual([]);
});
