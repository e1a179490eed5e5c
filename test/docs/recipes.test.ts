/** Plays the recipes for receivers. `npm run test:receivers` certifies those in other languages. */
import { signWebhook } from '@partner-hiring/webhook-verifier';
import { expect, vi } from 'vitest';
import { SECRET } from '../certify/receiver.js';
import { exported } from './exported.js';
import { fencesOf } from './fences.js';
import { tell } from './tell.js';

interface HttpEvent {
  readonly body: string;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

type Send = (body: string, headers: Readonly<Record<string, string>>) => Promise<number>;

const EVENT = fencesOf('docs/webhooks.md').find(({ kind }) => kind === 'json')?.text ?? '';

/** Expects the receiver to take a genuine webhook, and to refuse one with another body. */
async function expectVerified(send: Send): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(await signWebhook({ body: EVENT, secret: SECRET })),
  };
  expect([await send(EVENT, headers), await send(`${EVENT} `, headers)]).toEqual([204, 400]);
}

const over = (fetchIt: (request: Request) => Promise<Response>): Send => {
  return async (body, headers) =>
    (await fetchIt(new Request('http://a.test/webhooks', { method: 'POST', headers, body }))).status;
};

tell('docs/recipes.md', async (open) => {
  const page = open({ env: { WEBHOOK_SECRET: SECRET } });
  vi.spyOn(console, 'warn').mockImplementation(() => {});

  await expectVerified(over(exported(await page.play(), 'POST')));
  const worker = exported<{ fetch(request: Request, env: object): Promise<Response> }>(
    await page.play(),
    'default',
  );
  await expectVerified(over((request) => worker.fetch(request, { WEBHOOK_SECRET: SECRET })));

  const handler = exported<(event: HttpEvent) => Promise<{ statusCode: number }>>(
    await page.play(),
    'handler',
  );
  for (const encoding of ['utf8', 'base64'] as const) {
    await expectVerified(async (text, headers) => {
      const body = Buffer.from(text).toString(encoding);
      return (await handler({ body, isBase64Encoded: encoding === 'base64', headers })).statusCode;
    });
  }

  // Google's framework passes a request of Express whose body is parsed, and whose bytes are in `rawBody`.
  const webhooks = exported<(request: object, response: object) => Promise<void>>(
    await page.play(),
    'webhooks',
  );
  await expectVerified(
    (body, headers) =>
      new Promise((resolve) => {
        const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        const response = { statusCode: 0, setHeader() {}, end: () => resolve(response.statusCode) };
        const request = {
          method: 'POST',
          headers: Object.fromEntries(lowerCase),
          body: JSON.parse(body),
          rawBody: Buffer.from(body),
        };
        void webhooks(request, response);
      }),
  );
});
