import type { Application } from '../domain/application.js';
import type { FormQuestion } from '../domain/application-form.js';
import type { StoredReply } from '../domain/idempotency.js';
import type { VisibleJob } from '../domain/job.js';
import { STAGE_LABELS } from '../domain/stage.js';
import { toIso } from '../domain/time.js';
import type { WireApplication, WireCreatedApplication } from './wire-schemas/application.js';
import type { WireJob, WireQuestion } from './wire-schemas/job.js';

export function serializeApplication(application: Application): string {
  return JSON.stringify(wireApplication(application));
}

/** `nextCursor` is null on the last page. */
export function serializeApplications(rows: readonly Application[], nextCursor: string | null): string {
  return serializePage(rows.map(wireApplication), nextCursor);
}

export function serializeJobs(rows: readonly VisibleJob[], nextCursor: string | null): string {
  return serializePage(rows.map(wireJob), nextCursor);
}

/** The 201 that is stored for replays. Spec: `POST /applications`. */
export function buildReply(application: Application): StoredReply {
  const created: WireCreatedApplication = {
    id: application.id,
    sourceApplicationId: application.sourceApplicationId,
    jobId: application.jobId,
    status: 'received',
    createdAt: toIso(application.submittedAt),
  };
  return { status: 201, body: JSON.stringify(created) };
}

/** Returns a stored 201 without the partner's own id of the application. */
export function withoutSourceId(reply: StoredReply): StoredReply {
  const created = JSON.parse(reply.body) as WireCreatedApplication;
  return { ...reply, body: JSON.stringify({ ...created, sourceApplicationId: null }) };
}

function serializePage(data: readonly unknown[], nextCursor: string | null): string {
  return JSON.stringify(nextCursor === null ? { data } : { data, next_cursor: nextCursor });
}

function wireApplication(application: Application): WireApplication {
  return {
    id: application.id,
    sourceApplicationId: application.sourceApplicationId,
    jobId: application.jobId,
    status: application.status,
    currentStage: STAGE_LABELS[application.stage],
    submittedAt: toIso(application.submittedAt),
    lastStatusChangeAt: toIso(application.lastStatusChangeAt),
  };
}

function wireJob({ job, companyName, changedAt }: VisibleJob): WireJob {
  const { location, compensation, headcount } = job;
  return {
    id: job.id,
    title: job.title,
    company: { id: job.companyId, name: companyName },
    location: { city: location.city, state: location.state, country: location.country },
    compensation: {
      type: compensation.type,
      min: compensation.min,
      max: compensation.max,
      currency: compensation.currency,
    },
    schedule: job.schedule,
    status: 'open',
    headcount: { total: headcount.total, filled: headcount.filled },
    createdAt: toIso(job.createdAt),
    updatedAt: toIso(changedAt),
    applicationFormSchema: job.applicationFormSchema?.map(wireQuestion) ?? null,
  };
}

function wireQuestion({ key, label, type, required, options }: FormQuestion): WireQuestion {
  if (options === undefined) return { key, label, type, required };
  return {
    key,
    label,
    type,
    required,
    options: options.map((option) => ({ value: option.value, label: option.label })),
  };
}
