import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APPLICATION_STATUSES, type Application, STAGE_LABELS, type Stage } from '../domain/application.js';
import type { FormQuestion } from '../domain/application-form.js';
import type { VisibleJob } from '../domain/job.js';
import { serializeApplication, serializeApplications, serializeJobs } from './wire.js';
import {
  applicationPageSchema,
  jobPageSchema,
  type WireApplication,
  type WireJob,
} from './wire-schemas/resources.js';

const HOSTILE = [
  '"',
  '\\',
  '\0',
  '\n',
  '\u001f',
  '\u007f',
  '\u2028',
  '\ud800',
  '\udc00',
  '__proto__',
  '😀',
  'é',
];
const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const text = fc.string({ unit: fc.oneof(fc.constantFrom(...HOSTILE), codeUnit, fc.constantFrom('a', ' ')) });
const textOrNull = fc.option(text);
const instant = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
const amount = fc.option(fc.double());

const application: fc.Arbitrary<Application> = fc.record({
  id: text.map((id) => `ej_app_${id}` as const),
  keyId: fc.constant('key_1' as const),
  jobId: text.map((id) => `job_${id}` as const),
  companyId: fc.constant('co_1' as const),
  sourceApplicationId: textOrNull,
  status: fc.constantFrom(...APPLICATION_STATUSES),
  stage: fc.constantFrom(...(Object.keys(STAGE_LABELS) as Stage[])),
  submittedAt: instant,
  lastStatusChangeAt: instant,
  changedAt: instant,
});

const question: fc.Arbitrary<FormQuestion> = fc.record(
  {
    key: text,
    label: text,
    type: text,
    required: fc.boolean(),
    options: fc.array(fc.record({ value: text, label: text })),
  },
  { requiredKeys: ['key', 'label', 'type', 'required'] },
);

const visibleJob: fc.Arbitrary<VisibleJob> = fc.record({
  job: fc.record({
    id: text.map((id) => `job_${id}` as const),
    companyId: text.map((id) => `co_${id}` as const),
    title: text,
    location: fc.record({ city: text, state: text, country: text }),
    compensation: fc.record({
      type: fc.constant('hourly' as const),
      min: amount,
      max: amount,
      currency: text,
    }),
    schedule: textOrNull,
    headcount: fc.record({ total: fc.option(fc.nat()), filled: fc.nat() }),
    applicationFormSchema: fc.option(fc.array(question)),
    state: fc.constant('open' as const),
    internalOnly: fc.boolean(),
    createdAt: instant,
    updatedAt: instant,
    syncedIn: fc.constant(null),
    sourceVersion: textOrNull,
  }),
  companyName: text,
  changedAt: instant,
});

describe('the texts of resources equal JSON.stringify, for any text, number and time', () => {
  it('one application', () => {
    fc.assert(
      fc.property(application, (row) => {
        expect(serializeApplication(row)).toBe(JSON.stringify(wireApplication(row)));
      }),
    );
  });

  it('a page of applications', () => {
    fc.assert(
      fc.property(fc.array(application, { maxLength: 5 }), textOrNull, (rows, next) => {
        expect(serializeApplications(rows, next)).toBe(page(rows.map(wireApplication), next));
      }),
    );
  });

  it('a page of jobs', () => {
    fc.assert(
      fc.property(fc.array(visibleJob, { maxLength: 5 }), textOrNull, (rows, next) => {
        expect(serializeJobs(rows, next)).toBe(page(rows.map(wireJob), next));
      }),
    );
  });

  it('a page of 200 rows, and a text of 300,000 characters', () => {
    const [row] = fc.sample(visibleJob, 1);
    if (row === undefined) throw new Error('There is no sample.');
    const long = { ...row, companyName: `${'a😀'.repeat(100_000)}"` };
    const rows = [...Array.from({ length: 200 }, () => row), long];
    // A failing `toBe` would print both texts.
    expect(serializeJobs(rows, null) === page(rows.map(wireJob), null)).toBe(true);
  });
});

describe('the texts of resources fit the schemas of the OpenAPI document, without other fields', () => {
  it('a page of applications', () => {
    const rows = fc.sample(application, 50);
    const body: unknown = JSON.parse(serializeApplications(rows, 'next'));
    expect(applicationPageSchema.parse(body)).toEqual(body);
  });

  it('a page of jobs', () => {
    const rows = fc.sample(visibleJob, 50);
    const body: unknown = JSON.parse(serializeJobs(rows, 'next'));
    expect(jobPageSchema.parse(body)).toEqual(body);
  });
});

function page(data: readonly unknown[], next: string | null): string {
  return JSON.stringify(next === null ? { data } : { data, next_cursor: next });
}

function wireApplication(row: Application): WireApplication {
  return {
    id: row.id,
    sourceApplicationId: row.sourceApplicationId,
    jobId: row.jobId,
    status: row.status,
    currentStage: STAGE_LABELS[row.stage],
    submittedAt: new Date(row.submittedAt).toISOString(),
    lastStatusChangeAt: new Date(row.lastStatusChangeAt).toISOString(),
  };
}

function wireJob({ job, companyName, changedAt }: VisibleJob): WireJob {
  return {
    id: job.id,
    title: job.title,
    company: { id: job.companyId, name: companyName },
    location: { city: job.location.city, state: job.location.state, country: job.location.country },
    compensation: {
      type: job.compensation.type,
      min: job.compensation.min,
      max: job.compensation.max,
      currency: job.compensation.currency,
    },
    schedule: job.schedule,
    status: 'open',
    headcount: { total: job.headcount.total, filled: job.headcount.filled },
    createdAt: new Date(job.createdAt).toISOString(),
    updatedAt: new Date(changedAt).toISOString(),
    applicationFormSchema:
      job.applicationFormSchema?.map(({ key, label, type, required, options }) => ({
        key,
        label,
        type,
        required,
        ...(options === undefined ? {} : { options: options.map(({ value, label }) => ({ value, label })) }),
      })) ?? null,
  };
}
