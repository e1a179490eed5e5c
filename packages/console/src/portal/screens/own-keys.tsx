import type { Environment, KeyId, OwnKey } from '@partner-hiring/core';
import { mustFind, NothingHere } from '../../gate/refusals.js';
import { LABELS } from '../../labels.js';
import type { FilterField } from '../../screens/parts/filter-field.js';
import type { PortalCall } from '../portal-call.js';

const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: 'Production',
  sandbox: 'Sandbox',
};

/** Writes an environment for a column or a title. */
export function environmentName(environment: Environment): string {
  return ENVIRONMENTS[environment];
}

/** Finds the key that the path of the page names. @throws NothingHere */
export function findChosenKey(call: PortalCall, name = 'keyId'): Promise<OwnKey> {
  return mustFind(call.own.key(call.param(name) as KeyId));
}

/** A page of a list without rows. */
export const NO_OWN_ROWS = { items: [], nextCursor: null };

/** A field that chooses one of the partner's keys. It is not shown with one key, which needs no choice. */
export const KEY_FIELD: FilterField<PortalCall> = {
  name: 'key',
  label: LABELS.environment,
  kind: 'choice',
  any: null,
  load: async ({ own }) => {
    const keys = await own.keys();
    return {
      options: keys.length < 2 ? [] : keys.map(({ id, environment }) => [id, environmentName(environment)]),
    };
  },
};

/** Returns the key that a field names, or the first one without a field. Null without a key. @throws NothingHere */
export function chosenKey(keys: readonly OwnKey[], id: string | null): OwnKey | null {
  if (id === null) return keys[0] ?? null;
  const found = keys.find((key) => key.id === id);
  if (found === undefined) throw new NothingHere();
  return found;
}

/** Writes the environment of the key of a row. */
export function environmentOf(keys: readonly OwnKey[], keyId: KeyId): string {
  const key = keys.find(({ id }) => id === keyId);
  return key === undefined ? '–' : environmentName(key.environment);
}
