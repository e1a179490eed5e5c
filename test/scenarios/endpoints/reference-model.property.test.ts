/** Whatever is commanded and asked, in whatever order: each answer is that of a model of the contract. */
import { randomUUID } from 'node:crypto';
import type { AccessTarget, OperatorCommands } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createPartner, type Reply, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import {
  createReferenceModel,
  MODEL_COMMANDS,
  type ModelCommand,
  type ModelReply,
} from '@partner-hiring/test-support/reference-model';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { JOB_ACTS } from '../../support/job-acts.js';

const JOBS = 3;
const DAY_MS = 24 * 3_600_000;
const KEYS = [randomUUID(), randomUUID(), randomUUID()];

const clock = createFakeClock();
const database = await createTestDatabase();
const storage = await database.open(clock);
const fixture = await createFixture({ storage, runtime: { ...createSystemRuntime(), clock } });
const host = await database.host();
afterAll(async () => {
  await host.close();
  await fixture.close();
  await database.remove();
});

const aCommand: fc.Arbitrary<ModelCommand> = fc.record({
  // Access is mostly there, and jobs mostly open, or little else happens.
  name: fc.constantFrom('grant', 'grant', 'reopen', 'reopen', 'reopen', ...MODEL_COMMANDS),
  which: fc.nat(JOBS),
});
const aSubmission = fc.record({
  kind: fc.constant('submit' as const),
  /** One of a few keys, to be met again, or null for a fresh one. */
  key: fc.option(fc.nat(KEYS.length - 1)),
  job: fc.nat(JOBS),
  sourceId: fc.option(fc.constantFrom('a', 'b')),
  isValid: fc.nat(9).map((luck) => luck > 0),
  times: fc.constantFrom(1, 1, 1, 12),
});
const aTransaction = fc.record({
  kind: fc.constant('transaction' as const),
  commands: fc.array(aCommand, { maxLength: 5 }),
  commits: fc.boolean(),
});
const aRead = fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 4 }) });
const aWait = fc.constantFrom(1, 20_000, 60_000, DAY_MS - 1, DAY_MS);
const aStep = fc.oneof(
  { weight: 6, arbitrary: aCommand.map((command) => ({ kind: 'command' as const, command })) },
  { weight: 6, arbitrary: aSubmission },
  { weight: 1, arbitrary: aTransaction },
  { weight: 2, arbitrary: aRead },
  { weight: 2, arbitrary: aWait.map((ms) => ({ kind: 'wait' as const, ms })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'rotate' as const }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer Kind> ? Kind : never;

it('answers and feeds are those of the model, also after rotations and transactions that roll back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 50, size: 'max' }), async (steps) => {
      const scene = await openScene();
      await scene.take({ kind: 'command', command: { name: 'grant', which: 0 } });
      for (const step of steps) await scene.take(step);
      await clock.advance(60_000);
      await scene.take({ kind: 'read', limit: 2 });
    }),
    { numRuns: 20 },
  );
}, 120_000);

/** A partner and a company of their own, so that runs do not meet, and the model of them. */
async function openScene() {
  const partner = await createPartner(fixture, { endpoint: false });
  const company = await fixture.operator.companies.create({ name: 'Initech', environment: 'production' });
  const job = { ...WAREHOUSE_JOB, companyId: company.id, state: 'closed' } as const;
  const jobIds = Array.from({ length: JOBS }, (_, index) => `job_${company.id.slice(3)}_${index}` as const);
  await fixture.operator.jobs.publish(jobIds.map((id) => ({ ...job, id })));
  const model = createReferenceModel(JOBS, clock.now);
  const copy = new Map<string, string>();
  let { secret } = partner;
  let since = '';

  const request: typeof partner.request = (method, path, parts) =>
    partner.request(method, path, {
      ...parts,
      headers: { ...parts?.headers, authorization: `Bearer ${secret}` },
    });

  async function command(operator: OperatorCommands, command: ModelCommand): Promise<void> {
    const target = { keyId: partner.keyId, companyId: company.id };
    const refusal = await refusalOf(giveCommand(operator, command, target, jobIds, model.applicationAt));
    expect([command, refusal]).toEqual([command, model.take(command)]);
  }

  async function submit(step: Extract<Step, { kind: 'submit' }>): Promise<void> {
    const { job, sourceId, isValid } = step;
    const changes = { sourceApplicationId: sourceId, consentToContact: isValid };
    const body = JSON.stringify(submission(jobIds[job] ?? 'job_none', changes));
    for (let time = 0; time < step.times; time += 1) {
      const key = step.key === null ? randomUUID() : (KEYS[step.key] ?? '');
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const reply = await request('POST', '/applications', { body, headers });
      expect(asModel(reply)).toEqual(
        model.submit(key, body, { job, sourceId, isValid }, () => String(reply.json.id)),
      );
    }
  }

  /** All pages of a list: its rows and how far it is complete; null where the limit was met. */
  async function pages(list: 'jobs' | 'applications', query: string) {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: unknown = ''; ; ) {
      const reply = await request('GET', `/${list}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(asModel(reply)).toEqual(model.list(list));
      if (reply.status !== 200) return null;
      rows.push(...(reply.json.data as Record<string, unknown>[]));
      cursor = reply.json.next_cursor;
      if (cursor === undefined) return { rows, through: String(reply.headers.get('X-Updated-Through')) };
    }
  }

  /** The jobs as they stand, and what has changed about the applications since the last time. */
  async function read(limit: number): Promise<void> {
    const jobs = await pages('jobs', `limit=${limit}`);
    if (jobs !== null) {
      expect(jobs.rows.map(({ id }) => id)).toEqual(model.jobs().map((job) => jobIds[job]));
    }
    const news = await pages(
      'applications',
      `limit=${limit}${since === '' ? '' : `&updated_since=${since}`}`,
    );
    if (news === null) return;
    for (const { id, status } of news.rows) {
      copy.delete(String(id));
      copy.set(String(id), `${id} ${status}`);
    }
    since = news.through;
    expect([...copy.values()]).toEqual(model.applications());
  }

  async function transaction(commands: readonly ModelCommand[], commits: boolean): Promise<void> {
    await host.run('begin');
    await model.within(commits, async () => {
      for (const each of commands) await command(fixture.operator.within(host.tx), each);
    });
    await host.run(commits ? 'commit' : 'rollback');
  }

  return {
    async take(step: Step): Promise<void> {
      if (step.kind === 'command') return command(fixture.operator, step.command);
      if (step.kind === 'transaction') return transaction(step.commands, step.commits);
      if (step.kind === 'submit') return submit(step);
      if (step.kind === 'read') return read(step.limit);
      if (step.kind === 'wait') return clock.advance(step.ms);
      ({ secret } = await fixture.operator.keys.rotate({ id: partner.keyId }));
    },
  };
}

function giveCommand(
  { access, jobs, applications }: OperatorCommands,
  { name, which }: ModelCommand,
  target: AccessTarget,
  jobIds: readonly `job_${string}`[],
  applicationAt: (which: number) => string,
): Promise<unknown> {
  const id = applicationAt(which) as `ej_app_${string}`;
  if (name === 'begin') return applications.move({ id });
  if (name === 'accepted' || name === 'rejected') return applications.decide({ id, decision: name });
  if (name === 'grant') return access.grant(target);
  if (name === 'revoke') return access.revoke(target);
  if (name === 'raiseLimit') return access.raiseLimit(target);
  return JOB_ACTS[name](jobs, jobIds[which] ?? 'job_none');
}

/** The code that a command was refused with; null if it was taken. */
async function refusalOf(command: Promise<unknown>): Promise<string | null> {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.code;
    throw error;
  }
}

function asModel({ status, json, headers }: Reply): ModelReply {
  return {
    status,
    code: typeof json.error === 'string' ? json.error : null,
    limit: Number(headers.get('X-RateLimit-Limit')),
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    isReplay: headers.get('Idempotent-Replayed') === 'true',
  };
}
