/** A test that runs in every runtime. */
export interface RuntimeTest {
  readonly name: string;
  /** Rejects if the test fails. */
  readonly run: () => Promise<void>;
}

/**
 * Compares two values as JSON.
 *
 * @throws Error if they differ.
 */
export function equal(actual: unknown, expected: unknown, about = ''): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${about && `${about}: `}is ${is}, should be ${should}`);
}

/** @throws Error unless it rejects with a TypeError that names the option. */
export async function rejects(promise: Promise<unknown>, option: string, about: string): Promise<void> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TypeError && error.message.includes(option)) return;
  throw new Error(`${about}: ${error === null ? 'nothing was thrown' : String(error)}`);
}
