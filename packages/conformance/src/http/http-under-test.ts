import type { FetchHandler, Handler } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';

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
