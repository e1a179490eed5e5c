import type { AuditObject } from '../../../packages/core/src/domain/audit.js';
import type { EventId } from '../../../packages/core/src/domain/ids.js';
import { ACTS } from '../../../packages/core/src/features/commands.js';
import { NEVER } from '../../../packages/core/src/features/inbox/rules.js';
import { NO_SYNC } from '../../../packages/core/src/features/jobs-sync/rules.js';
import { createSetting, INPUTS, type Setting } from '../operator/every-command.js';
import { PICKER, type Stage } from '../operator/stage.js';

/** A call of a command that changes something, and the main object of its audit entry. */
export interface PreparedCall {
  readonly input: unknown;
  /** Null if the command creates the object, so that its id is only known afterwards. */
  readonly object: AuditObject | null;
}

type PrepareCall = (stage: Stage, setting: Setting) => Promise<AuditObject | PreparedCall | null>;

const job = ({ jobId: id }: Setting): AuditObject => ({ kind: 'job', id });
const leaver = ({ leaverId: id }: Setting): AuditObject => ({ kind: 'partner', id });
const key = ({ keyId: id }: Setting): AuditObject => ({ kind: 'key', id });
const company = ({ companyId: id }: Setting): AuditObject => ({ kind: 'company', id });
const application = ({ applicationId: id }: Setting): AuditObject => ({ kind: 'application', id });
const endpoint = ({ keyId: id }: Setting): AuditObject => ({ kind: 'endpoint', id });
const delivery = ({ eventId: id }: Setting): AuditObject => ({ kind: 'delivery', id });
const INBOX: AuditObject = { kind: 'inbox', id: 'inbox' };

/** Moves the endpoint's watermark past its event. */
async function deliver({ storage }: Stage, { keyId, eventId }: Setting): Promise<void> {
  const [event] = await storage.direct.events.find(keyId, [eventId as EventId]);
  if (!event) throw new Error('The event is missing.');
  await storage.direct.endpoints.advanceWatermark(keyId, event.at);
}

const PORTAL_HOST = 'jobs.example.com';

/** Makes a link to the portal. Returns its token. */
async function linkTo({ operator }: Stage, partnerId: Setting['partnerId']): Promise<string> {
  const { link } = await operator.portal.createLink({ partnerId, url: `https://${PORTAL_HOST}/portal` });
  return new URL(link).searchParams.get('token') ?? '';
}

/** Brings writing commands into a state in which their inputs of `INPUTS` change something, and tells their main objects. */
const PREPARE: Readonly<Record<string, PrepareCall>> = {
  'partners.create': async (_, { newPartnerId }) => ({ kind: 'partner', id: `${newPartnerId}_2` }),
  'partners.update': async (_, setting) => leaver(setting),
  'partners.remove': async (_, setting) => leaver(setting),
  'keys.rotate': async (_, setting) => key(setting),
  'keys.revoke': async (_, setting) => key(setting),
  'keys.lowerLimits': async (_, setting) => key(setting),
  'keys.liftLimits': async ({ operator }, setting) => {
    const { keyId: id } = setting;
    await operator.keys.lowerLimits({ id, perMinute: { guard: 7 }, reason: 'ticket 7', forMs: 3_600_000 });
    return key(setting);
  },
  'companies.create': async (_, { companyId }) => ({ kind: 'company', id: `${companyId}_2` }),
  'companies.rename': async (_, setting) => company(setting),
  'access.grant': async ({ operator }, setting) => {
    await operator.access.revoke({ keyId: setting.keyId, companyId: setting.companyId });
    return company(setting);
  },
  'access.revoke': async (_, setting) => company(setting),
  'access.raiseLimit': async (_, setting) => company(setting),
  'jobs.publish': async (_, { jobId }) => ({ kind: 'job', id: `${jobId}_2` }),
  'jobs.update': async (_, setting) => job(setting),
  'jobs.close': async (_, setting) => job(setting),
  'jobs.reopen': async ({ operator }, setting) => {
    await operator.jobs.close({ id: setting.jobId });
    return job(setting);
  },
  'jobs.archive': async (_, setting) => job(setting),
  'jobs.put': async (_, { jobId }) => ({ kind: 'job', id: `${jobId}_4` }),
  'jobs.syncs.run': async ({ storage }, { companyId, jobId }) => {
    await storage.direct.jobSyncs.save(NO_SYNC);
    return { input: { source: [{ ...PICKER, companyId, id: `${jobId}_6` }] }, object: null };
  },
  'jobs.syncs.request': async (_, { heldOperationId: id }) => ({ kind: 'operation', id }),
  'jobs.setVisibility': async (_, setting) => job(setting),
  'applications.move': async (stage, { keyId, jobId }) => {
    const found = await stage.operator.jobs.find({ id: jobId });
    if (found === null) throw new Error('The job is missing.');
    const { id } = await stage.application(keyId, found);
    return { input: { id, stage: 'under_review' }, object: { kind: 'application', id } };
  },
  'applications.decide': async (_, setting) => application(setting),
  'applications.updateResume': async (stage, setting) => {
    const found = await stage.operator.jobs.find({ id: setting.jobId });
    if (found === null) throw new Error('The job is missing.');
    const { id } = await stage.application(setting.keyId, found, { resumeUrl: 'https://cv.example/1.pdf' });
    await stage.storage.direct.applications.saveResume(id, {
      kind: 'failed',
      reason: 'not_found',
      failedAt: 5,
    });
    return { input: { id, fetch: 'again' }, object: { kind: 'application', id } };
  },
  'candidates.reveal': async (_, setting) => application(setting),
  'audit.recordExport': async () => ({ kind: 'list', id: 'jobs' }),
  'candidates.erase': async (_, setting) => application(setting),
  'endpoints.setUrl': async (_, setting) => endpoint(setting),
  'endpoints.rotateSecret': async (_, setting) => endpoint(setting),
  'secrets.reseal': async ({ storage }, setting) => {
    const all = await storage.direct.endpoints.list();
    const index = all.findIndex(({ keyId }) => keyId === setting.keyId);
    const found = all[index];
    if (found === undefined) throw new Error('The endpoint is missing.');
    const secrets = [{ sealed: 'before:whsec_one', createdAt: 0, expiresAt: null }];
    await storage.direct.endpoints.save({ ...found, secrets });
    return { input: { force: true, after: all[index - 1]?.keyId }, object: endpoint(setting) };
  },
  'endpoints.pause': async (_, setting) => endpoint(setting),
  'endpoints.resume': async ({ operator }, setting) => {
    await operator.endpoints.pause({ keyId: setting.keyId });
    return endpoint(setting);
  },
  'deliveries.resend': async (stage, setting) => {
    await deliver(stage, setting);
    return delivery(setting);
  },
  'deliveries.cancel': async (_, setting) => delivery(setting),
  'operations.stop': async (_, { operationId: id }) => ({ kind: 'operation', id }),
  'bulk.rotateSecrets': async (_, { partnerId: id }) => ({ kind: 'partner', id }),
  'inbox.turn': async ({ operator }) => {
    await operator.inbox.turn({ on: false });
    return INBOX;
  },
  'inbox.retry': async ({ operator, storage, clock }, { applicationId, keyId }) => {
    const { inbox } = storage.direct;
    await operator.inbox.turn({ on: true });
    const at = clock.now() + 1;
    const entry = { applicationId, keyId, at, kind: 'resume.failed' } as const;
    await inbox.add([entry]);
    const failed = { ...entry, isRetry: false, isBehind: false, failures: 10, firstFailureAt: at };
    await inbox.postpone([{ ...failed, retryAt: NEVER, parkedAt: at, lastError: 'Error: no' }]);
    return { input: { ids: [`${applicationId}.${at}`] }, object: INBOX };
  },
  'portal.createLink': async (_, { partnerId: id }) => ({ kind: 'partner', id }),
  'portal.revoke': async (stage, { partnerId: id }) => {
    await linkTo(stage, id);
    return { kind: 'partner', id };
  },
  'portal.signIn': async (stage, { partnerId: id }) => ({
    input: { token: await linkTo(stage, id), host: PORTAL_HOST },
    object: { kind: 'partner', id },
  }),
  'sandbox.prepare': async ({ storage, runtime, clock }, { newPartnerId: partnerId }) => {
    const id = runtime.ids.next('key');
    await storage.direct.keys.add({ id, partnerId, environment: 'sandbox', createdAt: clock.now() });
    return { input: { keyId: id }, object: { kind: 'key', id } };
  },
};

/** The commands that the audit records. */
export const WRITING_COMMANDS: readonly string[] = ACTS;

/** These commands change nothing but the audit, which records who saw the data. */
export const RECORDED_READS: readonly string[] = [
  'candidates.reveal',
  'audit.recordExport',
  'endpoints.test',
];

/** Prepares a call that changes something. The stage must have the option `sandbox`. */
export async function prepareCall(
  stage: Stage,
  name: string,
): Promise<PreparedCall & { readonly setting: Setting }> {
  const setting = await createSetting(stage);
  const prepared = (await PREPARE[name]?.(stage, setting)) ?? null;
  if (prepared !== null && 'input' in prepared) return { ...prepared, setting };
  return { input: INPUTS[name]?.(setting), object: prepared, setting };
}
