/** A host in Bun or Deno on PostgreSQL, with the runtime's server and a partner's client. */
import assert from 'node:assert/strict';
import { createPartnerClient } from '@partner-hiring/client';
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';

const { Bun, Deno, process } = globalThis;
const idempotencyKey = crypto.randomUUID();
const storage = await createPostgresStorage({ connectionString: process.env.DATABASE_URL });
const partnerHiring = createPartnerHiring({
  storage,
  secretKey: '0123456789abcdef'.repeat(4),
  sandbox: true,
});
const { operator } = partnerHiring;
const partner = await operator.partners.create({ name: 'Acme ATS' });
const { secret: apiKey } = await operator.keys.issue({ partnerId: partner.id, environment: 'sandbox' });

const port = await serve(partnerHiring.fetch);
const baseUrl = `http://127.0.0.1:${port}/api/v1/external`;
const client = createPartnerClient({ baseUrl, apiKey });
const jobs = await Array.fromAsync(client.jobs.list());
const [job] = jobs;

const TESTS = {
  'lists the jobs of a key': () => assert.match(job?.id ?? '', /^job_sandbox_/),
  'takes a submission, replays it to the byte, and reads it back': async () => {
    const [first, second] = [await submit(), await submit()];
    assert.equal(first.status, 201, first.text);
    assert.equal(second.text, first.text);
    const { id } = JSON.parse(first.text);
    const read = await ask(`/applications/${id}`);
    assert.equal(JSON.parse(read.text).id, id);
  },
  'refuses a stranger, with its headers': async () => {
    const { status, headers } = await ask('/jobs', { headers: { authorization: 'Bearer nobody' } });
    assert.equal(status, 401);
    assert.notEqual(headers.get('x-ratelimit-limit'), null);
  },
  'a body over the limit is 413': async () => {
    const { status } = await submit('x'.repeat(300 * 1024));
    assert.equal(status, 413);
  },
  'the worker runs, or says where it does': async () => {
    if (Deno !== undefined) return partnerHiring.worker.drain();
    assert.throws(() => partnerHiring.worker.start(), /in a Node.js process/);
    await assert.rejects(partnerHiring.worker.drain(), /in a Node.js process/);
  },
};

const results = [];
for (const [name, run] of Object.entries(TESTS)) {
  const error = await Promise.resolve()
    .then(run)
    .then(() => null, String);
  results.push({ name, error });
}
console.log(JSON.stringify(results));
process.exit();

async function serve(fetch) {
  const options = { port: 0, hostname: '127.0.0.1' };
  if (Bun !== undefined) return Bun.serve({ ...options, fetch }).port;
  return Deno.serve({ ...options, onListen() {} }, (request) => fetch(request)).addr.port;
}

async function ask(path, init = {}) {
  const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
  const response = await fetch(baseUrl + path, { ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function submit(source = 'career page') {
  const candidate = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+12025550123',
  };
  const body = {
    jobId: job?.id,
    sourceApplicationId: 'ats-1',
    candidate,
    source,
    answers: {},
    consentToContact: true,
  };
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  };
  return ask('/applications', { method: 'POST', headers, body: JSON.stringify(body) });
}
