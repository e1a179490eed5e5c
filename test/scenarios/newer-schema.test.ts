/** A newer release has migrated the database, and this one is started anew on it: a crash, a scale-out, a rollback. */
import type { Storage } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { submission } from '@partner-hiring/test-support/partner';
import {
  createTestDatabase,
  type HostTransaction,
  type TestDatabase,
} from '@partner-hiring/test-support/storages';
import { beginStory } from '@partner-hiring/test-support/story';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clock = createFakeClock();
let database: TestDatabase;
let latest: number;
beforeEach(async () => {
  database = await createTestDatabase();
  await (await open()).close();
  const [row] = await onDatabase((host) =>
    host.rows('select max(version) as latest from ph_schema_migration'),
  );
  latest = Number((row as { latest: number }).latest);
  // As the newer release's migration leaves it: a column and an index more.
  await run('alter table ph_application add column newer text');
  await run('create index ph_application_newer on ph_application (newer)');
});
afterEach(async () => {
  await run(`delete from ph_schema_migration where version > ${latest}`);
  await run('drop index ph_application_newer');
  await run('alter table ph_application drop column newer');
  await database.remove();
});

const open = (): Promise<Storage<HostTransaction>> => database.open(clock);

async function onDatabase<T>(
  work: (host: Awaited<ReturnType<TestDatabase['host']>>) => Promise<T>,
): Promise<T> {
  const host = await database.host();
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

const run = (sql: string) => onDatabase((host) => host.run(sql));

const record = (version: number, oldestCompatible: number | null) =>
  run(`insert into ph_schema_migration (version, name, applied_at, oldest_compatible)
    values (${version}, 'from_the_future', 0, ${oldestCompatible})`);

describe('a newer schema', () => {
  it('that names this release as compatible is served: submission, list, hire and webhook', async () => {
    await record(latest + 1, latest);
    const { fixture, partner, jobId } = await beginStory({ storage: await open() }, {}, clock);
    const { status, json } = await partner.submit(submission(jobId));
    expect(status).toBe(201);
    const applicationId = json.id as `ej_app_${string}`;
    expect((await partner.get('/applications')).json).toMatchObject({ data: [{ id: applicationId }] });
    await fixture.operator.applications.move({ id: applicationId });
    await fixture.operator.applications.decide({ id: applicationId, decision: 'accepted' });
    await fixture.pass(1_000);
    expect((await partner.get(`/applications/${applicationId}`)).json).toMatchObject({ status: 'accepted' });
    expect(fixture.transport.attempts.at(-1)?.body).toContain(applicationId);
    await fixture.close();
  });

  it('that names no older release as compatible is refused, with both versions and the fix', async () => {
    await record(latest + 1, null);
    await expect(open()).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message:
        `The database has migration ${latest + 1} (from_the_future), which names no older release as compatible. ` +
        `This release knows migrations up to ${latest}. Upgrade the package to a release that knows migration ${latest + 1}.`,
    });
  });

  it('is refused if one of its migrations needs a newer release, although the others do not', async () => {
    await record(latest + 1, latest);
    await record(latest + 2, latest + 1);
    await record(latest + 3, latest);
    await expect(open()).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(
        `migration ${latest + 2} .*needs a release that knows migration ${latest + 1}`,
      ),
    });
  });
});
