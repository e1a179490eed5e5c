import { randomBytes, randomUUID } from 'node:crypto';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import { createSecret } from '../../../../packages/core/src/domain/partner-key.js';

/** A repeated request. */
export interface AttackRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base path. */
  readonly path: string;
  /** `unknown` stands for a new, well-formed secret each time. */
  readonly secret: string;
  /** For a POST. `fresh` stands for a new one each time. */
  readonly idempotencyKey: string;
  /** For a POST. */
  readonly body: string;
}

/** Returns the head, which may announce another length. */
export function attackHead(
  { method, path, secret, idempotencyKey }: Omit<AttackRequest, 'body'>,
  bodyLength: number,
): string {
  const presented = secret === 'unknown' ? createSecret('production', randomBytes(32)) : secret;
  const lines = [
    `${method} ${BASE_PATH}${path} HTTP/1.1`,
    'Host: api.test',
    `Authorization: Bearer ${presented}`,
  ];
  if (method === 'POST') {
    lines.push(
      'Content-Type: application/json',
      `Idempotency-Key: ${idempotencyKey === 'fresh' ? randomUUID() : idempotencyKey}`,
      `Content-Length: ${bodyLength}`,
    );
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
