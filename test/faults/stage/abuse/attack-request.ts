import { randomBytes, randomUUID } from 'node:crypto';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import { createSecret } from '../../../../packages/core/src/domain/partner-key.js';

/** A request that an attacker sends again and again. */
export interface AttackRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base path. */
  readonly path: string;
  /** The secret it presents. `unknown` stands for a new one each time, well-formed and of no key. */
  readonly secret: string;
  /** Of a POST. `fresh` stands for a new one each time. */
  readonly idempotencyKey: string;
  /** Of a POST. */
  readonly body: string;
}

/** The head of such a request. It may announce a body of another length. */
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
