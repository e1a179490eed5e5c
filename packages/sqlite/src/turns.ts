/** Lets calls take turns: each begins when the one before it has ended, in the order they came. */
export interface Turns {
  <T>(work: () => Promise<T>): Promise<T>;
}

/** One line of calls. Between two of them no timer runs, only microtasks. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
