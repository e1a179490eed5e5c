import { createSecretBox, findSealing, OperatorError, type SealingReport } from '@partner-hiring/core';
import { canOpen, SEALING_KEY_VARIABLE } from '../../connection/sealing-key.js';
import { onStorage } from '../check.js';
import { failed, ok, skippedCheck, warning } from '../report.js';
import { plural } from './words.js';

/** The number of endpoints to try. One may have been changed by hand, but not all of them. */
const SAMPLE = 20;

/** Do the sealing keys open the signing secrets in the database, and do all workers know them? */
export const SEALING_KEY = onStorage('sealing-key', async ({ direct }, { secretKey, storageNow }) => {
  const endpoints = await direct.endpoints.list({ after: null, limit: SAMPLE });
  if (secretKey === null) {
    return endpoints.length === 0 ? skippedCheck(NO_KEY, PASS_KEY) : warning(NO_KEY, PASS_KEY);
  }
  try {
    const box = createSecretBox(secretKey);
    const found = await findSealing(direct, box, await storageNow());
    const behind = describeBehind(found);
    if (found.behind.length > 0) return warning(behind, 'Give them this key, and restart them.');
    if (endpoints.length === 0) return ok('The sealing key is valid. No endpoint has a signing secret yet.');
    const unreadable = endpoints.filter(({ keyId, secrets }) => {
      // The first secret is the current one. Older ones may be sealed with the previous key.
      const [current] = secrets;
      return current === undefined || !canOpen(box, keyId, current.sealed);
    });
    if (unreadable.length > 0) {
      return failed(
        `The sealing key does not open the signing secrets of ${unreadable.length} of ${plural(endpoints.length, 'endpoint', 'endpoints')}: nothing is sent to them. ${describeSealed(found)}`,
        'If this database is a copy, run `deployment claim` first. Otherwise give the processes the key that sealed them. If it is lost, run `endpoints rotate-secret --overlap-hours 0` for each key: ' +
          unreadable.map(({ keyId }) => keyId).join(', '),
      );
    }
    if (found.left > 0) {
      return warning(
        describeSealed(found),
        'To finish the change of the key, run `secrets reseal`. Keep the other keys until none is left.',
      );
    }
    return ok(
      `The sealing key opens the signing secrets of ${plural(endpoints.length, 'endpoint', 'endpoints')}.`,
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return failed('The sealing key is not valid.', error.message);
  }
});

const NO_KEY = 'No sealing key was given, so it was not tested. With `--strict`, this counts as a failure.';
const PASS_KEY = `Pass the \`secretKey\` of your processes: \`--sealing-key-file\`, or the variable ${SEALING_KEY_VARIABLE}.`;

/** Counts the signing secrets by the key that sealed them. */
export function describeSealed({ sealingKeyId, counts, left }: SealingReport): string {
  const others = counts.filter((each) => each.sealingKeyId !== sealingKeyId);
  const texts = others.map(({ secrets, isKnown, ...each }) => {
    const key = each.sealingKeyId === null ? 'an unnamed key' : `the key ${each.sealingKeyId}`;
    return `${secrets} with ${key}${isKnown || each.sealingKeyId === null ? '' : ', which this process does not know'}`;
  });
  const current = counts.find((each) => each.sealingKeyId === sealingKeyId)?.secrets ?? 0;
  const sealed = `${plural(current, 'signing secret is', 'signing secrets are')} sealed with the key ${sealingKeyId}`;
  return left === 0 ? `${sealed}, and none with another key.` : `${sealed}, ${texts.join('; ')}.`;
}

/** Names the workers that do not know the key. */
export function describeBehind({ sealingKeyId, behind }: SealingReport): string {
  if (behind.length === 0) return 'All running workers know it.';
  const names = behind.map(({ name, pid }) => `${name} (process ${pid})`);
  return `${plural(behind.length, 'running worker does', 'running workers do')} not know the key ${sealingKeyId}: ${names.join(', ')}.`;
}
