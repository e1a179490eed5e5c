import { describe, expect, it } from 'vitest';
import { inspect } from '../input/inspection.js';
import { inspectUrl } from './endpoint-url.js';

function isTaken(url: unknown, allowPlainHttp = false): boolean {
  const inspection = inspect('endpoints.setUrl');
  inspectUrl(inspection, url, 'url', { allowPlainHttp });
  try {
    inspection.end();
    return true;
  } catch {
    return false;
  }
}

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
