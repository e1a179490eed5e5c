import { describe, expect, it } from 'vitest';
import type { SafeEnd } from '../../../defaults/safe-http/safe-http.js';
import { followRedirects } from './follow-redirects.js';

type Location = string | readonly string[] | undefined;

function answer(status: number, location: Location): SafeEnd {
  const headers = { location: location as string | undefined };
  return { kind: 'answered', status, headers, body: Buffer.alloc(0), bodyEnd: 'complete' };
}

/** Follows one redirect from a URL. Returns the URL that is requested next, or why none is. */
async function targetOf(location: Location, from = 'https://share.test/s/1?sig=a', status = 302) {
  const asked: string[] = [];
  const followed = await followRedirects(from, async (url) => {
    asked.push(url);
    return asked.length === 1 ? answer(status, location) : answer(200, undefined);
  });
  return followed.kind === 'failed' ? followed.reason : followed.url;
}

describe('followRedirects', () => {
  it.each([
    ['https://files.test/cv.pdf?sig=b', 'https://files.test/cv.pdf?sig=b'],
    ['http://files.test/cv.pdf', 'url_refused'],
    ['HTTP:\\\\files.test', 'url_refused'],
    ['HTTPS://Files.TEST:8443/a/../cv.pdf', 'https://files.test:8443/cv.pdf'],
    ['//files.test/cv.pdf', 'https://files.test/cv.pdf'],
    ['/cv.pdf', 'https://share.test/cv.pdf'],
    ['2', 'https://share.test/s/2'],
    ['?sig=b', 'https://share.test/s/1?sig=b'],
    ['#page=2', 'https://share.test/s/1?sig=a#page=2'],
    ['  /cv.pdf\t', 'https://share.test/cv.pdf'],
    ['/My CV.pdf?for=Ada L', 'https://share.test/My%20CV.pdf?for=Ada%20L'],
    // undici decodes headers as Latin-1.
    [
      Buffer.from('/Lebensläufe/履歴書.pdf').toString('latin1'),
      'https://share.test/Lebensl%C3%A4ufe/%E5%B1%A5%E6%AD%B4%E6%9B%B8.pdf',
    ],
    ['/Lebensl\u00e4ufe.pdf', 'https://share.test/Lebensl%E4ufe.pdf'],
    [Buffer.from('https://bücher.test/').toString('latin1'), 'https://xn--bcher-kva.test/'],
    ['https://b\u00fccher.test/', 'url_refused'],
    ['https://', 'url_refused'],
    ['https://[fe80::1%25eth0]/', 'url_refused'],
    ['https://files.test:65536/', 'url_refused'],
    ['https://files .test/', 'url_refused'],
    [undefined, 'bad_status'],
    ['', 'bad_status'],
    [' \t', 'bad_status'],
    [['/a', '/a'], 'https://share.test/a'],
    [['/a', '/b'], 'bad_status'],
    [['', '/b'], 'bad_status'],
  ] as const)('resolves %j to %s', async (location, expected) => {
    expect(await targetOf(location)).toBe(expected);
  });

  it.each([301, 302, 303, 307, 308])('follows %i', async (status) => {
    expect(await targetOf('/cv.pdf', undefined, status)).toBe('https://share.test/cv.pdf');
  });

  it.each([200, 201, 300, 304, 305, 306, 309, 399, 404, 503])('does not follow %i', async (status) => {
    expect(await targetOf('/cv.pdf', undefined, status)).toBe('https://share.test/s/1?sig=a');
  });

  it('goes from http to http and to https', async () => {
    expect(await targetOf('/cv.pdf', 'http://share.test/')).toBe('http://share.test/cv.pdf');
    expect(await targetOf('https://files.test/', 'http://share.test/')).toBe('https://files.test/');
  });

  it.each([
    [5, 'answered', 6],
    [6, 'failed', 6],
  ])('with %i redirects, is %s after %i requests', async (redirects, kind, requests) => {
    let asked = 0;
    const followed = await followRedirects('https://share.test/', async () => {
      asked += 1;
      return asked > redirects ? answer(200, undefined) : answer(307, `/${asked}`);
    });
    expect(followed).toMatchObject(kind === 'failed' ? { kind, reason: 'too_many_redirects' } : { kind });
    expect(asked).toBe(requests);
  });
});
