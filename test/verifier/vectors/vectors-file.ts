import { fileURLToPath } from 'node:url';
import { BODIES } from './bodies.js';
import { digestOf, EVENT_TEXT, finish, OTHER_SECRET, SECRET, T, usual } from './draft.js';
import { FORMAT, REASONS, type SigningVector, type VectorFile } from './format.js';
import { HEADERS } from './headers.js';
import { SECRETS } from './secrets.js';
import { TIMES } from './times.js';

/** The published vectors. */
export const VECTORS_FILE = fileURLToPath(
  new URL('../../../packages/webhook-verifier/vectors.json', import.meta.url),
);

/** The exact content of the file. */
export function vectorsText(): string {
  const drafts = { ...BODIES, ...HEADERS, ...SECRETS, ...TIMES };
  const file: VectorFile = {
    format: FORMAT,
    reasons: REASONS,
    verify: Object.entries(drafts).map(([name, draft]) => finish(name, draft)),
    sign: [
      signing('one secret', [SECRET], EVENT_TEXT),
      signing('two secrets, in their order', [OTHER_SECRET, SECRET], EVENT_TEXT),
      signing('a body of several scripts', [SECRET], '{"title":"Köchin 👩‍🍳 料理人"}'),
      signing('a secret outside ASCII', ['whsec_schlüssel_🔑'], EVENT_TEXT),
      signing('a secret of more than 64 bytes', ['whsec_'.padEnd(100, 'x')], EVENT_TEXT),
      signing('an empty body', [SECRET], ''),
      signing('t is 0', [SECRET], EVENT_TEXT, 0),
    ],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function signing(name: string, secrets: readonly string[], text: string, timestamp = T): SigningVector {
  const t = String(timestamp);
  const digests = secrets.map((secret) => digestOf(secret, t, text));
  const headers = [
    ['X-Partner-Signature', usual(t, digests)],
    ['X-Partner-Timestamp', t],
  ] as const;
  return { name, secrets, timestamp, body: { text }, headers };
}
