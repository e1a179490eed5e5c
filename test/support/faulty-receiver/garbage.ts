import { answered, type Behaviour, type ExpectedEnd, failed, oddly, say } from './behaviour.js';

const NO_HTTP = failed('protocol_error');

/** Receivers whose response is not valid HTTP, or not to the letter. */
export const GARBAGE: readonly Behaviour[] = [
  garbage('the greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
  garbage('the greeting of SMTP', '220 mail.example.org ESMTP\r\n'),
  garbage('HTTP/0.9', '<html>fine</html>'),
  garbage('HTTP/2', Buffer.from('0000120400000000000003000000640004001000000006004000', 'hex')),
  garbage('HTTP/9.9', 'HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n', oddly(200)),
  garbage('a radio station', 'ICY 200 OK\r\nicy-name: x\r\n\r\n'),
  garbage('all bytes there are', Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256))),
  garbage('NUL bytes', Buffer.alloc(1_000)),
  garbage('a request', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
  garbage('white space', ' \t HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  garbage(
    'a header field with NUL',
    'HTTP/1.1 200 OK\r\nx-a: b\u0000c\r\ncontent-length: 0\r\n\r\n',
    oddly(200),
  ),
  garbage('a header field without a name', 'HTTP/1.1 200 OK\r\n: b\r\ncontent-length: 0\r\n\r\n', oddly(200)),
  garbage(
    'a header field without a colon',
    'HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 0\r\n\r\n',
    oddly(200),
  ),
  garbage('a huge header field', `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(20_000)}\r\n\r\n`, oddly(200)),
  garbage('a huge name of a field', `HTTP/1.1 200 OK\r\n${'b'.repeat(20_000)}: a\r\n\r\n`, oddly(200)),
  garbage('very many header fields', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(5_000)}\r\n`, oddly(200)),
  garbage('a huge reason', `HTTP/1.1 200 ${'b'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`, answered(200)),
  garbage('many fields, yet within the limit', fields(1_000), answered(200, 'ok')),
  garbage('no reason', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', answered(200, 'ok')),
  garbage('HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', answered(200, 'ok')),
];

function garbage(what: string, bytes: string | Buffer, end: ExpectedEnd = NO_HTTP): Behaviour {
  return { name: `answers with ${what}`, play: say(bytes), ends: [end] };
}

function fields(count: number): string {
  return `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(count)}content-length: 2\r\n\r\nok`;
}
