/** Commands validate the shape of their input, for hosts without types. */
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../packages/core/src/errors.js';
import {
  commandsOf,
  createSetting,
  cursorOf,
  DEFINED_INPUTS,
  INPUTS,
  type LooseCommand,
  outcomeOf,
} from './every-command.js';
import { openStage } from './stage.js';

const stage = await openStage({ sandbox: true });
// `inbox.take` refuses to wait for an inbox that is off.
await stage.operator.inbox.turn({ on: true });
const { operator } = stage;
const host = await stage.host();
afterAll(host.close);

/** Commands without input. Each other command refuses what is no object. */
const TAKE_NOTHING = namesOf((check) => check('job_1'));

/** Commands whose input may be omitted. */
const TAKE_A_FILTER = namesOf((check) => check(undefined)).filter((name) => !TAKE_NOTHING.includes(name));

function namesOf(call: (check: (input: unknown) => unknown) => unknown): readonly string[] {
  return [...DEFINED_INPUTS].flatMap(([name, { check }]) => {
    try {
      const checked = call(check);
      if (checked instanceof Promise) checked.catch(() => {});
      return checked instanceof Promise ? [] : [name];
    } catch {
      return [];
    }
  });
}

const WRONG: readonly unknown[] = [
  true,
  7,
  Number.NaN,
  7n,
  '',
  'job_1',
  Symbol('job_1'),
  () => ({ id: 'job_1' }),
  ['job_1'],
  [null],
  [[]],
  [undefined],
];

const LISTS_OF_IDS: readonly string[] = ['eventIds', 'companyIds', 'partnerIds'];

/** Every id that the definition does not need may be omitted. A list of ids is needed, except by a search. */
function isNeeded(name: string, field: string): boolean {
  const isList = LISTS_OF_IDS.includes(field) && !['system.search', 'audit.recordExport'].includes(name);
  return DEFINED_INPUTS.get(name)?.ids.includes(field) === true || isList;
}

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
  expect(message).toMatch(/must|pass|unknown/);
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
    const isOfIds = name === 'inbox.acknowledge';
    const list = isOfIds ? 'list of at most' : 'list of objects';
    for (const input of WRONG) {
      const isWrongList = isList && (isOfIds || !Array.isArray(input));
      await expectRefused(name, isWrongList ? list : 'an object', input);
    }
    if (isList) await expectRefused(name, list, {});
    if (TAKE_A_FILTER.includes(name)) {
      expect(await outcomeOf(commandNamed(name))).toHaveProperty('answer');
      expect(await outcomeOf(commandNamed(name), {})).toHaveProperty('answer');
      expect(await outcomeOf(commandNamed(name), null)).toHaveProperty('answer');
    } else {
      await expectRefused(name, isList ? list : 'an object');
      await expectRefused(name, isList ? list : 'an object', null);
      await expectRefused(name, '', isList ? [{}] : {});
    }
  });

  it('rejects an id that is not text', async () => {
    const input = INPUTS[name]?.(await createSetting(stage)) as Record<string, unknown>;
    const [item] = Array.isArray(input) ? (input as Record<string, unknown>[]) : [input];
    for (const field of Object.keys(item ?? {}).filter((field) =>
      /^id$|(?<!clearSourceApplication)Ids?$/.test(field),
    )) {
      for (const id of LISTS_OF_IDS.includes(field) ? [...NO_IDS.slice(0, 6), NO_IDS] : NO_IDS) {
        if (id === undefined && !isNeeded(name, field)) continue;
        const wrong = { ...item, [field]: id };
        await expectRefused(name, field, Array.isArray(input) ? [wrong] : wrong);
      }
    }
  });
});

/** Returns the paths of all objects in an input, such as `location` and `applicationFormSchema[1].options[0]`. */
function objectsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => objectsIn(each, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.entries(value).flatMap(([name, each]) =>
    objectsIn(each, path === '' ? name : `${path}.${name}`),
  );
  return [path, ...nested];
}

/** Returns the input with another field in the object at the path. */
function withField(value: unknown, path: string, field: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const copy = structuredClone(value);
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  at[field] = undefined;
  return copy;
}

describe.each(Object.keys(INPUTS))('%s', (name) => {
  it('refuses an unknown option by its name, at every depth', async () => {
    const input = INPUTS[name]?.(await createSetting(stage)) ?? {};
    if (Array.isArray(input) && typeof input[0] === 'string') return;
    const paths = objectsIn(input, '');
    expect(paths).not.toEqual([]);
    for (const path of paths) {
      const where = `${Array.isArray(input) ? 'jobs' : ''}${path}`;
      const field = `${where === '' ? '' : `${where}.`}colour`;
      // Its fields are of the console's choice.
      if (name === 'audit.recordExport' && path === 'filter') continue;
      const wrong = withField(input, path, 'colour');
      await expectRefused(name, `${field} is unknown`, wrong);
      // Details of a job are checked with the job's row.
      if (path !== paths[0]) continue;
      const within = commandsOf(operator.within(host.tx)).get(name);
      if (within === undefined) continue;
      expect(await outcomeOf(within, wrong)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    }
    if (!TAKE_NOTHING.includes(name)) {
      expect(await outcomeOf(commandNamed(name), input)).toSatisfy(isNoInputError);
    }
  });
});

/** The input itself is valid. */
function isNoInputError(outcome: unknown): boolean {
  const { error } = outcome as { readonly error?: unknown };
  return !(error instanceof OperatorError && error.code === 'INVALID_INPUT');
}

it('an error in a list names the index', async () => {
  const { jobId: id } = await createSetting(stage);
  await expectRefused('jobs.close', 'jobs[1] must be an object', [{ id }, null]);
  await expectRefused('jobs.close', 'jobs[0].id must be text', [{ id: 7 }]);
  expect(await operator.jobs.find({ id })).toMatchObject({ state: 'open' });
});

describe('a forged cursor', () => {
  const LIST = [null, 0, null, null, null, null, null, null];
  const ATTEMPTS = [0, null];
  const FORGED: readonly unknown[] = [-1, 0.5, 1e300, 2 ** 53, null, '5', [5], {}];
  it.each([
    ['deliveries.list', 'deliveries', LIST, (at: unknown) => [at, 'evt_1']],
    ['deliveries.listAttempts', 'attempts', ATTEMPTS, (at: unknown) => [at, 'evt_1', 1]],
    ['deliveries.listAttempts', 'attempts', ATTEMPTS, (number: unknown) => [5, 'evt_1', number]],
  ] as const)('%s rejects a position that no row can have', async (name, list, filters, placeOf) => {
    const { keyId } = await createSetting(stage);
    const binding = [keyId, ...filters];
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
