import type { Repositories, Storage } from '@partner-hiring/core/ports';

/** A storage that can fail or hang. */
export interface BreakableStorage {
  readonly storage: Storage<unknown>;
  /** Makes every call reject with the error; null ends the failure. The next `after` calls still succeed. Default: 0. */
  fail(error: Error | null, after?: number): void;
  /** Makes transactions wait until the returned function is called. */
  hold(): () => void;
}

export function breakable(inner: Storage<unknown>): BreakableStorage {
  let failure: Error | null = null;
  let spared = 0;
  let held: Promise<void> = Promise.resolve();
  const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure === null) return work();
    if (spared === 0) throw failure;
    spared -= 1;
    return work();
  };
  return {
    storage: {
      direct: guardAll(inner.direct, orFail),
      transaction: (work) =>
        orFail(async () => {
          await held;
          return inner.transaction(work);
        }),
      within: (hostTx) => inner.within(hostTx),
      hostTransactions: inner.hostTransactions,
      close: () => inner.close(),
    },
    fail: (error, after = 0) => {
      failure = error;
      spared = after;
    },
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

type Guard = <T>(work: () => Promise<T>) => Promise<T>;
type Method = (...args: unknown[]) => Promise<unknown>;

function guardAll(repositories: Repositories, guard: Guard): Repositories {
  return new Proxy(repositories, {
    get: (all, name) => guardMethods(Reflect.get(all, name) as object, guard),
  });
}

function guardMethods(repository: object, guard: Guard): object {
  return new Proxy(repository, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as Method;
      return (...args: unknown[]) => guard(() => method.apply(target, args));
    },
  });
}
