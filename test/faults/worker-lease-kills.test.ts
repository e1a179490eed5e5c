/** The host's own periodic work goes on, one run at a time, while the processes that run it are killed. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { expect, it, onTestFinished } from 'vitest';
import type { LeaseReplicaSettings } from './lease-replica.js';
import { type Child, startChild } from './stage/child.js';
import { sized } from './stage/size.js';

const KILLS = sized(20, 3);
/** Longer than a busy machine keeps a renewal waiting. */
const LEASE_MS = 3_000;
const GOES_ON_WITHIN_MS = 60_000;
const CELLS = process.env.STORAGE === 'postgres' ? [1, 3] : [1];

type Replica = Child<{ readonly pid: number }>;

it.each(CELLS)(
  `no run is lost or joined by another, when ${KILLS} runs are killed, with %i cells`,
  async (cells) => {
    const database = await createTestDatabase(cells);
    const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-lease-'));
    const settings: LeaseReplicaSettings = { location: database.location, folder, leaseMs: LEASE_MS };
    const start = () => startChild<{ readonly pid: number }>('lease-replica.ts', [JSON.stringify(settings)]);
    const replicas: Replica[] = await Promise.all([start(), start(), start()]);
    onTestFinished(async () => {
      await Promise.all(replicas.map((each) => each.kill()));
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    });
    const notes = () => {
      const file = join(folder, 'notes');
      return existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [];
    };
    /** Resolves as soon as another run has begun. */
    const nextRun = async () => {
      const before = notes().length;
      const isNew = () =>
        notes()
          .slice(before)
          .findLast((line) => line.startsWith('begin '));
      for (const until = performance.now() + GOES_ON_WITHIN_MS; performance.now() < until; ) {
        const begun = isNew();
        if (begun !== undefined) return Number(begun.slice('begin '.length));
        await setTimeout(2);
      }
      throw new Error('The work did not go on.');
    };

    const killed = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const pid = await nextRun();
      const victim = replicas.findIndex(({ ready }) => ready.pid === pid);
      await replicas[victim]?.kill();
      killed.add(pid);
      replicas[victim] = await start();
    }
    const after = new Set([await nextRun(), await nextRun()]);
    expect([...after].filter((pid) => killed.has(pid))).toEqual([]);

    expect(notes().filter((line) => line.startsWith('overlap'))).toEqual([]);
    // Between a `begin` and the next one of another process is its `end`, unless it was killed.
    const open = new Set<string>();
    for (const line of notes()) {
      const [word, pid = ''] = line.split(' ');
      if (word === 'begin') open.add(pid);
      else open.delete(pid);
    }
    expect([...open].filter((pid) => !killed.has(Number(pid))).length).toBeLessThanOrEqual(1);
  },
  180_000,
);
