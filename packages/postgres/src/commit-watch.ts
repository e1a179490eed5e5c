import { standbyAwaited, standbyLost } from './errors.js';

/** Watches the commits of one process, which wait without end while a synchronous standby does not answer. */
export interface CommitWatch {
  /** Resolves once a transaction may begin. Rejects with `StorageUnavailable` while the standby does not answer. */
  admit(): Promise<void>;
  /** Throws `StorageUnavailable` while the standby does not answer. */
  assertAnswering(): void;
  /**
   * Waits for the answer to a commit. Rejects with `StorageUnavailable`, outcome unknown, once the standby is known not to
   * answer. The server is left to wait: a commit that is cancelled there is done without the standby.
   */
  watch<T>(answer: Promise<T>): Promise<T>;
}

/** What a watch asks, and allows. */
export interface CommitWatchOptions {
  /** Asks the server whether commits wait for the standby. */
  readonly isStandbyAwaited: () => Promise<boolean>;
  /** The connections of the process at most. */
  readonly connections: number;
}

/** Commits that may wait at a time: enough to notice that the standby is back, and reads keep the other connections. */
const MOST_WAITING = 4;
/** A commit takes milliseconds. Once one takes this long, only so many others may join it. */
const SLOW_MS = 500;
/** Once one takes this long, the server is asked what it waits for. */
const OVERDUE_MS = 1_000;
/** If it does not say so in time, the waiting commits may have taken the connections that the question needs. */
const ANSWER_MS = 1_000;
/** How often it is looked and asked meanwhile. */
const LOOK_EVERY_MS = 250;

interface WaitingCommit {
  readonly since: number;
  giveUp(): void;
}

/** Creates the watch of one storage. As long as commits are quick, it asks nothing. */
export function createCommitWatch({ isStandbyAwaited, connections }: CommitWatchOptions): CommitWatch {
  const mostKept = Math.min(MOST_WAITING, connections - 1);
  /** In the order in which they began to wait. */
  const waiting = new Set<WaitingCommit>();
  const held = new Set<() => void>();
  let isLost = false;
  let askedAt: number | null = null;
  let timer: NodeJS.Timeout | null = null;

  function oldestMs(): number {
    const [oldest] = waiting;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  function isFull(): boolean {
    return waiting.size >= Math.max(1, mostKept) && oldestMs() >= SLOW_MS;
  }

  function look(): void {
    if (waiting.size === 0 && !isLost && askedAt === null) {
      if (timer !== null) clearInterval(timer);
      timer = null;
    } else if (askedAt === null) {
      if (isLost || oldestMs() >= OVERDUE_MS) void ask();
    } else if (performance.now() - askedAt >= ANSWER_MS) {
      for (const commit of [...waiting].slice(mostKept)) commit.giveUp();
    }
  }

  async function ask(): Promise<void> {
    askedAt = performance.now();
    // If the server cannot say, this is another outage, of which each statement tells.
    isLost = await isStandbyAwaited().catch(() => false);
    askedAt = null;
    if (isLost) for (const commit of [...waiting]) commit.giveUp();
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
    assertAnswering,
    watch: (answer) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(commit);
          release();
        };
        const commit: WaitingCommit = {
          since: performance.now(),
          giveUp: () => {
            leave();
            reject(standbyAwaited());
          },
        };
        waiting.add(commit);
        timer ??= setInterval(look, LOOK_EVERY_MS).unref();
        answer.then(resolve, reject).finally(leave);
      }),
  };
}

/** Where commits are left to wait as long as they do. */
export const UNWATCHED: CommitWatch = {
  admit: async () => {},
  assertAnswering: () => {},
  watch: (answer) => answer,
};
