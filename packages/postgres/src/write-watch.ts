import { standbyAwaited, standbyLost } from './errors.js';

/** Watches the transactions of one process, whose commits wait without end while a synchronous standby does not answer. */
export interface WriteWatch {
  /** Resolves once a transaction may begin. Rejects with `StorageUnavailable` while the standby does not answer. */
  admit(): Promise<void>;
  /**
   * Runs a transaction. Once the standby is known not to answer, its connection is closed. The server is left to wait: a
   * commit that is cancelled there is done without the standby.
   */
  during<T>(connection: Hangable, run: (watched: WatchedWrite) => Promise<T>): Promise<T>;
}

/** A connection that can be closed, with the error that whoever waits on it then gets. */
interface Hangable {
  hangUp(reason: Error): void;
}

/** One transaction, while it runs. */
export interface WatchedWrite {
  /** Called before the commit is sent. Throws `StorageUnavailable` while the standby does not answer. */
  beforeCommit(): void;
  /** Called once the transaction waits for nothing but its commit. */
  whileCommitting(): void;
}

/** What a watch asks, and allows. */
export interface WriteWatchOptions {
  /** Asks the server whether commits wait for the standby. */
  readonly isStandbyAwaited: () => Promise<boolean>;
  /** The connections of the process at most. */
  readonly connections: number;
}

/** Commits that may wait at a time: enough to notice that the standby is back, and reads keep the other connections. */
const MOST_WAITING = 4;
/** A commit takes milliseconds. Once one takes this long, only so many others may join it. */
const SLOW_MS = 500;
/**
 * Once a transaction takes this long, the server is asked what it waits for: it may be its commit, or a row that the
 * waiting commit of another process holds.
 */
const OVERDUE_MS = 1_000;
/** If the server does not say so in time, waiting commits may have taken the connections that the question needs. */
const ANSWER_MS = 1_000;
const LOOK_EVERY_MS = 250;

interface RunningWrite {
  readonly since: number;
  giveUp(): void;
}

/** Creates the watch of one storage. As long as transactions are quick, it asks nothing. */
export function createWriteWatch({ isStandbyAwaited, connections }: WriteWatchOptions): WriteWatch {
  const mostKept = Math.min(MOST_WAITING, connections - 1);
  // Both in the order of their beginning.
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
    return performance.now() - oldest >= SLOW_MS;
  }

  function look(): void {
    const now = performance.now();
    const [oldest] = running;
    if (askedAt !== null) {
      if (now - askedAt >= ANSWER_MS)
        for (const write of [...committing.keys()].slice(mostKept)) write.giveUp();
    } else if (isLost) {
      void ask();
    } else if (oldest === undefined) {
      if (timer !== null) clearInterval(timer);
      timer = null;
    } else if (now - oldest.since >= OVERDUE_MS && now - answeredAt >= OVERDUE_MS) {
      void ask();
    }
  }

  async function ask(): Promise<void> {
    askedAt = performance.now();
    // If the server cannot say, this is another outage, of which each statement tells.
    isLost = await isStandbyAwaited().catch(() => false);
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
      timer ??= setInterval(look, LOOK_EVERY_MS).unref();
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

/** Where commits are left to wait as long as they do. */
export const UNWATCHED: WatchedWrite = { beforeCommit: () => {}, whileCommitting: () => {} };
