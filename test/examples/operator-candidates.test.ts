import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FetchHandler } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openOperator } from './open-operator.js';

const API = 'http://example/api/v1/external';

/** Submits a candidate to the first open job. Returns the application's id. */
async function submit(send: FetchHandler, secret: string, candidate: object): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const jobs = await send(new Request(`${API}/jobs`, { headers }));
  const { data } = (await jobs.json()) as {
    readonly data: readonly { readonly id: string; readonly applicationFormSchema: unknown }[];
  };
  const job = data.find(({ applicationFormSchema }) => applicationFormSchema === null) ?? data[0];
  const body = JSON.stringify({ jobId: job?.id, candidate, consentToContact: true });
  const reply = await send(
    new Request(`${API}/applications`, {
      method: 'POST',
      body,
      headers: { ...headers, 'idempotency-key': randomUUID() },
    }),
  );
  return String(((await reply.json()) as { readonly id: unknown }).id);
}

describe('the operator command finds and erases candidates', () => {
  test('by application, then by nothing', async () => {
    const { run, fetch, seeded } = await openOperator();
    const candidate = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.org',
      phone: '+14155550123',
    };
    const id = await submit(fetch, seeded.production.secret, candidate);
    const found = await run('applications', 'list', '--email', candidate.email.toUpperCase());
    expect(found.text).toContain(id);
    expect(found.text).toContain('A… L…');
    const revealing = ['--reveal', '--as', 'ada', '--reason', 'request 12'];
    const exported = await run('candidates', 'export', '--application', id, ...revealing);
    expect(exported.text).toBe('Applications: 1. Add --json to print what is stored about them.');
    expect(JSON.stringify(exported.value)).toContain(candidate.email);
    const erased = await run('candidates', 'erase', '--application', id, '--clear-source-id', '--yes');
    expect(erased.text).toMatch(new RegExp(`^Erased: ${id}\\.`));
    expect(JSON.stringify(erased.value)).not.toContain(candidate.email);
    const again = await run('candidates', 'erase', '--application', id);
    expect(again.text).toMatch(/^Unchanged: the data was erased at [-\d]+ [:\d]+Z\./);
    expect(again.value).toEqual({ ...(erased.value as object), applications: expect.anything() });
    const unknown = await run('candidates', 'erase', '--email', 'nobody@example.org');
    expect(unknown.text).toMatch(/^Nobody was found\. Other addresses of this person were not searched\./);
    expect((await run('applications', 'list', '--phone', '+14155550199')).text).toMatch(
      /^Nobody was found\./,
    );
  });

  test("from the platform's own table, for any actor, as soon as a worker runs", async () => {
    const { run, fetch, worker, seeded, databaseFile } = await openOperator();
    const handle = new Sqlite(databaseFile);
    onTestFinished(() => void handle.close());
    const personOf = (name: string) => ({
      firstName: name,
      lastName: 'Hopper',
      email: `${name}@example.org`,
      phone: '+14155550123',
    });
    const [ada, grace] = [personOf('ada'), personOf('grace')];
    const id = await submit(fetch, seeded.production.secret, ada);
    await submit(fetch, seeded.production.secret, grace);
    await worker.drain();
    const rows = () => handle.prepare('select email from candidate order by email').pluck().all();
    expect(rows()).toEqual([ada.email, grace.email]);
    await run('candidates', 'erase', '--email', ada.email, '--as', 'sue', '--yes');
    await worker.drain();
    expect(rows()).toEqual([grace.email]);
    const found = await run('applications', 'show', id);
    expect(found.value).toMatchObject({ erasureItem: { receivedAt: expect.any(Number) } });
    // The storage overwrites the platform's rows too.
    handle.pragma('wal_checkpoint(truncate)');
    const bytes = readFileSync(databaseFile, 'latin1');
    expect(bytes).toContain(grace.email);
    expect(bytes).not.toContain(ada.email);
    const again = await run('candidates', 'erase', '--application', id);
    expect(again.text).toMatch(
      /erased at [-\d]+ [:\d]+Z\. The platform acknowledged the erasure at [-\d]+ [:\d]+Z\./,
    );
  });

  test('with a reminder if the inbox is off, and lists them', async () => {
    const { run, fetch, seeded } = await openOperator();
    const candidate = {
      firstName: 'Ada',
      lastName: 'Hopper',
      email: 'ada@example.org',
      phone: '+14155550123',
    };
    const id = await submit(fetch, seeded.production.secret, candidate);
    await run('inbox', 'turn-off');
    const reminder = "The inbox is off: delete the platform's own rows yourself.";
    expect((await run('candidates', 'erase', '--application', id, '--yes')).text).toContain(reminder);
    const many = await run('candidates', 'erase-many', '--changed-before', '2020-01-01T00:00:00Z');
    expect(many.text).toContain(reminder);
    const listed = await run('applications', 'list', '--erased-since', '2020-01-01T00:00:00Z');
    expect(listed.text).toContain(id);
  });

  test('of a company or a time, and previews it', async () => {
    const { run } = await openOperator();
    const time = ['--changed-before', '2020-01-01T00:00:00Z'];
    const preview = await run('candidates', 'erase-many', ...time, '--dry-run');
    expect(preview.text).toBe('Candidates that would be erased: 0.');
    const started = await run('candidates', 'erase-many', ...time);
    expect(started.text).toMatch(/^The server erases them in steps\. Watch it with: operations show op_/);
  });

  test('refuses a person without a name, or with two', async () => {
    const { run } = await openOperator();
    const rule = 'Name the person with one of --application, --email and --phone.';
    await expect(run('candidates', 'erase')).rejects.toThrow(rule);
    const both = ['--email', 'a@example.org', '--phone', '+14155550123'];
    await expect(run('candidates', 'erase', ...both)).rejects.toThrow(rule);
  });
});
