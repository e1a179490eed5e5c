/** Submissions that come one after another, where sandboxes play. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STORY_START } from '../../support/clock.js';
import { createEmployer, createPartner, submission } from '../../support/partner.js';
import { createTestDatabase, type TestDatabase } from '../../support/storages.js';
import { createWorld, type World } from '../../support/world.js';
import { createStepWatch, type StepWatch } from './step-watch.js';

let database: TestDatabase;
let world: World;
let watch: StepWatch;
beforeEach(async () => {
  database = await createTestDatabase();
  watch = createStepWatch();
  const storage = watch.on(await database.open({ now: () => STORY_START }));
  world = await createWorld({ sandbox: true, storage });
});
afterEach(async () => {
  await world.close();
  await database.remove();
});

describe('in a sandbox that plays', () => {
  it('none of its keys is presumed: magic addresses are met', async () => {
    const tester = await createPartner(world, { sandbox: true, endpoint: false });
    const [job] = (await tester.get('/jobs')).json.data as readonly { readonly id: string }[];
    const to = async (email: string) => {
      const candidate = { firstName: 'Ada', lastName: 'Lovelace', email, phone: '+14155550123' };
      return (await tester.submit(submission(String(job?.id), { candidate }))).status;
    };
    const stranger = 'ada@example.org';
    expect([await to(stranger), await to(stranger), await to('unavailable@sandbox.example')]).toEqual([
      201, 201, 503,
    ]);
    expect(watch.steps).toEqual([]);
  });

  it('a production key is presumed as anywhere', async () => {
    const other = await createPartner(world, { endpoint: false });
    const employer = await createEmployer(world, other);
    for (let count = 0; count < 2; count += 1)
      expect((await other.submit(submission(employer.jobId))).status).toBe(201);
    watch.expectSteps([true]);
  });
});
