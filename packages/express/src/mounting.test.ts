import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import { BASE, listen, serve } from '@partner-hiring/test-support/servers/express-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import type { ErrorRequestHandler, Express } from 'express';
import express from 'express';
import { describe, expect, it, vi } from 'vitest';
import { partnerHiringExpress } from './index.js';

describe(EXPRESS, () => {
  it.each([BASE, `/hiring${BASE}/`, ['/other', BASE]])(
    'at its own base path, which it would serve below itself, it refuses to be mounted: %j',
    (path) => {
      const message = expect.stringContaining(`Mount it without "${BASE}"`);
      const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED', message });
      const mount = () => express().use(path, partnerHiringExpress(createHandlerUnderTest()));
      expect(mount).toThrow(misconfigured);
    },
  );

  it('warns once when its mount path removes the base path, and calls next', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const router = express.Router();
    const { fetch } = await serve(express().use(BASE, router), (middleware) => router.use(middleware));
    for (const path of [`${BASE}/jobs`, `${BASE}/applications`]) expect((await fetch(path)).status).toBe(404);
    const message = expect.stringContaining('`app.use(partnerHiringExpress(partnerHiring))`');
    expect(warn.mock.calls).toEqual([[message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }]]);
  });

  it('does not warn outside the base path', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const router = express.Router();
    const { fetch } = await serve(express().use('/hiring', router), (middleware) => router.use(middleware));
    for (const path of ['/hiring/jobs', `/hiring${BASE}x/jobs`, `${BASE}/jobs`])
      expect((await fetch(path)).status).toBe(404);
    expect(warn).not.toHaveBeenCalled();
  });

  it('names the fix when it is passed without a call or called with a promise', async () => {
    const message = '`partnerHiringExpress(partnerHiring)`';
    const app = express().use(partnerHiringExpress as never);
    app.use(((error, _request, response, _next) => {
      response.status(500).end(error.message);
    }) satisfies ErrorRequestHandler);
    const response = await fetch(`http://127.0.0.1:${await listen(app)}${BASE}/jobs`);
    expect(await response.text()).toContain(message);
    expect(() => partnerHiringExpress(Promise.resolve() as never)).toThrow(message);
  });

  describe('throws behind a body parser, and names the fix', () => {
    const mountable = () => partnerHiringExpress(createHandlerUnderTest());
    const refusal = (parser: string) =>
      expect.objectContaining({
        code: 'MISCONFIGURED',
        message: expect.stringMatching(
          new RegExp(`behind the body parser express\\.${parser}\\(\\)\\. Mount it before the body parser`),
        ),
      });

    it.each(['json', 'urlencoded', 'raw', 'text'] as const)('express.%s()', (parser) => {
      const app = express().use(express[parser]({ extended: false } as never));
      expect(() => app.use(mountable())).toThrow(refusal(parser));
    });

    it.each([
      ['on a path that covers ours', () => express().use('/api', express.json()), '/'],
      ['on a path that covers the prefix', () => express().use('/hiring', express.json()), '/hiring'],
      ['in a router in front', () => express().use('/api', express.Router().use('/v1', express.json())), '/'],
      ['under one of two prefixes', () => express().use('/hiring', express.json()), ['/other', '/hiring']],
      ['in the same call', () => express().use(express.json(), (_request, _response, next) => next()), '/'],
    ] as [string, () => Express, string | string[]][])('%s', (_, create, prefix) => {
      const app = create();
      expect(() => app.use(prefix, mountable())).toThrow(refusal('json'));
    });

    it('in an application that it is mounted on later', () => {
      const inner = express().use('/hiring', mountable());
      const outer = express().use('/v2/hiring', express.json());
      expect(() => outer.use('/v2', inner)).toThrow(refusal('json'));
    });

    it.each([
      ['on other paths', () => express().use('/mine', express.json()), '/'],
      ['on our path outside the prefix', () => express().use('/api', express.json()), '/hiring'],
      [
        'in a router for other paths',
        () => express().use('/api', express.Router().use('/mine', express.json())),
        '/',
      ],
    ] as [string, () => Express, string][])('allows a parser %s', (_, create, prefix) => {
      const app = create();
      expect(() => app.use(prefix, mountable())).not.toThrow();
    });
  });
});
