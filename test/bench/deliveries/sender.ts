import { startServer } from '../start-server.js';

/** What a sender is told. Each order is answered with {@link FromSender} when it has been carried out. */
export type ToSender =
  /** Only say how much processor time was used. */
  | { readonly kind: 'usage' }
  /** Begin to send what is there. */
  | { readonly kind: 'start' }
  /** End what is under way, record it, and begin nothing more. */
  | { readonly kind: 'stop' }
  /** Commit that many events, one every so many milliseconds, and say when each was committed. */
  | {
      readonly kind: 'commit';
      readonly count: number;
      readonly everyMs: number;
      readonly key: string;
    };

export interface FromSender {
  readonly kind: 'done';
  /** Processor time that the process has used, user and system, in milliseconds. */
  readonly processorMs: number;
  /** When each mark was committed. */
  readonly marks: Readonly<Record<string, number>>;
}

/** A program that sends, in a process of its own. */
export interface Sender {
  readonly message: Readonly<Record<string, unknown>>;
  tell(order: ToSender): Promise<FromSender>;
  end(): void;
}

/** Starts a sender: of this checkout, unless it is given the folder of another one's built servers. */
export async function startSender(file: string, args: readonly string[], folder?: string): Promise<Sender> {
  const { child, message } = await startServer(file, args, folder);
  return {
    message,
    tell: (order) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}.`));
        child.once('exit', ended);
        child.once('message', (answer: FromSender) => {
          child.off('exit', ended);
          resolve(answer);
        });
        child.send(order);
      }),
    // The program ends by itself: a profile that was asked for is then written.
    end: () => child.disconnect(),
  };
}
