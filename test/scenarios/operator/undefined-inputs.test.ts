/** An optional input that is `undefined` counts as omitted, for strict hosts that pass values as they are. */
import type { Runtime } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { ID_PREFIXES } from '../../../packages/core/src/domain/ids.js';
import { commandsOf, createSetting, DEFINED_INPUTS, INPUTS, outcomeOf } from './every-command.js';
import { openStage } from './stage.js';

type Fields = Readonly<Record<string, unknown>>;

/** Both stages make the same ids and secrets. */
const withUndefined = await openStage({ sandbox: true, runtime: createCountingRuntime() });
const withoutFields = await openStage({ sandbox: true, runtime: createCountingRuntime() });

/** The values that commands need. */
const NEEDED = ['name', 'environment', 'title', 'location', 'compensation', 'changes', 'decision', 'url'];

const WITH_FIELDS = [...DEFINED_INPUTS].filter(([, { fields }]) => fields.length > 0);

describe.each(WITH_FIELDS)('%s', (name, { fields, ids }) => {
  it('answers the same for inputs that are `undefined` and for omitted ones', async () => {
    expect(await expectSame((input) => input)).toHaveProperty('answer');
  });

  it('answers the same with the needed inputs only', async () => {
    await expectSame((input) =>
      Object.fromEntries(
        Object.entries(input).filter(([field]) => ids.includes(field) || NEEDED.includes(field)),
      ),
    );
  });

  async function expectSame(change: (input: Fields) => Fields): Promise<unknown> {
    const [expected, found] = await Promise.all([
      run(withoutFields, change),
      run(withUndefined, (input) => ({
        ...undefinedFields(fields.map((field) => field.name)),
        ...change(input),
      })),
    ]);
    if (name === 'keys.probe') expect(withoutEventIds(found)).toBe(withoutEventIds(expected));
    else expect(found).toStrictEqual(expected);
    return found;
  }

  async function run(stage: typeof withUndefined, change: (input: Fields) => Fields): Promise<unknown> {
    const input = INPUTS[name]?.(await createSetting(stage));
    const command = commandsOf(stage.operator).get(name);
    if (command === undefined) throw new Error(`Unknown command ${name}.`);
    return outcomeOf(command, Array.isArray(input) ? input.map(change) : change((input ?? {}) as Fields));
  }
});

/** The ids of the events that a probe sends are random. */
function withoutEventIds(outcome: unknown): string {
  return JSON.stringify(outcome).replaceAll(/evt_0{10}\w+/g, 'evt_');
}

function undefinedFields(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Counts up instead of drawing numbers. */
function createCountingRuntime(): Runtime {
  let made = 0;
  const next = () => {
    made += 1;
    return String(made).padStart(12, '0');
  };
  return {
    clock: createFakeClock(),
    ids: { next: (kind) => `${ID_PREFIXES[kind]}${next()}` },
    random: {
      bytes: (count) => Buffer.alloc(count, next()),
      fraction: () => 0.5,
      token: () => `token-${next()}`,
    },
  };
}
