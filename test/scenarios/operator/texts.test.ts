/** Text that databases cannot store never reaches the storage. As an id, it is treated as unknown. */
import type { Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { afterAll, describe, expect, it } from 'vitest';
import { toStorableText } from '../../../packages/core/src/domain/text.js';
import { createOperatorOf } from '../../../packages/core/src/features/commands.js';
import {
  commandsOf,
  createSetting,
  cursorOf,
  DEFINED_INPUTS,
  INPUTS,
  type LooseCommand,
  outcomeOf,
} from './every-command.js';
import { openStage, WITHOUT_SENDING } from './stage.js';

const stage = await openStage({ sandbox: true });
const reached: string[] = [];
const { operator } = createOperatorOf<unknown>({
  storage: watched(stage.storage),
  runtime: stage.runtime,
  storageClock: stage.storageClock,
  secretBox: { seal: (secret) => secret, open: (sealed) => sealed, keyIds: ['only'], keyIdOf: () => 'only' },
  rules: { decideFromReceived: false },
  urlPolicy: { allowPlainHttp: false },
  ...WITHOUT_SENDING,
  sandbox: true,
});
const host = await stage.host();
afterAll(() => host.close());

/** Adds what databases cannot store. */
const TEXTS: readonly ((text: string) => string)[] = [
  () => '\0',
  (text) => `${text}\0`,
  (text) => `${text}\ud800`,
  (text) => `\udfff${text}`,
];

/** Adds what steers a terminal, forges a line or reorders what is shown. */
const DECEPTIVE: readonly ((text: string) => string)[] = [
  (text) => `${text}\u001b[2J`,
  (text) => `${text}\r\nforged`,
  (text) => `${text}\u009b2J`,
  (text) => `\u202e${text}`,
  (text) => `${text}\u2066`,
];

/** Names that the host or an operator chooses, which are shown to others. */
const SHOWN = ['name', 'title', 'city', 'state', 'country', 'schedule', 'key', 'label', 'type', 'value'];

/** Fields that refer to existing things. */
const NAMES = [
  'id',
  'keyId',
  'otherKeyId',
  'companyId',
  'jobId',
  'applicationId',
  'partnerId',
  'eventId',
  'eventIds',
  'applyHeld',
  'hash',
  'operationId',
  'token',
  'host',
];
const WITH_NEW_ID = [
  'partners.create',
  'companies.create',
  'jobs.publish',
  'jobs.publishInSteps',
  'jobs.put',
];

type Path = readonly (string | number)[];

/** Finds the text fields of an input. */
function pathsOf(input: unknown, at: Path = []): readonly Path[] {
  if (typeof input === 'string') return [at];
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    pathsOf(value, [...at, Array.isArray(input) ? Number(name) : name]),
  );
}

function fieldOf(path: Path): string {
  // A filter of an export has fields of the console's choice, so the error names the filter.
  if (path[0] === 'filter') return 'filter';
  return path.filter((step) => typeof step === 'string').at(-1) ?? '';
}

/** Copies an input with one text changed. */
function changed(input: unknown, [step, ...rest]: Path, change: (text: string) => string): unknown {
  if (step === undefined) return change(input as string);
  const copy = (Array.isArray(input) ? [...input] : { ...(input as object) }) as Record<
    string | number,
    unknown
  >;
  copy[step] = changed(copy[step], rest, change);
  return copy;
}

/** Records the methods of a storage that get such a text. */
function watched(storage: Storage<unknown>): Storage<unknown> {
  const watch = (repositories: Repositories): Repositories =>
    new Proxy(repositories, {
      get: (target, name) =>
        new Proxy(Reflect.get(target, name) as object, {
          get: (repository, method) => {
            const call = Reflect.get(repository, method) as (...input: unknown[]) => unknown;
            return (...input: unknown[]) => {
              if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(input))) {
                reached.push(`${String(name)}.${String(method)}`);
              }
              return call.apply(repository, input);
            };
          },
        }),
    });
  return {
    ...storage,
    direct: watch(storage.direct),
    within: (tx) => watch(storage.within(tx)),
    transaction: (work) => storage.transaction((tx) => work(watch(tx))),
  };
}

/** Returns an outcome with the given text replaced, so that two outcomes can be compared. */
async function toldOf(command: LooseCommand, input: unknown, text: string): Promise<unknown> {
  const outcome = await outcomeOf(command, input);
  if (outcome.kind === 'answered') {
    const { answer = null } = outcome;
    return JSON.stringify(answer).replaceAll(JSON.stringify(text), '"ID"');
  }
  const { code, message } = outcome.error as { code: unknown; message: string };
  return { code, message: withoutId(message.replaceAll(toStorableText(text), 'ID')) };
}

/** The error does not repeat a malformed id, because it may be a secret. */
function withoutId(message: string): string {
  return message
    .replace(
      /^Key \S+ has no event ID\. It does not exist, .+ or its retention period is over\./,
      'Event ID does not exist.',
    )
    .replace(
      /^This is not the id of an? (\w)(\w+), which is [^.]+\./,
      (_, first: string, rest: string) => `${first.toUpperCase()}${rest} ID does not exist.`,
    );
}

function textAt(input: unknown, path: Path): string {
  return path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown>)[step],
    input,
  ) as string;
}

async function expectRefused(name: string, command: LooseCommand, input: unknown): Promise<void> {
  for (const path of pathsOf(input)) {
    const field = fieldOf(path);
    const isName = NAMES.includes(field) && !(field === 'id' && WITH_NEW_ID.includes(name));
    for (const change of SHOWN.includes(field) ? [...TEXTS, ...DECEPTIVE] : TEXTS) {
      const given = changed(input, path, change);
      const text = change(textAt(input, path));
      const told = await toldOf(command, given, text);
      const where = `${name} ${path.join('.')} ${JSON.stringify(text)}`;
      if (isName) {
        const unknown = `${textAt(input, path)}x`;
        const ordinary = await toldOf(
          command,
          changed(input, path, () => unknown),
          unknown,
        );
        expect([where, told]).toEqual([where, ordinary]);
      } else {
        const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining(field) };
        expect([where, told]).toEqual([where, refusal]);
      }
      expect([where, reached.splice(0)]).toEqual([where, []]);
    }
  }
}

it('the table contains every command', () => {
  expect(Object.keys(INPUTS).toSorted()).toEqual([...commandsOf(operator).keys()].toSorted());
});

describe.each(Object.entries(INPUTS))('%s', (name, inputOf) => {
  it('treats an id that cannot be stored as unknown, and rejects other such text by field', async () => {
    const input = inputOf(await createSetting(stage));
    const command = commandsOf(operator).get(name);
    if (command === undefined) throw new Error(`Unknown command ${name}.`);
    await expectRefused(name, command, input);
    const withinHost = commandsOf(operator.within(host.tx)).get(name);
    if (withinHost !== undefined) {
      await host.run('begin');
      await expectRefused(name, withinHost, input);
      expect(await host.rows('select 1 as one')).toEqual([{ one: 1 }]);
      await host.run('rollback');
    }
    expect(await outcomeOf(command, input)).toMatchObject({ kind: 'answered' });
  });

  it('passes no such text of a field that another input has', async () => {
    const command = commandsOf(operator).get(name);
    const { fields = [] } = DEFINED_INPUTS.get(name) ?? {};
    for (const field of fields) {
      if (command !== undefined) await outcomeOf(command, { [field.name]: '\0' });
      expect([field.name, reached.splice(0)]).toEqual([field.name, []]);
    }
  });
});

it.each(['id', 'name', 'reason'])('refuses an actor whose %s steers a terminal', (field) => {
  for (const change of DECEPTIVE) {
    const actor = { id: 'ada', [field]: change('Ada') };
    expect(() => operator.as(actor)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(`${field} must`) }),
    );
  }
  expect(() => operator.as({ id: 'ada', name: 'Zoë \u200fעדה', reason: 'Ticket 8' })).not.toThrow();
});

describe('a forged cursor', () => {
  it.each([
    [
      'deliveries.list',
      (keyId: string, id: string) =>
        cursorOf('deliveries', [keyId, null, 0, null, null, null, null, null, null], [5, id]),
    ],
    [
      'deliveries.listAttempts',
      (keyId: string, id: string) => cursorOf('attempts', [keyId, 0, null], [5, id, 1]),
    ],
  ])('%s rejects text that cannot be stored', async (name, make) => {
    const { keyId } = await createSetting(stage);
    const command = commandsOf(operator).get(name) as LooseCommand;
    expect(await outcomeOf(command, { keyId, cursor: make(keyId, 'evt_1') })).toMatchObject({
      kind: 'answered',
    });
    for (const change of TEXTS) {
      const outcome = await outcomeOf(command, { keyId, cursor: make(keyId, change('evt_1')) });
      expect(outcome).toMatchObject({
        error: { code: 'INVALID_INPUT', message: expect.stringContaining('cursor') },
      });
      expect(await outcomeOf(command, { keyId, cursor: change(make(keyId, 'evt_1')) })).toEqual(outcome);
    }
    expect(reached.splice(0)).toEqual([]);
  });
});
