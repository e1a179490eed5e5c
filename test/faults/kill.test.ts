import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import { afterAll, expect, it } from 'vitest';
import { type Candidate, newCandidate, quoted, submissionOf } from './stage/candidate.js';
import { type Child, startChild } from './stage/child.js';
import { createHttpClient } from './stage/http-client.js';
import { report, sized } from './stage/size.js';

const ROUNDS = sized(20, 3);
const CLIENTS = 16;
/** How long clients submit before the kill. */
const LOAD_MS = { min: 150, spread: 350 };

/** How many 201s are asked for again after the crashes. */
const SAMPLED = 50;

interface Ready {
  readonly port: number;
  readonly secret: string;
  readonly jobId: string;
}

interface Started extends Child<Ready> {
  readonly baseUrl: string;
}

const http = createHttpClient();
const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-kill-'));
afterAll(async () => {
  http.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(file: string): Promise<Started> {
  const child = await startChild<Ready>('kill-server.ts', [file]);
  return { ...child, baseUrl: `http://127.0.0.1:${child.ready.port}${BASE_PATH}` };
}

/** Returns the 201; null without an answer. */
async function submit({ baseUrl, ready }: Started, candidate: Candidate): Promise<string | null> {
  const answer = await http.send(submissionOf(baseUrl, ready.secret, candidate));
  if (answer === null) return null;
  if (answer.status !== 201) throw new Error(`Refused with ${answer.status}: ${answer.text}`);
  return answer.text;
}

function idOf(text: string): string {
  return (JSON.parse(text) as { readonly id: string }).id;
}

async function listAll({ baseUrl, ready }: Started): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const answer = await http.send({
      method: 'GET',
      url: `${baseUrl}/applications?limit=200${cursor}`,
      headers: { authorization: `Bearer ${ready.secret}` },
    });
    expect(answer?.status).toBe(200);
    const page = JSON.parse(answer?.text ?? '') as {
      readonly data: readonly { readonly id: string }[];
      readonly next_cursor?: string;
    };
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  return ids;
}

it(`loses and doubles no candidate when the server is killed ${ROUNDS} times, with the key in quotes or not`, async () => {
  const file = join(folder, 'kill.sqlite');
  /** The texts of the 201s that clients received. */
  const acknowledged = new Map<Candidate, string>();
  const unfinished = new Set<Candidate>();
  let replaysOfTheUnacknowledged = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await start(file);
    const retried = [...unfinished];
    await Promise.all(
      retried.map(async (candidate) => {
        const text = await submit(server, quoted(candidate));
        if (text === null) return;
        acknowledged.set(candidate, text);
        unfinished.delete(candidate);
        replaysOfTheUnacknowledged += 1;
      }),
    );
    let isUp = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (isUp) {
        const candidate = newCandidate(server.ready.jobId);
        unfinished.add(candidate);
        const text = await submit(server, candidate);
        if (text === null) return;
        acknowledged.set(candidate, text);
        unfinished.delete(candidate);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, LOAD_MS.min + Math.random() * LOAD_MS.spread));
    await server.kill();
    isUp = false;
    await Promise.all(clients);
  }

  const server = await start(file);
  for (const candidate of unfinished) {
    const text = await submit(server, candidate);
    if (text !== null) acknowledged.set(candidate, text);
  }
  for (const [candidate, text] of [...acknowledged].slice(0, SAMPLED)) {
    expect([await submit(server, candidate), await submit(server, quoted(candidate))]).toEqual([text, text]);
  }
  const ids = await listAll(server);
  await server.kill();

  expect(acknowledged.size).toBeGreaterThan(ROUNDS * CLIENTS);
  expect([...ids].sort()).toEqual([...acknowledged.values()].map(idOf).sort());
  report(
    'SIGKILL of a server on SQLite',
    `${ROUNDS} rounds: ${acknowledged.size} candidates, ${replaysOfTheUnacknowledged} retried, 0 lost, 0 doubled`,
  );
}, 240_000);
