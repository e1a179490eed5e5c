/** Every error can be provoked as the sandbox page describes. */
import { randomUUID } from 'node:crypto';
import { SANDBOX_CATALOGUE } from '@partner-hiring/core/contract';
import { type Reply, send, submission } from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import { WIRE_ERRORS, type WireErrorCode } from '../../../packages/core/src/domain/wire-errors.js';
import {
  SANDBOX_ADDRESSES,
  type SandboxScript,
} from '../../../packages/core/src/features/sandbox/address-rules.js';
import { candidate, openSandbox, type SandboxStage } from './stage.js';

type Meet = (stage: SandboxStage) => Promise<Reply>;

const MEETINGS: Readonly<Record<WireErrorCode, Meet>> = {
  IDEMPOTENCY_KEY_REQUIRED: ({ partner, job }) =>
    partner.request('POST', '/applications', {
      body: JSON.stringify(submission(job('open'))),
      headers: { 'content-type': 'application/json' },
    }),
  IDEMPOTENCY_KEY_REUSED: async ({ partner, job }) => {
    const key = randomUUID();
    await partner.submit(submission(job('open')), key);
    return partner.submit(submission(job('open'), { candidate: candidate('eva@example.org') }), key);
  },
  VALIDATION_ERROR: ({ partner, job }) =>
    partner.submit(submission(job('open'), { consentToContact: undefined })),
  JOB_NOT_FOUND: ({ partner }) => partner.submit(submission('job_sandbox_none')),
  JOB_CLOSED: ({ apply }) => apply('ada@example.org', 'internal'),
  ACCESS_REVOKED: ({ apply }) => apply('ada@example.org', 'former'),
  DUPLICATE_SOURCE_APPLICATION_ID: async ({ partner, job }) => {
    await partner.submit(submission(job('open'), { sourceApplicationId: 'ats-1' }));
    const other = { sourceApplicationId: 'ats-1', candidate: candidate('eva@example.org') };
    return partner.submit(submission(job('open'), other));
  },
  RATE_LIMITED: ({ apply }) => apply('rate-limited@sandbox.example'),
  UNAUTHORIZED: (stage) =>
    send(stage, 'GET', '/jobs', {
      headers: { authorization: `Bearer ${stage.partner.secret.slice(0, -1)}!` },
    }),
  APPLICATION_NOT_FOUND: ({ partner }) => partner.get('/applications/ej_app_none'),
  IDEMPOTENCY_KEY_IN_PROGRESS: ({ apply }) => apply('in-progress@sandbox.example'),
  NOT_FOUND: ({ partner }) => partner.get('/candidates'),
  METHOD_NOT_ALLOWED: ({ partner }) => partner.request('DELETE', '/jobs'),
  PAYLOAD_TOO_LARGE: ({ partner, job }) =>
    partner.submit(submission(job('open'), { source: 'x'.repeat(300 * 1024) })),
  UNSUPPORTED_MEDIA_TYPE: ({ partner, job }) =>
    partner.request('POST', '/applications', {
      body: JSON.stringify(submission(job('open'))),
      headers: { 'content-type': 'text/plain', 'idempotency-key': randomUUID() },
    }),
  INTERNAL_ERROR: ({ apply }) => apply('internal-error@sandbox.example'),
  SERVICE_UNAVAILABLE: ({ apply }) => apply('unavailable@sandbox.example'),
};

const applicationsOf = async ({ partner }: SandboxStage) =>
  (await partner.get('/applications')).json.data as readonly unknown[];

it.each(Object.entries(MEETINGS))('%s can be provoked as the sandbox page describes', async (code, meet) => {
  const reply = await meet(await openSandbox());
  expect(reply.json.error).toBe(code);
  expect(reply.status).toBe(WIRE_ERRORS[code as WireErrorCode].status);
  expect(SANDBOX_CATALOGUE.errors).toContainEqual(expect.objectContaining({ code, status: reply.status }));
});

const REFUSING = Object.entries<SandboxScript>(SANDBOX_ADDRESSES).flatMap(([name, script]) =>
  script.kind === 'refuses' ? [[name, script.refusal] as const] : [],
);

describe('a candidate with a magic address', () => {
  it('is rejected after others of the same job in one batch', async () => {
    const { apply } = await openSandbox();
    for (const name of ['ada', 'eva']) expect((await apply(`${name}@example.org`)).status).toBe(201);
    expect((await apply('unavailable@sandbox.example')).status).toBe(503);
    expect((await apply('eve@example.org')).status).toBe(201);
  });

  it.each(REFUSING)(
    '%s is rejected every time, with all headers, and is not stored',
    async (name, refusal) => {
      const stage = await openSandbox();
      const key = randomUUID();
      const body = submission(stage.job('open'), { candidate: candidate(`${name}+1@sandbox.example`) });
      for (const attempt of [1, 2]) {
        const { status, json, headers } = await stage.partner.submit(body, key);
        expect([attempt, status, json.error]).toEqual([
          attempt,
          WIRE_ERRORS[refusal.code].status,
          refusal.code,
        ]);
        expect(headers.get('x-request-id')).toBeTruthy();
        expect(headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
      }
      expect(await applicationsOf(stage)).toEqual([]);
      const free = await stage.partner.submit(submission(stage.job('open')), key);
      expect(free.status).toBe(201);
    },
  );

  it.each([
    ['rate-limited', 'partner_company', '10'],
    ['rate-limited-partner', 'partner', '300'],
  ])('%s gets a 429 with the scope %s', async (name, scope, limit) => {
    const stage = await openSandbox();
    const { json, headers } = await stage.apply(`${name}@sandbox.example`);
    expect(json).toMatchObject({ error: 'RATE_LIMITED', scope, retryAfter: 60 });
    expect(json.companyId === undefined).toBe(scope === 'partner');
    if (scope === 'partner_company') expect(stage.job('open')).toContain(String(json.companyId).slice(-20));
    expect(headers.get('retry-after')).toBe('60');
    expect(headers.get('x-ratelimit-limit')).toBe(limit);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('x-ratelimit-reset')) * 1_000).toBe(stage.clock.now() + 60_000);
    expect((await stage.apply('ada@example.org')).status).toBe(201);
  });

  it('rate-limited shows five times the limit in bootstrap mode', async () => {
    const stage = await openSandbox();
    const [access] = (await stage.operator.access.list({ keyId: stage.partner.keyId })).items;
    const diner = `co_sandbox_diner_${stage.partner.keyId.slice(4)}` as const;
    expect(access).toBeDefined();
    await stage.operator.access.raiseLimit({ keyId: stage.partner.keyId, companyId: diner });
    const { headers } = await stage.apply('rate-limited@sandbox.example');
    expect(headers.get('x-ratelimit-limit')).toBe('50');
  });

  it.each([
    ['rate-limited', '3'],
    ['rate-limited-partner', '4'],
  ])('%s shows a lower limit of the key', async (name, limit) => {
    const stage = await openSandbox();
    await stage.operator.keys.lowerLimits({
      id: stage.partner.keyId,
      perMinute: { submit_application: 3, guard: 4 },
      reason: 'R',
      forMs: 60_000,
    });
    const { headers } = await stage.apply(`${name}@sandbox.example`);
    expect(headers.get('x-ratelimit-limit')).toBe(limit);
  });

  it('rate-limited gets the error of a job that takes no applications', async () => {
    const stage = await openSandbox();
    expect((await stage.apply('rate-limited@sandbox.example', 'internal')).json.error).toBe('JOB_CLOSED');
    expect((await stage.apply('rate-limited@sandbox.example', 'former')).json.error).toBe('ACCESS_REVOKED');
  });

  it('lost-reply is stored but answered with 503, and a retry gets the 201', async () => {
    const stage = await openSandbox();
    const key = randomUUID();
    const body = submission(stage.job('open'), { candidate: candidate('lost-reply@sandbox.example') });
    const lost = await stage.partner.submit(body, key);
    expect([lost.status, lost.json.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(lost.headers.get('retry-after')).toBe('5');
    const again = await stage.partner.submit(body, key);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await applicationsOf(stage)).toMatchObject([{ id: again.json.id }]);
  });

  it('with an unknown name is rejected with a link to the list', async () => {
    const stage = await openSandbox();
    const { status, json } = await stage.apply('acepted@sandbox.example');
    expect(status).toBe(422);
    expect(json.details).toMatchObject({ errors: [{ field: 'candidate.email', code: 'invalid_value' }] });
    expect(JSON.stringify(json)).not.toContain('acepted');
    expect((await stage.apply('constructor@sandbox.example')).status).toBe(422);
    expect((await stage.apply('+@sandbox.example')).status).toBe(422);
  });

  it('gets validation errors first', async () => {
    const { partner, job } = await openSandbox();
    const body = submission(job('open'), {
      candidate: { ...candidate('unavailable@sandbox.example'), phone: '' },
    });
    expect((await partner.submit(body)).json.error).toBe('VALIDATION_ERROR');
  });

  it('counts in the guard bucket, so that its rejections are limited', async () => {
    const stage = await openSandbox();
    const codes = new Map<unknown, number>();
    for (let sent = 0; sent < 310; sent += 1) {
      const { json } = await stage.apply('unavailable@sandbox.example');
      codes.set(json.error, (codes.get(json.error) ?? 0) + 1);
    }
    expect([...codes]).toEqual([
      ['SERVICE_UNAVAILABLE', 300],
      ['RATE_LIMITED', 10],
    ]);
  });

  it('counts there too in a batch', async () => {
    const stage = await openSandbox();
    const crowd = () =>
      Promise.all(Array.from({ length: 155 }, () => stage.apply('unavailable@sandbox.example')));
    const codes = [...(await crowd()), ...(await crowd())].map(({ json }) => json.error);
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE')).toHaveLength(300);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(10);
  });
});
