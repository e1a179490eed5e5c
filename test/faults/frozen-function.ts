/**
 * A function on a platform that freezes the process after each reply, such as AWS Lambda or Vercel. It reads orders as lines
 * of JSON and writes replies as lines of JSON. SIGSTOP stops it in the same turn of its event loop, so nothing runs between.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createFetchHandler, createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

/** The work of the function: a part of the worker's work, a command of its host, or a request of a partner. */
export type FunctionOrder =
  | { readonly does: 'drain'; readonly withinMs: number }
  | { readonly does: 'close'; readonly jobId: `job_${string}` }
  | {
      readonly does: 'fetch';
      readonly path: string;
      readonly init: {
        readonly method: string;
        readonly headers: Record<string, string>;
        readonly body?: string;
      };
      /** How the request log is written before the process is frozen. */
      readonly keeps: 'nothing' | 'flush' | 'waitUntil';
    };

export interface FunctionReply {
  readonly status: number;
  readonly requestId: string | null;
  readonly body: string;
}

export interface FunctionSettings {
  readonly location: DatabaseLocation;
  readonly secretKey: string;
}

const STDOUT = 1;
const settings = JSON.parse(process.argv[2] ?? '') as FunctionSettings;
const partnerHiring = await open(settings);
const held: Promise<void>[] = [];
const fetchAndHold = createFetchHandler(partnerHiring.handler, { waitUntil: (work) => void held.push(work) });

async function open({ location, secretKey }: FunctionSettings): Promise<PartnerHiring<never>> {
  const options = { secretKey, allowPrivateNetworks: true };
  if (location.kind === 'sqlite') {
    return createPartnerHiring({ storage: await createSqliteStorage({ file: location.file }), ...options });
  }
  const { connectionString, schemas } = location;
  return createPartnerHiring({
    storage: await createPostgresStorage({ connectionString, ...schemas }),
    ...options,
  });
}

async function obey(order: FunctionOrder): Promise<FunctionReply> {
  const done = { status: 204, requestId: null, body: '' };
  if (order.does === 'drain') {
    await partnerHiring.worker.drain({ withinMs: order.withinMs });
    return done;
  }
  if (order.does === 'close') {
    await partnerHiring.operator.jobs.close({ id: order.jobId });
    return done;
  }
  const request = new Request(`https://jobs.example.com/api/v1/external${order.path}`, order.init);
  const reply = await (order.keeps === 'waitUntil' ? fetchAndHold : partnerHiring.fetch)(request);
  if (order.keeps === 'flush') await partnerHiring.flush();
  return { status: reply.status, requestId: reply.headers.get('x-request-id'), body: await reply.text() };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await obey(JSON.parse(line) as FunctionOrder);
  writeSync(STDOUT, `${JSON.stringify(reply)}\n`);
  if (held.length > 0) await Promise.all(held.splice(0));
  process.kill(process.pid, 'SIGSTOP');
}
