/** The process of the other partners, which measures the latency of its requests. */

import { answerParent } from './stage/abuse/answer-parent.js';
import type { Measured, MeasureOrder, Victim } from './stage/abuse/measure.js';
import { newCandidate, submissionOf } from './stage/candidate.js';
import { type Ask, createHttpClient } from './stage/http-client.js';

/** Requests so far. They alternate between the keys, so that none exceeds its limits. */
let sent = 0;

function cyclic<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value;
}

function submission(url: string, victims: readonly Victim[], index: number): Ask {
  const { secret, jobIds } = cyclic(victims, index);
  const jobId = cyclic(jobIds, Math.floor(index / victims.length));
  return submissionOf(url, secret, newCandidate(jobId));
}

function read(url: string, victims: readonly Victim[], index: number): Ask {
  const { secret, applicationId } = cyclic(victims, Math.floor(index / 3));
  const path = cyclic([`/applications/${applicationId}`, '/jobs?limit=10', '/applications?limit=10'], index);
  return { method: 'GET', url: `${url}${path}`, headers: { authorization: `Bearer ${secret}` } };
}

/** Sends at fixed instants, so that a stall delays every request that falls into it. */
async function measure({ url, victims, requests, everyMs }: MeasureOrder): Promise<Measured> {
  const http = createHttpClient();
  const submissionsMs: number[] = [];
  const readsMs: number[] = [];
  const sentLateMs: number[] = [];
  const wrong: string[] = [];

  async function ask(index: number): Promise<void> {
    const isSubmission = index % 2 === 0;
    const next = (isSubmission ? submission : read)(url, victims, Math.floor(sent++ / 2));
    const startedAt = performance.now();
    const answer = await http.send(next);
    const tookMs = performance.now() - startedAt;
    if (isSubmission) submissionsMs[Math.floor(index / 2)] = tookMs;
    else readsMs[Math.floor(index / 2)] = tookMs;
    const isRight = answer?.status === (isSubmission ? 201 : 200);
    if (!isRight) wrong.push(`${next.method} ${next.url}: ${answer?.status} ${answer?.text}`);
  }

  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < requests; index += 1) {
    const dueAt = startedAt + index * everyMs;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    sentLateMs.push(performance.now() - dueAt);
    asked.push(ask(index));
  }
  await Promise.all(asked);
  http.close();
  return { submissionsMs, readsMs, sentLateMs, wrong };
}

answerParent({}, measure);
