import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A reply as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request on its way to a replica. */
export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A partner's HTTP client: connections that are kept, and no retries that nobody asked for. */
export interface HttpClient {
  /** The reply, or null if the server went away or did not answer. */
  send(ask: Ask): Promise<Answer | null>;
  close(): void;
}

/** More than the API takes for its slowest answer; a request that waits longer was lost. */
const ANSWER_WITHIN_MS = 30_000;

export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, url, headers, body }) =>
      new Promise((resolve) => {
        const lost = () => resolve(null);
        const sent = request(url, { method, headers, agent, timeout: ANSWER_WITHIN_MS }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', lost);
          reply.on('close', lost);
          reply.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text });
          });
        });
        sent.on('error', lost);
        sent.on('timeout', () => sent.destroy());
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
