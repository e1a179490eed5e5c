import { Client } from 'undici';
import { OperatorError } from '../../errors.js';

/**
 * Bun gives its own in the place of undici: by that nothing can be sent.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function assertUndici(client: { readonly prototype: object } = Client): void {
  if ('dispatch' in client.prototype) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'Webhooks and résumés go by undici, in whose place this runtime has something else, as Bun does. Start the worker ' +
      'in a process of Node, on the same database; the API itself runs here.',
  );
}
