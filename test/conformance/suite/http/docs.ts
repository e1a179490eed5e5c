import { createFetchHandler, type Handler, type HttpReply } from '@partner-hiring/core';
import { createPartnerDocs } from '@partner-hiring/partner-docs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_TIMEOUT_MS } from '../fresh-window.js';
import type { HttpUnderTest, Served } from './fixture.js';
import {
  buildRequest,
  headerOf,
  openConnection,
  type RawResponse,
  type RequestParts,
} from './raw-connection.js';
import { expectOnWire } from './same-on-wire.js';

const docs = createPartnerDocs({ origin: 'http://partner-api.test', sandbox: true });
const { basePath } = docs.handler;

/** Serves the documentation in place of the API. It is mounted in the same way. */
export function describeDocs({ serve }: HttpUnderTest): void {
  describe('the documentation for partners', () => {
    let served: Served | undefined;
    let replied: HttpReply | undefined;
    beforeAll(async () => {
      const record = async (request: Parameters<Handler>[0]) => {
        replied = await docs.handler(request);
        return replied;
      };
      const handler = Object.assign(record, { basePath });
      served = await serve({ handler, fetch: createFetchHandler(handler) });
    }, TEST_TIMEOUT_MS);
    afterAll(async () => served?.close(), TEST_TIMEOUT_MS);

    async function ask(parts: RequestParts): Promise<RawResponse> {
      const connection = await openConnection(served?.port ?? 0);
      try {
        connection.write(buildRequest(parts));
        const response = await connection.read(parts.method);
        expectOnWire(response, replied, parts.method ?? 'GET');
        return response;
      } finally {
        connection.destroy();
      }
    }

    it.each(docs.pages)(
      'GET $path returns the text of the page, without a key',
      async ({ path, text, contentType }) => {
        const response = await ask({ target: `${basePath}/${path}` });
        expect([response.status, headerOf(response, 'Content-Type')]).toEqual([200, contentType]);
        expect(response.body.toString()).toBe(text);
      },
    );

    it.each(docs.pages.filter(({ html }) => html !== undefined))(
      'a browser gets $path as HTML, by GET and by HEAD',
      async ({ path, html }) => {
        const target = path === 'llms.txt' ? basePath : `${basePath}/${path.replace('.md', '')}`;
        const fields = [['Accept', 'text/html,*/*;q=0.8']] as const;
        const [get, head] = [await ask({ target, fields }), await ask({ method: 'HEAD', target, fields })];
        expect([get.status, get.body.toString()]).toEqual([200, html?.text]);
        for (const name of ['Content-Type', 'Content-Security-Policy', 'X-Content-Type-Options'] as const) {
          expect([headerOf(get, name), headerOf(head, name)]).toEqual([
            html?.headers[name],
            html?.headers[name],
          ]);
        }
        expect(head.body.byteLength).toBe(0);
      },
    );

    it.each([
      ['text/markdown', 'text/markdown; charset=utf-8'],
      ['text/html', 'text/html; charset=utf-8'],
    ])('the header Accept with %s chooses the form of a page', async (accept, contentType) => {
      const response = await ask({ target: `${basePath}/sandbox`, fields: [['Accept', accept]] });
      expect(headerOf(response, 'Content-Type')).toBe(contentType);
      expect(headerOf(response, 'Vary')).toBe('Accept');
    });

    it('HEAD returns the headers of GET, without a body', async () => {
      const response = await ask({ method: 'HEAD', target: `${basePath}/llms.txt` });
      expect([response.status, response.body.byteLength]).toEqual([200, 0]);
    });

    it.each([
      ['GET', '', 200],
      ['GET', '/x/../llms.txt?x=1', 200],
      ['GET', '/nothing', 404],
      ['GET', '/%zz', 404],
      ['DELETE', '/llms.txt', 405],
    ])('%s %s returns %i', async (method, path, status) => {
      expect((await ask({ method, target: basePath + path })).status).toBe(status);
    });
  });
}
