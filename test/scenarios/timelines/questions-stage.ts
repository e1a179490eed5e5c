import type { ResumeDownload } from '@partner-hiring/core';
import { createEmployer, submission } from '@partner-hiring/test-support/partner';
import { expect } from 'vitest';
import type { ApplicationId, JobId } from '../../../packages/core/src/domain/ids.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { TimelineEntry } from '../../../packages/core/src/features/timelines/timeline.js';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const download: ResumeDownload = { kind: 'failed', reason: 'too_large', retryable: false };

/** A partner with an open job, whose résumés cannot be fetched. */
export type QuestionStage = Awaited<ReturnType<typeof openQuestionStage>>;

/** Opens a stage a minute after the job was published. */
export async function openQuestionStage() {
  const resumeSource = { fetch: async () => download, close: async () => {} };
  const stage = await openDeliveryStage({ resumeSource });
  const { applications, timelines } = stage.operator;
  const { jobId } = (await createEmployer(stage, stage.partner)) as { jobId: JobId };
  await stage.drain();
  await stage.clock.advance(MINUTE_MS);
  return {
    ...stage,
    jobId,
    submit: async (fields: Readonly<Record<string, unknown>> = {}) => {
      const reply = await stage.partner.submit(submission(jobId, fields));
      expect(reply.status).toBe(201);
      await stage.clock.advance(1_000);
      return (reply.json as { readonly id: ApplicationId }).id;
    },
    /** Begins the evaluation, and accepts the candidate a second later. */
    hire: async (id: ApplicationId) => {
      await applications.move({ id });
      await stage.clock.advance(1_000);
      await applications.decide({ id, decision: 'accepted' });
    },
    timeline: async (id: ApplicationId) => {
      const { news, ...rest } = await timelines.find({ applicationId: id });
      if (news === null) throw new Error('The timeline of an application has no news.');
      return { ...rest, news };
    },
  };
}

/** The kinds of entries, in order. */
export function kindsOf(entries: readonly TimelineEntry[]): readonly string[] {
  return entries.map(({ kind }) => kind);
}
