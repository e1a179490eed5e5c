import { fileURLToPath } from 'node:url';
import { describeJsonHost } from './json-host.js';

describeJsonHost([
  fileURLToPath(new URL('../../examples/existing-platform/staff.ts', import.meta.url)),
  fileURLToPath(new URL('hosts/nest-prisma', import.meta.url)),
]);
