import {
  createFetchHandler,
  createPartnerHiring,
  type FetchHandler,
  type Handler,
  type PartnerHiringOptions,
} from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { afterAll, beforeAll, expect } from 'vitest';
import { TEST_TIMEOUT_MS } from '../fresh-window.js';
import { type Contract, createContract, type Exchange } from '../openapi/contract.js';
import { breakable } from './breakable-storage.js';
import {
  buildRequest,
  headerOf,
  openConnection,
  type RawResponse,
  type RequestParts,
} from './raw-connection.js';
import { expectOnWire } from './same-on-wire.js';

/** The API to serve, in two forms: as a handler, and as a function from `Request` to `Response`. */
export interface ServedApi {
  readonly handler: Handler;
  readonly fetch: FetchHandler;
}

/** A server under test. */
export interface Served {
  /** The port on 127.0.0.1, with plain HTTP. */
  readonly port: number;
  close(): Promise<void>;
}

/** An adapter under test, and a storage for the API. */
export interface HttpUnderTest {
  /** Opens a new, empty storage. */
  openStorage(): Promise<{ readonly storage: Storage<unknown>; close(): Promise<void> }>;
  /** Starts a server with the API at its own base path. */
  serve(api: ServedApi): Promise<Served>;
}

/** A platform behind the server under test, and a client for it. */
export type Fixture = ReturnType<typeof useFixture>;

export type FixtureOptions = Pick<
  PartnerHiringOptions<unknown>,
  'basePath' | 'limits' | 'maxBodyBytes' | 'bodyTimeoutMs' | 'selfService' | 'transport'
>;

type Recorded = Exchange & { readonly clientAddress: string };

type Opened = Awaited<ReturnType<typeof open>>;

export function useFixture(underTest: HttpUnderTest, options: FixtureOptions = {}) {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(underTest, options);
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await opened?.close();
    opened = undefined;
  }, TEST_TIMEOUT_MS);
  function current(): Opened {
    if (opened === undefined) throw new Error('No test is running.');
    return opened;
  }
  function check(response: RawResponse, method = 'GET'): RawResponse {
    const { exchanges, contract } = current();
    const exchange = exchanges.get(headerOf(response, 'X-Request-Id') ?? '');
    expectOnWire(response, exchange, method);
    expectDocumented(contract, exchange);
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
    /** Sends one request on a new connection. Checks the response against the handler and the document. */
    ask: async (parts: RequestParts) => {
      const connection = await openConnection(current().served.port);
      try {
        connection.write(buildRequest(parts));
        return check(await connection.read(parts.method), parts.method);
      } finally {
        connection.destroy();
      }
    },
    /** Checks a response that the test has read from a connection itself. */
    check,
    /** Returns the caller's address that the adapter passed. */
    addressOf: (response: RawResponse) =>
      current().exchanges.get(headerOf(response, 'X-Request-Id') ?? '')?.clientAddress,
  };
}

async function open({ openStorage, serve }: HttpUnderTest, options: FixtureOptions) {
  const lower = await openStorage();
  const storage = breakable(lower.storage);
  const api = createPartnerHiring({
    storage: storage.storage,
    secretKey: '0123456789abcdef'.repeat(4),
    ...options,
  });
  const exchanges = new Map<string, Recorded>();
  const handler = recording(api.handler, exchanges);
  const served = await serve({ handler, fetch: createFetchHandler(handler) });
  return {
    api,
    storage,
    served,
    contract: createContract(createOpenApiDocument(options)),
    exchanges,
    close: async () => {
      await served.close();
      await api.close();
      await lower.close();
    },
  };
}

/**
 * Checks the handler's reply against the OpenAPI document. The response on the wire has already been compared
 * with this reply.
 */
function expectDocumented(contract: Contract, exchange: Exchange | undefined): void {
  if (exchange === undefined) return;
  const { method, target, status } = exchange;
  const undescribed = contract.checkResponse(exchange);
  expect(undescribed, `OpenAPI does not describe this ${status} of ${method} ${target}`).toEqual([]);
}

function recording(handler: Handler, exchanges: Map<string, Recorded>): Handler {
  const record = async (request: Parameters<Handler>[0]) => {
    const reply = await handler(request);
    const { method, target, clientAddress } = request;
    exchanges.set(reply.headers['X-Request-Id'] ?? '', { method, target, clientAddress, ...reply });
    return reply;
  };
  return Object.assign(record, { basePath: handler.basePath });
}
