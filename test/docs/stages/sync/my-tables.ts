import type { Application } from '@partner-hiring/client';

/** The partner's own table. */
export const saved = new Map<string, Application>();

export async function saveApplication(row: Application): Promise<void> {
  saved.set(row.id, row);
}
