import type { Application } from '../../domain/application.js';
import type { KeyOfSecret } from '../../ports/repositories/partners.js';
import type { Admission } from '../partner-api.js';
import type { Counted } from './count-calls.js';

/** Whether a call comes in: its bucket comes first, then whose its secret is. */
export function decideAdmission(
  found: KeyOfSecret | null,
  counted: Counted | null,
  application: Application | null | undefined,
): Admission {
  const charge = counted?.charge ?? null;
  const rate = charge?.state ?? counted?.guard ?? null;
  if (rate === null) throw new Error('Every request has a bucket.');
  const isAllowed = charge === null ? rate.remaining > 0 : charge.allowed;
  if (!isAllowed) {
    const repeatedBy = charge?.isRepeatedRefusal === true ? (found?.key ?? null) : null;
    return { kind: 'limited', rate, repeatedBy };
  }
  if (found === null) return { kind: 'unauthorized', rate };
  return { kind: 'admitted', key: found.key, rate, application };
}
