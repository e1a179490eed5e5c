/** The host is told of doubtful input that was accepted. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { candidate, openInboxStage } from './stage.js';

const stage = perTest(
  () => openInboxStage(),
  ({ close }) => close(),
);

const warningsOf = () =>
  stage.batches
    .flat()
    .map(({ applicationId, warnings }) => [applicationId, warnings?.map(({ code }) => code)]);

it('tells of repeated digits, URLs in names, and a repeated e-mail, also of another partner', async () => {
  const other = await createPartner(stage.fixture);
  const job = await stage.fixture.operator.jobs.find({ id: stage.jobId as `job_${string}` });
  await stage.fixture.operator.access.grant({ keyId: other.keyId, companyId: job?.companyId ?? 'co_' });

  const plain = await stage.submit('Lovelace');
  const doubtful = { ...candidate('example.com'), email: 'eva@example.org', phone: '+15555555555' };
  const odd = await stage.submit('', { candidate: doubtful });
  await stage.drain();
  const again = { ...candidate('King'), email: ' LOVELACE@example.org ' };
  const theirs = await stage.submit('', { candidate: again }, other);
  await stage.drain();
  const third = await stage.submit('', { candidate: again });
  await stage.drain();

  expect(warningsOf()).toEqual([
    [plain, []],
    [odd, ['url_in_name', 'phone_of_one_digit']],
    [theirs, ['same_email_for_job']],
    [third, ['same_email_for_job']],
  ]);
  expect(stage.batches.at(-1)?.[0]?.warnings).toMatchObject([{ applicationIds: [plain, theirs] }]);
});

it('tells the same to a consumer that takes items', async () => {
  const { inbox } = stage.fixture.operator;
  await stage.submit('Lovelace');
  await stage.submit('Lovelace');
  const items = await inbox.take();
  expect(items.map(({ warnings }) => warnings?.map(({ code }) => code))).toEqual([
    [],
    ['same_email_for_job'],
  ]);
  await inbox.acknowledge(items.map(({ id }) => id));
});
