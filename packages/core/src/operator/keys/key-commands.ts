import type { KeyCommands } from '../keys.js';
import type { Runner } from '../scope.js';
import { issueKey } from './issue-key.js';
import { revokeSecrets, rotateSecret } from './key-secrets.js';
import { findKeyView, listKeyViews } from './key-view.js';

/** Builds the commands about keys. */
export function keyCommands({ run, read, now }: Runner): KeyCommands {
  return {
    issue: (key) => run((scope) => issueKey(scope, key)),
    rotate: (rotation) => run((scope) => rotateSecret(scope, rotation)),
    revoke: (revocation) => run((scope) => revokeSecrets(scope, revocation)),
    find: async ({ keyId }) => findKeyView(read, keyId, await now()),
    list: async (filter) => listKeyViews(read, filter?.partnerId ?? null, await now()),
  };
}
