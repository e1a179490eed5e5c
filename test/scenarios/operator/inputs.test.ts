/** Commands validate the shape of their input, for hosts without types. */
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../packages/core/src/errors.js';
import {
  commandsOf,
  createSetting,
  cursorOf,
  INPUTS,
  type LooseCommand,
  outcomeOf,
} from './every-command.js';
import { openStage } from './stage.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;

/** Commands without input. */
const TAKE_NOTHING = ['partners.list', 'companies.list', 'endpoints.list'];
const TAKE_A_FILTER = ['keys.list', 'applications.list', 'deliveries.listDead', 'deliveries.counts'];

const WRONG: readonly unknown[] = [
  ...[true, 7, Number.NaN, 7n, '', 'job_1', Symbol('job_1'), () => ({ id: 'job_1' })],
  ...[['job_1'], [null], [[]], [undefined]],
];

/** Optional ids. */
const MAY_LACK = new Set([
  ...['partners.add id', 'companies.register id', 'jobs.publish id', 'jobs.publishMany id'],
  ...['keys.list partnerId', 'applications.list jobId', 'applications.list companyId'],
  ...['deliveries.list keyId', 'deliveries.listDead keyId', 'deliveries.counts keyId'],
]);

/** Values that are not ids. */
const NO_IDS: readonly unknown[] = [undefined, 7, 7n, true, Symbol('id'), {}, ['key_1'], () => 'key_1'];

function commandNamed(name: string): LooseCommand {
  const command = commandsOf(operator).get(name);
  if (command === undefined) throw new Error(`Unknown command ${name}.`);
  return command;
}

async function expectRefused(name: string, field: string, ...input: readonly unknown[]): Promise<void> {
  const outcome = await outcomeOf(commandNamed(name), ...input);
  const error = outcome.kind === 'threw' ? outcome.error : outcome;
  expect(error).toBeInstanceOf(OperatorError);
  const { code, message } = error as OperatorError;
  expect(code).toBe('INVALID_INPUT');
  expect(message.startsWith(`${name}: `), message).toBe(true);
  expect(message).toContain(field);
  expect(message).toMatch(/must|pass/);
}

describe.each(Object.keys(INPUTS))('%s', (name) => {
  if (TAKE_NOTHING.includes(name)) {
    it('ignores its input', async () => {
      for (const input of WRONG) expect(await outcomeOf(commandNamed(name), input)).toHaveProperty('answer');
    });
    return;
  }

  it('rejects input of the wrong shape, and names the right one', async () => {
    const isList = Array.isArray(INPUTS[name]?.(await createSetting(stage)));
    for (const input of WRONG) {
      await expectRefused(name, isList && !Array.isArray(input) ? 'list of objects' : 'an object', input);
    }
    if (isList) await expectRefused(name, 'list of objects', {});
    if (TAKE_A_FILTER.includes(name)) {
      expect(await outcomeOf(commandNamed(name))).toHaveProperty('answer');
      expect(await outcomeOf(commandNamed(name), {})).toHaveProperty('answer');
      expect(await outcomeOf(commandNamed(name), null)).toHaveProperty('answer');
    } else {
      await expectRefused(name, isList ? 'list of objects' : 'an object');
      await expectRefused(name, isList ? 'list of objects' : 'an object', null);
      await expectRefused(name, '', isList ? [{}] : {});
    }
  });

  it('rejects an id that is not text', async () => {
    const input = INPUTS[name]?.(await createSetting(stage)) as Record<string, unknown>;
    const [item] = Array.isArray(input) ? (input as Record<string, unknown>[]) : [input];
    for (const field of Object.keys(item ?? {}).filter((field) => /^id$|Ids?$/.test(field))) {
      for (const id of field === 'eventIds' ? [...NO_IDS.slice(0, 6), NO_IDS] : NO_IDS) {
        if (id === undefined && MAY_LACK.has(`${name} ${field}`)) continue;
        const wrong = { ...item, [field]: id };
        await expectRefused(name, field, Array.isArray(input) ? [wrong] : wrong);
      }
    }
  });
});

it('an error in a list names the index', async () => {
  const { jobId: id } = await createSetting(stage);
  await expectRefused('jobs.closeMany', 'jobs[1] must be an object', [{ id }, null]);
  await expectRefused('jobs.closeMany', 'jobs[0].id must be text', [{ id: 7 }]);
  expect(await operator.jobs.find({ id })).toMatchObject({ state: 'open' });
});

describe('a forged cursor', () => {
  const FORGED: readonly unknown[] = [-1, 0.5, 1e300, 2 ** 53, null, '5', [5], {}];
  it.each([
    ['deliveries.list', 'deliveries', 2, (at: unknown) => [at, 'evt_1']],
    ['deliveries.listAttempts', 'attempts', 1, (at: unknown) => [at, 'evt_1', 1]],
    ['deliveries.listAttempts', 'attempts', 1, (number: unknown) => [5, 'evt_1', number]],
  ] as const)('%s rejects a position that no row can have', async (name, list, filters, placeOf) => {
    const { keyId } = await createSetting(stage);
    const binding = [keyId, ...(filters === 2 ? [null] : []), 0, null];
    const taken = cursorOf(list, binding, placeOf(5));
    expect(await outcomeOf(commandNamed(name), { keyId, cursor: taken })).toHaveProperty('answer');
    for (const forged of FORGED) {
      await expectRefused(name, 'cursor must be', {
        keyId,
        cursor: cursorOf(list, binding, placeOf(forged)),
      });
    }
    for (const cursor of [7, null, {}, ['']]) await expectRefused(name, 'cursor must be', { keyId, cursor });
  });
});
