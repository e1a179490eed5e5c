import type { NextConfig } from 'next';

const config: NextConfig = {
  // The storage reads its migrations from its package folder.
  serverExternalPackages: ['@partner-hiring/sqlite', 'better-sqlite3'],
  // The standalone output and functions get only the files that code imports.
  outputFileTracingIncludes: { '/**': ['./node_modules/@partner-hiring/*/migrations/**'] },
};

export default config;
