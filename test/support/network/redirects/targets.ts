import { HOSTILE_ANSWERS, HOSTILE_HOSTS } from '../hostile-addresses.js';
import { type Kind, QUERY, STATUSES, type Step } from './kind.js';
import { redirectReply, stepUrl } from './web.js';

/** A redirect to a target that must not be requested. */
function leadsTo(kind: string, location: string, outcomes: readonly string[], scheme?: 'https'): Kind {
  const ends = ({ status }: Step) => [redirectReply(status, location)];
  return { kind, title: location, outcomes, ends, requests: 1, ...(scheme && { scheme }) };
}

const ADDRESSES: readonly Kind[] = [
  // A line break or a NUL would end the header.
  ...HOSTILE_HOSTS.filter((host) => !/[\n\0]/.test(host)).map((host) =>
    leadsTo('a private address', `http://${host}/latest/meta-data?${QUERY}`, [
      'address_refused',
      'url_refused',
    ]),
  ),
  leadsTo('a certificate', `https://step.other.test/?${QUERY}`, ['tls_failed']),
  ...HOSTILE_ANSWERS.map((address, index) => ({
    ...leadsTo('a name', `http://hostile${index}.test/?${QUERY}`, ['address_refused']),
    title: `a name that resolves to ${address}`,
  })),
];

/** The first lookup of a name that turns is public, and the second is not. */
const NAMES: readonly Kind[] = STATUSES.flatMap((status) => [
  {
    kind: 'a name that changes',
    title: `a name that changes, after ${status}`,
    outcomes: ['address_refused'],
    requests: 2,
    redirects: 2,
    ends: ({ chain, step }) => {
      const url = (to: number) => `http://turning-${chain}.site.test/${chain}/${to}/?${QUERY}`;
      return [redirectReply(status, url(step + 1)), redirectReply(status, url(step + 2))];
    },
  },
]);

/** A redirect to an earlier step. */
function loop(title: string, target: (step: Step) => string): Kind {
  return {
    kind: 'a loop',
    title: `a loop ${title}`,
    outcomes: ['too_many_redirects'],
    requests: 6,
    ends: (step) => [redirectReply(step.status, target(step))],
  };
}

const LOOPS: readonly Kind[] = [
  loop('to the start', ({ scheme, chain }) => stepUrl(scheme, chain, 0)),
  loop('to itself', ({ scheme, chain, step }) => stepUrl(scheme, chain, step)),
  loop('by a query alone', () => `?${QUERY}`),
  loop('by a fragment alone', () => '#again'),
  loop('by another port', ({ scheme, chain, step }) => stepUrl(scheme, chain, step, ':8080')),
  loop('by other letters', ({ chain, step }) =>
    stepUrl('HTTP', chain, step).replace('site.test', 'SITE.TEST'),
  ),
  loop('by dots', () => './././cv.pdf'),
];

const DOWNGRADES = [
  'http://step.site.test/?',
  'HTTP:\\\\step.site.test:443/?',
  'http://step.site.test:443/?',
  ' http:step.site.test?',
  'h\tttp://step.site.test/?',
  'http://93.184.215.14/?',
  'http://[2606:4700:4700::1111]/?',
  'http://127.0.0.1/?',
  'http://hostile0.test/?',
  'http://ada@step.site.test/?',
].map((target) => leadsTo('plain http', `${target}${QUERY}`, ['url_refused'], 'https'));

const CREDENTIALS = [
  'ada:lovelace@',
  'ada@',
  ':lovelace@',
  '%61da:@',
  'ada%40site.test:x@',
  'a:b:c@',
].flatMap((pair) => [
  leadsTo('credentials', `http://${pair}step.site.test/?${QUERY}`, ['url_refused']),
  leadsTo('credentials', `//${pair}step.site.test/?${QUERY}`, ['url_refused']),
]);

const SCHEMES = [
  'file:///etc/passwd',
  'ftp://step.site.test/cv.pdf',
  'gopher://step.site.test:6379/_FLUSHALL',
  'javascript:alert(1)',
  'data:application/pdf,%25PDF-1.7',
  'blob:http://step.site.test/1',
  'ws://step.site.test/',
  'about:blank',
  'ldap://10.0.0.1/',
  'mailto:ada@site.test',
].map((location) => leadsTo('another scheme', location, ['url_refused']));

const UNUSABLE: readonly Kind[] = [
  ...[
    'http://',
    'http://[',
    'https://[fe80::1%25eth0]/',
    'http://a b.test/',
    'http://step.site.test:65536/',
  ].map((location) => leadsTo('no URL', location, ['url_refused'])),
  leadsTo('no target', '', ['bad_status']),
  leadsTo('no target', ' \t ', ['bad_status']),
  leadsTo('two targets', `http://step.site.test/?${QUERY}\r\nlocation: http://10.0.0.1/`, ['bad_status']),
  {
    ...leadsTo('headers without end', `/?${QUERY}${'x'.repeat(17_000)}`, ['protocol_error']),
    title: 'a target of 17 kB',
    requests: null,
  },
];

/** Redirects to targets that the client must not request, or not for ever. */
export const TARGETS: readonly Kind[] = [
  ...ADDRESSES,
  ...NAMES,
  ...LOOPS,
  ...DOWNGRADES,
  ...CREDENTIALS,
  ...SCHEMES,
  ...UNUSABLE,
];
