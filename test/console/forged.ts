import { ORIGIN, type SentHeaders } from './platform.js';

/** The headers of forms that do not come from the site's own pages, with their names. */
export const FORGED: readonly (readonly [string, SentHeaders])[] = [
  ['without any origin', {}],
  ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['from another host of the site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' }],
  ['typed by hand', { 'sec-fetch-site': 'none' }],
  ['from another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: ORIGIN }],
  ['of an older browser from another site', { origin: 'https://evil.example' }],
  ['of an older browser from a sandboxed frame', { origin: 'null' }],
  ['from our host over http', { origin: ORIGIN.replace('https', 'http') }],
  ['from another port', { origin: `${ORIGIN}:8443` }],
  [
    'with two origins',
    [
      ['origin', ORIGIN],
      ['origin', 'https://evil.example'],
    ],
  ],
  ['with our origin as a referrer only', { referer: `${ORIGIN}/console` }],
];
