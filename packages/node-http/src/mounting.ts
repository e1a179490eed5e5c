import { type Handler, OperatorError } from '@partner-hiring/core';

/** Rejects values without a handler, such as a promise, or a request if the adapter itself was mounted. */
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
    `${adapter} is mounted at "${prefix}" and would serve ${prefix}${basePath}. Mount it without "${basePath}", which ` +
      'it adds itself. To change that path, set `basePath` of createPartnerHiring.',
  );
}
