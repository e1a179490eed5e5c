/** What the results of a limited operator say to whom. */
import { COMMAND_RIGHTS, type CommandName, OPERATOR_COMMANDS } from '@partner-hiring/core';
import { beforeAll, expect, it } from 'vitest';
import type { EventId, PartnerId } from '../../../packages/core/src/domain/ids.js';
import { callCommand } from '../../../packages/core/src/operator/call-command.js';
import type { OperatorLimits } from '../../../packages/core/src/operator/gate/limits.js';
import type { LimitedOperator } from '../../../packages/core/src/operator/operator.js';
import { createSetting, INPUTS, type Setting } from './every-command.js';
import { FOR_ALL_PARTNERS, isAsUnknown } from './for-all-partners.js';
import { openStage, PICKER } from './stage.js';

/** What a receiver answered. */
const ECHO = 'We have no Ada Lovelace here';
const ECHOED = { kind: 'answered', status: 500, excerpt: ECHO } as const;

const stage = await openStage({
  sandbox: true,
  sendOnce: async () => ({ outcome: ECHOED, endedAt: 0, latencyMs: 0 }),
});
const { operator } = stage;

const COMMANDS = OPERATOR_COMMANDS.filter(({ guard }) => guard !== null);
const NAMES = COMMANDS.map(({ name }) => name).sort();

let setting: Setting;
let own: readonly PartnerId[];

beforeAll(async () => {
  setting = await createSetting(stage);
  const sandbox = await operator.keys.find({ id: setting.sandboxKeyId });
  if (sandbox === null) throw new Error('The sandbox key has no partner.');
  own = [setting.partnerId, setting.newPartnerId, sandbox.key.partnerId];
});

function limitedTo(limits: Partial<OperatorLimits>): LimitedOperator<unknown> {
  return operator.limitedTo({ partnerIds: 'all', rights: COMMAND_RIGHTS, ...limits });
}

/** Calls a command with its input of `INPUTS`, or with another one. Returns its result or its error. */
async function outcomeOf(
  limited: LimitedOperator<unknown>,
  name: CommandName,
  input: unknown = INPUTS[name]?.(setting),
): Promise<unknown> {
  const call = callCommand as (operator: unknown, name: CommandName, input: unknown) => Promise<unknown>;
  return call(limited, name, input).catch((error: unknown) => error);
}

/** The status of the setting's application changes. The receiver refuses the event. Returns the event. */
async function refuse(): Promise<EventId> {
  const { keyId, applicationId: id } = setting;
  await operator.applications.decide({ id, decision: 'accepted' });
  const {
    items: [found],
  } = await operator.deliveries.list({ applicationId: id });
  if (found === undefined) throw new Error('The decision has no event.');
  const { eventId, eventAt: at } = found;
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
  ...(['candidates.export', 'deliveries.find', 'deliveries.list'] as const),
  ...(['deliveries.listAttempts', 'endpoints.test', 'timelines.find'] as const),
];

/** What shows the partner's own id of an application. */
const WITH_SOURCE_IDS: readonly CommandName[] = [
  ...(['applications.decide', 'applications.find', 'applications.list'] as const),
  ...(['applications.updateResume', 'candidates.export', 'deliveries.find'] as const),
];

/** The commands that change nothing here, or return what they changed. */
const TELLING = NAMES.filter(
  (name) =>
    COMMANDS.some((command) => command.name === name && command.pastTense === null) ||
    ['applications.decide', 'applications.updateResume', 'endpoints.test'].includes(name),
);

it('only somebody who may see candidates sees answers of receivers and ids of partners', async () => {
  const eventId = await refuse();
  const { keyId, applicationId } = setting;
  const seesAll = limitedTo({});
  const viewer = limitedTo({ rights: COMMAND_RIGHTS.filter((right) => right !== 'candidates:read') });
  const inputs: Readonly<Record<string, unknown>> = {
    'applications.list': { keyId },
    'deliveries.find': { keyId, eventId },
    'deliveries.list': { keyId },
    'deliveries.listAttempts': { keyId },
  };
  const told = async (limited: LimitedOperator<unknown>, name: CommandName) => {
    const text = JSON.stringify(await outcomeOf(limited, name, inputs[name])) ?? '';
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
  ...(['find', 'list', 'pause', 'resume', 'setUrl'] as const).map((verb) => `endpoints.${verb}` as const),
];

it('only somebody who may set the URL of an endpoint sees its query', async () => {
  const { keyId } = setting;
  const { endpoints } = stage.storage.direct;
  const endpoint = await endpoints.find(keyId);
  if (endpoint === null) throw new Error('The key has an endpoint.');
  const url = 'https://ats.example/hooks?token=s3cret';
  const seen: CommandName[] = [];
  const viewer = limitedTo({ rights: COMMAND_RIGHTS.filter((right) => right !== 'endpoints:set-url') });
  for (const name of [...TELLING, ...WITH_URLS]) {
    const replacedUrl = { url, at: await stage.storage.direct.time.now() };
    await endpoints.save({ ...endpoint, url, replacedUrl, state: { kind: 'active' } });
    const input = name.endsWith('.setUrl') ? { keyId, url } : undefined;
    expect(JSON.stringify(await outcomeOf(viewer, name)) ?? '', name).not.toContain('s3cret');
    const outcome = await outcomeOf(limitedTo({}), name, input);
    if ((JSON.stringify(outcome) ?? '').includes('s3cret')) seen.push(name);
  }
  expect([...new Set(seen)].sort()).toEqual(WITH_URLS);
  expect(await viewer.endpoints.find({ keyId })).toMatchObject({
    url: 'https://ats.example/hooks?…',
    replacedUrl: { url: 'https://ats.example/hooks?…' },
  });
});

/** What an actor for some partners cannot call for a company to which none of them has access now. */
const OF_COMPANIES: readonly CommandName[] = [
  ...(['access.raiseLimit', 'access.grant', 'access.revoke', 'companies.find'] as const),
  ...(['jobs.find', 'jobs.list', 'jobs.count', 'totals.list'] as const),
];

it('no command says anything of a company after the access of the partners was revoked', async () => {
  const { keyId, companyId, jobId, applicationId } = setting;
  await operator.access.revoke({ keyId, companyId });
  await operator.companies.rename({ id: companyId, name: 'Renamed afterwards' });
  await operator.jobs.update({ id: jobId, changes: { title: 'Retitled afterwards' } });
  await operator.jobs.publish({ ...PICKER, companyId, internalOnly: true, title: 'Internal afterwards' });
  const limited = limitedTo({ partnerIds: own });
  const { items: applications } = await limited.applications.list({ keyId });
  expect(applications).toMatchObject([{ id: applicationId, companyName: companyId, jobTitle: jobId }]);
  for (const name of NAMES) {
    const outcome = await outcomeOf(limited, name);
    const isHidden = OF_COMPANIES.includes(name) || FOR_ALL_PARTNERS.includes(name);
    expect([name, isAsUnknown(outcome)]).toEqual([name, isHidden]);
    expect(JSON.stringify(outcome), name).not.toContain('afterwards');
  }
  expect((await operator.access.list({ keyId, onlyActive: true })).items).toEqual([]);
});
