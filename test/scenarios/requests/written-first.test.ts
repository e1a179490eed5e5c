/** The requests of the last second are in this process's memory, so a command that reads the log writes it first. */
import { expect, it, vi } from 'vitest';
import { commandsOf, createSetting, INPUTS, outcomeOf } from '../operator/every-command.js';
import { openStage } from '../operator/stage.js';

const flush = vi.fn(async () => {});
const stage = await openStage({ flushRequests: flush });

/** What the request log of a process writes. The worker counts attempts. */
const WRITTEN = ['requests', 'readiness', 'hourCounts'] as const;

/** Notes whether each read of the log from now on came after a write. */
function watchReads(): boolean[] {
  const reads: boolean[] = [];
  for (const name of WRITTEN) {
    const repository = stage.storage.direct[name] as unknown as Record<
      string,
      (...given: never[]) => unknown
    >;
    for (const [method, read] of Object.entries(repository)) {
      if (/^(add|sweep)/.test(method)) continue;
      vi.spyOn(repository, method).mockImplementation((...given) => {
        const [{ kind = '' } = {}] = given as readonly { readonly kind?: string }[];
        if (kind !== 'attempt') reads.push(flush.mock.calls.length > 0);
        return read(...given);
      });
    }
  }
  return reads;
}

it('each command that reads the request log writes it first', async () => {
  const setting = await createSetting(stage);
  const reads = watchReads();
  const readers = new Map<string, boolean>();
  for (const [name, command] of commandsOf(stage.operator)) {
    flush.mockClear();
    reads.length = 0;
    await outcomeOf(command, INPUTS[name]?.(setting));
    if (reads.length > 0) readers.set(name, !reads.includes(false));
  }
  const groups = [...readers.keys()].map((name) => name.split('.')[0]);
  expect(groups).toEqual(expect.arrayContaining(['requests', 'timelines', 'keys', 'candidates']));
  expect([...readers].flatMap(([name, isFirst]) => (isFirst ? [] : [name]))).toEqual([]);
});
