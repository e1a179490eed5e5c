import type { Repositories, Storage } from '@partner-hiring/core/ports';

/** Repeats a call with an empty batch. */
export type EmptyCall = (all: Repositories) => Promise<unknown>;

/** The calls with a batch that the tests have made, by method. */
export type BatchCalls = Map<string, EmptyCall>;

/** Returns the storage. Notes each method that is called with a batch. */
export function noteBatches<HostTx>(storage: Storage<HostTx>, calls: BatchCalls): Storage<HostTx> {
  return intercept(storage, {
    direct: () => noteIn(storage.direct, calls),
    transaction: (): Storage<HostTx>['transaction'] => (work) =>
      storage.transaction((tx) => work(noteIn(tx, calls))),
  });
}

function noteIn(all: Repositories, calls: BatchCalls): Repositories {
  return new Proxy(all, {
    get: (_, name: string) => {
      const repository: unknown = Reflect.get(all, name);
      return typeof repository === 'object' && repository !== null
        ? noteInOne(repository, name as keyof Repositories, calls)
        : repository;
    },
  });
}

function noteInOne(repository: object, name: keyof Repositories, calls: BatchCalls): object {
  return new Proxy(repository, {
    get: (_, method: string) => {
      const run: unknown = Reflect.get(repository, method);
      if (typeof run !== 'function') return run;
      return (...args: readonly unknown[]) => {
        const empty = emptied(args);
        if (empty !== null) {
          calls.set(`${name}.${method}`, async (all) =>
            Reflect.apply(Reflect.get(all[name], method) as () => unknown, all[name], empty),
          );
        }
        return Reflect.apply(run, repository, args);
      };
    },
  });
}

/**
 * Returns the arguments of a call with empty batches. Null if the call has no batch. A batch is the first argument, or
 * follows the id of a key or a batch.
 */
function emptied([first, second, ...others]: readonly unknown[]): readonly unknown[] | null {
  if (Array.isArray(first)) return [[], Array.isArray(second) ? [] : second, ...others];
  return typeof first === 'string' && Array.isArray(second) ? [first, [], ...others] : null;
}

/** Returns an object with some other properties. It may be an instance of a class. */
export function intercept<Target extends object>(
  target: Target,
  replaced: Readonly<Record<string, () => unknown>>,
): Target {
  return new Proxy(target, {
    get: (_, name: string) => {
      const replace = replaced[name];
      if (replace !== undefined) return replace();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
