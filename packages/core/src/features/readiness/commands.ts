import type { KeyId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { onOwnKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { keyNotFound } from '../../operator/find-or-throw.js';
import type { Repositories } from '../../ports/storage.js';
import { checklistOf, type Readiness } from './checklist.js';
import { describeFault } from './faults.js';
import type { ReadinessItem } from './rules.js';

/** Shows what a key has proved for its go-live. */
export interface ReadinessCommands {
  /**
   * Returns the go-live checklist of a key; of a sandbox key, it decides on the production key. Each item has its
   * evidence from real requests and events, or the reason why it is open and how to get it. The evidence is kept with
   * the key, also after the request log has forgotten the requests.
   * @throws OperatorError `KEY_NOT_FOUND`.
   * @example
   * const { isReady, missing } = await operator.keys.readiness({ id: keyId });
   * if (!isReady) for (const { title, reason, how } of missing) console.log(`${title}: ${reason} ${how}`);
   */
  readiness(key: { readonly id: KeyId }): Promise<Readiness>;
}

export const readinessDefinitions: Definitions<ReadinessCommands> = {
  readiness: {
    summary: 'Shows what a key has proved for its go-live, with the evidence, and how to get the rest',
    input: record({ id: id('key') }),
    right: 'keys:read',
    claims: onOwnKey,
    run: async ({ read, flush, settings }, { id: keyId }) => {
      const key = await read.keys.find(keyId);
      if (key === null) throw keyNotFound(keyId);
      await flush();
      return readChecklist(read, key, settings.goLive.required);
    },
  },
};

export async function readChecklist(
  read: Pick<Repositories, 'readiness'>,
  key: PartnerKey,
  required: readonly ReadinessItem[],
): Promise<Readiness> {
  return checklistOf(key, await read.readiness.list(key.id), required, describeFault);
}
