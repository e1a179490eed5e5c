import { isAnyError } from '@partner-hiring/storage-kysely';

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

export function sqlStateOf(error: unknown): string {
  return isAnyError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether PostgreSQL or a pooler sent the error. */
export function isFromServer(error: unknown): boolean {
  return isAnyError(error) && 'severity' in error && error.severity !== undefined;
}

export function outageMessageOf(error: unknown): string {
  if (!isAnyError(error)) return String(error);
  const parts: readonly unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const messages = [error.message, ...parts.map((part) => (isAnyError(part) ? part.message : ''))];
  const text = messages.filter((message) => message !== '').join(', ');
  return (text || sqlStateOf(error) || error.name).replace(/\s+/g, ' ').replace(/\.$/, '');
}
