import type { NextConfig } from 'next';

const config: NextConfig = {
  // The storage reads its migrations from its package folder.
  serverExternalPackages: ['@partner-hiring/sqlite', 'better-sqlite3'],
};

export default config;
