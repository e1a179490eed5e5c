import { type Handler, OperatorError } from '@partner-hiring/core';

/**
 * The handler of what is mounted.
 *
 * @throws OperatorError `MISCONFIGURED` for what JavaScript lets through: a promise that was not awaited, or the
 *   request, where the adapter was handed over and not called.
 */
export function handlerOf(mountable: { readonly handler: Handler }, adapter: string): Handler {
  const given: { readonly handler?: Handler } | undefined = mountable;
  if (typeof given?.handler === 'function') return given.handler;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} must be called with what createPartnerHiring returned: \`${adapter}(partnerHiring)\`.`,
  );
}

/**
 * Refuses the base path as a prefix: the API would be served below it once more, and be found by nobody.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function refuseBasePathTwice(prefix: string, basePath: string, adapter: string): void {
  if (basePath === '' || !prefix.replace(/\/$/, '').endsWith(basePath)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} is mounted at "${prefix}", and would serve ${prefix}${basePath}. Mount it without "${basePath}": it ` +
      'adds that by itself. `basePath` of createPartnerHiring is what changes it.',
  );
}
