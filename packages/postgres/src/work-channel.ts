import { createHash } from 'node:crypto';

/**
 * Returns the name of the notification channel. It contains a hash, because a schema's name may be too long
 * for a channel's.
 */
export function workChannel(schema: string): string {
  return `partner_hiring_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}
