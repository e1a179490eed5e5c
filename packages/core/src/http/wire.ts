import { type Application, STAGE_LABELS } from '../domain/application.js';
import type { FormQuestion } from '../domain/application-form.js';
import type { PartnerEvent } from '../domain/event.js';
import type { StoredReply } from '../domain/idempotency.js';
import type { VisibleJob } from '../domain/job.js';
import { toIso } from '../domain/time.js';
import type { WireCreatedApplication, WireQuestion } from './wire-schemas/resources.js';

/** Returns the same text as `JSON.stringify`, in a third of the time. Decision 146. */
export function serializeApplication(application: Application): string {
  const { id, sourceApplicationId, jobId, status, stage } = application;
  return (
    `{"id":${toJson(id)},"sourceApplicationId":${toJson(sourceApplicationId)},"jobId":${toJson(jobId)}` +
    `,"status":${toJson(status)},"currentStage":${toJson(STAGE_LABELS[stage])}` +
    `,"submittedAt":"${toIso(application.submittedAt)}"` +
    `,"lastStatusChangeAt":"${toIso(application.lastStatusChangeAt)}"}`
  );
}

/** `nextCursor` is null on the last page. */
export function serializeApplications(rows: readonly Application[], nextCursor: string | null): string {
  return serializePage(rows.map(serializeApplication), nextCursor);
}

export function serializeJobs(rows: readonly VisibleJob[], nextCursor: string | null): string {
  return serializePage(rows.map(serializeJob), nextCursor);
}

/** Each event is the stored body, byte for byte the one that a webhook sends. */
export function serializeEvents(rows: readonly PartnerEvent[], nextCursor: string | null): string {
  return serializePage(
    rows.map(({ body }) => body),
    nextCursor,
  );
}

/** The 201 that is stored for replays. Contract: 6.13. */
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

function serializePage(data: readonly string[], nextCursor: string | null): string {
  const next = nextCursor === null ? '' : `,"next_cursor":${toJson(nextCursor)}`;
  return `{"data":[${data.join(',')}]${next}}`;
}

function serializeJob({ job, companyName, changedAt }: VisibleJob): string {
  const { location, compensation, headcount, applicationFormSchema: form } = job;
  return (
    `{"id":${toJson(job.id)},"title":${toJson(job.title)}` +
    `,"company":{"id":${toJson(job.companyId)},"name":${toJson(companyName)}}` +
    `,"location":{"city":${toJson(location.city)},"state":${toJson(location.state)}` +
    `,"country":${toJson(location.country)}}` +
    `,"compensation":{"type":${toJson(compensation.type)},"min":${toJson(compensation.min)}` +
    `,"max":${toJson(compensation.max)},"currency":${toJson(compensation.currency)}}` +
    `,"schedule":${toJson(job.schedule)},"status":"open"` +
    `,"headcount":{"total":${toJson(headcount.total)},"filled":${toJson(headcount.filled)}}` +
    `,"createdAt":"${toIso(job.createdAt)}","updatedAt":"${toIso(changedAt)}"` +
    `,"applicationFormSchema":${form === null ? 'null' : JSON.stringify(form.map(wireQuestion))}}`
  );
}

/**
 * Matches the characters that JSON escapes, including lone surrogates. With the flag `u`, it does not match pairs of
 * surrogates, which JSON does not escape.
 */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Returns the same text as `JSON.stringify`. */
function toJson(value: string | number | null): string {
  if (typeof value === 'string') return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
  return Number.isFinite(value) ? `${value}` : 'null';
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
