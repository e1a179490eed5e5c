/** A rule of the verifier, in a form that every runtime can run. */
export interface RuntimeTest {
  readonly name: string;
  /** Rejects if the rule is broken. */
  readonly run: () => Promise<void>;
}

/**
 * Compares what JSON can say.
 *
 * @throws Error if it differs.
 */
export function equal(actual: unknown, expected: unknown, about = ''): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${about && `${about}: `}is ${is}, should be ${should}`);
}

/** @throws Error unless it rejects with a TypeError that says something of the option. */
export async function rejects(promise: Promise<unknown>, option: string, about: string): Promise<void> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TypeError && error.message.includes(option)) return;
  throw new Error(`${about}: ${error === null ? 'nothing was thrown' : String(error)}`);
}
