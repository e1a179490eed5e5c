import { vi } from 'vitest';

/** A program that calls `stopOnSignals`. `stop` does what Ctrl-C in a terminal would do, but this process goes on. */
export interface Waiting<Exports> {
  readonly exports: Exports;
  readonly stop: () => Promise<void>;
}

const EVENTS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'message'] as const;
const listenersOf = (event: string) => process.listeners(event as 'SIGINT');

/** Runs a program that waits for signals. @throws Error if it does not. */
export async function playUntilSignal<Exports>(play: () => Promise<Exports>): Promise<Waiting<Exports>> {
  const before = EVENTS.map(listenersOf);
  const exports = await play();
  const [, interrupt] = EVENTS.map((event, index) => {
    const added = listenersOf(event).find((listener) => !before[index]?.includes(listener));
    if (added === undefined) throw new Error(`The program does not wait for ${event}.`);
    process.off(event, added);
    return added;
  });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= new Promise<void>((resolve) => {
      const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
        exit.mockRestore();
        resolve();
        return undefined as never;
      });
      const { stdin } = process;
      const { isTTY } = stdin;
      stdin.isTTY = true;
      interrupt?.('SIGINT');
      stdin.isTTY = isTTY;
    });
    return stopped;
  };
  return { exports, stop };
}
