import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** The load balancer of the API processes. */
export interface Balancer {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Sends requests to the API processes round robin, and retries on the next one if the connection fails. That
 * is safe, because submissions have an idempotency key. A balancer in production also checks health,
 * terminates TLS and sets the client address.
 */
export async function startBalancer(targets: () => readonly string[]): Promise<Balancer> {
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    turn += 1;
    const addresses = targets();
    for (let tried = 0; tried < addresses.length; tried += 1) {
      const target = addresses[(turn + tried) % addresses.length];
      if (target !== undefined && (await forward(target, incoming, body, outgoing))) return;
    }
    outgoing.writeHead(502).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    address: typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : '',
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether the process responded. */
function forward(
  target: string,
  { method, url = '/', headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const passed = { ...headers, 'content-length': String(body.length), connection: 'close' };
    const sent = request(`${target}${url}`, { method, headers: passed, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once('close', () => resolve(true));
    });
    sent.once('error', () => resolve(outgoing.headersSent));
    sent.end(body);
  });
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
