import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

const COMMAND = Buffer.from('zINSTREAM\0');
const FOUND = 'stream: Eicar-Test-Signature FOUND\0';

/** Starts a fake ClamAV that finds a virus in each file with this text. Returns its port. It ends with the test. */
export async function startClamd(infected: string): Promise<string> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = answerTo(received, infected);
      if (answer !== null) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return String(address.port);
}

/** Returns null until the request is complete. */
function answerTo(received: Buffer, infected: string): string | null {
  if (received.length < COMMAND.length) return null;
  if (!received.subarray(0, COMMAND.length).equals(COMMAND)) return 'UNKNOWN COMMAND\0';
  const parts: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts).includes(infected) ? FOUND : 'stream: OK\0';
    parts.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
