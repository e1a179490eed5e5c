import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** IPv4 addresses by name. The server does not answer for other names. */
export type KnownNames = Readonly<Record<string, readonly string[]>>;

/** A name server on this machine. */
export interface NameServer {
  /** The address with port, for a resolver. */
  readonly address: string;
  /** The unanswered queries. */
  silentAbout(): readonly string[];
  /** Answers the queries that are still unanswered: their names do not exist. */
  speak(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** Starts a name server for the test. */
export async function startNameServer(known: KnownNames): Promise<NameServer> {
  const socket = createSocket('udp4');
  const silent: { readonly name: string; readonly answerNothing: () => void }[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const answer = (addresses: readonly string[]) =>
      socket.send(compose(query.subarray(0, end), addresses), port, address);
    const addresses = known[name];
    if (addresses === undefined) silent.push({ name, answerNothing: () => answer([]) });
    else answer(type === TYPE_A ? addresses : []);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return {
    address: `127.0.0.1:${socket.address().port}`,
    silentAbout: () => silent.map(({ name }) => name),
    speak: () => {
      for (const { answerNothing } of silent) answerNothing();
    },
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Builds the response to a DNS query: header, question, addresses. */
function compose(question: Buffer, addresses: readonly string[]): Buffer {
  const start = Buffer.from(question);
  start.writeUInt16BE(0x8180, 2);
  for (const [at, count] of [1, addresses.length, 0, 0].entries()) start.writeUInt16BE(count, 4 + 2 * at);
  return Buffer.concat([start, ...addresses.map(addressRecord)]);
}

/** Builds a DNS record: a pointer to the name, type A, class IN, TTL 0, and an address of four bytes. */
function addressRecord(address: string): Buffer {
  return Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    TYPE_A,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    4,
    ...address.split('.').map(Number),
  ]);
}
