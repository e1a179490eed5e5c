import { clientNetwork, withoutPort } from '../../domain/client-network.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, MINUTE_MS } from '../../domain/time.js';
import { minuteOf } from './rules.js';

/** How many rows a key or client gets per error code and minute: enough to see what a flood consists of. */
export const ROWS_PER_MINUTE = 100;
/** How many addresses of clients without a key are told apart per minute. The others share one bucket. */
const MAX_CLIENTS = 1_000;
/**
 * How many rows all clients without a key get per minute, including the rows that stand for floods. Without this limit,
 * a flood from many addresses would fill the disk. The last row stands for all requests beyond the limit.
 */
export const ROWS_WITHOUT_KEY = 1_000;

/** The rows of one key or client, for one error code and one minute. */
export interface FloodBucket<Flood> {
  /** The network of a client without a key. Null for a key, and for clients beyond the bound. */
  readonly client: string | null;
  rows: number;
  /** The row for the requests beyond the bound, once there is one. */
  flood: Flood | null;
}

export interface FloodBounds<Flood> {
  /** Returns the bucket of a request, and whether the request may have a row of its own. */
  count(request: {
    readonly keyId: KeyId | null;
    readonly clientAddress: string;
    readonly code: string | null;
    readonly at: Instant;
  }): { readonly bucket: FloodBucket<Flood>; readonly hasRow: boolean };
}

/** Limits the rows of one process. The limits start anew each minute. */
export function createFloodBounds<Flood>(): FloodBounds<Flood> {
  let minute = Number.NaN;
  let rowsWithoutKey = 0;
  let rest = newBucket<Flood>(null);
  const buckets = new Map<string, FloodBucket<Flood>>();
  const networks = new Map<string, string>();

  function startMinute(at: Instant): void {
    const current = minuteOf(at);
    // The storage's time may go back a little.
    if (current === minute || current === minute - MINUTE_MS) return;
    minute = current;
    rowsWithoutKey = 0;
    rest = newBucket(null);
    buckets.clear();
    networks.clear();
  }

  function clientOf(forwarded: string): string | null {
    const address = withoutPort(forwarded);
    const known = networks.get(address);
    if (known !== undefined) return known;
    // Parsing an address takes as long as all other work of `count`, so a flood from many addresses must skip it.
    if (networks.size >= MAX_CLIENTS) return null;
    const network = clientNetwork(address);
    networks.set(address, network);
    return network;
  }

  function bucketOf(keyId: KeyId | null, address: string, code: string | null): FloodBucket<Flood> {
    const client = keyId === null ? clientOf(address) : null;
    const name = `${code ?? ''} ${keyId ?? `client ${client ?? ''}`}`;
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = newBucket(client);
      buckets.set(name, bucket);
    }
    return bucket;
  }

  return {
    count({ keyId, clientAddress, code, at }) {
      startMinute(at);
      const bucket = bucketOf(keyId, clientAddress, code);
      const hasRow = bucket.rows < ROWS_PER_MINUTE;
      if (!hasRow && bucket.flood !== null) return { bucket, hasRow };
      if (keyId === null) {
        if (rowsWithoutKey >= ROWS_WITHOUT_KEY - 1) return { bucket: rest, hasRow: false };
        rowsWithoutKey += 1;
      }
      if (hasRow) bucket.rows += 1;
      return { bucket, hasRow };
    },
  };
}

function newBucket<Flood>(client: string | null): FloodBucket<Flood> {
  return { client, rows: 0, flood: null };
}
