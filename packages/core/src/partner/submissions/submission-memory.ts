import { nextStamps } from '../../domain/feed.js';
import type { KeyId } from '../../domain/ids.js';
import type { JobForKey } from '../../domain/submission.js';
import type { Instant } from '../../domain/time.js';
import { createRemembered } from '../remembered.js';

/** What the last accepted submissions were judged by. */
export interface SubmissionMemory {
  /** What a key's submission to a job was accepted by, and the stamp that the next one would get. */
  find(pair: JobOfKey, now: Instant): { readonly found: JobForKey; readonly stamp: Instant } | null;
  /** A submission was accepted and committed. */
  learn(keyId: KeyId, found: JobForKey, stamp: Instant): void;
  /** What was remembered did not hold. The next acceptance is learned again. */
  forget(pair: JobOfKey): void;
}

interface JobOfKey {
  readonly keyId: KeyId;
  readonly jobId: string;
}

/** Jobs that candidates are submitted to at one time. A job's form is the host's, and may be large. */
const MAX_JOBS = 1_000;
/** As many keys as callers are remembered. */
const MAX_HEADS = 10_000;

/** An empty memory. */
export function createSubmissionMemory(): SubmissionMemory {
  const jobs = createRemembered<JobForKey>(MAX_JOBS);
  const heads = createRemembered<Instant>(MAX_HEADS);
  const nameOf = ({ keyId, jobId }: JobOfKey) => `${keyId} ${jobId}`;
  return {
    find: (pair, now) => {
      const found = jobs.find(nameOf(pair));
      const head = heads.find(pair.keyId);
      if (found === undefined || head === undefined) return null;
      return { found, stamp: nextStamps(head, now, { keyId: pair.keyId, count: 1 }).first };
    },
    learn: (keyId, found, stamp) => {
      jobs.learn(nameOf({ keyId, jobId: found.job.id }), found);
      heads.learn(keyId, stamp);
    },
    forget: (pair) => jobs.learn(nameOf(pair), null),
  };
}
