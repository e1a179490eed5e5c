import { type Handler, OperatorError } from '@partner-hiring/core';

/**
 * Returns the handler. Throws if the value has none, for example because it is a promise. If the host mounted
 * the adapter itself, the value is a request.
 */
export function handlerOf(mountable: { readonly handler: Handler }, adapter: string): Handler {
  const given: { readonly handler?: Handler } | undefined = mountable;
  if (typeof given?.handler === 'function') return given.handler;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} needs the result of createPartnerHiring: \`${adapter}(partnerHiring)\`.`,
  );
}

/** Rejects a prefix that contains the base path, which the adapter adds itself. */
export function refuseBasePathTwice(prefix: string, basePath: string, adapter: string): void {
  if (basePath === '' || !prefix.replace(/\/$/, '').endsWith(basePath)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} is mounted at "${prefix}" and would serve ${prefix}${basePath}. ` +
      `Mount it without "${basePath}": the adapter adds that path itself. ` +
      'To change the path, set `basePath` of createPartnerHiring.',
  );
}
