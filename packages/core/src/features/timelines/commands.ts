import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import { type Claims, onApplication, onJob, onKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id, optional, timeline as timelineFields } from '../../operator/command/fields.js';
import { either } from '../../operator/command/input.js';
import type { Repositories } from '../../ports/storage.js';
import { auditObjectsOf } from '../audit/commands.js';
import { findApplicationTimeline } from './application-timeline.js';
import { findJobTimeline } from './job-timeline.js';
import { findKeyTimeline } from './key-timeline.js';
import { narrowTimeline } from './narrow-timeline.js';
import type { Timeline, TimelineOptions } from './timeline.js';

/** Selects an application, a job with or without the key that saw it, or a key. */
export type TimelineTarget = TimelineOptions &
  (
    | { readonly applicationId: ApplicationId; readonly jobId?: undefined; readonly keyId?: undefined }
    | { readonly jobId: JobId; readonly keyId?: KeyId | undefined; readonly applicationId?: undefined }
    | { readonly keyId: KeyId; readonly applicationId?: undefined; readonly jobId?: undefined }
  );

/** Tells what happened. */
export interface TimelineCommands {
  /**
   * Returns the newest 100 entries, or `limit`, of what happened to an application, a job or a key, oldest first, and
   * `news`: whether the partner knows the present state, and if not, why. See docs/timelines.md for the entries of
   * each.
   *
   * With `jobId` and `keyId`, the submissions to the job are only those of the key, and the timeline also has the last
   * event that told the key of the job.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `JOB_NOT_FOUND`; `KEY_NOT_FOUND`.
   * @example
   * const { entries, news } = await operator.timelines.find({ applicationId });
   * for (const { at, text } of entries) console.log(new Date(at).toISOString(), text);
   * console.log(news?.text);
   * const { completeFrom } = await operator.timelines.find({ keyId, limit: 50 });
   * // What happened before:
   * if (completeFrom !== null) await operator.timelines.find({ keyId, limit: 50, until: completeFrom });
   */
  find(target: TimelineTarget): Promise<Timeline>;
}

export const timelineDefinitions: Definitions<TimelineCommands> = {
  find: {
    summary: 'Shows what happened to an application, a job or a key, and whether the partner knows',
    input: either<TimelineTarget>()(
      {
        applicationId: optional(id('application'), 'Of this application'),
        jobId: optional(id('job'), 'Of this job'),
        keyId: optional(id('key'), 'Of this key, or of the job as this key saw it'),
        ...timelineFields,
      },
      ({ applicationId, jobId, keyId }) =>
        (applicationId === undefined) === (jobId === undefined && keyId === undefined)
          ? [{ rule: 'must have `applicationId`, `jobId` with or without `keyId`, or `keyId`' }]
          : [],
    ),
    right: ({ applicationId, jobId }) => [
      applicationId !== undefined ? 'applications:read' : jobId !== undefined ? 'jobs:read' : 'keys:read',
    ],
    claims: claimsOf,
    gate: {
      neverNull: true,
      hide: hideErrors,
      narrow: (timeline, target, sees) => narrowTimeline(timeline, subjectsOf(target), sees),
    },
    run: async ({ read, flush }, target) => {
      await flush();
      return findTimeline(read, target);
    },
  },
};

/** A job without a key shows the acts and submissions of all partners. */
function claimsOf({ applicationId, jobId, keyId }: TimelineTarget): Claims {
  if (applicationId !== undefined) return onApplication({ id: applicationId });
  return jobId === undefined ? onKey({ keyId }) : [...onJob({ id: jobId }), ...onKey({ keyId })];
}

function findTimeline(read: Repositories, target: TimelineTarget): Promise<Timeline> {
  if (target.applicationId !== undefined) return findApplicationTimeline(read, target);
  return target.jobId === undefined ? findKeyTimeline(read, target) : findJobTimeline(read, target);
}

function hideErrors(timeline: Timeline): Timeline {
  const entries = timeline.entries.map((entry) =>
    entry.kind === 'inbox' ? { ...entry, entry: { ...entry.entry, lastError: null } } : entry,
  );
  return { ...timeline, entries };
}

function subjectsOf({ applicationId, jobId, keyId }: TimelineTarget): readonly AuditObject[] {
  if (applicationId !== undefined) return [{ kind: 'application', id: applicationId }];
  return jobId === undefined ? auditObjectsOf({ keyId }) : [{ kind: 'job', id: jobId }];
}
