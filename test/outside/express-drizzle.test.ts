import { fileURLToPath } from 'node:url';
import { describeJsonHost } from './json-host.js';

describeJsonHost([
  fileURLToPath(new URL('hosts/nest-prisma/seed.ts', import.meta.url)),
  fileURLToPath(new URL('hosts/express-drizzle', import.meta.url)),
]);
