/** One moment by which all of an exchange must be over, over however many connections it goes. */
export interface Deadline {
  /** Calls this when the moment comes, in place of what was to be called before; at once if it has come. */
  onExpiry(act: () => void): void;
  /** Ends it; nothing is called any more. */
  clear(): void;
}

/** A deadline that many milliseconds from now, at most 2^31 of them. */
export function createDeadline(ms: number): Deadline {
  let isExpired = false;
  let act: (() => void) | null = null;
  const timer = setTimeout(() => {
    isExpired = true;
    act?.();
  }, ms);
  return {
    onExpiry: (next) => {
      act = next;
      if (isExpired) next();
    },
    clear: () => {
      act = null;
      clearTimeout(timer);
    },
  };
}
