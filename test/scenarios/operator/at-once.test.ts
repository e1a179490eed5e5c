import { expect, it } from 'vitest';
import { isAccessActive } from '../../../packages/core/src/domain/access.js';
import type { CompanyId, KeyId } from '../../../packages/core/src/domain/ids.js';
import type { Job } from '../../../packages/core/src/domain/job.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { openStage, PICKER, type ReadEvent } from './stage.js';

const stage = await openStage();
const { operator } = stage;

const ROUNDS = 6;

const three = <T>(make: () => Promise<T>) => Promise.all([make(), make(), make()]);

/** Ignores ACCESS_NOT_FOUND: the grant may come later. */
async function revoke(pair: { readonly keyId: KeyId; readonly companyId: CompanyId }): Promise<void> {
  await operator.access.revoke(pair).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.code !== 'ACCESS_NOT_FOUND') throw error;
  });
}

/** Returns whether the log's last event of a job opens it. Expects openings and closings to alternate. */
function isOpenIn(log: readonly ReadEvent[], jobId: string): boolean {
  const types = log.filter(({ data }) => data.jobId === jobId).map(({ type }) => type);
  expect(types).toEqual(types.map((_, index) => (index % 2 === 0 ? 'job.opened' : 'job.closed')));
  return types.at(-1) === 'job.opened';
}

it('concurrent commands do not deadlock, and the list and log of each key agree', async () => {
  const [companies, keys] = [await three(() => stage.company()), await three(() => stage.key())];
  const pairs = keys.flatMap((keyId) => companies.map((companyId) => ({ keyId, companyId })));
  const jobs: Job[] = [];
  for (const companyId of [...companies, ...companies]) {
    jobs.push(await operator.jobs.publish({ ...PICKER, companyId }));
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const publishing = operator.jobs.publish(
      companies.toReversed().map((companyId) => ({ ...PICKER, companyId })),
    );
    await Promise.all([
      publishing,
      operator.jobs.close(jobs.map(({ id }) => ({ id }))),
      operator.jobs.close(jobs.map(({ id }) => ({ id })).toReversed()),
      ...jobs.map(({ id }) => operator.jobs.reopen({ id })),
      ...pairs.map(revoke),
      ...pairs.map((pair) => operator.access.grant(pair)),
      ...companies.map((id) => operator.companies.rename({ id, name: `Name ${round}` })),
    ]);
    jobs.push(...(await publishing));
  }
  const now = await Promise.all(jobs.map(({ id }) => operator.jobs.find({ id })));
  const open = now.flatMap((job) => (job?.state === 'open' ? [job] : []));
  for (const keyId of keys) {
    const active = (await operator.access.list({ keyId })).items.filter(isAccessActive);
    const granted = new Set(active.map(({ companyId }) => companyId));
    const seen = open.flatMap(({ id, companyId }) => (granted.has(companyId) ? [id] : []));
    const log = await stage.events(keyId);
    expect((await stage.visible(keyId)).map(({ id }) => id).sort()).toEqual(seen.toSorted());
    expect(jobs.flatMap(({ id }) => (isOpenIn(log, id) ? [id] : [])).sort()).toEqual(seen.toSorted());
  }
});
