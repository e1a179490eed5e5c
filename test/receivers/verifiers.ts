import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Vector, VectorFile } from '../verifier/vectors/format.js';
import { VECTORS_FILE } from '../verifier/vectors/vectors-file.js';

const FOLDER = fileURLToPath(new URL('./verifiers/', import.meta.url));

/** How to run each verifier that was written from `docs/webhooks.md` alone. */
export const VERIFIERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  python: ['python3', '-W', 'error', 'verify.py'],
  perl: ['perl', 'verify.pl'],
  go: ['go', 'run', 'verify.go'],
  php: ['php', 'verify.php'],
  ruby: ['ruby', '-W', 'verify.rb'],
  java: ['java', 'Verify.java'],
};

/** Runs a verifier on every required vector, and returns a line of report. @throws Error with the vectors that fail */
export function checkVerifier(name: string, [command, ...args]: readonly [string, ...string[]]): string {
  const { verify }: VectorFile = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));
  const required = verify.filter((vector) => vector.required);
  const cases = required.map((vector) => ({ ...vector, lines: linesOf(vector) }));
  const input = cases.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
  const said = execFileSync(command, args, { cwd: FOLDER, input, encoding: 'utf8' }).trim().split('\n');
  const failed = cases.filter(
    ({ lines, expected }) => said.splice(0, lines.length).includes('true') !== expected.ok,
  );
  if (failed.length === 0 && said.length === 0) {
    return `ok  verifier in ${name}: ${required.length} required vectors of ${verify.length}`;
  }
  throw new Error(`The verifier in ${name} fails: ${failed.map((vector) => vector.name).join('; ')}`);
}

/** Returns what a program reads for a vector: a line for each secret. */
function linesOf({ secrets, headers, body, now }: Vector): readonly string[] {
  if (body === null || 'parsed' in body) throw new Error('It has no bytes.');
  const header = headers
    .filter(([name]) => name.toLowerCase() === 'x-partner-signature')
    .map(([, value]) => value)
    .join(', ');
  const bytes = 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64');
  const base64 = (part: string | Buffer) => Buffer.from(part).toString('base64');
  return secrets.map((secret) => `${base64(secret)} ${base64(header)} ${base64(bytes)} ${now}`);
}
