/** What a partner copies must stay short and need nothing to install. `npm run test:receivers` certifies it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attackReceiver, FLOODS } from './attacks.js';
import { LANGUAGES, RECEIVERS } from './languages.js';
import { runReceiver } from './run-receiver.js';

const STANDARD: Readonly<Record<string, readonly string[]>> = {
  python: ['hashlib', 'hmac', 'json', 'os', 're', 'time', 'http.server', 'socket', 'threading'],
  go: [
    'crypto/hmac',
    'crypto/sha256',
    'encoding/json',
    'fmt',
    'io',
    'net/http',
    'os',
    'strings',
    'sync',
    'time',
  ],
  node: ['node:crypto', 'node:http'],
  php: [],
  ruby: ['json', 'openssl', 'socket', 'timeout'],
  java: [
    'com.sun.net.httpserver.*',
    'java.net.InetSocketAddress',
    'java.security.MessageDigest',
    'java.util.*',
    'java.util.concurrent.*',
    'java.util.regex.*',
    'java.util.stream.Stream',
    'javax.crypto.Mac',
    'javax.crypto.spec.SecretKeySpec',
  ],
};

test.each(Object.entries(LANGUAGES))(
  'the receiver in %s has at most 60 lines and imports only the standard library',
  (name, { file, imports }) => {
    const source = readFileSync(join(RECEIVERS, file), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const imported = [...source.matchAll(imports)].map(([, module]) => module);
    expect(imported).toEqual(STANDARD[name]);
  },
);

// The command does this in all languages, also slowly.
test('the receiver in Node ends requests that never end, and takes events during and after them', async () => {
  const { node } = LANGUAGES;
  if (node === undefined) throw new Error('There is no receiver in Node.');
  const secret = 'whsec_of-the-test';
  const { url, pid, stop } = await runReceiver(node, RECEIVERS, secret);
  onTestFinished(stop);
  expect(await attackReceiver({ url, pid, secret }, FLOODS)).toEqual([]);
});
