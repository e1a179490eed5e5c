/**
 * A partner's receiver that costs as little as it can: it reads what has to be read to find where a request
 * ends, and answers 204. It counts by path, and notes when what is asked for was received. Paths that begin
 * with `/hang` are never answered.
 */
import { createServer, type Socket } from 'node:net';
import type { FromReceiver, ToReceiver } from '../deliveries/receiver.js';

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
/** In the bodies of the latency figures: what tells one from another. */
const MARK = /"mark":"([^"]+)"/;

let answered = 0;
let hanging = 0;
let target: number | null = null;
let marks: Record<string, number> | null = null;
let open = 0;
let mostOpen = 0;
const sockets = new Set<Socket>();

const say = (message: FromReceiver) => process.send?.(message);
const now = () => performance.timeOrigin + performance.now();

const server = createServer((socket) => {
  sockets.add(socket);
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  let pending = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    sockets.delete(socket);
    open -= 1;
  });
  socket.on('data', (chunk: string) => {
    pending += chunk;
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const end = headEnd + 4 + Number(LENGTH.exec(pending)?.[1] ?? 0);
      if (pending.length < end) return;
      const request = pending.slice(0, end);
      pending = pending.slice(end);
      receive(socket, request);
    }
  });
});

function receive(socket: Socket, request: string): void {
  if (request.startsWith('POST /hang')) {
    hanging += 1;
    return;
  }
  socket.write(ANSWER);
  answered += 1;
  const mark = marks === null ? undefined : MARK.exec(request)?.[1];
  if (marks !== null && mark !== undefined) marks[mark] ??= now();
  if (answered === target) say({ kind: 'reached', at: now() });
}

process.on('message', (message: ToReceiver) => {
  switch (message.kind) {
    case 'expect':
      answered = 0;
      hanging = 0;
      mostOpen = open;
      target = message.count;
      marks = message.marks ? {} : null;
      say({ kind: 'ready' });
      break;
    case 'report':
      say({ kind: 'report', answered, hanging, mostOpen, marks: marks ?? {} });
      break;
    case 'drop':
      for (const socket of sockets) socket.destroy();
      say({ kind: 'ready' });
      break;
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.({ port: address.port });
});
