import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ID_PREFIXES, type IdOf } from '../domain/ids.js';
import type { WorkerProcess } from '../domain/worker-instance.js';
import type { Clock, IdSource, Random, Runtime } from '../ports/runtime.js';
import { VERSION } from './open-telemetry.js';

/** With a longer time, `setTimeout` fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Crockford's base 32. Encoded numbers of equal length sort like the numbers. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Ten characters hold the time in milliseconds as 48 bits, which last until the year 10889. */
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
/**
 * Random bytes are generated in blocks of this size, because a call costs more than the bytes that it
 * returns.
 */
const POOL_BYTES = 8_192;

/**
 * Returns the system's clock, identifiers and randomness. Identifiers sort by time and cannot be guessed.
 * @example
 * const { clock, ids } = createSystemRuntime();
 */
export function createSystemRuntime(): Runtime {
  return {
    clock: systemClock,
    ids: createIds(systemClock),
    random: systemRandom,
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    let left = ms;
    while (left > 0 && signal?.aborted !== true) {
      const step = Math.min(left, LONGEST_TIMER_MS);
      await rest(step, signal);
      left -= step;
    }
  },
};

const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
  token: () => randomUUID(),
};

function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}

function createIds(clock: Pick<Clock, 'now'>): IdSource {
  const randomPart = createRandomPart();
  let lastAt = Number.NaN;
  let timePart = '';
  return {
    next: (kind) => {
      const at = clock.now();
      if (at !== lastAt) {
        lastAt = at;
        timePart = base32(Math.max(0, at), TIME_CHARACTERS);
      }
      return `${ID_PREFIXES[kind]}${timePart}${randomPart()}` as IdOf<typeof kind>;
    },
  };
}

function base32(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) {
    text = ALPHABET.charAt(rest % 32) + text;
  }
  return text;
}

function createRandomPart(): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const end = used + RANDOM_CHARACTERS;
    let text = '';
    while (used < end) text += ALPHABET.charAt((pool[used++] ?? 0) & 31);
    return text;
  };
}

const NAME_MAX_LENGTH = 200;

/** Describes this process, for the list of workers. */
export function describeProcess(deployment: string | null): WorkerProcess {
  return { name: hostname().slice(0, NAME_MAX_LENGTH), pid: process.pid, release: VERSION, deployment };
}
