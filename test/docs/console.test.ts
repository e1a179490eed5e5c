/** Plays the page about the console. */
import { CONSOLE_RIGHTS, type Console } from '@partner-hiring/console';
import { COMMAND_RIGHTS } from '@partner-hiring/core';
import { listen } from '@partner-hiring/test-support/servers/express-server';
import type { Database } from 'better-sqlite3';
import type { Express } from 'express';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { ROOT, readPage, withRows } from './fences.js';
import { letIn } from './host.js';
import { tell } from './tell.js';

const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
const ADA = { cookie: 'session=ada' };
const SIGNED_IN = 'Signed in as <strong>Ada</strong>';

tell('docs/console.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  await page.run();
  const plain = exported<Console>(await page.play(), 'partnerConsole');
  const ask = async (mounted: Console, headers: Readonly<Record<string, string>>) => {
    const response = await mounted.fetch(new Request('https://admin.example.com/console', { headers }));
    return [response.status, await response.text()] as const;
  };
  expect(await ask(plain, ADA)).toEqual([200, expect.stringContaining(SIGNED_IN)]);
  expect(await ask(plain, {})).toEqual([404, 'Not found']);

  const express = exported<Express>(await page.play(), 'app');
  const port = await listen(express);
  expect(await (await fetch(`http://127.0.0.1:${port}/console`, { headers: ADA })).text()).toContain(
    SIGNED_IN,
  );
  const fastify = exported<FastifyInstance>(await page.play(), 'app');
  onTestFinished(() => fastify.close());
  expect((await fastify.inject({ url: '/console', headers: ADA })).body).toContain(SIGNED_IN);
  const hono = exported<Hono>(await page.play(), 'app');
  expect(await (await hono.request('/console', { headers: ADA })).text()).toContain(SIGNED_IN);

  const better = exported<Console>(await page.play(), 'partnerConsole');
  expect((await ask(better, { cookie: 'better-auth.session_token=ada' }))[1]).toContain(SIGNED_IN);
  expect((await ask(better, {}))[0]).toBe(404);
  const left = await better.fetch(
    new Request('https://admin.example.com/console/sign-out', {
      method: 'POST',
      headers: { cookie: 'better-auth.session_token=ada', 'sec-fetch-site': 'same-origin' },
    }),
  );
  expect([left.status, left.headers.get('set-cookie')]).toEqual([
    200,
    'better-auth.session_token=; Max-Age=0',
  ]);
  const proxied = exported<Console>(await page.play(), 'partnerConsole');
  expect((await ask(proxied, { 'x-forwarded-email': 'bo@example.com' }))[1]).toContain('bo@example.com');
  expect((await ask(proxied, {}))[0]).toBe(404);

  const { key } = await letIn(partnerHiring, 'https://ats.example/hooks');
  const other = await partnerHiring.operator.partners.create({ name: 'Other' });
  const database = exported<Database>(await page.play(), 'database');
  onTestFinished(() => void database.close());
  const withStaff = exported<Console>(await page.play(), 'partnerConsole');
  const BO = { cookie: 'session=bo' };
  expect((await ask(withStaff, BO))[0]).toBe(404);
  database.exec(page.next('sql').text.replace('ptn_…', key.partnerId));
  expect((await ask(withStaff, BO))[1]).toContain('Signed in as <strong>Bo</strong>');
  const bosPartners = await withStaff.fetch(
    new Request('https://admin.example.com/console/partners', { headers: BO }),
  );
  const bosPage = await bosPartners.text();
  expect(bosPage).toContain(key.partnerId);
  expect(bosPage).not.toContain(other.id);
  // A changed row counts from the next request on.
  database.exec('delete from staff_partner');
  const after = await withStaff.fetch(
    new Request('https://admin.example.com/console/partners', { headers: BO }),
  );
  expect(await after.text()).not.toContain(key.partnerId);
  database.exec("insert into staff values ('user_42', 'Ada', 'admin', 1)");
  const own = await page.play();
  const pause = exported<(...ids: string[]) => Promise<string>>(own, 'pauseFor');
  expect(await pause('user_42', other.id, key.id)).toBe('Not found.');
  expect(await pause('user_42', key.partnerId, key.id)).toBe('The endpoint is paused.');

  const local = exported<Console>(await page.play(), 'partnerConsole');
  const link = page.printed().split('\n').at(-1) ?? '';
  const { origin } = new URL(link);
  const signedIn = await local.fetch(new Request(link, { method: 'POST', headers: { origin } }));
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const opened = await local.fetch(
    new Request(`${origin}${signedIn.headers.get('location')}`, { headers: { cookie } }),
  );
  expect(await opened.text()).toContain(SIGNED_IN);
  database.exec("delete from staff where id = 'user_42'");
  const gone = await local.fetch(
    new Request(`${origin}${signedIn.headers.get('location')}`, { headers: { cookie } }),
  );
  expect(gone.status).toBe(404);
});

test('docs/console.md has each right, in the row of the first list that contains it', async () => {
  // After a change: npx vitest run test/docs/console.test.ts --update
  const text = readPage('docs/console.md');
  const { viewer, support, admin } = CONSOLE_RIGHTS;
  let lesser: readonly string[] = [];
  const rows = Object.entries({ viewer, support, admin }).map(([name, rights]) => {
    const added = rights.filter((right) => !lesser.includes(right)).toSorted();
    expect(rights).toEqual(expect.arrayContaining([...lesser]));
    lesser = rights;
    return [`\`${name}\``, added.map((right) => `\`${right}\``).join(', ')];
  });
  expect(lesser.toSorted()).toEqual(COMMAND_RIGHTS.toSorted());
  await expect(withRows(text, 'List', rows)).toMatchFileSnapshot(`${ROOT}docs/console.md`);
});

test('a viewer reads everything but personal data, and changes nothing', () => {
  const reading = COMMAND_RIGHTS.filter((right) => right.endsWith(':read') && right !== 'candidates:read');
  expect(CONSOLE_RIGHTS.viewer).toEqual(reading);
});
