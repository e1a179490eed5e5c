/** A caller may change what it has passed to a command as soon as the call returns. */
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../packages/core/src/features/commands.js';
import {
  type AnyDefinition,
  type AnyDefinitions,
  bindCommands,
  type Definitions,
  isDefinition,
} from '../../../packages/core/src/operator/command/definition.js';
import type { Runner } from '../../../packages/core/src/operator/scope.js';
import { INPUTS, type LooseCommand, type Setting } from './every-command.js';
import { openStage, PICKER } from './stage.js';

const SETTING: Setting = {
  keyId: 'key_1',
  sandboxKeyId: 'key_2',
  partnerId: 'ptn_1',
  newPartnerId: 'ptn_2',
  leaverId: 'ptn_3',
  companyId: 'co_1',
  jobId: 'job_1',
  applicationId: 'ej_app_1',
  eventId: 'evt_1',
  operationId: 'op_1',
  endedOperationId: 'op_2',
  heldOperationId: 'op_3',
  hash: 'hash',
};

const later = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Binds a command that returns its checked input a while later. */
function bound(name: string): LooseCommand {
  const [group, verb] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)];
  const groups = COMMANDS.all as unknown as AnyDefinitions;
  const found = name
    .split('.')
    .reduce<AnyDefinition | AnyDefinitions | undefined>(
      (within, part) => (within === undefined || isDefinition(within) ? undefined : within[part]),
      groups,
    );
  const definition = found === undefined || !isDefinition(found) ? undefined : found;
  const run = async (_: unknown, input: unknown) => {
    await later();
    return input;
  };
  const definitions = { [verb]: { ...definition, run } } as unknown as Definitions<
    Record<string, LooseCommand>
  >;
  const command = bindCommands(group, definitions, {} as Runner, { begin: later })[verb];
  if (command === undefined) throw new Error(`Unknown command ${name}.`);
  if (definition?.hasSource !== true) return command;
  return (input) => (command as (source: unknown, options: unknown) => Promise<unknown>)([], input);
}

/** Changes every field and list, at every depth. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const field of Object.values(value)) spoil(field);
  if (Array.isArray(value)) value.splice(0, value.length, 'changed');
  else for (const name of Object.keys(value)) Reflect.set(value, name, 'changed');
}

it.each(Object.keys(INPUTS))('%s takes its input as it was when it was called', async (name) => {
  const { source: _, ...input } = { source: null, ...(INPUTS[name]?.(SETTING) as object) };
  const isList = Array.isArray(INPUTS[name]?.(SETTING));
  const given: unknown = structuredClone(isList ? INPUTS[name]?.(SETTING) : input);
  const expected = structuredClone(given);
  const taken = bound(name)(given);
  spoil(given);
  expect(await taken).toMatchObject(expected as object);
});

it('a list goes on with the filter as it was', async () => {
  const stage = await openStage();
  const companyId = await stage.company();
  for (let made = 0; made < 5; made += 1) await stage.operator.jobs.publish({ ...PICKER, companyId });
  const filter = { companyId, limit: 2 };
  let read = 0;
  for await (const _ of stage.operator.jobs.each(filter)) {
    filter.companyId = 'co_none';
    read += 1;
  }
  expect(read).toBe(5);
});

it('a source may use one object for all of its rows', async () => {
  const stage = await openStage();
  const companyId = await stage.company();
  async function* rows() {
    const row = { ...PICKER, id: 'job_0' as const as `job_${string}`, title: '', companyId };
    for (let made = 1; made <= 5; made += 1)
      yield Object.assign(row, { id: `job_${made}`, title: `Cook ${made}` });
  }
  expect(await stage.operator.jobs.syncs.run(rows())).toMatchObject({ added: 5 });
  const { items } = await stage.operator.jobs.list({ companyId });
  expect(items.map(({ title }) => title).sort()).toEqual([1, 2, 3, 4, 5].map((made) => `Cook ${made}`));
});

it('an input that contains itself, or whose getter throws, is refused, and nothing is stored', async () => {
  const stage = await openStage();
  const companyId = await stage.company();
  const cycle: Record<string, unknown> = { ...PICKER, companyId };
  cycle.location = cycle;
  const throwing = {
    ...PICKER,
    companyId,
    get title(): string {
      throw new Error('No title.');
    },
  };
  const { jobs } = stage.operator;
  await expect(jobs.publish(cycle as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'jobs.publish: the input contains itself. Nothing was changed.',
  });
  await expect(jobs.publish(throwing)).rejects.toThrow('No title.');
  await expect(jobs.publish([{ ...PICKER, companyId }, throwing])).rejects.toThrow('No title.');
  const synced = await jobs.syncs.run([{ ...PICKER, id: 'job_1', companyId }, cycle as never], {
    missing: 'keep',
  });
  expect(synced).toMatchObject({ added: 1, refusedCount: 1 });
  expect((await jobs.list({ companyId })).items).toHaveLength(1);
});
