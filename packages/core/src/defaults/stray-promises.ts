import { isPromise } from '../domain/any-realm.js';
import { misconfiguration } from '../errors.js';
import type { PhoneNumbers, SecretBox, SecretContext } from '../ports/host-services.js';

/** JavaScript hosts can pass async functions where a port is synchronous. A secret box may be asynchronous. */

/** An unhandled rejection would end the host's process. */
export function ignoreRejection(answer: unknown): void {
  if (isPromise(answer)) answer.catch(() => {});
}

const SAMPLE: SecretContext = { purpose: 'webhook_signing_secret', keyId: 'key_sample' };

/**
 * Seals and opens a sample, unless the box is asynchronous. A box that throws passes the check, because some processes can
 * only seal or only open.
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkSecretBox(box: SecretBox): void {
  const sealed = callOrNull(() => box.seal('whsec_sample', SAMPLE));
  if (sealed === null) return;
  // Its answers are checked when they come.
  if (isPromise(sealed.returned)) {
    ignoreRejection(sealed.returned);
    return;
  }
  assertText('secretBox.seal', sealed.returned);
  const opened = callOrNull(() => box.open(String(sealed.returned), SAMPLE));
  if (opened === null) return;
  if (isPromise(opened.returned)) ignoreRejection(opened.returned);
  else assertText('secretBox.open', opened.returned);
}

/**
 * Normalizes a sample number.
 * @throws OperatorError `MISCONFIGURED` unless `normalize` returns a non-empty string or null
 */
export function checkPhoneNumbers(phones: PhoneNumbers): void {
  const normalized = callOrNull(() => phones.normalize('+14155550123', 'US'));
  if (normalized !== null && normalized.returned !== null)
    assertText('phoneNumbers.normalize', normalized.returned);
}

function callOrNull(call: () => unknown): { readonly returned: unknown } | null {
  try {
    return { returned: call() };
  } catch {
    return null;
  }
}

function assertText(method: string, returned: unknown): void {
  if (typeof returned === 'string' && returned !== '') return;
  ignoreRejection(returned);
  const problem = isPromise(returned)
    ? 'it returned a promise. Fetch what it needs, such as a key, before you call createPartnerHiring'
    : 'it did not';
  throw misconfiguration(`\`${method}\` must return a text synchronously, but ${problem}.`);
}
