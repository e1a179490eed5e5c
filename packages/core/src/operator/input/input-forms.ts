import type { AccessCommands } from '../access.js';
import type { ApplicationCommands } from '../applications.js';
import type { CompanyCommands } from '../companies.js';
import type { EndpointTester } from '../deliveries/test-delivery.js';
import type { DeliveryCommands } from '../deliveries.js';
import type { EndpointCommands } from '../endpoints.js';
import type { JobCommands } from '../jobs.js';
import type { KeyCommands } from '../keys.js';
import type { PartnerCommands } from '../partners.js';
import type { SandboxCommands } from '../sandbox.js';
import { type Inspection, inspect, inspectRecord } from './inspection.js';

/** Of which form a command's input is. Hosts without types can hand over anything. */
interface InputForm {
  /** A `filter` may be left out. */
  readonly takes: 'nothing' | 'record' | 'records' | 'filter';
  /** Fields that hold the id of something that is there. */
  readonly ids: readonly string[];
  /** The same, but they may be left out. */
  readonly idsIfGiven: readonly string[];
}

type FormsOf<Commands> = { readonly [Command in keyof Commands]: InputForm };

type InputForms = {
  readonly partners: FormsOf<PartnerCommands>;
  readonly keys: FormsOf<KeyCommands>;
  readonly companies: FormsOf<CompanyCommands>;
  readonly access: FormsOf<AccessCommands>;
  readonly jobs: FormsOf<JobCommands>;
  readonly applications: FormsOf<ApplicationCommands>;
  readonly endpoints: FormsOf<EndpointCommands & EndpointTester>;
  readonly deliveries: FormsOf<DeliveryCommands>;
  readonly sandbox: FormsOf<SandboxCommands>;
};

const nothing: InputForm = { takes: 'nothing', ids: [], idsIfGiven: [] };
const record = (...ids: readonly string[]): InputForm => ({ takes: 'record', ids, idsIfGiven: [] });
const records = (...ids: readonly string[]): InputForm => ({ takes: 'records', ids, idsIfGiven: [] });
const filter = (...ids: readonly string[]): InputForm => ({ takes: 'filter', ids: [], idsIfGiven: ids });

const INPUT_FORMS: InputForms = {
  partners: { add: record(), find: record('id'), list: nothing },
  keys: {
    issue: record('partnerId'),
    rotate: record('keyId'),
    revoke: record('keyId'),
    find: record('keyId'),
    list: filter('partnerId'),
  },
  companies: { register: record(), rename: record('id'), find: record('id'), list: nothing },
  access: {
    grant: record('keyId', 'companyId'),
    revoke: record('keyId', 'companyId'),
    enableBootstrap: record('keyId', 'companyId'),
    list: record('keyId'),
  },
  jobs: {
    publish: record('companyId'),
    publishMany: records('companyId'),
    update: record('id'),
    close: record('id'),
    closeMany: records('id'),
    reopen: record('id'),
    archive: record('id'),
    unarchive: record('id'),
    markInternalOnly: record('id'),
    markPublic: record('id'),
    find: record('id'),
    list: record('companyId'),
  },
  applications: {
    beginEvaluation: record('id'),
    moveStage: record('id'),
    decide: record('id'),
    fetchResumeAgain: record('id'),
    find: record('id'),
    list: filter('jobId', 'companyId'),
  },
  endpoints: {
    setUrl: record('keyId'),
    rotateSecret: record('keyId'),
    pause: record('keyId'),
    resume: record('keyId'),
    find: record('keyId'),
    health: record('keyId'),
    list: nothing,
    test: record('keyId'),
  },
  deliveries: {
    listDead: filter('keyId'),
    list: { ...record(), idsIfGiven: ['keyId'] },
    listAttempts: record('keyId'),
    find: record('keyId', 'eventId'),
    counts: filter('keyId'),
    redeliver: record('keyId', 'eventId'),
    redeliverMany: record('keyId'),
    redeliverSince: record('keyId'),
    redeliverAll: record('keyId'),
    cancel: record('keyId', 'eventId'),
  },
  sandbox: { prepare: record('keyId') },
};

type Command = (input: unknown) => Promise<unknown>;

/**
 * The commands, each of which first looks whether it was handed what it takes, and rejects with `INVALID_INPUT`
 * if not.
 */
export function inspectInputs<Commands extends object>(commands: Commands): Commands {
  const groups = Object.entries(commands).map(([group, named]) => {
    const inspected = Object.entries(named as Record<string, Command>).map(([name, command]) => [
      name,
      inspectInput(`${group}.${name}`, formOf(group, name), command),
    ]);
    return [group, Object.fromEntries(inspected)];
  });
  return Object.fromEntries(groups) as Commands;
}

function formOf(group: string, name: string): InputForm {
  const forms: Readonly<Record<string, Readonly<Record<string, InputForm>>>> = INPUT_FORMS;
  const form = forms[group]?.[name];
  if (form === undefined) throw new Error(`It is not said what ${group}.${name} takes.`);
  return form;
}

function inspectInput(name: string, form: InputForm, command: Command): Command {
  return async (input) => {
    const isLeftOut = form.takes === 'filter' && (input ?? undefined) === undefined;
    if (form.takes === 'nothing' || isLeftOut) return command(undefined);
    const inspection = inspect(name);
    if (form.takes === 'records') inspectRecords(inspection, form, input);
    else inspectFields(inspection, form, input, 'the input', '');
    inspection.end();
    return command(input);
  };
}

/** Only jobs are handed over many at once. */
function inspectRecords(inspection: Inspection, form: InputForm, input: unknown): void {
  inspection.expect(Array.isArray(input), 'jobs', 'must be a list of objects, one for each job');
  if (!Array.isArray(input)) return;
  for (const [index, each] of input.entries()) {
    inspectFields(inspection, form, each, `jobs[${index}]`, `jobs[${index}].`);
  }
}

function inspectFields(
  inspection: Inspection,
  form: InputForm,
  input: unknown,
  at: string,
  path: string,
): void {
  inspectRecord(inspection, input, at);
  if (typeof input !== 'object' || input === null) return;
  const fields = input as Readonly<Record<string, unknown>>;
  const given = form.idsIfGiven.filter((id) => (fields[id] ?? undefined) !== undefined);
  for (const id of [...form.ids, ...given]) {
    inspection.expect(typeof fields[id] === 'string', `${path}${id}`, 'must be text');
  }
}
