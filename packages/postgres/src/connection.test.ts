import type { ClientBase } from 'pg';
import { expect, it } from 'vitest';
import { createPostgresConnection } from './connection.js';

it('a connection that was lost while nothing was under way says why, sends nothing, and is not lent again', async () => {
  let sent = 0;
  const send = async () => {
    sent += 1;
    return { rows: [] };
  };
  const connection = createPostgresConnection({} as ClientBase, send, 1_000);
  expect([connection.isBroken(), connection.isReusable()]).toEqual([false, true]);
  const [why, after] = [new Error('terminating connection'), new Error('Connection terminated')];
  connection.lose(why);
  connection.lose(after);
  expect([connection.isBroken(), connection.isReusable()]).toEqual([true, false]);
  expect(() => connection.assertThere()).toThrow(why);
  await expect(connection.statement('select 1', [])).rejects.toBe(why);
  await expect(connection.committing('select 1', [])).rejects.toBe(why);
  expect(sent).toBe(0);
});
