import { createSqliteStorage } from '@partner-hiring/sqlite';

export const storage = await createSqliteStorage({ file: 'settings.sqlite' });
export const secretKey = '0123456789abcdef'.repeat(4);
