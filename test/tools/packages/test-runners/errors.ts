/** Tests of a partner, for any test runner. In Jest and `vmThreads`, Node's errors are no instances of the test's `Error`. */
import { match, ok, rejects, strictEqual, throws } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { CertifyError, certify } from '@partner-hiring/certify';
import {
  createPartnerClient,
  type NewSubmission,
  PartnerApiError,
  type PartnerClient,
  PartnerClientError,
  PartnerConnectionError,
  type PendingSubmission,
  SubmissionConflictError,
  SubmissionPendingError,
} from '@partner-hiring/client';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { type VerifyWebhookOptions, verifyWebhook } from '@partner-hiring/webhook-verifier';

export const ERROR_STORIES: Readonly<Record<string, () => Promise<void>>> = {
  'client: the message names why the network failed': namesNetworkError,
  'client: each class of error is known, also by its base': knowsClasses,
  'client: a submission in a new folder survives the process': keepsFiles,
  'client: a date may be of another realm': takesForeignDate,
  'verifier: each reason': refusesWithReason,
  'verifier: a mistake is a TypeError': refusesOptions,
  'certify: the message names why the network failed': certifiesNobody,
};

const SUBMISSION: NewSubmission = {
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'L', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
  sourceApplicationId: 'ats-1',
};

type ClientOptions = Parameters<typeof createPartnerClient>[0];

function clientAt(origin: string, options: Partial<ClientOptions> = {}): PartnerClient {
  return createPartnerClient({ baseUrl: `${origin}/v1`, apiKey: 'pek_test_1', maxAttempts: 1, ...options });
}

/** Runs a story with the address of a server. */
async function withServer(answer: RequestListener, story: (origin: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await story(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The address of a server that has ended. */
async function deadOrigin(): Promise<string> {
  let dead = '';
  await withServer(
    () => {},
    async (origin) => {
      dead = origin;
    },
  );
  return dead;
}

async function namesNetworkError(): Promise<void> {
  await rejects(clientAt(await deadOrigin()).applications.get('ej_app_1'), (error) => {
    ok(error instanceof PartnerConnectionError);
    strictEqual(error.reason, 'network');
    match(error.message, /ECONNREFUSED/);
    return true;
  });
}

async function knowsClasses(): Promise<void> {
  const isOurs = (type: abstract new (...parts: never) => PartnerClientError) => (error: unknown) =>
    error instanceof type && error instanceof PartnerClientError && error instanceof Error;
  const { applications } = clientAt(await deadOrigin());
  await rejects(applications.submit(SUBMISSION), isOurs(SubmissionPendingError));
  await rejects(applications.submit({ ...SUBMISSION, jobId: 'job_2' }), isOurs(SubmissionConflictError));
  const refuse: RequestListener = (_, response) => {
    const error = JSON.stringify({ error: 'APPLICATION_NOT_FOUND', message: 'No.', details: {} });
    response.writeHead(404, { 'content-type': 'application/json' }).end(error);
  };
  await withServer(refuse, async (origin) => {
    await rejects(clientAt(origin).applications.get('ej_app_1'), isOurs(PartnerApiError));
  });
}

async function keepsFiles(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-errors-'));
  try {
    const folder = join(scratch, 'new', 'submissions');
    const origin = await deadOrigin();
    for (const name of ['SubmissionPendingError', 'SubmissionConflictError']) {
      const { applications } = clientAt(origin, { submissions: await createFileSubmissionStore(folder) });
      const jobId = name === 'SubmissionPendingError' ? 'job_1' : 'job_2';
      await rejects(applications.submit({ ...SUBMISSION, jobId }), { name });
    }
    const stores = await Promise.all([folder, folder].map((each) => createFileSubmissionStore(each)));
    const added = stores.map((store, index) => store.add({ ...RECORD, idempotencyKey: `key-${index}` }));
    const keys = (await Promise.all(added)).map(({ idempotencyKey }) => idempotencyKey);
    strictEqual(new Set(keys).size, 1);
    strictEqual(await stores[0]?.find('absent'), null);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const RECORD: PendingSubmission = {
  state: 'pending',
  id: 'record-1',
  scope: 'scope',
  sourceApplicationId: 'ats-2',
  jobId: 'job_1',
  idempotencyKey: '',
  fingerprint: 'f',
  body: '{}',
};

async function takesForeignDate(): Promise<void> {
  const targets: unknown[] = [];
  const answer: RequestListener = ({ url }, response) => {
    targets.push(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  };
  await withServer(answer, async (origin) => {
    const updatedSince = runInNewContext('new Date(0)') as Date;
    for await (const _ of clientAt(origin).applications.list({ updatedSince })) ok(false);
  });
  match(String(targets), /updated_since=1970-01-01T00%3A00%3A00\.000Z/);
  throws(() => createPartnerClient({ baseUrl: '', apiKey: '' }), TypeError);
}

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: { readonly text?: string; readonly base64?: string; readonly parsed?: unknown } | null;
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly expected: { readonly reason?: string };
}

async function refusesWithReason(): Promise<void> {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const file = readFileSync(resolve('@partner-hiring/webhook-verifier/vectors.json'), 'utf8');
  const { verify, reasons } = JSON.parse(file) as { verify: Vector[]; reasons: object };
  for (const reason of [undefined, ...Object.keys(reasons)]) {
    const { name, secrets, headers, body, now, toleranceSeconds } = verify.find(
      ({ expected }) => expected.reason === reason,
    ) as Vector;
    const { text, base64, parsed } = body ?? {};
    const given = base64 === undefined ? (text ?? parsed) : Buffer.from(base64, 'base64');
    const options = {
      secret: secrets,
      now: now * 1_000,
      toleranceSeconds,
      body: given,
      headers: new Headers(),
    };
    for (const [header, value] of headers) options.headers.append(header, value);
    const verified = await verifyWebhook(options as VerifyWebhookOptions);
    strictEqual(verified.reason, reason, name);
  }
}

async function refusesOptions(): Promise<void> {
  const delivery = { body: '{}', headers: {} };
  await rejects(verifyWebhook({ ...delivery, secret: '' }), TypeError);
  await rejects(verifyWebhook({ ...delivery, secret: 'whsec_1', toleranceSeconds: Number.NaN }), TypeError);
}

async function certifiesNobody(): Promise<void> {
  await rejects(certify({ url: `${await deadOrigin()}/webhooks`, secret: 'whsec_1' }), (error) => {
    ok(error instanceof CertifyError);
    strictEqual(error.code, 'RECEIVER_UNREACHABLE');
    match(error.message, /ECONNREFUSED/);
    return true;
  });
}
