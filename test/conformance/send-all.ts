import { connect } from 'node:net';

/** Sends bytes over a connection of their own; all that came back, once the server has closed it. */
export function sendAll(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes));
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}
