/** A partner gets one reply for every 401. The operator learns the cause. */
import { send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { expect, it } from 'vitest';
import { openRequestStage } from './stage.js';

const stage = perTest(openRequestStage, (opened) => opened.close());

const UNKNOWN_BUT_WELL_FORMED = async () => {
  const { fixture, partner } = stage;
  await fixture.operator.keys.revoke({ id: partner.keyId, all: true });
  return [`Bearer ${partner.secret}`];
};

it.each([
  ['missing', async () => [], /No `Authorization` header arrived/, /a proxy or gateway removes the header/],
  ['missing', async () => [' '], /No `Authorization` header arrived/, /let it pass `Authorization` on/],
  [
    'malformed',
    async () => ['Basic dTpw'],
    /not `Bearer` with one whole key/,
    /another scheme such as Basic/,
  ],
  ['malformed', async () => ['Bearer pek_live_abc'], /not `Bearer` with one whole key/, /cut off/],
  ['malformed', async () => [`Bearer "${stage.partner.secret}"`], /not `Bearer`/, /quotes/],
  ['malformed', async () => [`Bearer ${stage.partner.secret}`, 'Bearer x'], /arrived twice/, /adds a header/],
  ['unknown_key', UNKNOWN_BUT_WELL_FORMED, /unknown, expired or revoked/, /keys.find/],
])(
  'the request log says Authorization.%s, and the partner gets the usual 401',
  async (cause, present, rule, fix) => {
    const { fixture } = stage;
    const usual = await send(fixture, 'GET', '/jobs');
    const values = await present();
    const { handler } = fixture.partnerHiring;
    const request = neutralRequest('GET', `${handler.basePath}/jobs`, { headers: { authorization: values } });
    const reply = await handler(request);
    expect([reply.status, reply.body]).toEqual([401, usual.text]);
    const { items: requests } = await fixture.operator.requests.list({ limit: 10 });
    const logged = requests.find(({ requestId }) => requestId === reply.headers['X-Request-Id']);
    expect(logged).toMatchObject({ code: 'UNAUTHORIZED', fields: [`Authorization.${cause}`] });
    const explained = await fixture.operator.requests.find({ id: logged?.requestId ?? '' });
    expect(explained?.refusal).toEqual({
      rule: expect.stringMatching(rule),
      fix: expect.stringMatching(fix),
    });
    expect(JSON.stringify(explained)).not.toContain(stage.partner.secret);
  },
);
