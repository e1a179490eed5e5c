/** What the results of the gate's commands say to whom. */
import { COMMAND_RIGHTS, type CommandName, type EventId, type PartnerId } from '@partner-hiring/core';
import { beforeAll, expect, it } from 'vitest';
import type { ConsoleActor } from '../../packages/console/src/actor.js';
import { createGate, type Gate } from '../../packages/console/src/gate/gate.js';
import { GATE } from '../../packages/console/src/gate/gate-table.js';
import { NothingHere } from '../../packages/console/src/gate/refusals.js';
import { CONSOLE_RIGHTS } from '../../packages/console/src/rights.js';
import { createSetting, INPUTS, type Setting } from '../scenarios/operator/every-command.js';
import { openStage, PICKER } from '../scenarios/operator/stage.js';
import { FOR_ALL_PARTNERS } from './for-all-partners.js';

/** What a receiver answered. */
const ECHO = 'We have no Ada Lovelace here';
const ECHOED = { kind: 'answered', status: 500, excerpt: ECHO } as const;

const stage = await openStage({
  sandbox: true,
  sendOnce: async () => ({ outcome: ECHOED, endedAt: 0, latencyMs: 0 }),
});
const { operator } = stage;

const NAMES = [...GATE.keys()].sort();

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
async function outcomeOf(gate: Gate, name: CommandName): Promise<unknown> {
  const call = gate.call as (name: CommandName, input: unknown) => Promise<unknown>;
  return call(name, INPUTS[name]?.(setting)).catch((error: unknown) => error);
}

/** The status of the setting's application changes. The receiver refuses the event. Returns the event. */
async function refuse(): Promise<EventId> {
  const { keyId, applicationId: id } = setting;
  await operator.applications.decide({ id, decision: 'accepted' });
  const [found] = await operator.applications.events({ id });
  if (found === undefined) throw new Error('The decision has no event.');
  const { id: eventId, at } = found.event;
  await stage.storage.direct.deliveries.save([
    {
      keyId,
      eventId,
      eventAt: at,
      state: 'dead',
      attempts: 10,
      cycle: 1,
      dueAt: null,
      pendingSince: at,
      lastAttemptAt: at,
      lastOutcome: ECHOED,
      lastLatencyMs: 5,
    },
  ]);
  return eventId;
}

/** What shows answers of receivers. */
const WITH_ANSWERS: readonly CommandName[] = [
  ...(['applications.events', 'applications.timeline', 'candidates.export'] as const),
  ...(['deliveries.find', 'deliveries.list'] as const),
  ...(['deliveries.listAttempts', 'endpoints.test'] as const),
  'keys.timeline',
];

/** What shows the partner's own id of an application. */
const WITH_SOURCE_IDS: readonly CommandName[] = [
  ...(['applications.decide', 'applications.events', 'applications.fetchResumeAgain'] as const),
  ...(['applications.find', 'applications.list', 'candidates.export', 'candidates.list'] as const),
  'deliveries.find',
];

/** The commands that change nothing here, or return what they changed. */
const TELLING = NAMES.filter(
  (name) =>
    GATE.get(name)?.isAct === false ||
    ['applications.decide', 'applications.fetchResumeAgain', 'endpoints.test'].includes(name),
);

it('only somebody who may see candidates sees answers of receivers and ids of partners', async () => {
  const eventId = await refuse();
  const { keyId, applicationId } = setting;
  const seesAll = gateFor({});
  const viewer = gateFor({ rights: COMMAND_RIGHTS.filter((right) => right !== 'candidates:read') });
  const inputs: Readonly<Record<string, unknown>> = {
    'applications.list': { keyId },
    'deliveries.find': { keyId, eventId },
    'deliveries.list': { keyId },
    'deliveries.listAttempts': { keyId },
  };
  const told = async (gate: Gate, name: CommandName) => {
    const call = gate.call as (name: CommandName, input: unknown) => Promise<unknown>;
    const input = inputs[name] ?? INPUTS[name]?.(setting);
    const outcome = await call(name, input).catch((error: unknown) => error);
    const text = JSON.stringify(outcome) ?? '';
    return { hasAnswer: text.includes(ECHO), hasSourceId: text.includes(`ats-${applicationId}`) };
  };
  const [answers, ids]: [CommandName[], CommandName[]] = [[], []];
  for (const name of TELLING) {
    expect([name, await told(viewer, name)]).toEqual([name, { hasAnswer: false, hasSourceId: false }]);
    const { hasAnswer, hasSourceId } = await told(seesAll, name);
    if (hasAnswer) answers.push(name);
    if (hasSourceId) ids.push(name);
  }
  expect([answers, ids]).toEqual([WITH_ANSWERS, WITH_SOURCE_IDS]);
});

/** What shows the URL of an endpoint. */
const WITH_URLS: readonly CommandName[] = [
  ...(['find', 'health', 'list', 'pause', 'restoreUrl', 'resume', 'setUrl'] as const).map(
    (verb) => `endpoints.${verb}` as const,
  ),
];

it('only somebody who may set the URL of an endpoint sees its query', async () => {
  const { keyId } = setting;
  const { endpoints } = stage.storage.direct;
  const endpoint = await endpoints.find(keyId);
  if (endpoint === null) throw new Error('The key has an endpoint.');
  const url = 'https://ats.example/hooks?token=s3cret';
  const seen: CommandName[] = [];
  const viewer = gateFor({ rights: COMMAND_RIGHTS.filter((right) => right !== 'endpoints:set-url') });
  for (const name of [...TELLING, ...WITH_URLS]) {
    const replacedUrl = { url, at: await stage.storage.direct.time.now() };
    await endpoints.save({ ...endpoint, url, replacedUrl, state: { kind: 'active' } });
    const call = gateFor({}).call as (name: CommandName, input: unknown) => Promise<unknown>;
    const input = name.endsWith('.setUrl') ? { keyId, url } : INPUTS[name]?.(setting);
    expect(JSON.stringify(await outcomeOf(viewer, name)) ?? '', name).not.toContain('s3cret');
    const outcome = await call(name, input).catch((error: unknown) => error);
    if ((JSON.stringify(outcome) ?? '').includes('s3cret')) seen.push(name);
  }
  expect([...new Set(seen)].sort()).toEqual(WITH_URLS);
  expect(await viewer.call('endpoints.find', { keyId })).toMatchObject({
    url: 'https://ats.example/hooks?…',
    replacedUrl: { url: 'https://ats.example/hooks?…' },
  });
});

/** What an actor for some partners cannot call for a company to which none of them has access now. */
const OF_COMPANIES: readonly CommandName[] = [
  ...([
    'access.enableBootstrap',
    'access.grant',
    'access.grantMany',
    'access.revoke',
    'access.revokeMany',
    'companies.find',
  ] as const),
  ...(['jobs.find', 'jobs.list', 'jobs.count', 'jobs.timeline'] as const),
];

it('no command says anything of a company after the access of the partners was revoked', async () => {
  const { keyId, companyId, jobId, applicationId } = setting;
  await operator.access.revoke({ keyId, companyId });
  await operator.companies.rename({ id: companyId, name: 'Renamed afterwards' });
  await operator.jobs.update({ id: jobId, changes: { title: 'Retitled afterwards' } });
  await operator.jobs.publish({ ...PICKER, companyId, internalOnly: true, title: 'Internal afterwards' });
  const gate = gateFor({ partnerIds: own });
  const { items: applications } = await gate.call('applications.list', { keyId });
  expect(applications).toMatchObject([{ id: applicationId, companyName: companyId, jobTitle: jobId }]);
  for (const name of NAMES) {
    const outcome = await outcomeOf(gate, name);
    const isHidden = OF_COMPANIES.includes(name) || FOR_ALL_PARTNERS.includes(name);
    expect([name, outcome instanceof NothingHere]).toEqual([name, isHidden]);
    expect(JSON.stringify(outcome), name).not.toContain('afterwards');
  }
  expect((await operator.access.list({ keyId, onlyActive: true })).items).toEqual([]);
});
