import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A partner's HTTP client with keep-alive and without retries. */
export type HttpClient = ReturnType<typeof createHttpClient>;

/** Longer than the API's slowest answer. */
const ANSWER_WITHIN_MS = 30_000;

export function createHttpClient() {
  const agent = new Agent({ keepAlive: true });
  return {
    /** Null without a reply. */
    send: ({ method, url, headers, body }: Ask) =>
      new Promise<Answer | null>((resolve) => {
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
