/** When the database goes away, pages say so, and the host's process goes on. */
import { StorageUnavailable } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** An operator whose commands fail like this. */
function failing<Given extends object>(operator: Given, error: () => Error): Given {
  // A command, and a group of commands.
  const group: object = new Proxy(async () => Promise.reject(error()), { get: () => group });
  const ways: readonly unknown[] = ['as', 'limitedTo', 'through'];
  return new Proxy(operator, {
    get: (_, name) => (ways.includes(name) ? () => failing(operator, error) : group),
  });
}

it.each([
  [false, 'Nothing was changed.'],
  [true, 'It is unknown whether your change was made'],
])('answers 503 and says so (the commit may be done: %s)', async (mayBeDone, text) => {
  const { fixture, ada } = platform;
  const error = () => new StorageUnavailable('connection refused to 10.0.0.1', { mayBeDone });
  const visitor = visit({ operator: failing(fixture.operator, error) });
  for (const answer of [
    await visitor.get('/console'),
    await visitor.get(`/console/applications/${ada}`),
    await visitor.post(`/console/applications/${ada}/erase`, { confirmed: 'yes' }),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('The database does not answer.');
    expect(answer.text).toContain(text);
    expect(answer.text).not.toContain('10.0.0.1');
  }
  expect(visitor.logged).toHaveLength(3);
});

it('works again when the database is back', async () => {
  const { fixture } = platform;
  let isDown = true;
  const down = failing(fixture.operator, () => new StorageUnavailable('gone'));
  const operator = new Proxy(fixture.operator, {
    get: (target, name) => Reflect.get(isDown ? down : target, name),
  });
  const visitor = visit({ operator });
  expect((await visitor.get('/console')).status).toBe(503);
  isDown = false;
  expect((await visitor.get('/console')).status).toBe(200);
});

it('answers 500 with an id that is in the log, and tells nothing else', async () => {
  const visitor = visit({ operator: failing(platform.fixture.operator, () => new Error('secret detail')) });
  const { status, text } = await visitor.get('/console');
  expect(status).toBe(500);
  expect(text).not.toContain('secret detail');
  expect(text).toContain(String(visitor.logged[0]?.fields.errorId));
});
