/** The process of the other partners: it sends at a moderate pace and measures how long each reply takes. */

import { answerParent } from './stage/abuse/answer-parent.js';
import type { Measured, MeasureOrder, Victim } from './stage/abuse/measure.js';
import { newCandidate, submissionOf } from './stage/candidate.js';
import { type Ask, createHttpClient } from './stage/http-client.js';

/** Requests so far. The keys take turns over all measurements, so that none exceeds its limits. */
let sent = 0;

/** The value at this place of the list, from the start again after its end. */
function turn<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value;
}

function submission(url: string, victims: readonly Victim[], index: number): Ask {
  const { secret, jobIds } = turn(victims, index);
  const jobId = turn(jobIds, Math.floor(index / victims.length));
  return submissionOf(url, secret, newCandidate(jobId));
}

function read(url: string, victims: readonly Victim[], index: number): Ask {
  const { secret, applicationId } = turn(victims, Math.floor(index / 3));
  const path = turn([`/applications/${applicationId}`, '/jobs?limit=10', '/applications?limit=10'], index);
  return { method: 'GET', url: `${url}${path}`, headers: { authorization: `Bearer ${secret}` } };
}

/** Sends at fixed instants, whether or not the earlier requests were answered: a stall then delays all that it meets. */
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
