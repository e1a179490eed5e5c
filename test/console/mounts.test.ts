/** The console in each framework, over a real connection. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { ConsoleActor } from '@partner-hiring/console';
import express from 'express';
import Fastify from 'fastify';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../conformance/listen.js';
import { MOUNTS } from './mounts.js';
import { ADMIN, openPlatform, visit } from './platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

async function serve(listener: RequestListener): Promise<number> {
  const { port, close } = await listen(listener);
  onTestFinished(close);
  return port;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

// Where the host has a parser of its own, it reads the body before the console gets the request.
const UNPARSED = Object.entries(MOUNTS).filter(([name]) => !name.includes('parser'));

it.each(UNPARSED)('%s answers a stranger with 404 to any method, before a body arrives', async (_, mount) => {
  const visitor = visit(platform.fixture);
  visitor.become(null);
  const { port, close } = await mount(visitor.console);
  onTestFinished(close);
  const answerTo = async (method: string, length: number) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    onTestFinished(() => void socket.destroy());
    const type = 'content-type: application/x-www-form-urlencoded';
    // The body never comes.
    socket.write(
      `${method} /console/applications HTTP/1.1\r\nhost: a.example\r\n${type}\r\ncontent-length: ${length}\r\n\r\n`,
    );
    let text = '';
    while (!/\r\n\r\n./s.test(text)) text += (await once(socket, 'data'))[0];
    return [text.split(' ')[1], /^allow:/im.test(text)];
  };
  for (const [method, length] of [
    ['POST', 5],
    ['POST', 300_000],
    ['PUT', 0],
    ['DELETE', 0],
    ['OPTIONS', 0],
  ] as const) {
    expect([method, length, ...(await answerTo(method, length))]).toEqual([method, length, '404', false]);
  }
});

describe.each(Object.entries(MOUNTS))('%s', (_, mount) => {
  it('serves pages, forms and files, and leaves the rest to the host', async () => {
    const { alan, fixture } = platform;
    const visitor = visit(fixture);
    const { port, close } = await mount(visitor.console);
    onTestFinished(close);
    const origin = `http://127.0.0.1:${port}`;
    const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        body,
        headers: { ...FORM, ...headers },
        redirect: 'manual',
      });

    const page = await fetch(`${origin}/console`);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain('<h1>Overview</h1>');
    const [, style = ''] = /href="(\/console\/assets\/[^"]+)"/.exec(text) ?? [];
    expect((await fetch(`${origin}${style}`)).headers.get('content-type')).toContain('text/css');

    const same = { 'sec-fetch-site': 'same-origin' };
    const csv = await post('/console/queues/unchanged.csv', 'days=1', same);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="queues-unchanged.csv"');
    expect((await csv.text()).split('\r\n')).toHaveLength(4);
    const moved = await post(
      `/console/applications/${alan}/move`,
      'stage=under_review&reason=t%C3%A9st',
      same,
    );
    expect([moved.status, moved.headers.get('location')]).toEqual([303, `/console/applications/${alan}`]);
    expect(moved.headers.getSetCookie()).toEqual([expect.stringContaining('HttpOnly')]);
    const { items: entries } = await fixture.operator.audit.list({
      object: { kind: 'application', id: alan },
      limit: 1,
    });
    expect(entries[0]?.actor).toMatchObject({ reason: 'tést' });
    await fixture.operator.applications.move({ id: alan, stage: 'final_review' });

    const searched = await post('/console/applications', 'q=Turing%2C+Alan', same);
    expect([searched.status, searched.headers.get('location'), searched.url]).toEqual([
      200,
      null,
      `${origin}/console/applications`,
    ]);
    expect(await searched.text()).toContain(`/console/applications/${alan}`);
    expect((await post('/console/applications', 'q=Turing%2C+Alan', {})).status).toBe(403);

    expect((await post(`/console/applications/${alan}/move`, 'stage=under_review', {})).status).toBe(403);
    expect((await fetch(`${origin}/own`)).status).toBe(200);
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    expect((await fetch(`${origin}/console`, { method: 'HEAD' })).status).toBe(200);
    visitor.become({ ...ADMIN, partnerids: [] } as ConsoleActor);
    expect((await fetch(`${origin}/console/applications`)).status).toBe(503);
    visitor.become(null);
    expect((await fetch(`${origin}/console/applications`)).status).toBe(404);
  });
});

it('Node’s own server answers 404 outside of the console, and 405 to other methods', async () => {
  const { node } = visit(platform.fixture).console;
  const origin = `http://127.0.0.1:${await serve((request, response) => node(request, response))}`;
  expect((await fetch(`${origin}/consoles`)).status).toBe(404);
  expect((await fetch(`${origin}/console`, { method: 'DELETE' })).status).toBe(405);
});

it('Koa’s own routes are awaited, and their errors arrive', async () => {
  const { node } = visit(platform.fixture).console;
  const story: string[] = [];
  const outcome = (next: () => unknown) =>
    node({ url: '/own' } as IncomingMessage, {} as ServerResponse, next).then(
      () => story.push('resolved'),
      (error: unknown) => story.push(String(error)),
    );
  await outcome(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    story.push('answered');
  });
  await outcome(() => Promise.reject(new Error('The route failed.')));
  expect(story).toEqual(['answered', 'resolved', 'Error: The route failed.']);
});

it('gives the actor hook the request of the framework', async () => {
  const hosts: unknown[] = [];
  const { console: opened } = visit(platform.fixture, {
    actor: (_request, host) => {
      hosts.push(host);
      return null;
    },
  });
  const app = express().use((request, _response, next) => {
    Object.assign(request, { user: { id: 'user_42' } });
    next();
  }, opened.node);
  const origin = `http://127.0.0.1:${await serve(app)}`;
  expect((await fetch(`${origin}/console`)).status).toBe(404);
  expect(hosts).toMatchObject([{ user: { id: 'user_42' } }]);
});

it('refuses a form that is too large', async () => {
  const { node } = visit(platform.fixture).console;
  const origin = `http://127.0.0.1:${await serve((request, response) => node(request, response))}`;
  const headers = { ...FORM, 'sec-fetch-site': 'same-origin' };
  const body = `q=${'x'.repeat(300 * 1024)}`;
  expect((await fetch(`${origin}/console/applications`, { method: 'POST', headers, body })).status).toBe(413);
});

it('Fastify under a prefix names the fix', async () => {
  const { fastify } = visit(platform.fixture).console;
  const app = Fastify();
  const register = async () => {
    await app.register(fastify, { prefix: '/admin' });
  };
  await expect(register()).rejects.toThrow('set its option `path` to "/admin/console"');
});
