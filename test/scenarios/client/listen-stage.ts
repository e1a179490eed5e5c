/** Runs the command `partner-hiring-listen` on the real service, without a process. */
import { join } from 'node:path';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { onTestFinished } from 'vitest';
import { type CursorFile, createCursorFile } from '../../../packages/client/src/listen/cursor-file.js';
import { type ListenChoices, listen } from '../../../packages/client/src/listen/listen.js';
import type { PostEnd, PostWebhook } from '../../../packages/client/src/listen/post-webhook.js';
import { type ClientStage, openClientStage } from './stage.js';

export async function openStage(isOn = true) {
  const stage = await openClientStage({ selfService: { events: isOn } });
  onTestFinished(stage.close);
  const { companyId } = await stage.employer();
  const publish = async () => (await stage.fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB })).id;
  const folder = temporaryFolder();
  return { stage, publish, path: join(folder, 'cursor.json') };
}

/** A receiver without a network. */
export function receiver(answer: (jobId: string, count: number) => PostEnd | Promise<PostEnd>) {
  const got: string[] = [];
  const post: PostWebhook = async (body) => {
    const { jobId } = (JSON.parse(body) as { data: { jobId: string } }).data;
    got.push(jobId);
    return answer(jobId, got.length);
  };
  return { got, post };
}

export const OWNER = { scope: 'stage', apiKey: 'pek_test_k' };
export const OK: PostEnd = { kind: 'answered', status: 204 };

interface RunOptions {
  readonly ends?: (ms: number) => boolean;
  readonly cursor?: CursorFile;
  readonly choices?: Partial<ListenChoices>;
}

/** Runs one start of the command until it would wait for `ends`, such as for the next poll. */
export async function run(
  { client, fixture }: Pick<ClientStage, 'client' | 'fixture'>,
  path: string,
  post: PostWebhook,
  { ends = (ms) => ms === 2_000, cursor = createCursorFile(path, OWNER), choices }: RunOptions = {},
) {
  const stop = new AbortController();
  const printed: string[] = [];
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    if (ends(ms)) stop.abort();
    else await fixture.pass(ms);
  };
  const error = await listen({
    events: client().events,
    cursor,
    post,
    choices: { isFromNow: false, types: [], skipAfter: null, ...choices },
    clock: { sleep, now: () => fixture.clock.now() },
    signal: stop.signal,
    print: (line) => void printed.push(line.replace(TIME, 'at ')),
  }).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { printed, waits, error };
}

/** The time that begins the line of an attempt. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;
