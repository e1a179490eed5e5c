/** The cost of a request on a node of Citus, against local tables of the coordinator, alternating. */
import { randomUUID } from 'node:crypto';
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createTestSchema, postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { expect, it, onTestFinished } from 'vitest';
import { createSecret, describeSecret } from '../../packages/core/src/domain/partner-key.js';
import { JOB_ID, KEY_ID, seed, T0 } from '../conformance/suite/storage/samples.js';
import { NO_LIMITS } from '../faults/stage/platform.js';
import { inWords, median, report } from '../faults/stage/size.js';

const WARM_UP = 30;
const REQUESTS = 200;
/** Submissions at once. */
const CROWD = 32;
const CROWDS = 20;

const SECRET = createSecret('production', Buffer.alloc(32, 7));
const APPLICATIONS = 'http://api.test/api/v1/external/applications';
const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };

type Send = (request: Request) => Promise<Response>;

async function openApi(sharding: 'on' | 'off'): Promise<Send> {
  const url = new URL(postgresUrl());
  url.searchParams.set('options', `-c citus.enable_schema_based_sharding=${sharding}`);
  const { connectionString, schema, drop } = createTestSchema(url.href);
  const storage = await createPostgresStorage({ connectionString, schema });
  onTestFinished(async () => {
    await storage.close();
    await drop();
  });
  await seed(storage.direct);
  await storage.direct.keys.addSecret(describeSecret(KEY_ID, 'production', SECRET, T0));
  const api = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4), limits: NO_LIMITS });
  return (request) => api.fetch(request);
}

function submission(): Request {
  const candidate = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    phone: '+14155550123',
  };
  const answers = { consentToContact: true, applicationFormAnswers: { licence: true } };
  return new Request(APPLICATIONS, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ jobId: JOB_ID, candidate, ...answers }),
  });
}

async function submit(send: Send): Promise<void> {
  expect((await send(submission())).status).toBe(201);
}

async function submitAtOnce(send: Send): Promise<void> {
  await Promise.all(Array.from({ length: CROWD }, () => submit(send)));
}

async function list(send: Send): Promise<void> {
  expect((await send(new Request(`${APPLICATIONS}?limit=20`, { headers }))).status).toBe(200);
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

it('serves the same requests on a node and on local tables', async () => {
  const [onNode, local] = [await openApi('on'), await openApi('off')];
  const works = [
    ['a submission', submit, REQUESTS, 1],
    ['a page of 20 applications', list, REQUESTS, 1],
    [`a submission, ${CROWD} at once`, submitAtOnce, CROWDS, CROWD],
  ] as const;
  for (const [name, work, rounds, size] of works) {
    const tookMs: { node: number; local: number }[] = [];
    for (let round = -WARM_UP; round < rounds; round += 1) {
      const took = { node: await timed(() => work(onNode)), local: await timed(() => work(local)) };
      if (round >= 0) tookMs.push(took);
    }
    const [node, here] = [tookMs.map((each) => each.node / size), tookMs.map((each) => each.local / size)];
    const ratio = median(node) / median(here);
    report(
      `On a node of Citus, against local tables: ${name}`,
      `${inWords(median(node))} against ${inWords(median(here))}, ratio ${ratio.toFixed(2)}`,
    );
  }
}, 600_000);
