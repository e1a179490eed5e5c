import type { JobId } from '@partner-hiring/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ground, Ids, Opened } from './ground.js';
import type { HostWork, OpenLibrary } from './library.js';

const rollBack = new Error('The host changed its mind.');

/** Characters that libraries read as placeholders, casts or JSON. */
const AWKWARD = [
  'Cook? ?? \\? $1 $2::json :name',
  `'single' "double" \`tick\` \\ back`,
  '{"a":[1,2]}',
  '[1]',
  '{1,2}',
  '2026-11-25T14:00:00Z',
  '1e3',
  'null',
  '日本 🍜',
];

/** What a host may rely on, whatever library its transaction is of. */
export function describeLibrary<HostTx, Library extends OpenLibrary<HostTx>, Place>(
  name: string,
  opened: Opened<HostTx, Library, Place>,
): void {
  describe(name, () => {
    let ground: Ground<HostTx, Place>;
    let library: Library;
    beforeAll(async () => {
      ({ ground, library } = await opened());
    });

    const { nextIds } = opened;
    const publish = ({ hostTx }: HostWork<HostTx>, id: JobId, title = 'Cook') =>
      ground.operator.within(hostTx).jobs.publish(ground.job(id, title));
    const stored = (ids: Ids) => ground.stored(ids);

    it('commits what the host and we have written', async () => {
      const ids = nextIds();
      await library.transaction(async (tx) => {
        await tx.insert(ids.row);
        await publish(tx, ids.job);
        expect(await stored(ids)).toEqual([false, false]);
        expect(await ground.operator.within(tx.hostTx).jobs.find({ id: ids.job })).not.toBeNull();
      });
      expect(await stored(ids)).toEqual([true, true]);
    });

    it('rolls back what the host and we have written', async () => {
      const ids = nextIds();
      const undone = library.transaction(async (tx) => {
        await tx.insert(ids.row);
        await publish(tx, ids.job);
        throw rollBack;
      });
      await expect(undone).rejects.toBe(rollBack);
      expect(await stored(ids)).toEqual([false, false]);
    });

    it.each(AWKWARD)('stores and returns %s', async (text) => {
      const ids = nextIds();
      await library.transaction(async (tx) => {
        await tx.insert(ids.row);
        await publish(tx, ids.job, text);
        const found = await ground.operator.within(tx.hostTx).jobs.find({ id: ids.job });
        expect(found).toMatchObject({ title: text });
      });
      expect(await ground.operator.jobs.find({ id: ids.job })).toMatchObject({
        title: text,
        compensation: { min: 18.25, max: 22.5, currency: 'USD' },
      });
    });

    it('rolls back after a failed statement of the host', async () => {
      const ids = nextIds();
      const failed = library.transaction(async (tx) => {
        await publish(tx, ids.job);
        await tx.insert(ids.row);
        await tx.insert(ids.row);
      });
      await expect(failed).rejects.toThrow();
      expect(await stored(ids)).toEqual([false, false]);
    });

    it('can go on after a command that was refused', async () => {
      const ids = nextIds();
      await library.transaction(async (tx) => {
        await tx.insert(ids.row);
        const none = 'job_none' as JobId;
        await expect(ground.operator.within(tx.hostTx).jobs.close({ id: none })).rejects.toThrow(none);
        await publish(tx, ids.job);
      });
      expect(await stored(ids)).toEqual([true, true]);
    });

    it('runs commands that are called at once', async () => {
      const all = [nextIds(), nextIds(), nextIds()];
      await library.transaction(async (tx) => {
        await Promise.all(all.map(({ row }) => tx.insert(row)));
        const commands = ground.operator.within(tx.hostTx);
        await Promise.all(all.map(({ job }) => commands.jobs.publish(ground.job(job, 'Cook'))));
      });
      for (const ids of all) expect(await stored(ids)).toEqual([true, true]);
    });

    it('undoes a savepoint alone, if the library has savepoints', async () => {
      const [outer, inner, kept] = [nextIds(), nextIds(), nextIds()];
      await library.transaction(async (tx) => {
        await tx.insert(outer.row);
        await publish(tx, outer.job);
        const write = async (nested: HostWork<HostTx>, ids: Ids, end: () => void) => {
          await nested.insert(ids.row);
          await publish(nested, ids.job);
          end();
        };
        if (tx.nested === undefined) return;
        const undone = tx.nested((nested) =>
          write(nested, inner, () => {
            throw rollBack;
          }),
        );
        await expect(undone).rejects.toBe(rollBack);
        await tx.nested((nested) => write(nested, kept, () => {}));
      });
      expect(await stored(outer)).toEqual([true, true]);
      const isNested = (await ground.hostRows()).includes(kept.row);
      expect([await stored(inner), await stored(kept)]).toEqual([
        [false, false],
        [isNested, isNested],
      ]);
    });

    it('refuses a handle that is not a transaction, and says what to pass', async () => {
      expect(library.wrong.length + (library.outside ?? []).length).toBeGreaterThan(0);
      for (const [what, pass] of library.wrong) {
        const within = () => ground.operator.within(pass());
        expect(within, what).toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
        expect(within, what).toThrow(
          /^(?:from[A-Z]\w+ takes|Pass (?:a|the)) .*(?:transaction|begin|manager|after)/,
        );
      }
      for (const [, hostTx] of library.outside ?? []) {
        const ids = nextIds();
        const refused = ground.operator.within(hostTx).jobs.publish(ground.job(ids.job, 'Cook'));
        await expect(refused).rejects.toMatchObject({ code: 'MISCONFIGURED' });
        expect(await stored(ids)).toEqual([false, false]);
      }
    });
  });
}
