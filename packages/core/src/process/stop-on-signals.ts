import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerHiring } from '../create-partner-hiring.js';
import { createRedactingLogger, noLogger } from '../defaults/redacting-logger.js';
import { type Optional, withDefaults } from '../domain/optional.js';
import { misconfiguration } from '../errors.js';
import type { Logger } from '../ports/telemetry.js';
import { createClosingServer, type StoppableServer } from './closing-server.js';

/** How long the steps of a stop may take. */
export interface StopTimes {
  /**
   * How long the server still accepts requests after readiness fails, in milliseconds; default: 5,000. Load balancers
   * need this time to notice the failure. Skipped without a server, and after Ctrl-C in a terminal.
   */
  readonly drainMs: number;
  /** How long requests under way may take after `drainMs`, in milliseconds; default: 10,000. */
  readonly requestsMs: number;
  /**
   * How long the whole stop may take, in milliseconds, before the process ends with exit code 1; default: 58,000. It
   * must be less than the time that the platform leaves between `SIGTERM` and `SIGKILL`.
   */
  readonly withinMs: number;
}

/** The options of `stopOnSignals`. */
export interface StopOptions extends Optional<StopTimes> {
  readonly partnerHiring: Pick<PartnerHiring<never>, 'stopSoon' | 'worker' | 'close'>;
  /** The servers to close; omitted in a process that only runs the worker. */
  readonly server?: StoppableServer | readonly StoppableServer[] | undefined;
  /**
   * Closes your own resources after everything else, such as a pool that the library shares with you; default: nothing.
   */
  readonly close?: (() => unknown) | undefined;
  /** Receives what happens; by default, warnings and errors are printed to stderr. */
  readonly logger?: Logger | undefined;
}

/** A process that waits for its end. */
export interface Stopper {
  /**
   * Stops like a signal, but does not end the process. Runs all steps even if one fails. Then it resolves, or rejects
   * with the first failure. Later calls return the same promise.
   */
  stop(): Promise<void>;
}

/**
 * Stops the process in order at `SIGTERM`, `SIGINT` (Ctrl-C, PM2), `SIGHUP` (a closed terminal) and at PM2's message
 * `shutdown`. Readiness fails first. After the drain period, the server accepts no more connections and finishes its
 * requests. Then the worker stops, everything in memory is written, and your own `close` runs. The process ends with exit
 * code 0, or 1 if a step failed or the time is over. A second signal ends it at once.
 * @throws OperatorError `MISCONFIGURED` if an option is invalid.
 * @example
 * const server = createServer(createNodeHandler(partnerHiring)).listen(3000);
 * stopOnSignals({ partnerHiring, server, close: () => database.close() });
 */
export function stopOnSignals(options: StopOptions): Stopper {
  const { partnerHiring, close = () => {} } = options;
  const times = readTimes(options);
  const logger = createRedactingLogger(options.logger ?? STDERR);
  const servers = serversOf(options.server).map(createClosingServer);
  let stopping: Promise<void> | null = null;

  async function runSteps(drainMs: number): Promise<void> {
    const endsAt = performance.now() + times.withinMs;
    const failures: unknown[] = [];
    const step = async (name: string, work: () => unknown) => {
      try {
        await work();
      } catch (err) {
        failures.push(err);
        logger.error({ err, step: name }, 'A step of the stop failed. The next steps run anyway.');
      }
    };
    const onCut = () => logger.warn({ requestsMs: times.requestsMs }, CUT);

    partnerHiring.stopSoon();
    for (const server of servers) server.sendAway();
    if (servers.length > 0) await sleep(drainMs);
    await Promise.all(servers.map((server) => step('server', () => server.close(times.requestsMs, onCut))));
    const leftMs = endsAt - performance.now();
    const withinMs = Math.max(1, Math.floor(leftMs - Math.min(CLOSERS_MS, leftMs / 4)));
    await step('worker', () => partnerHiring.worker.stop({ withinMs }));
    await step('partnerHiring', () => partnerHiring.close());
    await step('close', close);
    if (failures.length > 0) throw failures[0];
  }

  function stop(drainMs = times.drainMs): Promise<void> {
    stopping ??= runSteps(drainMs);
    return stopping;
  }

  listen((signal, isSecond) => {
    if (isSecond) {
      logger.warn({ signal }, 'A second signal ends the process at once.');
      process.exit(EXIT_CODES[signal]);
    }
    logger.info({ signal }, 'The process stops. A second signal ends it at once.');
    const isAtTerminal = signal === 'SIGINT' && process.stdin.isTTY === true;
    const deadline = setTimeout(() => {
      logger.error({ withinMs: times.withinMs }, TOO_LATE);
      process.exit(1);
    }, times.withinMs);
    stop(isAtTerminal ? 0 : times.drainMs)
      .finally(() => clearTimeout(deadline))
      .then(
        () => process.exit(),
        () => process.exit(1),
      );
  });

  return { stop: () => stop() };
}

const DEFAULTS: StopTimes = {
  // Kubernetes and most load balancers take one to five seconds to stop sending requests.
  drainMs: 5_000,
  requestsMs: 10_000,
  // The two above, the longest stop of a worker, and some time for the storage. Many platforms wait up to 60 seconds.
  withinMs: 58_000,
};

/** The time that the worker's stop leaves for the storage and the host's `close`: at most a quarter of the rest. */
const CLOSERS_MS = 2_000;

const CUT =
  'Requests were still under way, and their connections were cut. Raise `requestsMs` if they need longer.';
const TOO_LATE =
  'The process did not stop in time and ends now. Another worker repeats the work in progress.';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** PM2 sends this message with `shutdown_with_message`. */
const MESSAGE = 'shutdown';

type StopSignal = (typeof SIGNALS)[number] | typeof MESSAGE;

/** By convention, 128 and the number of the signal. */
const EXIT_CODES: Readonly<Record<StopSignal, number>> = {
  SIGTERM: 143,
  SIGINT: 130,
  SIGHUP: 129,
  shutdown: 1,
};

/**
 * A signal this soon after the first one is a copy of it, and not a second press. At Ctrl-C, the terminal signals all
 * processes, and npm and process managers pass their signal on.
 */
const SAME_PRESS_MS = 100;

function listen(onSignal: (signal: StopSignal, isSecond: boolean) => void): void {
  let firstAt: number | null = null;
  const receive = (signal: StopSignal) => {
    const at = performance.now();
    if (firstAt !== null && at - firstAt < SAME_PRESS_MS) return;
    const isSecond = firstAt !== null;
    firstAt ??= at;
    onSignal(signal, isSecond);
  };
  for (const signal of SIGNALS) process.on(signal, () => receive(signal));
  process.on('message', (message) => {
    if (message === MESSAGE) receive(MESSAGE);
  });
}

const STDERR: Logger = {
  ...noLogger,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

function serversOf(given: StopOptions['server']): readonly StoppableServer[] {
  const servers = [given ?? []].flat() as readonly StoppableServer[];
  for (const server of servers) {
    if (typeof (server as Partial<StoppableServer> | null)?.close === 'function') continue;
    throw misconfiguration(
      'stopOnSignals: `server` must be what listens: the result of `app.listen()` in Express, a server of `node:http`, or ' +
        'the application of Fastify or Nest.',
    );
  }
  return servers;
}

function readTimes({ drainMs, requestsMs, withinMs }: StopOptions): StopTimes {
  const times = withDefaults(DEFAULTS, { drainMs, requestsMs, withinMs });
  for (const [name, ms] of Object.entries(times)) {
    if (Number.isSafeInteger(ms) && ms >= 0 && ms <= MOST_MS) continue;
    throw misconfiguration(
      `stopOnSignals: \`${name}\` is ${String(ms)}, but must be a whole number of milliseconds from 0 to ${MOST_MS}.`,
    );
  }
  if (times.withinMs > times.drainMs) return times;
  throw misconfiguration(
    `stopOnSignals: \`withinMs\` is ${times.withinMs}, but must be more than \`drainMs\`, ${times.drainMs}.`,
  );
}

/** The longest time of a timer of Node, in milliseconds. */
const MOST_MS = 2_147_483_647;
