/** Every command of a limited operator: who may call it, and on what. The cases come from the definitions. */
import { COMMAND_RIGHTS, type CommandName, type CommandRight, OPERATOR_COMMANDS } from '@partner-hiring/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ID_PREFIXES, type PartnerId } from '../../../packages/core/src/domain/ids.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { callCommand } from '../../../packages/core/src/operator/call-command.js';
import type { Claim } from '../../../packages/core/src/operator/command/claims.js';
import type { OperatorLimits } from '../../../packages/core/src/operator/gate/limits.js';
import { readChangedRows } from '../audit/stored-rows.js';
import { commandsOf, createSetting, INPUTS, outcomeOf, type Setting } from './every-command.js';
import { FOR_ALL_PARTNERS, isAsUnknown } from './for-all-partners.js';
import { openStage } from './stage.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;
const host = await stage.host();
afterAll(() => host.close());

const GUARDS = new Map(
  OPERATOR_COMMANDS.flatMap(({ name, guard }) => (guard === null ? [] : [[name, guard] as const])),
);
const NAMES = [...GUARDS.keys()].sort();
const UNGUARDED = OPERATOR_COMMANDS.filter(({ guard }) => guard === null).map(({ name }) => name);

let setting: Setting;
let own: readonly PartnerId[];

const theirs = await createSetting(stage);
await renew();

/** Creates new objects, because the commands change them. */
async function renew(): Promise<void> {
  setting = await createSetting(stage);
  const sandboxOwner = (await operator.keys.find({ id: setting.sandboxKeyId }))?.key.partnerId;
  if (sandboxOwner === undefined) throw new Error('The sandbox key has no partner.');
  own = [setting.partnerId, setting.newPartnerId, sandboxOwner];
}

const inputOf = (name: CommandName) => INPUTS[name]?.(setting);

/** Calls a command with its input of `INPUTS`, or with another one. Returns its result or its error. */
async function outcomeFor(
  limits: Partial<OperatorLimits>,
  name: CommandName,
  input: unknown = inputOf(name),
): Promise<unknown> {
  const limited = operator.limitedTo({ partnerIds: 'all', rights: COMMAND_RIGHTS, ...limits });
  const call = callCommand as (operator: unknown, name: CommandName, input: unknown) => Promise<unknown>;
  return call(limited, name, input).catch((error: unknown) => error);
}

/** The rights that a command needs with its input of `INPUTS`. */
function rightsOf(name: CommandName): readonly CommandRight[] {
  return GUARDS.get(name)?.rights(inputOf(name)) ?? [];
}

const without = (right: CommandRight) => COMMAND_RIGHTS.filter((each) => each !== right);

function codeOf(outcome: unknown): string | null {
  return outcome instanceof OperatorError ? outcome.code : null;
}

/** The object of another partner that takes the place of a claim's. Null if the setting has none. */
function foreignIdOf(claim: Claim): string | null {
  const { keyId, companyId, partnerId, jobId, applicationId, eventId, operationId } = theirs;
  const ids = { key: keyId, company: companyId, partner: partnerId, job: jobId, application: applicationId };
  return { ...ids, event: eventId, operation: operationId, host: null, request: null }[claim.on];
}

/** An input with another id in place of a claim's. */
function replaced(input: unknown, id: string, by: string): unknown {
  return JSON.parse(JSON.stringify(input ?? {}).replaceAll(`"${id}"`, `"${by}"`));
}

describe.each(NAMES)('%s', (name) => {
  it('is refused without each of its rights, which the error names, and nothing is written', async () => {
    const before = await readChangedRows(host);
    expect(rightsOf(name).length).toBeGreaterThan(0);
    for (const right of rightsOf(name)) {
      const outcome = await outcomeFor({ rights: without(right) }, name);
      expect(codeOf(outcome)).toBe('RIGHT_MISSING');
      expect((outcome as OperatorError).message).toContain(` ${right}.`);
    }
    // The right is asked for first, so nothing has to be valid.
    for (const input of [null, 7, [7], { text: 7, rights: 7 }]) {
      expect(codeOf(await outcomeFor({ rights: [] }, name, input))).toBe('RIGHT_MISSING');
    }
    expect(await readChangedRows(host)).toBe(before);
  });

  it('finds nothing for another partner, and nothing is written', async () => {
    const before = await readChangedRows(host);
    for (const partnerIds of [[theirs.partnerId], []]) {
      expect(isAsUnknown(await outcomeFor({ partnerIds }, name))).toBe(true);
    }
    expect(await readChangedRows(host)).toBe(before);
  });

  it('answers for each object of another partner as for an unknown one, and nothing is written', async () => {
    // Commands before this one may have revoked it.
    await operator.access.grant({ keyId: setting.keyId, companyId: setting.companyId });
    const before = await readChangedRows(host);
    const findsNull = name.endsWith('.find') && name !== 'timelines.find';
    for (const claim of GUARDS.get(name)?.claims(inputOf(name)) ?? []) {
      const foreign = foreignIdOf(claim);
      if (foreign === null || claim.on === 'host' || claim.on === 'request') continue;
      const unknown = `${ID_PREFIXES[claim.on]}unknown`;
      const outcomes = [];
      for (const id of [foreign, unknown]) {
        const outcome = await outcomeFor({ partnerIds: own }, name, replaced(inputOf(name), claim.id, id));
        expect(isAsUnknown(outcome)).toBe(true);
        expect(outcome === null).toBe(findsNull);
        outcomes.push(String(outcome).replaceAll(id, '…'));
      }
      expect(outcomes[0]).toBe(outcomes[1]);
      if (!findsNull) continue;
      // Nobody can find an unknown object.
      expect(await outcomeFor({}, name, replaced(inputOf(name), claim.id, unknown))).toBeNull();
    }
    expect(await readChangedRows(host)).toBe(before);
  });

  it('says what the command reads or changes', async () => {
    await operator.access.grant({ keyId: setting.keyId, companyId: setting.companyId });
    const outcome = await outcomeFor({ partnerIds: own }, name);
    const isForAll = FOR_ALL_PARTNERS.includes(name);
    expect(isAsUnknown(outcome)).toBe(isForAll);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(OperatorError);
  });

  it('works with its rights alone', async () => {
    await renew();
    const outcome = await outcomeFor({ rights: rightsOf(name) }, name);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(OperatorError);
    expect(['RIGHT_MISSING', 'NEEDS_ALL_PARTNERS']).not.toContain(codeOf(outcome));
  });
});

it.each(UNGUARDED)('%s, which has no right, is refused to everybody', async (name) => {
  expect(await outcomeFor({}, name)).toMatchObject({
    code: 'RIGHT_MISSING',
    message: `No right covers ${name}. Nothing was changed.`,
  });
});

it('has a command for each right', () => {
  const used = new Set<string>(['candidates:search', ...NAMES.flatMap(rightsOf)]);
  expect(COMMAND_RIGHTS.filter((right) => !used.has(right))).toEqual([]);
});

it('refuses the same in a transaction of the host', async () => {
  const missing = operator.limitedTo({ partnerIds: 'all', rights: [] }).within(host.tx);
  const foreign = operator
    .limitedTo({ partnerIds: [theirs.partnerId], rights: COMMAND_RIGHTS })
    .within(host.tx);
  const actor = { id: 'user_7' };
  const of = (commands: typeof missing) => commandsOf(commands.as(actor));
  const before = await readChangedRows(host);
  await host.run('begin');
  const [refusing, finding] = [of(missing), of(foreign)];
  expect(refusing.size).toBeGreaterThan(60);
  for (const [name, command] of refusing) {
    const input = inputOf(name as CommandName);
    expect([name, await outcomeOf(command, input)]).toMatchObject([
      name,
      { error: { code: 'RIGHT_MISSING' } },
    ]);
    const found = await outcomeOf(finding.get(name) ?? command, input);
    const answer = found.kind === 'threw' ? found.error : found.answer;
    const isRefused = UNGUARDED.includes(name as CommandName)
      ? codeOf(answer) === 'RIGHT_MISSING'
      : isAsUnknown(answer);
    expect([name, isRefused, answer]).toEqual([name, true, answer]);
  }
  await host.run('commit');
  expect(await readChangedRows(host)).toBe(before);
});

it('refuses an act whose object left the partners while the act began', async () => {
  await renew();
  const { keyId, companyId } = setting;
  const { transaction } = stage.storage;
  const losing = vi.spyOn(stage.storage, 'transaction').mockImplementationOnce(async (work) => {
    await operator.access.revoke({ keyId, companyId });
    return transaction.call(stage.storage, work) as never;
  });
  const outcome = await outcomeFor({ partnerIds: own }, 'access.raiseLimit', { keyId, companyId });
  expect(losing).toHaveBeenCalled();
  losing.mockRestore();
  expect(codeOf(outcome)).toBe('COMPANY_NOT_FOUND');
  // Without limits, the act itself would refuse, with another error.
  expect(await outcomeFor({}, 'access.raiseLimit', { keyId, companyId })).toMatchObject({
    code: 'ACCESS_NOT_FOUND',
  });
});

it('limits the iterators of lists, and does not give its limits away', async () => {
  const partnerIds = [theirs.partnerId];
  const limited = operator.limitedTo({ partnerIds, rights: COMMAND_RIGHTS });
  partnerIds.push(setting.partnerId);
  const rows = limited.keys.each({ partnerId: setting.partnerId });
  await expect(rows[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'PARTNER_NOT_FOUND' });
  for (const each of [limited, limited.as({ id: 'user_7' })]) {
    for (const name of ['forPartner', 'limitedTo', 'through']) expect(name in each).toBe(false);
  }
});

it.each([
  [{ rights: [] }, 'partnerIds'],
  [{ partnerIds: 'none', rights: [] }, 'partnerIds'],
  [{ partnerIds: [7], rights: [] }, 'partnerIds'],
  [{ partnerIds: [] }, 'rights'],
  [{ partnerIds: [], rights: 'all' }, 'rights'],
  [{ partnerIds: [], rights: ['jobs:steal'] }, 'rights'],
  [undefined, 'the limits'],
])('refuses the limits %j', (limits, field) => {
  const given = limits as never;
  expect(() => operator.limitedTo(given)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  expect(() => operator.limitedTo(given)).toThrow(`limitedTo: ${field} must be`);
});

it.each([
  [undefined, ['partners:create']],
  [[{ environment: 'sandbox' }], ['partners:create', 'keys:issue']],
  [[{ environment: 'sandbox', endpointUrl: 'https://ats.example/' }], ['keys:issue', 'endpoints:set-url']],
  [
    [{ environment: 'sandbox' }, { environment: 'production', companyIds: [] }],
    ['keys:issue', 'access:grant'],
  ],
] as const)('a new partner with the keys %j needs the rights %j', async (keys, needed) => {
  const rights: readonly CommandRight[] = ['partners:create', ...needed];
  const create = (of: readonly CommandRight[]) =>
    outcomeFor({ rights: of }, 'partners.create', { name: 'A', keys });
  for (const right of rights) {
    expect(codeOf(await create(rights.filter((each) => each !== right)))).toBe('RIGHT_MISSING');
  }
  expect(await create(rights)).toHaveProperty('keys');
  expect(codeOf(await outcomeFor({ rights }, 'partners.create', { keys: [null, 7] }))).toBe('INVALID_INPUT');
});

it('a search by name needs the rights to find people and to see them', async () => {
  const search = (rights: readonly CommandRight[]) =>
    outcomeFor({ rights: ['applications:read', ...rights] }, 'applications.list', { lastNamePrefix: 'l' });
  expect(await search([])).toHaveProperty('message', expect.stringContaining('candidates:search'));
  expect(await search(['candidates:read'])).toHaveProperty(
    'message',
    expect.stringContaining('candidates:search'),
  );
  // Otherwise somebody could spell out a masked last name, one letter after the other.
  expect(await search(['candidates:search'])).toHaveProperty(
    'message',
    expect.stringContaining('candidates:read'),
  );
  expect(await search(['candidates:search', 'candidates:read'])).toHaveProperty('items');
});

it.each([
  { email: 'ada@example.com' },
  { phone: '+14155550123' },
  { phone: '(415) 555-0123', country: 'US' },
  { sourceApplicationId: 'A-1' },
])('a search by %j needs the right to find people, and all partners', async (filter) => {
  for (const name of ['applications.list', 'applications.count'] as const) {
    const rights = without('candidates:search');
    expect(codeOf(await outcomeFor({ rights }, name, filter))).toBe('RIGHT_MISSING');
    expect(codeOf(await outcomeFor({ partnerIds: own }, name, filter))).toBe('NEEDS_ALL_PARTNERS');
    expect(await outcomeFor({ rights: ['candidates:search'] }, name, filter)).not.toBeInstanceOf(Error);
  }
});

it('masks the candidate in each result except the one that reveals it', async () => {
  await renew();
  const limited = operator.limitedTo({ partnerIds: 'all', rights: COMMAND_RIGHTS });
  const { applicationId: id, jobId } = setting;
  const masked = { firstName: 'A…', lastName: 'L…', email: 'a…@example.com', phone: '…23' };
  expect((await limited.applications.find({ id }))?.candidate).toEqual(masked);
  const page = await limited.applications.list({ jobId });
  expect(page.items.map(({ candidate }) => candidate)).toEqual([masked]);
  const people = await limited.applications.list({ email: 'ADA@example.com' });
  expect(people.items[0]?.candidate).toEqual(masked);
  const moved = await limited.applications.move({ id, stage: 'final_review' });
  expect(moved.application.candidate).toEqual(masked);
  const revealed = await limited.candidates.reveal({ applicationId: id });
  expect(revealed.candidate.email).toBe('ada@example.com');
});

it('says nothing of other partners in the acts on an object', async () => {
  const limited = operator.limitedTo({ partnerIds: own, rights: COMMAND_RIGHTS });
  const { keyId } = setting;
  const { items: entries } = await limited.audit.list({ object: { kind: 'key', id: keyId } });
  expect(entries.length).toBeGreaterThan(0);
  expect((await limited.audit.list({ keyId })).items).toEqual(entries);
  for (const { keyId: of, objects } of entries) {
    if (of === null) expect(objects).toEqual([{ kind: 'key', id: keyId }]);
    else expect(of).toBe(keyId);
  }
});
