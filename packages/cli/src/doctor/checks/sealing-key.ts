import { createSecretBox, OperatorError, type SecretContext } from '@partner-hiring/core';
import { SEALING_KEY_VARIABLE } from '../../connection/sealing-key.js';
import { onStorage } from '../check.js';
import { failed, ok, skipped, warning } from '../report.js';
import { plural } from './words.js';

/** The number of endpoints to try. One may have been changed by hand, but not all of them. */
const SAMPLE = 20;

/** Does the sealing key open the signing secrets in the database? */
export const SEALING_KEY = onStorage('sealing-key', async ({ direct }, { secretKey }) => {
  const endpoints = await direct.endpoints.list({ after: null, limit: SAMPLE });
  if (secretKey === null) {
    return endpoints.length === 0 ? skipped(NO_KEY, PASS_KEY) : warning(NO_KEY, PASS_KEY);
  }
  try {
    const box = createSecretBox(secretKey);
    if (endpoints.length === 0) return ok('The sealing key is valid. No endpoint has a signing secret yet.');
    const unreadable = endpoints.filter(({ keyId, secrets }) => {
      // The first secret is the current one. Older ones may be sealed with the previous key.
      const [current] = secrets;
      return current === undefined || !canOpen(() => box.open(current.sealed, { purpose: PURPOSE, keyId }));
    });
    if (unreadable.length === 0) {
      return ok(
        `The sealing key opens the signing secrets of ${plural(endpoints.length, 'endpoint', 'endpoints')}.`,
      );
    }
    return failed(
      `The sealing key does not open the signing secrets of ${unreadable.length} of ${plural(endpoints.length, 'endpoint', 'endpoints')}: nothing is sent to them.`,
      'If this database is a copy, run `deployment claim` first. Otherwise give the processes the key that sealed them. If it is lost, run `endpoints rotate-secret --overlap-hours 0` for each key: ' +
        unreadable.map(({ keyId }) => keyId).join(', '),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return failed('The sealing key is not valid.', error.message);
  }
});

const NO_KEY = 'No sealing key was given, so it was not tested. With `--strict`, this counts as a failure.';
const PASS_KEY = `Pass the \`secretKey\` of your processes: \`--sealing-key-file\`, or the variable ${SEALING_KEY_VARIABLE}.`;

const PURPOSE: SecretContext['purpose'] = 'webhook_signing_secret';

function canOpen(open: () => string): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
