/** Workers killed or suspended at every moment of an attempt. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RawServer,
  startAnswering,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PartnerEvent } from '../../packages/core/src/domain/event.js';
import type { KeyId } from '../../packages/core/src/domain/ids.js';
import { MINUTE_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { openStage, type Stage } from '../scenarios/worker/stage.js';
import { submitWithResume } from '../scenarios/worker/submission.js';
import { type Doom, type Doomed, forkWorker, type Moment, readNotes } from './doom.js';
import { balance } from './ledger.js';
import { createWatchedWorker } from './watched-worker.js';

const IS_FULL = process.env.FAULTS === 'full';
/** The full run repeats every moment. */
const KILL_ROUNDS = IS_FULL ? 4 : 1;
const KILL_MOMENTS: readonly Moment[] = IS_FULL
  ? ['before_post', 'in_flight', 'after_post', 'before_settling', 'before_commit', 'after_commit']
  : ['in_flight', 'before_commit'];
const STOP_MOMENTS: readonly Moment[] = IS_FULL
  ? ['before_post', 'in_flight', 'after_post', 'before_settling', 'before_commit', 'after_commit']
  : ['after_post'];
const ENDPOINTS = 2;
const EVENTS_EACH = 20;
/** Concurrent attempts per endpoint. */
const CAP = 4;
const SETTLE_EVERY_MS = 100;
/** Tolerance for a busy machine. A lost record would be far later. */
const BUSY_MS = 3_000;
const LEASE_MS = 90 * SECOND_MS;
/** Longer than the lease of a résumé. */
const CLAIM_MS = 12 * MINUTE_MS;
/** The lease of a suspended worker must expire. */
const SHORT_LEASE_MS = 1_000;

let stage: Stage;
let folder: string;
let workers: Doomed[];
beforeEach(async () => {
  stage = await openStage();
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-doom-'));
  await writeFile(join(folder, 'notes'), '');
  workers = [];
});
afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended.catch(() => {})));
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

function fork(): Doomed {
  const worker = forkWorker();
  workers.push(worker);
  return worker;
}

function doom(changes: Partial<Doom>): Doom {
  return {
    location: stage.location,
    notes: join(folder, 'notes'),
    folder: join(folder, 'resumes'),
    moment: null,
    nth: 1,
    signal: 'SIGKILL',
    leaseMs: LEASE_MS,
    clockAheadMs: 0,
    ...changes,
  };
}

/** Does the due work in this process. */
async function finish(clockAheadMs: number): Promise<void> {
  const storage = await stage.another({ now: () => Date.now() + clockAheadMs });
  await createWatchedWorker(storage, doom({ clockAheadMs })).drain();
}

const notes = () => readNotes(join(folder, 'notes'));

/** Fails every fifth event once; answers after a few milliseconds. */
async function startReceiver(): Promise<
  RawServer & { readonly accepted: readonly string[]; seen(): ReadonlySet<string> }
> {
  const seen = new Set<string>();
  const accepted: string[] = [];
  const server = await startRequestServer((socket, { body }) => {
    const { id } = JSON.parse(body) as { id: string };
    const isRefused = !seen.has(id) && seen.size % 5 === 0;
    seen.add(id);
    if (!isRefused) accepted.push(id);
    const status = isRefused ? '500 No' : '200 OK';
    setTimeout(() => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`), 10);
  });
  return { ...server, accepted, seen: () => seen };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until the condition holds, at most a minute. */
async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 60_000, interval: 20 }).toBe(true);
}

function isOfPost(moment: Moment): boolean {
  return moment === 'before_post' || moment === 'in_flight' || moment === 'after_post';
}

describe('a worker', () => {
  const kills = Array.from({ length: KILL_ROUNDS }, () => KILL_MOMENTS).flat();

  it(`loses no event and counts no attempt twice when killed ${kills.length} times`, async () => {
    const receiver = await startReceiver();
    const keys: KeyId[] = [];
    for (let count = 0; count < ENDPOINTS; count += 1) keys.push(await stage.key({ url: receiver.url }));
    const recorded: PartnerEvent[] = [];
    let clockAheadMs = 0;
    let next = fork();
    for (const [round, moment] of kills.entries()) {
      for (const keyId of keys) recorded.push(...(await stage.record(keyId, EVENTS_EACH)));
      const worker = next;
      if (round < kills.length - 1) next = fork();
      const nth = isOfPost(moment) ? 1 + ((round * 7 + 5) % EVENTS_EACH) : 1;
      worker.work(doom({ moment, nth, clockAheadMs }));
      expect(await worker.ended).toBe('SIGKILL');
      clockAheadMs += 2 * MINUTE_MS;
    }
    await finish(clockAheadMs);
    await finish(clockAheadMs + 10 * MINUTE_MS);

    const {
      posts,
      recorded: counted,
      oldestLostMs,
      mostInFlight,
    } = await balance(stage, recorded, receiver.accepted, notes());
    // Repeated attempts were in flight or had just ended.
    expect(mostInFlight).toBeLessThanOrEqual(ENDPOINTS * CAP);
    expect(oldestLostMs).toBeLessThan(SETTLE_EVERY_MS + BUSY_MS);
    console.log(
      `${kills.length} kills, ${recorded.length} events: 0 lost, ${posts - counted} attempts made again, ` +
        `the oldest ended ${oldestLostMs} ms before`,
    );
  }, 900_000);

  it.each(STOP_MOMENTS)(
    'records nothing after it slept past its lease (%s)',
    async (moment) => {
      const receiver = await startReceiver();
      const keyId = await stage.key({ url: receiver.url });
      const recorded = [...(await stage.record(keyId, EVENTS_EACH))];
      const sleeper = fork();
      const nth = isOfPost(moment) ? 5 : 1;
      sleeper.work(doom({ moment, nth, signal: 'SIGSTOP', leaseMs: SHORT_LEASE_MS }));
      await until(() => notes().some(({ did }) => did === 'met'));
      const other = createWatchedWorker(
        await stage.another({ now: Date.now }),
        doom({ leaseMs: SHORT_LEASE_MS }),
      );
      other.start();
      // A worker suspended within its transaction holds the endpoint's row, or the SQLite file.
      if (moment === 'before_commit') await sleep(3 * SHORT_LEASE_MS);
      else await until(() => receiver.seen().size === recorded.length);
      sleeper.child.kill('SIGCONT');
      recorded.push(...(await stage.record(keyId, EVENTS_EACH)));
      await until(() => receiver.seen().size === recorded.length);
      await other.stop();
      sleeper.child.kill('SIGKILL');
      await sleeper.ended;
      await finish(2 * MINUTE_MS);
      await finish(12 * MINUTE_MS);

      const { posts, recorded: counted } = await balance(stage, recorded, receiver.accepted, notes());
      expect(posts - counted).toBeLessThanOrEqual(recorded.length);
      console.log(
        `asleep at ${moment}: 0 of ${recorded.length} lost, ${posts - counted} attempts made again`,
      );
    },
    120_000,
  );

  it('killed between scanning and storing a résumé leaves no file, and the résumé is scanned again', async () => {
    const pdf = '%PDF-1.7 Ada';
    const server = await startAnswering(`HTTP/1.1 200 OK\r\ncontent-length: ${pdf.length}\r\n\r\n${pdf}`);
    const id = await submitWithResume(stage, server.url);
    const kills = IS_FULL ? 5 : 1;
    for (let round = 0; round < kills; round += 1) {
      const worker = fork();
      worker.work(doom({ moment: 'after_scan', clockAheadMs: round * CLAIM_MS }));
      expect(await worker.ended).toBe('SIGKILL');
      expect(existsSync(join(folder, 'resumes'))).toBe(false);
    }
    await finish(kills * CLAIM_MS);
    expect(await readdir(join(folder, 'resumes'))).toEqual([`${id}.pdf`]);
    const ofResume = notes().filter(({ did }) => did === 'scanned' || did === 'stored');
    const scans = Array.from({ length: kills + 1 }, () => 'scanned');
    expect(ofResume.map(({ did }) => did)).toEqual([...scans, 'stored']);
  }, 120_000);

  it('killed between storing and recording a résumé leaves one file and its outcome', async () => {
    const pdf = '%PDF-1.7 Ada';
    const server = await startAnswering(`HTTP/1.1 200 OK\r\ncontent-length: ${pdf.length}\r\n\r\n${pdf}`);
    const id = await submitWithResume(stage, server.url);
    const kills = IS_FULL ? 5 : 1;
    for (let round = 0; round < kills; round += 1) {
      const worker = fork();
      worker.work(doom({ moment: 'after_store', clockAheadMs: round * CLAIM_MS }));
      expect(await worker.ended).toBe('SIGKILL');
      expect(await readdir(join(folder, 'resumes'))).toEqual([`${id}.pdf`]);
    }
    await finish(kills * CLAIM_MS);
    expect(await readdir(join(folder, 'resumes'))).toEqual([`${id}.pdf`]);
    const [application] = await stage.storage.direct.applications.find([id]);
    const location = join(folder, 'resumes', `${id}.pdf`);
    expect(application?.resume).toMatchObject({ kind: 'fetched', location });
    expect(notes().filter(({ did }) => did === 'stored')).toHaveLength(kills + 1);
  }, 120_000);
});
