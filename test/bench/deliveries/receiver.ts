import { startServer } from '../start-server.js';

export type ToReceiver =
  | { readonly kind: 'expect'; readonly count: number; readonly marks: boolean }
  | { readonly kind: 'report' }
  | { readonly kind: 'drop' };

export type FromReceiver =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reached'; readonly at: number }
  | ReceiverReport;

/** What was received since the last `expect`. */
export interface ReceiverReport {
  readonly kind: 'report';
  readonly answered: number;
  readonly hanging: number;
  readonly mostOpen: number;
  /** When each mark was first received, in milliseconds since 1970 with their fractions. */
  readonly marks: Readonly<Record<string, number>>;
}

/** The receiver, in a process of its own. */
export interface Receiver {
  url(path: string): string;
  /** Counts from nothing; the answer resolves, with the instant, when that many were answered. */
  expect(count: number, marks?: boolean): Promise<{ readonly reached: Promise<number> }>;
  report(): Promise<ReceiverReport>;
  /** Closes all connections, so that what hangs ends. */
  drop(): Promise<void>;
  stop(): void;
}

/** Starts the receiver that all senders share. */
export async function startReceiver(): Promise<Receiver> {
  const server = await startServer('receiver.js');
  const { port, child } = server;

  type Of<Kind> = Extract<FromReceiver, { kind: Kind }>;
  const waiting = new Map<string, (message: never) => void>();
  child.on('message', (message: FromReceiver) => waiting.get(message.kind)?.(message as never));

  /** The next message of that kind; whoever waited for one before waits no longer. */
  function next<Kind extends FromReceiver['kind']>(kind: Kind): Promise<Of<Kind>> {
    return new Promise((resolve) => waiting.set(kind, (message: Of<Kind>) => resolve(message)));
  }

  const tell = (message: ToReceiver) => void child.send(message);

  return {
    url: (path) => `http://127.0.0.1:${port}/${path}`,
    expect: async (count, marks = false) => {
      const reached = next('reached').then(({ at }) => at);
      const ready = next('ready');
      tell({ kind: 'expect', count, marks });
      await ready;
      return { reached };
    },
    report: async () => {
      const report = next('report');
      tell({ kind: 'report' });
      return report;
    },
    drop: async () => {
      const ready = next('ready');
      tell({ kind: 'drop' });
      await ready;
    },
    stop: server.stop,
  };
}
