import { describe, expect, it } from 'vitest';
import { createPartnerDocs } from './create-partner-docs.js';

const ORIGIN = 'https://hiring.test';

describe('the URL of the tarballs', () => {
  it.each([
    'https://a.test/packages',
    'http://localhost:3000/packages',
    'http://127.0.0.1/packages',
    'http://127.200.3.4/packages',
    'http://[::1]:3000/packages',
  ])('may be %s', (packagesUrl) => {
    const { pages } = createPartnerDocs({ origin: ORIGIN, packagesUrl });
    expect(pages.find(({ path }) => path === 'webhooks.md')?.text).toContain(`npm install ${packagesUrl}/`);
  });

  it.each([
    'http://a.test/packages',
    'http://127.0.0.1.a.test/packages',
    'http://localhost.a.test/packages',
    'http://10.0.0.1/packages',
    'http://[::2]/packages',
    'http://0.0.0.0/packages',
  ])('is refused if it is %s, because others on the network could change the packages', (packagesUrl) => {
    expect(() => createPartnerDocs({ origin: ORIGIN, packagesUrl })).toThrow(
      'It must be https, except on loopback, such as http://localhost:3000/packages.',
    );
  });
});
