/** A receiver that echoes the candidate: its answers are not stored for erased candidates. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { dump, foundIn, openPersonalStage } from './stage.js';

const stage = perTest(openPersonalStage, (opened) => opened.close());
const PERSON = 'Zq0001xw';
const OTHER = 'Zq0002xw';
const DAY_MS = 86_400_000;

async function decide(id: ApplicationId): Promise<void> {
  await stage.operator.applications.move({ id });
  await stage.operator.applications.decide({ id, decision: 'rejected' });
}

/** Answers with the name of the candidate, after `before`. */
function echo(names: ReadonlyMap<string, string>, before: (id: string) => Promise<unknown>): void {
  stage.fixture.transport.answerWith(async ({ body }) => {
    const id = String(JSON.parse(body).data.applicationId);
    await before(id);
    return { kind: 'answered', status: 500, excerpt: `no room for ${names.get(id) ?? 'this job'}` };
  });
}

async function storedOf(people: readonly string[]): Promise<readonly string[]> {
  return foundIn(await dump(stage.host), people);
}

it('an attempt under way and later attempts store no answer for an erased candidate', async () => {
  const [erased, kept] = [await stage.submit(PERSON), await stage.submit(OTHER)];
  const names = new Map<string, string>([
    [erased, PERSON],
    [kept, OTHER],
  ]);
  echo(names, async (id) => {
    if (id !== erased) return;
    await stage.operator.candidates.erase({ applicationId: erased, clearSourceApplicationId: true });
  });
  for (const id of [erased, kept]) await decide(id);
  await stage.drain();
  expect(await storedOf([PERSON, OTHER])).toEqual([OTHER]);

  await stage.fixture.pass(DAY_MS, DAY_MS / 12);
  expect(await storedOf([PERSON, OTHER])).toEqual([OTHER]);
  const {
    items: [event],
  } = await stage.operator.deliveries.list({ applicationId: erased });
  if (event === undefined) throw new Error('The event is missing.');
  const { eventId, keyId } = event;
  const attempts = (await stage.operator.deliveries.find({ keyId, eventId }))?.attempts ?? [];
  expect(attempts.length).toBeGreaterThan(3);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(
    attempts.map(() => ({ kind: 'answered', status: 500, excerpt: '' })),
  );

  await stage.operator.deliveries.resend({ keyId, eventIds: [eventId] });
  await stage.drain();
  expect(await storedOf([PERSON, OTHER])).toEqual([OTHER]);
});

it('keeps the answers to events of jobs', async () => {
  echo(new Map(), async () => {});
  await stage.operator.jobs.close({ id: stage.jobId });
  await stage.drain();
  expect(await dump(stage.host)).toContain('no room for this job');
});
