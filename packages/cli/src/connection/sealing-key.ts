import { readFileSync } from 'node:fs';
import {
  createSecretBox,
  type KeyId,
  OperatorError,
  type SecretBox,
  type Storage,
} from '@partner-hiring/core';
import type { OptionValues } from '../command/command-option.js';
import { globalText } from '../command/global-options.js';
import { ConnectionError, fileProblem } from './connection-error.js';
import { firstVariable, type ProcessEnvironment } from './connection-options.js';

const OPTION = '--sealing-key-file';
/** The environment variable of the sealing key. A test ensures that the docs and examples use the same name. */
export const SEALING_KEY_VARIABLE = 'PARTNER_HIRING_SEALING_KEY';

/** The key that encrypts signing secrets, and where it was found. */
export interface SealingKeyValue {
  readonly source: string;
  readonly key: string;
}

/**
 * Reads the sealing key. Returns null if none is named, because most commands need none.
 *
 * @throws ConnectionError if its file cannot be read.
 */
export function readSealingKey(globals: OptionValues, env: ProcessEnvironment): SealingKeyValue | null {
  const file = globalText(globals, 'sealing-key-file');
  if (file !== undefined) return { source: `${OPTION} ${file}`, key: readKeyFile(file) };
  const variable = firstVariable(env, [SEALING_KEY_VARIABLE]);
  return variable === null ? null : { source: variable.name, key: variable.value };
}

/** Returns the secrets that the environment has. */
export function secretsOf(env: ProcessEnvironment): readonly string[] {
  const variable = firstVariable(env, [SEALING_KEY_VARIABLE]);
  return variable === null ? [] : [variable.value];
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const advice = `${OPTION} must be the path of a file, not the key itself.`;
    throw new ConnectionError(`Cannot read the sealing key: ${fileProblem(error)}. ${advice}`);
  }
}

/**
 * Returns the box of the key. Without a key, the box throws an error that names the fix when a command uses it.
 *
 * @throws ConnectionError if the key is not 32 bytes.
 */
export function createSealingBox(sealing: SealingKeyValue | null): SecretBox {
  if (sealing === null) {
    return {
      seal: refuseWithoutKey,
      open: refuseWithoutKey,
      get keyIds() {
        return refuseWithoutKey();
      },
    };
  }
  try {
    return createSecretBox(sealing.key);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new ConnectionError(
      `${sealing.source} is not a sealing key. It must be the 32 bytes that the server uses as \`secretKey\`, as 64 ` +
        'hexadecimal characters or in base64. During a change of the key: both, the new one first, each once, with a comma.',
      { cause: error },
    );
  }
}

function refuseWithoutKey(): never {
  throw new OperatorError(
    'MISCONFIGURED',
    `This command encrypts or decrypts a signing secret, so it needs the server's \`secretKey\`. Pass ${OPTION} FILE, or set ${SEALING_KEY_VARIABLE}.`,
  );
}

/** How many endpoints to try the key on. One secret that it decrypts is enough. */
const ENDPOINTS_TO_TRY = 100;

/**
 * Checks that the key decrypts a stored signing secret. If the server uses another key, it could not decrypt what
 * commands encrypt.
 *
 * @throws ConnectionError if there are stored secrets, and the key decrypts none of them.
 */
export async function assertSealedWith(
  { direct }: Pick<Storage<never>, 'direct'>,
  { source }: SealingKeyValue,
  box: SecretBox,
): Promise<void> {
  const endpoints = await direct.endpoints.list({ after: null, limit: ENDPOINTS_TO_TRY });
  const stored = endpoints.flatMap(({ keyId, secrets }) => secrets.map(({ sealed }) => ({ keyId, sealed })));
  if (stored.length === 0 || stored.some(({ keyId, sealed }) => canOpen(box, keyId, sealed))) return;
  throw new ConnectionError(
    `${source} is not the key that encrypted the signing secrets of this database: it decrypts none of them. Use the key that the ` +
      'server has as `secretKey`.',
  );
}

/** Returns whether the box decrypts a stored signing secret. */
export function canOpen(box: SecretBox, keyId: KeyId, sealed: string): boolean {
  try {
    return typeof box.open(sealed, { purpose: 'webhook_signing_secret', keyId }) === 'string';
  } catch {
    return false;
  }
}
