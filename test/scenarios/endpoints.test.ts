/** Spec: Endpoints. A test for each row of the parameter and body tables, and for each idempotency rule. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  submission,
  WAREHOUSE_JOB,
} from '../support/partner.js';
import { createWorld, type World } from '../support/world.js';

let world: World;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
beforeEach(async () => {
  world = await createWorld({
    limits: { submit_application: 10_000, list_applications: 10_000, list_jobs: 10_000 },
  });
  partner = await createPartner(world);
  ({ jobId, companyId } = await createEmployer(world, partner));
});
afterEach(() => world.close());

const ids = (reply: Reply) => (reply.json.data as { id: string }[]).map(({ id }) => id);
const fieldErrors = (reply: Reply) =>
  (reply.json.details as { errors: { field: string; code: string }[] }).errors.map(
    ({ field, code }) => `${field}: ${code}`,
  );

async function publish(count: number): Promise<void> {
  const jobs = Array.from({ length: count }, () => ({ companyId, ...WAREHOUSE_JOB }));
  await world.operator.jobs.publishMany(jobs);
}

async function submitMany(count: number): Promise<readonly string[]> {
  const replies = await Promise.all(Array.from({ length: count }, () => partner.submit(submission(jobId))));
  return replies.map(({ json }) => String(json.id));
}

/** Follows `next_cursor` to the end. */
async function readAll(path: string): Promise<readonly string[]> {
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const reply = await partner.get(
      cursor === undefined ? path : `${path}${separator}cursor=${String(cursor)}`,
    );
    expect(reply.status).toBe(200);
    seen.push(...ids(reply));
    cursor = reply.json.next_cursor;
  } while (cursor !== undefined);
  return seen;
}

describe('both lists', () => {
  beforeEach(async () => {
    await publish(204);
    await submitMany(205);
  });

  describe.each(['/jobs', '/applications'])('GET %s', (path) => {
    it('limit: default 50', async () => {
      expect(ids(await partner.get(path))).toHaveLength(50);
    });

    it('limit: min 1, and less is 422', async () => {
      expect(ids(await partner.get(`${path}?limit=1`))).toHaveLength(1);
      for (const limit of ['0', '-1', '1.5', 'x', '']) {
        const reply = await partner.get(`${path}?limit=${limit}`);
        expect([limit, reply.status, reply.json.error]).toEqual([limit, 422, 'VALIDATION_ERROR']);
      }
    });

    it.each(['200', '201', '999999999999999999999999999999'])(
      'limit: %s gives at most 200',
      async (limit) => {
        expect(ids(await partner.get(`${path}?limit=${limit}`))).toHaveLength(200);
      },
    );

    it('cursor: leads through all rows once; next_cursor is absent at the end', async () => {
      const all = await readAll(`${path}?limit=50`);
      expect(all).toHaveLength(205);
      expect(new Set(all).size).toBe(205);
      const whole = await partner.get(`${path}?limit=200`);
      const last = await partner.get(`${path}?limit=200&cursor=${String(whole.json.next_cursor)}`);
      expect(Object.keys(last.json)).toEqual(['data']);
    });

    it('cursor: bound to key, endpoint and filters; anything else is 422 invalid_cursor', async () => {
      const cursor = String((await partner.get(`${path}?limit=1`)).json.next_cursor);
      const other = await createPartner(world);
      const elsewhere = path === '/jobs' ? '/applications' : '/jobs';
      const replies = [
        await partner.get(`${path}?cursor=${cursor}&company_id=${companyId}`),
        await partner.get(`${elsewhere}?cursor=${cursor}`),
        await other.get(`${path}?cursor=${cursor}`),
        await partner.get(`${path}?cursor=junk`),
      ];
      for (const reply of replies) {
        expect(reply.status).toBe(422);
        expect(fieldErrors(reply)).toEqual(['cursor: invalid_cursor']);
      }
    });

    it('company_id: restricts to one company; one without access gives an empty list, no error', async () => {
      expect(ids(await partner.get(`${path}?company_id=${companyId}&limit=200`))).toHaveLength(200);
      const reply = await partner.get(`${path}?company_id=co_unknown`);
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ data: [] });
    });

    it('updated_since: what changed strictly after it, to the millisecond', async () => {
      const page = await partner.get(`${path}?limit=10`);
      const through = page.headers.get('x-updated-through');
      const since = await partner.get(`${path}?updated_since=${through}&limit=200`);
      expect(ids(since)).toHaveLength(195);
      expect(ids(since)).not.toContain(ids(page).at(-1));
    });

    it.each(['2026-01-05', '2026-01-05T09:00:00', 'yesterday'])('updated_since: %s is 422', async (date) => {
      const reply = await partner.get(`${path}?updated_since=${date}`);
      expect(fieldErrors(reply)).toEqual(['updated_since: invalid_format']);
    });
  });

  it('GET /jobs status: open is the only supported value', async () => {
    expect(ids(await partner.get('/jobs?status=open'))).toHaveLength(50);
    expect(fieldErrors(await partner.get('/jobs?status=closed'))).toEqual(['status: invalid_value']);
  });

  it.each(['received', 'in_progress', 'accepted', 'rejected'])(
    'GET /applications status: %s',
    async (status) => {
      const [id] = ids(await partner.get('/applications?limit=1')) as [`ej_app_${string}`];
      if (status !== 'received') await world.operator.applications.beginEvaluation({ id });
      if (status === 'accepted' || status === 'rejected') {
        await world.operator.applications.decide({ id, decision: status });
      }
      const listed = await readAll(`/applications?status=${status}`);
      expect(listed).toHaveLength(status === 'received' ? 205 : 1);
      expect(listed).toContain(id);
    },
  );

  it('GET /applications status: another value is 422', async () => {
    expect(fieldErrors(await partner.get('/applications?status=open'))).toEqual(['status: invalid_value']);
  });
});

describe('GET /jobs', () => {
  it('lists only open jobs at companies where the key has active access', async () => {
    const stranger = await createPartner(world);
    await createEmployer(world, stranger);
    expect(ids(await partner.get('/jobs'))).toEqual([jobId]);
    await world.operator.jobs.close({ id: jobId });
    expect(ids(await partner.get('/jobs'))).toEqual([]);
  });
});

describe('GET /applications', () => {
  it('lists applications submitted by the calling key, and only those', async () => {
    const [id] = await submitMany(1);
    const other = await createPartner(world);
    expect(ids(await partner.get('/applications'))).toEqual([id]);
    expect(ids(await other.get('/applications'))).toEqual([]);
    expect((await other.get(`/applications/${id}`)).status).toBe(404);
  });

  it('read access to own applications persists after company access is revoked', async () => {
    const [id] = await submitMany(1);
    await world.operator.access.revoke({ keyId: partner.keyId, companyId });
    expect(ids(await partner.get('/applications'))).toEqual([id]);
    expect((await partner.get(`/applications/${id}`)).status).toBe(200);
  });
});

describe('POST /applications, the body', () => {
  const { candidate } = submission('x');
  const without = (field: string) => {
    const { [field]: _, ...rest } = { ...submission(jobId) } as Record<string, unknown>;
    return rest;
  };
  it.each(['jobId', 'candidate', 'consentToContact'])('%s: required', async (field) => {
    expect(fieldErrors(await partner.submit(without(field)))).toEqual([`${field}: required`]);
  });

  it.each(['firstName', 'lastName', 'email', 'phone'])('candidate.%s: required', async (field) => {
    const { [field]: _, ...rest } = candidate as Record<string, unknown>;
    const reply = await partner.submit(submission(jobId, { candidate: rest }));
    expect(fieldErrors(reply)).toEqual([`candidate.${field}: required`]);
  });

  const cases: readonly (readonly [string, Record<string, unknown>, string | null])[] = [
    ['candidate.firstName: 1 character', { candidate: { ...candidate, firstName: 'A' } }, null],
    [
      'candidate.firstName: 100 characters',
      { candidate: { ...candidate, firstName: '😀'.repeat(100) } },
      null,
    ],
    [
      'candidate.firstName: 101 characters',
      { candidate: { ...candidate, firstName: 'a'.repeat(101) } },
      'candidate.firstName: too_long',
    ],
    [
      'candidate.firstName: blank',
      { candidate: { ...candidate, firstName: ' ' } },
      'candidate.firstName: too_short',
    ],
    ['candidate.lastName: 100 characters', { candidate: { ...candidate, lastName: 'é'.repeat(100) } }, null],
    [
      'candidate.lastName: 101 characters',
      { candidate: { ...candidate, lastName: 'a'.repeat(101) } },
      'candidate.lastName: too_long',
    ],
    [
      'candidate.lastName: empty',
      { candidate: { ...candidate, lastName: '' } },
      'candidate.lastName: too_short',
    ],
    [
      'candidate.email: not an address',
      { candidate: { ...candidate, email: 'ada' } },
      'candidate.email: invalid_format',
    ],
    [
      "candidate.phone: national, of the job's country",
      { candidate: { ...candidate, phone: '(415) 555-0123' } },
      null,
    ],
    [
      'candidate.phone: no number',
      { candidate: { ...candidate, phone: 'call me' } },
      'candidate.phone: invalid_format',
    ],
    ['consentToContact: false', { consentToContact: false }, 'consentToContact: must_be_true'],
    ['source: 100 characters', { source: 's'.repeat(100) }, null],
    ['source: 101 characters', { source: 's'.repeat(101) }, 'source: too_long'],
    ['sourceApplicationId: 128 characters', { sourceApplicationId: 's'.repeat(128) }, null],
    [
      'sourceApplicationId: 129 characters',
      { sourceApplicationId: 's'.repeat(129) },
      'sourceApplicationId: too_long',
    ],
    ['sourceApplicationId: empty', { sourceApplicationId: '' }, 'sourceApplicationId: too_short'],
    ['sourceApplicationId: null is absent', { sourceApplicationId: null }, null],
    [
      'applicationFormAnswers: not an object',
      { applicationFormAnswers: [] },
      'applicationFormAnswers: invalid_type',
    ],
    [
      'applicationFormAnswers: a key that the job does not ask',
      { applicationFormAnswers: { x: 1 } },
      'applicationFormAnswers.x: unknown_field',
    ],
    ['resumeUrl: https', { resumeUrl: 'https://files.example.org/ada.pdf' }, null],
    ['resumeUrl: not a URL', { resumeUrl: 'ada.pdf' }, 'resumeUrl: invalid_format'],
    [
      'resumeUrl: credentials in it',
      { resumeUrl: 'https://a:b@files.example.org/' },
      'resumeUrl: invalid_format',
    ],
    ['an unknown field is ignored', { favouriteColour: 'teal' }, null],
  ];
  it.each(cases)('%s', async (_, changes, error) => {
    const reply = await partner.submit(submission(jobId, changes));
    if (error === null) expect(reply.status).toBe(201);
    else expect([reply.status, fieldErrors(reply)]).toEqual([422, [error]]);
  });

  it('candidate.phone: normalised to E.164 for the host', async () => {
    const phone = '(415) 555-0123';
    const { json } = await partner.submit(submission(jobId, { candidate: { ...candidate, phone } }));
    const stored = await world.operator.applications.find({ id: json.id as `ej_app_${string}` });
    expect(stored?.candidate.phone).toBe('+14155550123');
  });

  it("applicationFormAnswers: keyed by the job's questions, a required one must be answered", async () => {
    const question = { key: 'shift', label: 'Can you work nights?', type: 'boolean', required: true };
    await world.operator.jobs.update({ id: jobId, changes: { applicationFormSchema: [question] } });
    expect(fieldErrors(await partner.submit(submission(jobId)))).toEqual([
      'applicationFormAnswers.shift: required',
    ]);
    const wrong = await partner.submit(submission(jobId, { applicationFormAnswers: { shift: 'yes' } }));
    expect(fieldErrors(wrong)).toEqual(['applicationFormAnswers.shift: invalid_type']);
    const right = await partner.submit(submission(jobId, { applicationFormAnswers: { shift: true } }));
    expect(right.status).toBe(201);
    const stored = await world.operator.applications.find({ id: right.json.id as `ej_app_${string}` });
    expect(stored?.answers).toEqual({ shift: true });
  });

  it('201: id, sourceApplicationId, jobId, status received, createdAt', async () => {
    const reply = await partner.submit(submission(jobId, { sourceApplicationId: 'ats-7' }));
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^ej_app_/),
      sourceApplicationId: 'ats-7',
      jobId,
      status: 'received',
      createdAt: expect.stringMatching(/Z$/),
    });
  });
});

describe('POST /applications, idempotency', () => {
  const key = randomUUID();

  it('rule 1: same key and byte-identical body: the original 201 again', async () => {
    const body = JSON.stringify(submission(jobId));
    const first = await partner.submit(body, key);
    const again = await partner.submit(body, key.toUpperCase());
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(ids(await partner.get('/applications'))).toHaveLength(1);
  });

  it.each([
    ['another byte', ' ', true],
    ['another candidate', 'x', false],
  ])('rule 2: same key and %s: 422 IDEMPOTENCY_KEY_REUSED', async (_, tail, sameJson) => {
    const body = submission(jobId, { source: 'site' });
    await partner.submit(JSON.stringify(body), key);
    const other = tail === ' ' ? `${JSON.stringify(body)} ` : JSON.stringify({ ...body, source: 'x' });
    const reply = await partner.submit(other, key);
    expect([reply.status, reply.json.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(reply.json.details).toEqual({ sameJson });
  });

  it('rule 3: missing header: 422 IDEMPOTENCY_KEY_REQUIRED', async () => {
    for (const headers of [{}, { 'idempotency-key': '' }]) {
      const reply = await partner.request('POST', '/applications', {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(submission(jobId)),
      });
      expect([reply.status, reply.json.error]).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
    }
  });

  it('rule 4: a key expires 24 hours after its first use; a replay does not extend it', async () => {
    const body = JSON.stringify(submission(jobId));
    const first = await partner.submit(body, key);
    await world.clock.advance(24 * 3_600_000 - 1);
    expect((await partner.submit(body, key)).text).toBe(first.text);
    await world.clock.advance(1);
    const fresh = await partner.submit(body, key);
    expect(fresh.status).toBe(201);
    expect(fresh.json.id).not.toBe(first.json.id);
  });

  it('a key that is no UUID v4: 422 VALIDATION_ERROR on Idempotency-Key', async () => {
    const reply = await partner.submit(submission(jobId), 'not-a-uuid');
    expect(fieldErrors(reply)).toEqual(['Idempotency-Key: invalid_format']);
  });

  it('only a committed 201 binds a key: after a refusal it is free', async () => {
    expect((await partner.submit(submission('job_unknown'), key)).status).toBe(404);
    expect((await partner.submit(submission(jobId), key)).status).toBe(201);
  });

  it('a replay comes before every business check', async () => {
    const body = JSON.stringify(submission(jobId));
    const first = await partner.submit(body, key);
    await world.operator.jobs.close({ id: jobId });
    await world.operator.access.revoke({ keyId: partner.keyId, companyId });
    expect((await partner.submit(body, key)).text).toBe(first.text);
  });

  it('two keys of two partners do not meet', async () => {
    const other = await createPartner(world);
    await world.operator.access.grant({ keyId: other.keyId, companyId });
    const body = JSON.stringify(submission(jobId));
    const [first, second] = [await partner.submit(body, key), await other.submit(body, key)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.id).not.toBe(first.json.id);
  });
});

describe('POST /applications, at the same moment', () => {
  it('100 identical submissions: one application, 100 identical replies', async () => {
    const body = JSON.stringify(submission(jobId));
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 100 }, () => partner.submit(body, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(99);
    expect(ids(await partner.get('/applications'))).toHaveLength(1);
  });

  it('100 submissions of one source id under different keys: one 201, 99 × 409', async () => {
    const body = submission(jobId, { sourceApplicationId: 'ats-1' });
    const replies = await Promise.all(Array.from({ length: 100 }, () => partner.submit(body)));
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 409);
    expect([created.length, refused.length]).toEqual([1, 99]);
    for (const { json } of refused) {
      expect(json.error).toBe('DUPLICATE_SOURCE_APPLICATION_ID');
      expect(json.details).toEqual({ applicationId: created[0]?.json.id });
    }
  });
});

describe('GET /applications/{id}', () => {
  it("404 with equal bytes: unknown, another key's, the other world's", async () => {
    const [id] = await submitMany(1);
    const other = await createPartner(world);
    const sandbox = await createPartner(world, { sandbox: true });
    const replies = [
      await partner.get('/applications/ej_app_unknown'),
      await other.get(`/applications/${id}`),
      await sandbox.get(`/applications/${id}`),
    ];
    expect(replies.map(({ status, json }) => [status, json.error])).toEqual(
      Array(3).fill([404, 'APPLICATION_NOT_FOUND']),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });
});
