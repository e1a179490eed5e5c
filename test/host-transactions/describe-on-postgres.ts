import { StorageUnavailable } from '@partner-hiring/core';
import type { PostgresTransaction } from '@partner-hiring/postgres';
import { type PieceKill, startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { apply } from '../docs/host.js';
import { describeLibrary } from './describe-library.js';
import { type Ground, type Ids, openOnce } from './ground.js';
import type { OpenPostgresLibrary, PostgresLibrary, PostgresPlace } from './libraries/postgres-library.js';
import type { HostWork } from './library.js';
import { openPlainHost } from './plain-host.js';
import { openPostgresDatabase } from './postgres-database.js';

/** The messages in which libraries commit. Each ends with a zero byte, behind its length or the name of a statement. */
const COMMITS = [
  '\u000bcommit\0',
  '\0commit\0',
  '\u000bCOMMIT\0',
  '\0COMMIT\0',
  '\fCOMMIT;\0',
  '\0COMMIT;\0',
];

const BASE = 'http://localhost/api/v1/external';

/** What a host on PostgreSQL may rely on, whatever library its transaction is of. */
export function describeOnPostgres(adapter: PostgresLibrary): void {
  const opened = openOnce(openPostgresDatabase, adapter.open);
  describeLibrary(adapter.name, opened);

  describe(`${adapter.name}, on PostgreSQL`, () => {
    let ground: Ground<PostgresTransaction, PostgresPlace>;
    let library: OpenPostgresLibrary;
    beforeAll(async () => {
      ({ ground, library } = await opened());
    });
    const { nextIds } = opened;

    const publish = ({ hostTx }: HostWork<PostgresTransaction>, { job }: Ids, title = 'Cook') =>
      ground.operator.within(hostTx).jobs.publish(ground.job(job, title));

    it('reports a lock that it cannot get, without the values of the statement', async () => {
      const ids = nextIds();
      const { connectionString, schema } = ground.place;
      const other = new Client({ connectionString });
      await other.connect();
      await other.query(`begin; select 1 from ${schema}.ph_feed_head for update`);
      const failed = library.transaction(async (tx) => {
        await tx.run("set local lock_timeout = '50ms'");
        await tx.insert(ids.row);
        const error = await publish(tx, ids, 'Secret cook').catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(StorageUnavailable);
        expect(textsIn(error)).not.toContain('Secret cook');
        throw error;
      });
      await expect(failed).rejects.toThrow();
      await other.end();
      expect(await ground.stored(ids)).toEqual([false, false]);
    });

    it('says so after a failed statement that the host has ignored', async () => {
      const ids = nextIds();
      const failed = library.transaction(async (tx) => {
        await tx.run('select 1 / 0').catch(() => {});
        await expect(publish(tx, ids)).rejects.toThrow('An earlier statement of the transaction failed');
        throw new Error('The host gives up.');
      });
      await expect(failed).rejects.toThrow();
      expect(await ground.stored(ids)).toEqual([false, false]);
    });

    it('refuses changes in a stricter isolation level', async () => {
      const ids = nextIds();
      const refused = library.transaction(async (tx) => {
        await tx.run('set transaction isolation level repeatable read');
        await publish(tx, ids);
      });
      await expect(refused).rejects.toMatchObject({ code: 'MISCONFIGURED' });
      expect(await ground.stored(ids)).toEqual([false, false]);
    });

    it('hands over the inbox in its own transaction, exactly once', async () => {
      const logger = createRecordingLogger();
      const inbox = ground.withInbox(library.inbox, logger);
      await ground.operator.jobs.publish(ground.job('job_inbox', 'Cook'));
      const jobId = 'job_inbox';
      const submit = () => apply(BASE, ground.secret, { jobId, send: inbox.fetch });
      const first = await submit();
      await inbox.worker.drain();
      // A row of the host that exists makes `receive` fail, so that nothing is received.
      const second = await submit();
      const host = await openPlainHost(ground.place);
      await host.add(second);
      await inbox.worker.drain();
      expect((await ground.operator.system.status()).inbox).toMatchObject({ unread: 1 });
      await host.remove(second);
      await host.close();
      await expect
        .poll(
          async () => {
            await inbox.worker.drain();
            return (await ground.operator.system.status()).inbox.unread;
          },
          { timeout: 10_000, interval: 200 },
        )
        .toBe(0);
      const rows = await ground.hostRows();
      expect(rows.filter((id) => id === first || id === second)).toHaveLength(2);
      expect(logger.text()).not.toContain('ada@example.com');
    });

    it('keeps both or neither, wherever the host is killed', async () => {
      const { connectionString, schema } = ground.place;
      const proxy = await startDatabaseProxy(connectionString);
      const behind = { ...ground.place, connectionString: proxy.connectionString };
      const observer = new Client({ connectionString, lock_timeout: 10_000 });
      await observer.connect();
      /** Waits for the transactions that have written: the server may still read the commit of a killed host. */
      const serverIsDone = () => observer.query(`begin; lock table ${schema}.hire in share mode; commit`);
      /** Returns whether the host was killed, or had sent the commit before. */
      const killAt = async (piece: number) => {
        const host = await adapter.open(behind);
        const [ids, last] = [nextIds(), nextIds()];
        let arm: (kill: PieceKill) => void = () => {};
        const armed = new Promise<PieceKill>((resolve) => {
          arm = resolve;
        });
        const ended = host
          .transaction(async (tx) => {
            arm(proxy.killAtPiece(piece));
            await tx.insert(ids.row);
            await publish(tx, ids);
            await tx.insert(last.row);
          })
          .then(
            () => 'committed',
            () => 'failed',
          );
        const kill = await armed;
        const end = await Promise.race([ended, kill.done.then(() => 'killed')]);
        await serverIsDone();
        const [row, job] = await ground.stored(ids);
        const [lastRow] = await ground.stored(last);
        expect([row, lastRow], `killed before piece ${piece}`).toEqual([job, job]);
        if (end !== 'killed') expect([end, job]).toEqual(['committed', true]);
        await host.abandon?.();
        const wasKilled = kill.end();
        await ended;
        await host.close();
        return wasKilled;
      };

      let piece = 1;
      while (await killAt(piece)) piece += 1;
      expect(piece).toBeGreaterThan(8);

      /** Drops the answer to the commit, if the library sends it in this form. */
      const loseAnswerTo = async (commit: string) => {
        const host = await adapter.open(behind);
        const ids = nextIds();
        proxy.cutAfter(commit);
        const end = await host
          .transaction(async (tx) => {
            await tx.insert(ids.row);
            await publish(tx, ids);
          })
          .then(
            () => 'committed',
            () => 'failed',
          );
        await serverIsDone();
        const stored = await ground.stored(ids);
        await host.abandon?.();
        await host.close();
        return { end, stored };
      };
      const ends = [];
      for (const commit of COMMITS) ends.push(await loseAnswerTo(commit));
      expect(ends).toContainEqual({ end: 'failed', stored: [true, true] });
      await observer.end();
      await proxy.close();
    });
  });
}

/** All texts of an error and its causes, as a logger may write them. */
function textsIn(error: unknown): string {
  const seen: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause) {
    seen.push(next.message, String(next.stack), JSON.stringify({ ...next, cause: undefined }));
  }
  return seen.join('\n');
}
