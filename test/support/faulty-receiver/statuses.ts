import { answered, type Behaviour, type ExpectedEnd, failed, reply, say } from './behaviour.js';

/** Receivers with a rare, invalid or missing status. */
export const STATUSES: readonly Behaviour[] = [
  ...[200, 201, 202, 206, 226, 299, 400, 401, 404, 408, 410, 418, 421, 500, 502, 599].map((status) =>
    answering(`${status}`, reply(status, 'as it is'), answered(status, 'as it is')),
  ),
  answering('204', 'HTTP/1.1 204 No Content\r\n\r\n', answered(204)),
  answering('205', 'HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n', answered(205)),
  answering('304', 'HTTP/1.1 304 Not Modified\r\n\r\n', answered(304)),
  answering(
    '429, to come back in a second',
    reply(429, 'later', ['retry-after: 1']),
    answered(429, 'later', 1_000),
  ),
  answering(
    '429, to come back in 50 seconds',
    reply(429, '', ['retry-after: 50']),
    answered(429, '', 50_000),
  ),
  answering('503, to come back at no date', reply(503, '', ['retry-after: never']), answered(503)),
  answering('600', reply(600), answered(600)),
  answering('999', reply(999), answered(999)),
  answering('99', reply(99), failed('protocol_error')),
  answering('0', reply(0), failed('protocol_error')),
  answering('2000', reply(2000), failed('protocol_error')),
  answering('-200', reply('-200'), failed('protocol_error')),
  answering('OK', reply('OK'), failed('protocol_error')),
  answering('100 alone', 'HTTP/1.1 100 Continue\r\n\r\n', failed('timed_out')),
  answering('101', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', failed('protocol_error')),
  answering('102 alone', 'HTTP/1.1 102 Processing\r\n\r\n', failed('timed_out')),
  answering('103 alone', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', failed('timed_out')),
  answering('199 alone', 'HTTP/1.1 199 Odd\r\n\r\n', failed('timed_out')),
  answering(
    '100 and then 200',
    Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), reply(200, 'ok')]),
    answered(200, 'ok'),
  ),
  answering('103 and then 200', hinted(reply(200, 'ok')), answered(200, 'ok')),
  answering('103 and then 500', hinted(reply(500, 'no')), answered(500, 'no')),
];

function answering(what: string, bytes: string | Buffer, end: ExpectedEnd): Behaviour {
  return { name: `answers ${what}`, play: say(bytes), ends: [end] };
}

function hinted(then: Buffer): Buffer {
  return Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), then]);
}
