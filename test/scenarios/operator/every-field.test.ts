/** Each field that hosts and partners set is stored, compared, audited and shown: a forgotten place fails for its field. */
import type { ApplicationId, ApplicationRecord, JobPut } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../packages/cli/src/run-command-line.js';
import { visit } from '../../console/platform.js';

/** A value with all of its optional fields. */
type Full<Value> = Value extends readonly (infer Item)[]
  ? readonly Full<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]-?: Full<NonNullable<Value[Name]>> }
    : NonNullable<Value>;

type Path = readonly (string | number)[];

const JOB: Full<Omit<JobPut, 'id' | 'companyId' | 'company' | 'version'>> = {
  state: 'open',
  internalOnly: false,
  title: 'Cook',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 10, max: 20, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: 3, filled: 1 },
  applicationFormSchema: [
    {
      key: 'shift',
      label: 'Shift?',
      type: 'single_select',
      required: true,
      options: [{ value: 'am', label: 'Morning' }],
    },
  ],
};

/** The fields of an application that the library sets. */
type Made =
  | 'id'
  | 'keyId'
  | 'jobId'
  | 'companyId'
  | 'status'
  | 'stage'
  | 'resume'
  | 'erasedAt'
  | `${string}At`;

const APPLICATION: Full<Omit<ApplicationRecord, Made | 'answers'>> & { readonly answers: { shift: string } } =
  {
    candidate: { firstName: 'Xaver', lastName: 'Yule', email: 'zoe@example.org', phone: '+14155550123' },
    source: 'careers',
    sourceApplicationId: 'A-1',
    answers: { shift: 'am' },
    resumeUrl: 'https://ats.example.org/1.pdf',
  };

/** Other values of fields that take only some. */
const OTHERS: Readonly<Record<string, string>> = {
  state: 'closed',
  'location.country': 'CA',
  'compensation.currency': 'EUR',
  'candidate.email': 'bob@example.org',
  'candidate.phone': '+14155550188',
  'answers.shift': 'by night',
};

function otherOf(path: Path, value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 2 : (OTHERS[path.join('.')] ?? `${String(value)}_q`);
}

function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) =>
    leavesOf(part, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, name) => Reflect.get(part as object, name), object);
}

/** Returns a copy in which only this leaf is another. */
function withOther<Value>(object: Value, path: Path): Value {
  const copy = structuredClone(object);
  const parent = valueAt(copy, path.slice(0, -1)) as object;
  Reflect.set(parent, path.at(-1) ?? '', otherOf(path, valueAt(copy, path)));
  return copy;
}

/** The required fields of a job, and this one. A place that forgets a field fails only the tests of that field. */
function jobWith(field: string) {
  const { title, location, compensation } = JOB;
  return { title, location, compensation, [field]: Reflect.get(JOB, field) as unknown };
}

const titled = (object: object) => leavesOf(object).map((path) => [path.join('.'), path] as const);

const fixture = perTest(createFixture, ({ close }) => close());

async function printed(...argv: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const open = async () => ({ operator: fixture.operator, close: async () => {} });
  const code = await runCommandLine({ argv, open, output: { out: print, error: print } });
  expect([code, lines]).toEqual([0, lines]);
  return lines.join('\n');
}

/** Returns the lists of facts on a page. */
async function factsAt(path: string, method: 'get' | 'post' = 'get'): Promise<string> {
  const { text, status } = await visit(fixture)[method](path);
  expect(status).toBe(200);
  return (text.match(/<dl class="facts">.*?<\/dl>/gs) ?? []).join('\n');
}

async function openCompany() {
  const { operator } = fixture;
  const partner = await createPartner(fixture, { endpoint: false });
  const { id: companyId } = await operator.companies.create({ name: 'Bistro', environment: 'production' });
  await operator.access.grant({ keyId: partner.keyId, companyId });
  return { partner, companyId };
}

/** Partners pay by the hour only. */
const JOB_LEAVES = titled(JOB).filter(([name]) => name !== 'compensation.type');

describe.each(JOB_LEAVES)('the field %s of a job', (_, path) => {
  const [field = ''] = path.map(String);

  it('is stored, reported as changed, named in the audit, and shown', async () => {
    const { operator } = fixture;
    const { companyId } = await openCompany();
    const id = 'job_1';
    const before = { ...jobWith(field), id, companyId } as const;
    const after = withOther(before, path);
    await operator.jobs.put(before);
    const shown = { page: await factsAt(`/console/jobs/${id}`), line: await printed('jobs', 'show', id) };
    expect(await operator.jobs.put(before)).toMatchObject({ changed: false });
    expect(await operator.jobs.put(after)).toMatchObject({ changed: true });
    expect(valueAt(await operator.jobs.find({ id }), path)).toEqual(valueAt(after, path));
    const { items } = await operator.audit.list({ object: { kind: 'job', id }, limit: 1 });
    expect(Object.keys(items[0]?.after ?? {})).toEqual([field]);
    expect(await factsAt(`/console/jobs/${id}`)).not.toBe(shown.page);
    expect(await printed('jobs', 'show', id)).not.toBe(shown.line);
  });
});

/** `jobs.update` changes details; other commands change the state and who sees the job. */
const DETAIL_LEAVES = JOB_LEAVES.filter(([name]) => name !== 'state' && name !== 'internalOnly');

it.each(DETAIL_LEAVES)('jobs.update can change %s alone', async (_, path) => {
  const [field = ''] = path.map(String);
  const { operator } = fixture;
  const { companyId } = await openCompany();
  const id = 'job_1';
  await operator.jobs.put({ ...jobWith(field), id, companyId });
  const changes = { [field]: Reflect.get(withOther(JOB, path), field) as unknown };
  expect(await operator.jobs.update({ id, changes })).toMatchObject({ changed: true, job: changes });
});

/** The other fields need a file or another command: a form is long, and a new job is open and without hires. */
const OPTION_LEAVES = JOB_LEAVES.filter(
  ([name]) => !/^(?:applicationFormSchema.*|state|headcount\.filled|title)$/.test(name),
);

it.each(OPTION_LEAVES)('jobs publish has an option for %s', async (name, path) => {
  const { companyId } = await openCompany();
  const value = valueAt(withOther(JOB, path), path);
  const word = name === 'headcount.total' ? 'headcount' : String(path.at(-1));
  const option = `--${word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  await printed('jobs', 'publish', companyId, 'Cook', option, ...(value === true ? [] : [String(value)]));
  const { items } = await fixture.operator.jobs.list({ companyId });
  expect(valueAt(items[0], path)).toEqual(value);
});

describe.each(titled(APPLICATION))('the field %s of an application', (name, path) => {
  it('is stored and shown, and masked if it is personal', async () => {
    const { operator } = fixture;
    const { partner, companyId } = await openCompany();
    const applicationFormSchema = [{ key: 'shift', label: 'Shift?', type: 'short_text', required: false }];
    const job = await operator.jobs.publish({ ...jobWith('title'), companyId, applicationFormSchema });
    const { answers, ...fields } = withOther(APPLICATION, path);
    const sent = { ...fields, jobId: job.id, consentToContact: true, applicationFormAnswers: answers };
    const reply = await partner.submit(sent);
    expect(reply.status).toBe(201);
    const id = reply.json.id as ApplicationId;
    const value = String(valueAt({ answers, ...fields }, path));
    expect(valueAt(await operator.applications.find({ id }), path)).toBe(value);
    expect(await printed('applications', 'show', id, '--reveal', '--as', 'ada', '--reason', 'x')).toContain(
      value,
    );
    expect(await factsAt(`/console/applications/${id}/reveal`, 'post')).toContain(value);
    expect(await printed('applications', 'show', id)).not.toContain(value);
    const isOfPartner = name.startsWith('source');
    expect((await factsAt(`/console/applications/${id}`)).includes(value)).toBe(isOfPartner);
  });
});
