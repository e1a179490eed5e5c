/** A program that waits for `SIGTERM`. `stop` does what the signal would do. */
export interface Waiting<Exports> {
  readonly exports: Exports;
  readonly stop: () => Promise<void>;
}

/** Runs a program that waits for `SIGTERM`. @throws Error if it does not. */
export async function playUntilSignal<Exports>(play: () => Promise<Exports>): Promise<Waiting<Exports>> {
  const before = process.listeners('SIGTERM');
  const exports = await play();
  const [added] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  if (added === undefined) throw new Error('The program does not wait for SIGTERM.');
  process.off('SIGTERM', added);
  return { exports, stop: async () => added('SIGTERM') };
}
