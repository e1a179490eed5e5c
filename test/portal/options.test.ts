/** What a host hears about a wrong option, and what partners see of the right ones. */
import { createPartnerPortal, type PartnerPortalOptions } from '@partner-hiring/console/portal';
import { afterAll, describe, expect, it } from 'vitest';
import { openPlatform } from '../console/platform.js';
import { actorOf, openPortal } from './portal.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const WRONG: readonly (readonly [options: object, says: string])[] = [
  [{ operator: {} }, 'createPartnerPortal needs `operator`: pass `partnerHiring.operator`.'],
  [{ actor: 'Dana' }, '`actor` must be a function that says who sent a request.'],
  [{ path: 'portal/' }, '`path` must start with a slash, such as `/portal`, and not end with one.'],
  [{ origin: 'https://jobs.example.com/' }, '`origin` must be like `https://jobs.example.com`.'],
  [{ brand: { name: ' ' } }, '`brand.name` must have 1 to 60 characters.'],
  [{ brand: { name: 'Elevate', accent: 'green' } }, '`brand.accent` must be a colour such as `#0a7d54`.'],
  [{ api: 'api.example.com' }, '`api` must be an address: `https://…`.'],
  [{ docs: 'javascript:alert(1)' }, '`docs` must be a path, such as `/partner-docs`, or an http(s) URL.'],
  [{ support: { email: 'us' } }, '`support.email` must be an e-mail address'],
  [{ support: { mail: 'us@example.com' } }, 'createPartnerPortal has no option `support.mail`.'],
  [{ signInUrl: '//elsewhere.example' }, '`signInUrl` must be a path, such as `/login`, or an http(s) URL.'],
  [{ signOut: '/logout' }, '`signOut` must be a function.'],
  [{ frameAncestors: ['*'] }, '`frameAncestors` must be origins: `https://jobs.example.com`.'],
  [{ logger: {} }, '`logger` must have a method `error`.'],
  [{ timeoutMs: 0 }, '`timeoutMs` must be an integer from 1 to 60000.'],
  [{ colour: '#0a7d54' }, 'createPartnerPortal has no option `colour`. The options are operator, '],
];

describe('a wrong option', () => {
  it.each(WRONG)('%j is refused with the fix', (options, says) => {
    const { operator } = platform.fixture;
    const create = () => createPartnerPortal({ operator, ...options } as PartnerPortalOptions);
    expect(create).toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
    expect(create).toThrow(says);
  });
});

describe('the addresses of the support', () => {
  const support = {
    email: 'help@jobs.example.com',
    url: 'https://jobs.example.com/help',
    statusUrl: 'https://status.example.com',
  };

  it('are on the page Documentation, with the documentation under a path of the server', async () => {
    const visitor = openPortal(platform.fixture, actorOf(platform.acme.partnerId), {
      support,
      docs: '/partner-docs',
    });
    const { text } = await visitor.get('/portal/docs');
    for (const href of [`mailto:${support.email}`, support.url, support.statusUrl, '/partner-docs'])
      expect(text).toContain(`href="${href}"`);
  });

  it.each([
    [{ support }, 'ask <a href="mailto:help@jobs.example.com">help@jobs.example.com</a> or <a href="https'],
    [{ support: { url: support.url } }, `ask <a href="${support.url}">${support.url}</a>.`],
  ])('are shown to strangers: %j', async (options, shown) => {
    const { status, text } = await openPortal(platform.fixture, null, options).get('/portal');
    expect(status).toBe(401);
    expect(text).toContain(shown);
  });

  it('are left out where there are none', async () => {
    const visitor = openPortal(platform.fixture, null, { support: { statusUrl: support.statusUrl } });
    expect((await visitor.get('/portal')).text).not.toContain('new link, ask');
    visitor.become(actorOf(platform.acme.partnerId));
    expect((await visitor.get('/portal/docs')).text).not.toContain('>Support<');
  });
});
