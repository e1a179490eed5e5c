/**
 * Runs verifiers that were written from `docs/webhooks.md` alone on the required vectors. Certifies the receivers in
 * `examples/receivers`, and sends them requests that never end: `npm run test:receivers`, or `npm run test:receivers -- python` for one.
 * Needs Python 3.8, Go 1.19, PHP 8, Ruby 3 and Java 17 or newer:
 * `apt-get install python3 golang-go php-cli ruby default-jdk-headless python3-flask
 * python3-django ruby-railties ruby-actionpack puma`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify } from '@partner-hiring/certify';
import { run } from '../tools/packages/run.js';
import { attackReceiver, FLOODS, TRICKLES } from './attacks.js';
import { FRAMEWORKS, LANGUAGES, type Language, RECEIVERS } from './languages.js';
import { runReceiver } from './run-receiver.js';
import { checkVerifier, VERIFIERS } from './verifiers.js';

const SECRET = 'whsec_Rm9yIHRoZSByZWNlaXZlcnMgb2YgdGhlIHRlc3Rz';
/** Both keys of a partner may send to one URL. */
const SECRETS = `whsec_T2YgdGhlIG90aGVyIGtleQ, ${SECRET}`;

/** @throws Error that names the package to install */
async function requireTool({ tool, install }: Language): Promise<string> {
  return run(RECEIVERS, tool[0], ...tool[1]).catch(() => {
    throw new Error(`${tool[0]} is missing. Install it: ${install}`);
  });
}

/** Builds, starts and certifies one receiver. @throws Error with the findings */
async function certifyReceiver(name: string, language: Language, scratch: string): Promise<string> {
  const version = await requireTool(language);
  const { url, pid, log, stop } = await runReceiver(language, scratch, SECRETS);
  try {
    const oldSecret = `${SECRET}-of-last-year`;
    const { passed, findings, checks } = await certify({ url, secret: SECRET, oldSecret });
    const left = checks.filter(({ verdict }) => verdict !== 'passed').map(({ name: check }) => check);
    if (!passed || findings.length > 0 || left.length > 0) {
      throw new Error(`${name}: ${[...findings.map(({ summary }) => summary), ...left].join('\n')}`);
    }
    // The server of a framework sets its own limits.
    const attacks = name in LANGUAGES ? [...FLOODS, ...TRICKLES] : [];
    const harm = await attackReceiver({ url, pid, secret: SECRET }, attacks);
    if (harm.length > 0) throw new Error(`${name}: ${harm.join('\n')}`);
    return `ok  ${name}: ${checks.length} checks passed without findings, ${attacks.length} attacks ended, ${version.split('\n', 1).join()}`;
  } catch (error) {
    console.error(log());
    throw error;
  } finally {
    await stop();
  }
}

const all: Readonly<Record<string, Language>> = { ...LANGUAGES, ...FRAMEWORKS };
const known = [...new Set([...Object.keys(VERIFIERS), ...Object.keys(all)])];
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-receivers-'));
try {
  for (const name of names) {
    const [language, verifier] = [all[name], VERIFIERS[name]];
    if (language === undefined && verifier === undefined)
      throw new Error(`Unknown language ${name}. Use ${known.join(' or ')}.`);
    if (verifier !== undefined) console.log(checkVerifier(name, verifier));
    if (language !== undefined) console.log(await certifyReceiver(name, language, scratch));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
