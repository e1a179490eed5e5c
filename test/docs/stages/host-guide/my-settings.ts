import { createSqliteStorage } from '@partner-hiring/sqlite';

export const storage = await createSqliteStorage({ file: 'settings.sqlite' });
export const secretKey = new Uint8Array(32);
