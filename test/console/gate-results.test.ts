/** What the results of the gate's commands say to whom. */
import type { PartnerId } from '@partner-hiring/core/ports';
import { beforeAll, expect, it } from 'vitest';
import type { ConsoleActor } from '../../packages/console/src/actor.js';
import { createGate, type Gate } from '../../packages/console/src/gate/gate.js';
import { GATE, type GatedCommand } from '../../packages/console/src/gate/gate-table.js';
import { NothingHere } from '../../packages/console/src/gate/refusals.js';
import { CONSOLE_RIGHTS } from '../../packages/console/src/rights.js';
import { createSetting, INPUTS, type Setting } from '../scenarios/operator/every-command.js';
import { openStage, PICKER } from '../scenarios/operator/stage.js';
import { FOR_ALL_PARTNERS } from './for-all-partners.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;

const NAMES = Object.keys(GATE) as readonly GatedCommand[];

let setting: Setting;
let own: readonly PartnerId[];

beforeAll(async () => {
  setting = await createSetting(stage);
  const sandbox = await operator.keys.find({ keyId: setting.sandboxKeyId });
  if (sandbox === null) throw new Error('The sandbox key has no partner.');
  own = [setting.partnerId, setting.newPartnerId, sandbox.key.partnerId];
});

function gateFor(actor: Partial<ConsoleActor>): Gate {
  return createGate(
    operator,
    { id: 'user_1', name: 'Robin', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all', ...actor },
    null,
  );
}

/** Calls a command with its input of `INPUTS`. Returns its result or its error. */
async function outcomeOf(gate: Gate, name: GatedCommand): Promise<unknown> {
  const call = gate.call as (name: GatedCommand, input: unknown) => Promise<unknown>;
  return call(name, INPUTS[name]?.(setting)).catch((error: unknown) => error);
}

/** What an actor for some partners cannot call for a company to which none of them has access now. */
const OF_COMPANIES: readonly GatedCommand[] = [
  ...(['access.enableBootstrap', 'access.grant', 'access.revoke', 'companies.find'] as const),
  ...(['jobs.find', 'jobs.list', 'jobs.timeline'] as const),
];

it('no command says anything of a company after the access of the partners was revoked', async () => {
  const { keyId, companyId, jobId, applicationId } = setting;
  await operator.access.revoke({ keyId, companyId });
  await operator.companies.rename({ id: companyId, name: 'Renamed afterwards' });
  await operator.jobs.update({ id: jobId, changes: { title: 'Retitled afterwards' } });
  await operator.jobs.publish({ ...PICKER, companyId, internalOnly: true, title: 'Internal afterwards' });
  const gate = gateFor({ partnerIds: own });
  const { applications } = await gate.call('applications.list', { keyId });
  expect(applications).toMatchObject([{ id: applicationId, companyName: companyId, jobTitle: jobId }]);
  for (const name of NAMES) {
    const outcome = await outcomeOf(gate, name);
    const isHidden = OF_COMPANIES.includes(name) || FOR_ALL_PARTNERS.includes(name);
    expect([name, outcome instanceof NothingHere]).toEqual([name, isHidden]);
    expect(JSON.stringify(outcome), name).not.toContain('afterwards');
  }
  expect((await operator.access.list({ keyId, onlyActive: true })).access).toEqual([]);
});
