import { expect, test } from 'vitest';
import { runProgram } from './run-program.js';

test.each([
  ['nothing', ''],
  ['what is no JSON', '{"databaseUrl":"postgres://user:a-password@127.0.0.1/db",}'],
])(
  'a replica that is started by hand, with %s in REPLICA, names the command and shows no password',
  async (_, given) => {
    const { code, stderr } = await runProgram('replicas/api.ts', [], { REPLICA: given });
    expect(stderr).toContain('npm run replicas');
    expect(stderr).not.toContain('a-password');
    expect(code).toBe(1);
  },
);
