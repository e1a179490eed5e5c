/** What a partner copies must stay short and need nothing to install. `npm run test:receivers` certifies it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES, RECEIVERS } from './languages.js';

const STANDARD: Readonly<Record<string, readonly string[]>> = {
  python: ['hashlib', 'hmac', 'json', 'os', 'time', 'http.server'],
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
  ruby: ['json', 'openssl', 'socket'],
  java: [
    'com.sun.net.httpserver.*',
    'java.net.InetSocketAddress',
    'java.security.MessageDigest',
    'java.util.*',
    'java.util.concurrent.*',
    'java.util.regex.*',
    'javax.crypto.Mac',
    'javax.crypto.spec.SecretKeySpec',
  ],
};

test.each(Object.entries(LANGUAGES))(
  'the receiver in %s has at most 45 lines and imports only the standard library',
  (name, { file, imports }) => {
    const source = readFileSync(join(RECEIVERS, file), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
    const imported = [...source.matchAll(imports)].map(([, module]) => module);
    expect(imported).toEqual(STANDARD[name]);
  },
);
