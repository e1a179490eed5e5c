import { describe, expect, it } from 'vitest';
import { assertAllowedUrl, url } from './fields.js';
import { record } from './input.js';

/** Returns the error for a URL, or null. */
function errorOf(given: unknown, allowPlainHttp = false): string | null {
  try {
    record({ url }).check({ url: given });
    assertAllowedUrl(String(given), 'url', { allowPlainHttp });
    return null;
  } catch (error) {
    return String(error);
  }
}

const isAccepted = (url: unknown, allowPlainHttp = false) => errorOf(url, allowPlainHttp) === null;

describe('the URL of an endpoint', () => {
  it('must use https', () => {
    expect(isAccepted('https://ats.example/hooks?tenant=7')).toBe(true);
    expect(isAccepted('http://ats.example/hooks')).toBe(false);
    expect(isAccepted('ftp://ats.example/hooks')).toBe(false);
  });

  it('may use http if the host allows it', () => {
    expect(isAccepted('http://127.0.0.1:9000/', true)).toBe(true);
    expect(isAccepted('file:///etc/passwd', true)).toBe(false);
  });

  it('gets an error that names the development option for http, and only for http', () => {
    expect(errorOf('http://localhost:3001/webhooks')).toContain('`allowPrivateNetworks: true`');
    expect(errorOf('ftp://ats.example/hooks')).toContain('url must be https');
    expect(errorOf('ftp://ats.example/hooks', true)).toContain('url must be https or http');
  });

  it.each([
    ['relative', '/hooks'],
    ['empty', ''],
    ['not text', 7],
    ['too long', `https://ats.example/${'x'.repeat(2048)}`],
    ['too long when it is encoded', `https://ats.example/${'ü'.repeat(400)}`],
    ['with a user', 'https://user@ats.example/'],
    ['with a password', 'https://:secret@ats.example/'],
  ])('is rejected if it is %s', (_, url) => {
    expect(isAccepted(url)).toBe(false);
  });
});
