import { Client } from 'pg';
import { expect } from 'vitest';

/** The synchronous standby of a server, which answers or is lost. */
export interface FakeStandby {
  /** Loses the standby. Commits wait from now on. */
  lose(): Promise<void>;
  bringBack(): Promise<void>;
  /** The processes whose commits wait for the standby. */
  waiting(): Promise<readonly number[]>;
}

/** Makes a private server believe that it has a synchronous standby. `administrator` is a connection to that server. */
export function createFakeStandby(url: string, administrator: Client): FakeStandby {
  async function waiting(): Promise<readonly number[]> {
    const ask = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
    return (await administrator.query<{ pid: number }>(ask)).rows.map(({ pid }) => pid);
  }

  async function setStandby(name: string): Promise<void> {
    await administrator.query(`alter system set synchronous_standby_names = '${name}'`);
    await administrator.query('select pg_reload_conf()');
    const shown = () => administrator.query('show synchronous_standby_names').then(({ rows }) => rows);
    await expect.poll(shown).toEqual([{ synchronous_standby_names: name }]);
    // The processes reload the setting asynchronously.
    if (name === '') await expect.poll(waiting).toEqual([]);
  }

  /**
   * Makes commits wait. They wait only after the server's checkpointer has reloaded the setting, so this repeats a
   * commit until one waits.
   */
  async function lose(): Promise<void> {
    await setStandby('nobody');
    const probe = new Client({ connectionString: url });
    await probe.connect();
    const { rows } = await probe.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [{ pid } = { pid: 0 }] = rows;
    let isWaiting = false;
    while (!isWaiting) {
      let isOver = false;
      const commit = probe.query("select pg_logical_emit_message(true, 'probe', '')").finally(() => {
        isOver = true;
      });
      while (!isOver && !isWaiting) isWaiting = (await waiting()).includes(pid);
      if (isWaiting) await administrator.query('select pg_cancel_backend($1)', [pid]);
      await commit;
    }
    await probe.end();
  }

  return { lose, bringBack: () => setStandby(''), waiting };
}
