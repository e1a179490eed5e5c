import { standbyAwaited, standbyLost } from './errors.js';

/** Limits writes while a synchronous standby does not respond, because every commit then blocks. */
export interface WriteWatch {
  /** Waits until the write may start. Rejects with `StorageUnavailable` while the standby does not respond. */
  admit(): Promise<void>;
  /**
   * Runs a write, and closes its connection if the standby does not respond. It does not cancel the commit,
   * because the commit would then skip the standby.
   */
  during<T>(connection: Hangable, run: (watched: WatchedWrite) => Promise<T>): Promise<T>;
}

interface Hangable {
  hangUp(reason: Error): void;
}

export interface WatchedWrite {
  /** Call before the commit is sent. Throws `StorageUnavailable` while the standby does not respond. */
  beforeCommit(): void;
  /** Call when all statements have their results and only the commit is outstanding. */
  whileCommitting(): void;
}

export interface WriteWatchOptions {
  /** Whether a commit of any process has waited for the standby for `sinceMs`. */
  readonly isStandbyAwaited: (sinceMs: number) => Promise<boolean>;
  readonly connections: number;
  /** Tests use a quicker one. */
  readonly pace?: WritePace | undefined;
}

/**
 * The most commits that may keep waiting. These are enough to notice when the standby returns, and few enough to leave
 * connections for reads.
 */
const MOST_WAITING = 4;
/** When a write takes too long, in milliseconds. */
export interface WritePace {
  /** If the oldest waiting commit takes longer than this, no write beyond the limit starts. */
  readonly slowMs: number;
  /**
   * After this time, a write counts as possibly waiting for the standby, or for a row that a waiting commit of another
   * process has locked.
   */
  readonly overdueMs: number;
  /** How long a query for waiting commits may take. After that, waiting commits may hold all connections. */
  readonly answerMs: number;
  readonly lookEveryMs: number;
}

/** A commit takes milliseconds. */
const USUAL_PACE: WritePace = { slowMs: 500, overdueMs: 1_000, answerMs: 1_000, lookEveryMs: 250 };

interface RunningWrite {
  readonly since: number;
  giveUp(): void;
}

export function createWriteWatch(options: WriteWatchOptions): WriteWatch {
  const { isStandbyAwaited, connections, pace = USUAL_PACE } = options;
  const mostKept = Math.min(MOST_WAITING, connections - 1);
  // Both collections are in the order in which the writes started.
  const running = new Set<RunningWrite>();
  const committing = new Map<RunningWrite, number>();
  const held = new Set<() => void>();
  let isLost = false;
  let askedAt: number | null = null;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;

  function isFull(): boolean {
    const [oldest] = committing.values();
    if (oldest === undefined || committing.size < Math.max(1, mostKept)) return false;
    return performance.now() - oldest >= pace.slowMs;
  }

  function look(): void {
    const now = performance.now();
    const [oldest] = running;
    if (askedAt !== null) {
      if (now - askedAt >= pace.answerMs)
        for (const write of [...committing.keys()].slice(mostKept)) write.giveUp();
    } else if (isLost) {
      void ask();
    } else if (oldest === undefined) {
      if (timer !== null) clearInterval(timer);
      timer = null;
    } else if (now - oldest.since >= pace.overdueMs && now - answeredAt >= pace.overdueMs) {
      void ask();
    }
  }

  async function ask(): Promise<void> {
    askedAt = performance.now();
    // If this query fails, the cause is another outage, which each statement reports on its own.
    isLost = await isStandbyAwaited(pace.overdueMs / 2).catch(() => false);
    askedAt = null;
    answeredAt = performance.now();
    if (isLost) for (const write of [...running]) write.giveUp();
    release();
  }

  function release(): void {
    for (const go of held) go();
    held.clear();
  }

  function assertAnswering(): void {
    if (isLost) throw standbyLost();
  }

  return {
    admit: async () => {
      while (!isLost && isFull()) await new Promise<void>((go) => held.add(go));
      assertAnswering();
    },
    during: async (connection, run) => {
      let isSent = false;
      const write: RunningWrite = {
        since: performance.now(),
        giveUp: () => {
          leave();
          connection.hangUp(isSent ? standbyAwaited() : standbyLost());
        },
      };
      const leave = () => {
        running.delete(write);
        if (committing.delete(write)) release();
      };
      running.add(write);
      timer ??= setInterval(look, pace.lookEveryMs).unref();
      try {
        return await run({
          beforeCommit: () => {
            assertAnswering();
            isSent = true;
          },
          whileCommitting: () => void committing.set(write, performance.now()),
        });
      } finally {
        leave();
      }
    },
  };
}

export const UNWATCHED: WatchedWrite = { beforeCommit: () => {}, whileCommitting: () => {} };
