import { isObject } from '../../defaults/option-checks.js';
import { misconfiguration } from '../../errors.js';

/** Checks the option `resumeSink`. @throws OperatorError `MISCONFIGURED` */
export function checkSink(sink: unknown): void {
  const remove: unknown = isObject(sink) ? Reflect.get(sink, 'remove') : undefined;
  if (remove === undefined || typeof remove === 'function') return;
  throw misconfiguration(
    '`resumeSink.remove` must be a function that removes a résumé. Omit it if the sink cannot remove.',
  );
}
