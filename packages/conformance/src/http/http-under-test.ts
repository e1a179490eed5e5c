import type { FetchHandler, Handler } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';

/** What is served: the handler, and the same for servers that speak `Request` and `Response`. */
export interface ServedApi {
  readonly handler: Handler;
  readonly fetch: FetchHandler;
}

/** A server under test. */
export interface Served {
  /** Where it listens on the loopback, 127.0.0.1, over plain HTTP. */
  readonly port: number;
  close(): Promise<void>;
}

/** An adapter under test, and a storage to run the API on. */
export interface HttpUnderTest {
  /** Opens a fresh, empty storage. What the storage suite opens will do. */
  openStorage(): Promise<{ readonly storage: Storage<unknown>; close(): Promise<void> }>;
  /** Starts a server with the API mounted through the adapter, at its own base path. */
  serve(api: ServedApi): Promise<Served>;
}
