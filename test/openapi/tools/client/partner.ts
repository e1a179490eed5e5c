/**
 * The code of a partner's developer who has only the OpenAPI document. `partner-api.ts` is generated next to this
 * file, so only the test compiles this folder.
 */
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './partner-api.js';

type Schemas = components['schemas'];
/** Any error, discriminated by its code. */
type Refusal = Extract<Schemas[keyof Schemas], { readonly error: string }>;

/** Actions of the platform, and deliveries to the partner. */
export interface Platform {
  evaluate(applicationId: string): Promise<void>;
  hire(applicationId: string): Promise<void>;
  /** The verified body of the delivery for the application. */
  heardOf(applicationId: string): Promise<string>;
}

/** Takes a candidate from an open job to a hire, and returns the steps. */
export async function playPartner(baseUrl: string, apiKey: string, platform: Platform): Promise<string[]> {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  const told: string[] = [];

  const jobs = await api.GET('/jobs', { params: { query: { limit: 200, status: 'open' } } });
  const job = jobs.data?.data.find(({ id }) => id === 'job_harbor_driver');
  if (job === undefined) throw new Error(`The job is not there: ${JSON.stringify(jobs.error)}`);
  const pay: number | null = job.compensation.min;
  const question = job.applicationFormSchema?.find(({ required }) => required);
  told.push(`${job.title} at ${job.company.name}, from ${pay}, asks ${question?.key}`);

  const submission: Schemas['Submission'] = {
    jobId: job.id,
    candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+1 775 555 0123' },
    consentToContact: true,
    sourceApplicationId: 'ats-1001',
    applicationFormAnswers: question === undefined ? null : { [question.key]: true },
  };
  const submit = (body: Schemas['Submission'], key: string) =>
    api.POST('/applications', { params: { header: { 'Idempotency-Key': key } }, body });

  const invalid = await submit(
    { ...submission, candidate: { ...submission.candidate, email: 'ada' } },
    randomUUID(),
  );
  told.push(`${invalid.response.status} ${explain(invalid.error)}`);

  const key = randomUUID();
  const created = await submit(submission, key);
  if (created.data === undefined) throw new Error(`It was refused: ${JSON.stringify(created.error)}`);
  const { id, status } = created.data;
  told.push(`${created.response.status} ${status satisfies string}`);

  const again = await submit(submission, key);
  told.push(`${again.data?.id === id} ${again.response.headers.get('Idempotent-Replayed')}`);
  const reused = await submit({ ...submission, source: 'elsewhere' }, key);
  told.push(`${reused.response.status} ${explain(reused.error)}`);
  const twice = await submit(submission, randomUUID());
  told.push(`${twice.response.status} ${explain(twice.error)}`);

  const before = await api.GET('/applications');
  const since = before.response.headers.get('X-Updated-Through');
  if (since === null) throw new Error('X-Updated-Through is missing.');
  await platform.evaluate(id);
  const read = await api.GET('/applications/{id}', { params: { path: { id } } });
  told.push(`${read.data?.status}, ${read.data?.currentStage}`);
  const unknown = await api.GET('/applications/{id}', { params: { path: { id: 'ej_app_none' } } });
  told.push(`${unknown.response.status} ${explain(unknown.error)}`);

  await platform.hire(id);
  const event: Schemas['ApplicationStatusChangedEvent'] = JSON.parse(await platform.heardOf(id));
  told.push(`${event.data.oldStatus} → ${event.data.newStatus}: ${event.data.currentStage}`);
  const changed = await api.GET('/applications', { params: { query: { updated_since: since } } });
  told.push(changed.data?.data.map((row) => `${row.sourceApplicationId} ${row.status}`).join() ?? 'nothing');
  return told;
}

/** The compiler knows the details of each code. */
function explain(refusal: Refusal | undefined): string {
  if (refusal === undefined) return 'no refusal';
  switch (refusal.error) {
    case 'VALIDATION_ERROR':
      return refusal.details.errors.map(({ field, code }) => `${field} ${code}`).join();
    case 'IDEMPOTENCY_KEY_REUSED':
      return `sameJson ${refusal.details.sameJson}`;
    case 'RATE_LIMITED':
      return `wait ${refusal.retryAfter} s`;
    default:
      return refusal.error;
  }
}
