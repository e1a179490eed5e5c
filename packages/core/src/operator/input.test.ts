import { describe, expect, it } from 'vitest';
import { inspect, inspectUrl } from './input.js';

/** What is said against a URL; null if nothing is. */
function refusalOf(url: unknown, allowPlainHttp = false): string | null {
  const inspection = inspect('endpoints.setUrl');
  inspectUrl(inspection, url, 'url', { allowPlainHttp });
  try {
    inspection.end();
    return null;
  } catch (error) {
    return String(error);
  }
}

const isTaken = (url: unknown, allowPlainHttp = false) => refusalOf(url, allowPlainHttp) === null;

describe('the URL of an endpoint', () => {
  it('is https', () => {
    expect(isTaken('https://ats.example/hooks?tenant=7')).toBe(true);
    expect(isTaken('http://ats.example/hooks')).toBe(false);
    expect(isTaken('ftp://ats.example/hooks')).toBe(false);
  });

  it('is plain http only where the host allows it', () => {
    expect(isTaken('http://127.0.0.1:9000/', true)).toBe(true);
    expect(isTaken('file:///etc/passwd', true)).toBe(false);
  });

  it('is refused in plain http with the option that allows it in development, and in another scheme without', () => {
    expect(refusalOf('http://localhost:3001/webhooks')).toContain('`allowPrivateNetworks: true`');
    expect(refusalOf('ftp://ats.example/hooks')).toContain('url must be https. Nothing was changed.');
    expect(refusalOf('ftp://ats.example/hooks', true)).toContain('url must be https or http. Nothing');
  });

  it.each([
    ['relative', '/hooks'],
    ['empty', ''],
    ['no text', 7],
    ['too long', `https://ats.example/${'x'.repeat(2048)}`],
    ['with a user', 'https://user@ats.example/'],
    ['with a password', 'https://:secret@ats.example/'],
  ])('is refused when it is %s', (_, url) => {
    expect(isTaken(url)).toBe(false);
  });
});
