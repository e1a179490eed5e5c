import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { onTestFinished } from 'vitest';

/** Addresses by name. The server does not answer for other names. */
export type KnownNames = Readonly<Record<string, readonly string[]>>;

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

type RecordType = 'A' | 'AAAA';

/** Starts a name server for the test. It never answers a query of the type `dropped`, whatever the name. */
export async function startNameServer(known: KnownNames, dropped?: RecordType) {
  const socket = createSocket('udp4');
  const silent: { readonly name: string; readonly answer: () => void }[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const isV6 = type === TYPE_AAAA;
    const answer = () => {
      const addresses = (known[name] ?? []).filter((one) => one.includes(':') === isV6);
      socket.send(compose(query.subarray(0, end), addresses), port, address);
    };
    const isDropped = known[name] === undefined || dropped === (isV6 ? 'AAAA' : 'A');
    if (isDropped) silent.push({ name, answer });
    else answer();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return {
    /** The address with port, for a resolver. */
    address: `127.0.0.1:${socket.address().port}`,
    /** The unanswered queries. */
    silentAbout: () => silent.map(({ name }) => name),
    /** Answers the queries that are still unanswered. Unknown names have no address. */
    speak: () => {
      for (const { answer } of silent) answer();
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

/** Builds a DNS record: a pointer to the name, type, class IN, TTL 0, and an address of 4 or 16 bytes. */
function addressRecord(address: string): Buffer {
  const bytes = ipaddr.parse(address).toByteArray();
  const type = bytes.length === 4 ? TYPE_A : TYPE_AAAA;
  return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}
