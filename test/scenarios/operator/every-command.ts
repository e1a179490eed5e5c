import type { Repositories } from '@partner-hiring/core/ports';
import { HOST_ACTOR } from '../../../packages/core/src/domain/audit.js';
import type { OperationId } from '../../../packages/core/src/domain/ids.js';
import type { Operation } from '../../../packages/core/src/domain/operation.js';
import { hashBinding } from '../../../packages/core/src/domain/page.js';
import { NO_SYNC_COUNTS } from '../../../packages/core/src/domain/sync-counts.js';
import { COMMANDS } from '../../../packages/core/src/features/commands.js';
import { NO_SYNC } from '../../../packages/core/src/features/jobs-sync/rules.js';
import {
  type AnyDefinition,
  type AnyDefinitions,
  isDefinition,
} from '../../../packages/core/src/operator/command/definition.js';
import type { Operator, OperatorCommands } from '../../../packages/core/src/operator/operator.js';
import { readInputs } from './inputs.js';
import { PICKER, type Stage } from './stage.js';

/** The input of each command by name, as its definition has it. */
export const DEFINED_INPUTS: ReadonlyMap<string, AnyDefinition['input']> = new Map(
  Object.entries(COMMANDS.all).flatMap(([group, definitions]) =>
    inputsIn(group, definitions as AnyDefinitions),
  ),
);

/** A group may be in another one. */
function inputsIn(
  group: string,
  definitions: AnyDefinitions,
): readonly (readonly [string, AnyDefinition['input']])[] {
  return Object.entries(definitions).flatMap(([verb, entry]) => {
    const name = `${group}.${verb}`;
    return isDefinition(entry) ? [[name, entry.input] as const] : inputsIn(name, entry);
  });
}

/** A command without types. */
export type LooseCommand = (input?: unknown) => Promise<unknown>;

/** The outcome of a call. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

/** Returns every command by name. Leaves out iterators, whose names start with `each`: they call the lists. */
export function commandsOf(
  operator: Operator<unknown> | OperatorCommands,
): ReadonlyMap<string, LooseCommand> {
  const groups = Object.entries(operator).filter(([, group]) => typeof group === 'object');
  return new Map(
    groups.flatMap(([group, commands]) =>
      commandsIn(group, commands as Readonly<Record<string, LooseCommand | object>>),
    ),
  );
}

/** A group may be in another one. */
function commandsIn(
  group: string,
  commands: Readonly<Record<string, LooseCommand | object>>,
): readonly (readonly [string, LooseCommand])[] {
  return Object.entries(commands)
    .filter(([name]) => !name.startsWith('each'))
    .flatMap(([verb, command]) => {
      const name = `${group}.${verb}`;
      return typeof command === 'function'
        ? [[name, withOneInput(name, command as LooseCommand)] as const]
        : commandsIn(name, command as Readonly<Record<string, LooseCommand>>);
    });
}

/** A command that reads a source gets it and its options as one input here, as its definition has it. */
function withOneInput(name: string, command: (...inputs: unknown[]) => Promise<unknown>): LooseCommand {
  if (name !== 'jobs.syncs.run') return command;
  return (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return command(undefined, input);
    const { source, ...options } = input as Readonly<Record<string, unknown>>;
    return command(source, options);
  };
}

/** Calls a command. Reports one that throws instead of rejecting. */
export async function outcomeOf(command: LooseCommand, ...input: readonly unknown[]): Promise<Outcome> {
  let answer: Promise<unknown>;
  try {
    answer = command(...(input as [unknown]));
  } catch (error) {
    return { kind: 'threw', error: new Error('It threw instead of rejecting.', { cause: error }) };
  }
  return answer.then(
    (answer) => ({ kind: 'answered', answer }),
    (error: unknown) => ({ kind: 'threw', error }),
  );
}

/** Ids that commands can use. */
export type Setting = Awaited<ReturnType<typeof createSetting>>;

const NEXT_SYNC_AT = 9_000_000_000_000;

/** Adds a sync that was held, and is the last one. */
async function addHeldSync({ operations, jobSyncs }: Repositories, id: OperationId): Promise<OperationId> {
  const operation: Operation = {
    id,
    plan: { kind: 'sync_jobs', missing: 'close' },
    startedBy: HOST_ACTOR,
    state: 'held',
    counts: { done: 0, skipped: 0, total: 0 },
    failed: null,
    sync: { ...NO_SYNC_COUNTS, missing: 30, open: 60 },
    lastError: null,
    createdAt: 5,
    updatedAt: 6,
    finishedAt: 6,
  };
  await operations.add({ operation, position: null, failures: 0, dueAt: 6 });
  await jobSyncs.save({ ...NO_SYNC, operationId: id, dueAt: NEXT_SYNC_AT, isHeld: true, heldJobs: 30 });
  return id;
}

/** Creates a partner with a key and an endpoint, a company with a job, and an application. */
export async function createSetting({ operator, storage, ...stage }: Stage) {
  const keyId = await stage.key();
  const newcomer = await operator.partners.create({ name: 'Newcomer' });
  const leaver = await operator.partners.create({ name: 'Leaver' });
  const sandboxKeyId = await stage.key({ environment: 'sandbox' });
  const companyId = await stage.company();
  await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  const { id: applicationId } = await stage.application(keyId, job);
  await operator.applications.move({ id: applicationId });
  await storage.direct.applications.saveResume(applicationId, { kind: 'pending', attempts: 0 });
  const { id: operationId } = await operator.jobs.publishInSteps([{ ...PICKER, companyId }]);
  const { id: endedOperationId } = await operator.jobs.publishInSteps([{ ...PICKER, companyId }]);
  await operator.operations.stop({ id: endedOperationId });
  const heldOperationId = await addHeldSync(storage.direct, stage.runtime.ids.next('operation'));
  const [event] = await stage.events(keyId);
  const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId;
  if (event === undefined || partnerId === undefined) throw new Error('The setting is incomplete.');
  const [secret] = await storage.direct.keys.listSecrets(keyId);
  return {
    keyId,
    sandboxKeyId,
    partnerId,
    newPartnerId: newcomer.id,
    leaverId: leaver.id,
    companyId,
    jobId: job.id,
    applicationId,
    eventId: event.id,
    operationId,
    endedOperationId,
    heldOperationId,
    hash: secret?.hash ?? '',
  };
}

/** Returns a cursor in the format of the library. */
export function cursorOf(list: string, filter: readonly unknown[], place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([hashBinding([2, list, ...filter]), ...place])).toString('base64url');
}

/** A valid input for each command, with all of its text fields. */
export const INPUTS = await readInputs();
