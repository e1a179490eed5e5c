/** Where links to the portal may lead. */
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { afterAll, describe, expect, it } from 'vitest';
import { openPlatform } from '../console/platform.js';
import { PORTAL_URL } from './portal.js';

const platform = await openPlatform({ portalUrl: PORTAL_URL });
afterAll(() => platform.close());

const SAFE = [
  'https://jobs.example.com/portal',
  'http://localhost:3000/portal',
  'http://127.0.0.1:3000/portal',
  'http://127.8.9.10/portal',
  'http://[::1]:3000/portal',
] as const;

/** Anybody on the way could read a link, and the cookie of its session. */
const READABLE = [
  'http://jobs.example.com/portal',
  'http://192.168.0.7:3000/portal',
  'http://0.0.0.0:3000/portal',
  'http://127.0.0.1.evil.example/portal',
  'http://localhost.evil.example/portal',
  'http://128.0.0.1/portal',
] as const;

describe('the address of the portal', () => {
  const FIX = 'must be the https address of the portal';
  const linkTo = (url: string) =>
    platform.fixture.operator.portal.createLink({ partnerId: platform.acme.partnerId, url });
  /** A host that is misconfigured is refused before its storage is used. */
  const openWith = (portalUrl: string) => {
    const storage = { direct: {} } as Storage<never>;
    return createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4), portalUrl });
  };

  it.each(SAFE)('may be %s', async (url) => {
    expect((await linkTo(url)).link.startsWith(`${url}/sign-in?token=`)).toBe(true);
    expect(() => openWith(url)).not.toThrow();
  });

  it.each(READABLE)('may not be %s, where others can read the link', async (url) => {
    await expect(linkTo(url)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(FIX),
    });
    expect(() => openWith(url)).toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
    expect(() => openWith(url)).toThrow(`\`portalUrl\` ${FIX}`);
  });
});
