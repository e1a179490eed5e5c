import { isError } from '@partner-hiring/storage-kysely';

/** An outage in words. */
export interface Explanation {
  /** What failed, and where, in one sentence. */
  readonly finding: string;
  /** How to fix it, in sentences. */
  readonly fix: string;
}

const SECOND_MS = 1_000;

export function seconds(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${ms / SECOND_MS} s`;
}

export function codeOf(error: unknown): string {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether PostgreSQL or a pooler sent the error. */
export function isFromServer(error: unknown): boolean {
  return isError(error) && 'severity' in error && error.severity !== undefined;
}

export function messageOf(error: unknown): string {
  if (!isError(error)) return String(error);
  const parts: readonly unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const messages = [error.message, ...parts.map((part) => (isError(part) ? part.message : ''))];
  const text = messages.filter((message) => message !== '').join(', ');
  return (text || codeOf(error) || error.name).replace(/\s+/g, ' ').replace(/\.$/, '');
}
