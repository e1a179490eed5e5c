import type { KeyId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { lockKey } from './keys/find-key.js';
import { prepareSandbox } from './sandbox/prepare-sandbox.js';
import type { Runner, Scope } from './scope.js';

/** The worlds in which partners try things out, where the host has switched `sandbox` on. */
export interface SandboxCommands {
  /**
   * Gives a sandbox key the companies and jobs that it should have and has not. Keys get them as they are
   * issued, and the worker finds those that were issued before; this is for a host that will not wait for it.
   * What is there stays as it is.
   *
   * @throws OperatorError `KEY_NOT_FOUND`, `WORLD_MISMATCH` for a production key, or `MISCONFIGURED` where the
   *   sandbox is not switched on.
   */
  prepare(target: { readonly keyId: KeyId }): Promise<{ readonly changed: boolean }>;
}

/** Builds the commands about sandboxes. */
export function sandboxCommands({ run }: Runner): SandboxCommands {
  return { prepare: ({ keyId }) => run((scope) => prepare(scope, keyId)) };
}

async function prepare(scope: Scope, keyId: KeyId): Promise<{ readonly changed: boolean }> {
  if (!scope.sandbox) {
    const message = 'The sandbox is not switched on. Pass `sandbox: true` to createPartnerHiring.';
    throw new OperatorError('MISCONFIGURED', message);
  }
  const { environment } = await lockKey(scope, keyId);
  if (environment !== 'sandbox') {
    const message = `${keyId} is a ${environment} key. Issue the partner a sandbox key, and prepare that.`;
    throw new OperatorError('WORLD_MISMATCH', message);
  }
  return { changed: await prepareSandbox(scope, keyId) };
}
