import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** The full attack is `npm run faults`; every test run makes a small one. */
const ROUNDS = process.env.FAULTS === 'full' ? 20 : 3;
const CLIENTS = 16;
/** How long a storm blows before the server is killed: long enough to be in the middle of things. */
const STORM_MS = { min: 150, spread: 350 };

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly secret: string;
  readonly jobId: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-kill-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(file: string): Promise<Started> {
  const child = fork(fileURLToPath(new URL('./kill-server.ts', import.meta.url)), [file], {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)));
    child.once('message', (ready: { port: number; secret: string; jobId: string }) => {
      child.removeAllListeners('exit');
      const url = `http://127.0.0.1:${ready.port}/api/v1/external/applications`;
      resolve({ child, url, secret: ready.secret, jobId: ready.jobId });
    });
  });
}

async function kill({ child }: Started): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** A candidate whom a client submits until it has a 201, always with the same key and the same bytes. */
interface Candidate {
  readonly sourceApplicationId: string;
  readonly idempotencyKey: string;
  readonly body: string;
}

function newCandidate(jobId: string): Candidate {
  const sourceApplicationId = randomUUID();
  const candidate = { firstName: 'Ada', lastName: 'L', email: 'ada@example.org', phone: '+14155550123' };
  const body = JSON.stringify({ jobId, candidate, consentToContact: true, sourceApplicationId });
  return { sourceApplicationId, idempotencyKey: randomUUID(), body };
}

/** The reply's body once it is a 201; null if the server went away. */
async function submit(server: Started, { idempotencyKey, body }: Candidate): Promise<string | null> {
  try {
    const response = await fetch(server.url, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${server.secret}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`Refused with ${response.status}: ${text}`);
    return text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function listAll(server: Started): Promise<readonly { id: string; sourceApplicationId: string }[]> {
  const rows: { id: string; sourceApplicationId: string }[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '?limit=200' : `?limit=200&cursor=${cursor}`;
    const response = await fetch(server.url + query, {
      headers: { authorization: `Bearer ${server.secret}` },
    });
    expect(response.status).toBe(200);
    const page = (await response.json()) as { data: typeof rows; next_cursor?: string };
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return rows;
}

it(`a server killed in a storm of submissions, ${ROUNDS} times: no candidate lost, none doubled`, async () => {
  const file = join(folder, 'kill.sqlite');
  /** Replies that a client has in hand: what they promise must be there for good. */
  const acknowledged = new Map<string, string>();
  const unfinished = new Set<Candidate>();
  let replaysOfTheUnacknowledged = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await start(file);
    const retried = [...unfinished];
    await Promise.all(
      retried.map(async (candidate) => {
        const reply = await submit(server, candidate);
        if (reply === null) return;
        acknowledged.set(candidate.sourceApplicationId, reply);
        unfinished.delete(candidate);
        replaysOfTheUnacknowledged += 1;
      }),
    );
    let isUp = true;
    const storm = Array.from({ length: CLIENTS }, async () => {
      while (isUp) {
        const candidate = newCandidate(server.jobId);
        unfinished.add(candidate);
        const reply = await submit(server, candidate);
        if (reply === null) return;
        acknowledged.set(candidate.sourceApplicationId, reply);
        unfinished.delete(candidate);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, STORM_MS.min + Math.random() * STORM_MS.spread));
    await kill(server);
    isUp = false;
    await Promise.all(storm);
  }

  const server = await start(file);
  for (const candidate of unfinished) {
    const reply = await submit(server, candidate);
    if (reply !== null) acknowledged.set(candidate.sourceApplicationId, reply);
  }
  const rows = await listAll(server);
  await kill(server);

  const promised = new Map(
    [...acknowledged].map(([source, reply]) => [source, (JSON.parse(reply) as { id: string }).id]),
  );
  expect(promised.size).toBeGreaterThan(ROUNDS * CLIENTS);
  expect(rows).toHaveLength(promised.size);
  expect(new Map(rows.map(({ id, sourceApplicationId }) => [sourceApplicationId, id]))).toEqual(promised);
  console.log(
    `${ROUNDS} kills, ${promised.size} candidates, ${replaysOfTheUnacknowledged} retried: 0 lost, 0 doubled`,
  );
}, 240_000);
