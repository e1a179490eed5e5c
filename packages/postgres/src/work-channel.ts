import { createHash } from 'node:crypto';

/** A schema's name may be longer than a channel's. */
export function workChannel(schema: string): string {
  return `partner_hiring_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}
