import {
  createFetchHandler,
  createPartnerHiring,
  type Handler,
  type HttpReply,
  type PartnerHiring,
  type PartnerHiringOptions,
} from '@partner-hiring/core';
import { afterAll, beforeAll } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { type BreakableStorage, breakable } from './breakable-storage.js';
import type { HttpUnderTest, Served } from './http-under-test.js';
import { openConnection, type RawConnection } from './raw-connection.js';
import { composeRequest, type RequestParts } from './raw-request.js';
import { headerOf, type RawResponse } from './raw-response.js';
import { expectOnWire } from './same-on-wire.js';

/** A platform behind the server under test, and a way to talk to it. */
export interface World {
  readonly operator: PartnerHiring<unknown>['operator'];
  readonly storage: BreakableStorage;
  /** Opens a connection of its own. */
  connect(): Promise<RawConnection>;
  /** Sends one request on a fresh connection; checks that the handler's reply came over the wire as it was. */
  ask(parts: RequestParts): Promise<RawResponse>;
  /** Checks the same of a response that was read by hand. */
  check(response: RawResponse, method?: string): RawResponse;
}

/** What a world may have of its own. */
export type WorldOptions = Pick<PartnerHiringOptions<unknown>, 'basePath' | 'limits' | 'maxBodyBytes'>;

interface Opened {
  readonly api: PartnerHiring<unknown>;
  readonly storage: BreakableStorage;
  readonly served: Served;
  readonly replies: ReadonlyMap<string, HttpReply>;
  close(): Promise<void>;
}

/** Opens a world for the tests of the running `describe`, and closes it afterwards. */
export function useWorld(underTest: HttpUnderTest, options: WorldOptions = {}): World {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(underTest, options);
  }, PATIENCE_MS);
  afterAll(async () => {
    await opened?.close();
    opened = undefined;
  }, PATIENCE_MS);
  function current(): Opened {
    if (opened === undefined) throw new Error('No test is running.');
    return opened;
  }
  function check(response: RawResponse, method = 'GET'): RawResponse {
    expectOnWire(response, current().replies.get(headerOf(response, 'X-Request-Id') ?? ''), method);
    return response;
  }
  return {
    get operator() {
      return current().api.operator;
    },
    get storage() {
      return current().storage;
    },
    connect: () => openConnection(current().served.port),
    ask: async (parts) => {
      const connection = await openConnection(current().served.port);
      try {
        connection.write(composeRequest(parts));
        return check(await connection.read(parts.method), parts.method);
      } finally {
        connection.destroy();
      }
    },
    check,
  };
}

async function open({ openStorage, serve }: HttpUnderTest, options: WorldOptions): Promise<Opened> {
  const lower = await openStorage();
  const storage = breakable(lower.storage);
  const api = createPartnerHiring({ storage: storage.storage, secretKey: new Uint8Array(32), ...options });
  const replies = new Map<string, HttpReply>();
  const handler = recording(api.handler, replies);
  const served = await serve({ handler, fetch: createFetchHandler(handler) });
  return {
    api,
    storage,
    served,
    replies,
    close: async () => {
      await served.close();
      await api.close();
      await lower.close();
    },
  };
}

/** The handler, with its replies kept by their request ids. */
function recording(handler: Handler, replies: Map<string, HttpReply>): Handler {
  const record = async (request: Parameters<Handler>[0]) => {
    const reply = await handler(request);
    replies.set(reply.headers['X-Request-Id'] ?? '', reply);
    return reply;
  };
  return Object.assign(record, { basePath: handler.basePath });
}
