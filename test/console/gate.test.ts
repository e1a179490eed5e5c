/** Every command that the console may call: who may call it, and on what. */
import { COMMAND_RIGHTS, type CommandName, OperatorError, type PartnerId } from '@partner-hiring/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleActor } from '../../packages/console/src/actor.js';
import { createGate, type Gate } from '../../packages/console/src/gate/gate.js';
import { GATE } from '../../packages/console/src/gate/gate-table.js';
import { NothingHere, RightMissing } from '../../packages/console/src/gate/refusals.js';
import { CONSOLE_RIGHTS, type ConsoleRight } from '../../packages/console/src/rights.js';
import { readChangedRows } from '../scenarios/audit/stored-rows.js';
import { createSetting, INPUTS, type Setting } from '../scenarios/operator/every-command.js';
import { openStage } from '../scenarios/operator/stage.js';
import { FOR_ALL_PARTNERS } from './for-all-partners.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;
const host = await stage.host();
afterAll(host.close);

const NAMES = [...GATE.keys()].sort();

let setting: Setting;

beforeAll(async () => {
  scopes.other = [(await operator.partners.create({ name: 'Other' })).id];
  for (const partnerId of scopes.other) await operator.keys.issue({ partnerId, environment: 'production' });
  await renew();
});

/** Creates new objects, because the commands change them. */
async function renew(): Promise<void> {
  setting = await createSetting(stage);
  const sandboxOwner = (await operator.keys.find({ keyId: setting.sandboxKeyId }))?.key.partnerId;
  if (sandboxOwner === undefined) throw new Error('The sandbox key has no partner.');
  scopes.own = [setting.partnerId, setting.newPartnerId, sandboxOwner];
}

const scopes: Record<'own' | 'other', readonly PartnerId[]> = { own: [], other: [] };

function gateFor(actor: Partial<ConsoleActor>): Gate {
  const robin = { id: 'user_1', name: 'Robin', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' } as const;
  return createGate(operator, { ...robin, ...actor }, null);
}

type LooseCall = (name: CommandName, input: unknown) => Promise<unknown>;

/** Calls a command with its input of `INPUTS`. */
async function call(gate: Gate, name: CommandName): Promise<unknown> {
  return (gate.call as LooseCall)(name, INPUTS[name]?.(setting));
}

/** The rights that a command needs with its input of `INPUTS`. The first is its own. */
function rightsOf(name: CommandName): readonly [ConsoleRight, ...ConsoleRight[]] {
  const [right, ...handedOut] = GATE.get(name)?.rights(INPUTS[name]?.(setting)) ?? [];
  if (right === undefined) throw new Error(`${name} needs no right.`);
  return [right, ...handedOut];
}

describe.each(NAMES)('%s', (name) => {
  it('is refused without its right, and nothing is written', async () => {
    const rights = COMMAND_RIGHTS.filter((right) => right !== rightsOf(name)[0]);
    const before = await readChangedRows(host);
    await expect(call(gateFor({ rights }), name)).rejects.toBeInstanceOf(RightMissing);
    expect(await readChangedRows(host)).toBe(before);
  });

  it('finds nothing for an actor of another partner, and nothing is written', async () => {
    const before = await readChangedRows(host);
    for (const partnerIds of [scopes.other, []]) {
      await expect(call(gateFor({ partnerIds }), name)).rejects.toBeInstanceOf(NothingHere);
    }
    expect(await readChangedRows(host)).toBe(before);
  });

  it('says what the command reads or changes', async () => {
    // Commands before this one may have revoked it.
    await operator.access.grant({ keyId: setting.keyId, companyId: setting.companyId });
    const outcome = call(gateFor({ partnerIds: scopes.own }), name).catch((error: unknown) => error);
    const isForAll = FOR_ALL_PARTNERS.includes(name);
    const refused = await outcome;
    expect(refused instanceof NothingHere).toBe(isForAll);
    if (refused instanceof Error && !isForAll) expect(refused).toBeInstanceOf(OperatorError);
  });

  it('works for an actor with its rights alone', async () => {
    await renew();
    const outcome = await call(gateFor({ rights: rightsOf(name) }), name).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(OperatorError);
  });
});

it('knows no command that the operator does not have', () => {
  const commands = new Set(Object.keys(INPUTS));
  expect(NAMES.filter((name) => !commands.has(name))).toEqual([]);
});

it('has a right for each command, and a command for each right', () => {
  const used = new Set<string>(['candidates:search', ...NAMES.flatMap(rightsOf)]);
  expect(COMMAND_RIGHTS.filter((right) => !used.has(right))).toEqual([]);
});

it('a search by name needs the rights to find people and to see them', async () => {
  const refused = (rights: readonly ConsoleRight[], missing: ConsoleRight) =>
    expect(
      gateFor({ rights: ['applications:read', ...rights] }).call('applications.list', {
        lastNamePrefix: 'l',
      }),
    ).rejects.toEqual(new RightMissing(missing));
  await refused([], 'candidates:search');
  await refused(['candidates:read'], 'candidates:search');
  // Otherwise somebody could spell out a masked last name, one letter after the other.
  await refused(['candidates:search'], 'candidates:read');
  const gate = gateFor({ rights: ['candidates:search', 'candidates:read'] });
  await expect(gate.call('applications.list', { lastNamePrefix: 'l' })).resolves.toBeDefined();
});

it('masks the candidate in each result except the one that reveals it', async () => {
  const gate = gateFor({});
  const { applicationId: id } = setting as { applicationId: `ej_app_${string}` };
  const masked = { firstName: 'A…', lastName: 'L…', email: 'a…@example.com', phone: '…23' };
  expect((await gate.call('applications.find', { id }))?.candidate).toEqual(masked);
  const page = await gate.call('applications.list', {});
  expect(page.items.map(({ candidate }) => candidate)).toContainEqual(masked);
  expect((await gate.call('candidates.list', { email: 'ADA@example.com' })).items[0]?.candidate).toEqual(
    masked,
  );
  const moved = await gate.call('applications.move', { id, stage: 'final_review' });
  expect(moved.application.candidate).toEqual(masked);
  const revealed = await gate.call('candidates.reveal', { applicationId: id });
  expect(revealed.candidate.email).toBe('ada@example.com');
});

it('acts as the actor, with the reason', async () => {
  const actor = { id: 'user_7', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' } as const;
  const gate = createGate(operator, actor, 'ticket 815');
  await gate.call('companies.rename', { id: setting.companyId, name: `Renamed ${setting.companyId}` });
  const { items: entries } = await operator.audit.list({ actorId: 'user_7', limit: 1 });
  expect(entries).toMatchObject([
    { act: 'companies.rename', actor: { id: 'user_7', name: 'Kim', reason: 'ticket 815' } },
  ]);
});

it('says nothing of other partners in the acts on an object', async () => {
  const gate = gateFor({ partnerIds: scopes.own });
  const keyId = setting.keyId;
  const { items: entries } = await gate.call('audit.list', { object: { kind: 'key', id: keyId } });
  expect(entries.length).toBeGreaterThan(0);
  expect((await gate.call('audit.list', { keyId })).items).toEqual(entries);
  const foreign = gate.call('audit.list', { keyId: 'key_none' });
  await expect(foreign).rejects.toBeInstanceOf(NothingHere);
  for (const { keyId: of, objects } of entries) {
    if (of === null) expect(objects).toEqual([{ kind: 'key', id: keyId }]);
    else expect(of).toBe(keyId);
  }
});
