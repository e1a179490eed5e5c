/** All receivers in their frameworks, on real servers. */
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { BODY, EVENT, headersOf, post, recording, SECRET, send } from './deliveries.js';
import { FRAMEWORKS } from './frameworks.js';

const TAKEN = { status: 204, body: '' };
const refused = (reason: string) => ({ status: 400, body: JSON.stringify({ reason }) });
const now = () => Math.floor(Date.now() / 1_000);

describe.each(Object.entries(FRAMEWORKS))('%s', (_name, mount) => {
  test('returns 204 for a delivery, and calls onEvent', async () => {
    const { options, events, refusals } = recording();
    const { port, errors } = await mount(options);
    expect(await send(port)).toMatchObject(TAKEN);
    expect([events, refusals, errors]).toEqual([[EVENT], [], []]);
  });

  test('accepts a body that is split within characters', async () => {
    const { options, events } = recording();
    const { port } = await mount(options);
    const body = [...Buffer.from(BODY)].map((byte) => Uint8Array.of(byte));
    expect(await send(port, { body })).toMatchObject(TAKEN);
    expect(events).toEqual([EVENT]);
  });

  test.each([
    ['application/json; charset=utf-8'],
    ['application/json; charset=latin1'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/vnd.partner+json'],
    [undefined],
  ])('accepts any content type: %s', async (type) => {
    const { options, events } = recording();
    const { port } = await mount(options);
    const { 'Content-Type': _, ...signed } = await headersOf();
    const headers = type === undefined ? signed : { ...signed, 'Content-Type': type };
    expect(await send(port, { headers })).toMatchObject(TAKEN);
    expect(events).toHaveLength(1);
  });

  test('returns 400 with the reason for a changed body, and passes the hint only to the host', async () => {
    const { options, events, refusals } = recording();
    const { port } = await mount(options);
    const reason = 'no_matching_signature';
    expect(await send(port, { body: BODY.replace('Köchin', 'Koechi') })).toMatchObject(refused(reason));
    expect(events).toEqual([]);
    expect(refusals).toEqual([{ ok: false, reason, hint: expect.stringContaining('raw bytes') }]);
  });

  test('rejects unsigned and old deliveries', async () => {
    const { options, events } = recording();
    const { port } = await mount(options);
    expect(await send(port, { headers: {} })).toMatchObject(refused('missing_header'));
    const headers = await headersOf(BODY, now() - 400);
    expect(await send(port, { headers })).toMatchObject(refused('too_old'));
    expect(events).toEqual([]);
  });

  test('uses its tolerance', async () => {
    const { options } = recording({ toleranceSeconds: 4_000 });
    const { port } = await mount(options);
    expect(await send(port, { headers: await headersOf(BODY, now() - 400) })).toMatchObject(TAKEN);
  });

  test('rejects an empty request', async () => {
    const { options, events } = recording();
    const { port } = await mount(options);
    expect(await send(port, { headers: await headersOf(''), body: '' })).toMatchObject({ status: 400 });
    expect(events).toEqual([]);
  });

  test('rejects a repeated signature header', async () => {
    const { options } = recording();
    const { port } = await mount(options);
    const headers = await headersOf();
    const twice = { ...headers, 'X-Partner-Signature': Array(2).fill(headers['X-Partner-Signature']) };
    expect(await send(port, { headers: twice })).toMatchObject(refused('malformed_header'));
  });

  test('returns 413 beyond maxBytes, with or without Content-Length', async () => {
    const length = Buffer.byteLength(BODY);
    const exact = recording({ maxBytes: length });
    expect(await send((await mount(exact.options)).port)).toMatchObject(TAKEN);

    const { options, events, refusals } = recording({ maxBytes: length - 1 });
    const { port, errors } = await mount(options);
    for (const body of [BODY, [Buffer.from(BODY)]]) {
      const { status, body: answer } = await send(port, { body });
      expect([status, answer]).toEqual([413, '{"reason":"body_too_large"}']);
    }
    expect(events).toEqual([]);
    const hint = expect.stringContaining('raise maxBytes');
    expect(refusals).toEqual(Array(2).fill({ ok: false, reason: 'body_too_large', hint }));
    expect(errors).toEqual([]);
  });

  test('accepts bodies that exceed the framework’s own limit', async () => {
    const { options, events } = recording({ maxBytes: 4_000_000 });
    const { port } = await mount(options);
    const body = JSON.stringify({ ...EVENT, more: 'x'.repeat(3_000_000) });
    expect(await send(port, { headers: await headersOf(body), body })).toMatchObject(TAKEN);
    expect(events).toHaveLength(1);
  });

  test('ignores an aborted request, and continues', async () => {
    const { options, events, refusals } = recording();
    const { server, port, errors } = await mount(options);
    const received = once(server, 'request');
    const broken = post(port, { ...(await headersOf()), 'Content-Length': String(Buffer.byteLength(BODY)) });
    broken.on('error', () => {}).write(BODY.slice(0, 50));
    const [{ socket }] = await received;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    broken.destroy();
    await closed;
    await vi.waitFor(() => expect(errors).toHaveLength(1), 60_000);
    expect([events, refusals]).toEqual([[], []]);
    expect(await send(port)).toMatchObject(TAKEN);
    expect(events).toEqual([EVENT]);
  });

  test('does not decode the body', async () => {
    const { options, reasons } = recording();
    const { port } = await mount(options);
    const headers = { ...(await headersOf()), 'Content-Encoding': 'gzip' };
    expect(await send(port, { headers, body: gzipSync(BODY) })).toMatchObject(
      refused('no_matching_signature'),
    );
    expect(await send(port, { headers })).toMatchObject(TAKEN);
    expect(reasons()).toEqual(['no_matching_signature']);
  });

  test('returns 204 after onEvent has finished', async () => {
    const order: string[] = [];
    const onEvent = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('done');
    };
    const { port } = await mount(recording({ onEvent }).options);
    expect(await send(port)).toMatchObject(TAKEN);
    expect([...order, 'answered']).toEqual(['done', 'answered']);
  });

  test.each(['throws', 'rejects'])(
    'calls the error handler when onEvent %s, so that the service retries',
    async (how) => {
      const failure = new Error('The queue is full.');
      let isFull = true;
      const onEvent = () => {
        if (!isFull) return undefined;
        if (how === 'throws') throw failure;
        return Promise.reject(failure);
      };
      const { port, errors } = await mount(recording({ onEvent }).options);
      expect(await send(port)).toMatchObject({ status: 500 });
      expect(errors).toEqual([failure]);
      isFull = false;
      expect(await send(port)).toMatchObject(TAKEN);
    },
  );

  test('responds after onRefused has finished, and calls the error handler if it rejects', async () => {
    const failure = new Error('The log is full.');
    const { port, errors } = await mount(recording({ onRefused: () => Promise.reject(failure) }).options);
    expect(await send(port, { headers: {} })).toMatchObject({ status: 500 });
    expect(errors).toEqual([failure]);
  });

  test('calls a secret function for each delivery', async () => {
    let secrets: readonly string[] = ['whsec_former'];
    const { options, reasons } = recording({ secret: async () => secrets });
    const { port, errors } = await mount(options);
    await send(port);
    secrets = ['whsec_former', SECRET];
    expect(await send(port)).toMatchObject(TAKEN);
    expect(reasons()).toEqual(['no_matching_signature']);
    secrets = [];
    expect(await send(port)).toMatchObject({ status: 500 });
    secrets = [' '];
    expect(await send(port)).toMatchObject({ status: 500 });
    secrets = [`"${SECRET}"`];
    expect(await send(port)).toMatchObject({ status: 500 });
    const misuse = expect.objectContaining({ name: 'TypeError' });
    expect(errors).toEqual([misuse, misuse, misuse]);
  });

  test('logs refusals with console.warn by default', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { port } = await mount({ secret: SECRET, onEvent: () => {} });
    await send(port, { headers: {} });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^Webhook refused \(missing_header\): X-Partner/)],
    ]);
  });

  test.each([
    ['secret', ''],
    ['secret', ' \u3000\n'],
    ['secret', ['whsec_a', '\t']],
    ['secret', `"${SECRET}"`],
    ['secret', `'${SECRET}'`],
    ['secret', `“${SECRET}”`],
    ['secret', `"${SECRET}`],
    ['secret', `${SECRET}\n`],
    ['secret', `${SECRET}\r\n`],
    ['secret', `${SECRET}\\n`],
    ['secret', ` ${SECRET}`],
    ['secret', `\ufeff${SECRET}`],
    ['secret', `${SECRET.slice(0, 20)}\n${SECRET.slice(20)}`],
    ['secret', `WEBHOOK_SECRET=${SECRET}`],
    ['secret', `${SECRET},`],
    ['secret', SECRET.slice('whsec_'.length)],
    ['secret', [SECRET, `"${SECRET}"`]],
    ['secret', []],
    ['secret', undefined],
    ['onEvent', undefined],
    ['toleranceSeconds', Number.NaN],
    ['toleranceSeconds', -1],
    ['maxBytes', 0],
    ['maxBytes', Number.NaN],
    ['maxBytes', Number.POSITIVE_INFINITY],
  ])('throws at start for %s: %j', async (option, value) => {
    const { options } = recording();
    const start = async () => mount({ ...options, [option]: value });
    await expect(start()).rejects.toThrow(
      expect.objectContaining({ message: expect.stringContaining(option) }),
    );
  });
});
