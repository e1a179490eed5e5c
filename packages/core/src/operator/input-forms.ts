import { isStorableText, toStorableText } from '../domain/text.js';
import type { AccessCommands } from './access.js';
import type { ApplicationCommands } from './applications.js';
import type { CompanyCommands } from './companies.js';
import type { DeliveryCommands } from './deliveries/delivery-commands.js';
import type { EndpointTester } from './endpoint-tester.js';
import type { EndpointCommands } from './endpoints.js';
import { type Inspection, inspect, inspectRecord } from './input.js';
import type { JobCommands } from './jobs/job-commands.js';
import type { KeyCommands } from './keys.js';
import type { PartnerCommands } from './partners.js';
import type { SandboxCommands } from './sandbox.js';

/** Checked at runtime, because the host may not use TypeScript. */
interface InputForm {
  readonly takes: 'nothing' | 'record' | 'records' | 'filter';
  readonly ids: readonly string[];
  readonly optionalIds: readonly string[];
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

const nothing: InputForm = { takes: 'nothing', ids: [], optionalIds: [] };
const record = (...ids: readonly string[]): InputForm => ({ takes: 'record', ids, optionalIds: [] });
const records = (...ids: readonly string[]): InputForm => ({ takes: 'records', ids, optionalIds: [] });
const filter = (...ids: readonly string[]): InputForm => ({ takes: 'filter', ids: [], optionalIds: ids });

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
    list: { ...record(), optionalIds: ['keyId'] },
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

type Fields = Readonly<Record<string, unknown>>;

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
  if (form === undefined) throw new Error(`No input form for command ${group}.${name}.`);
  return form;
}

function inspectInput(name: string, form: InputForm, command: Command): Command {
  return async (input) => {
    const isOmitted = form.takes === 'filter' && (input ?? undefined) === undefined;
    if (form.takes === 'nothing' || isOmitted) return command(undefined);
    const inspection = inspect(name);
    if (form.takes === 'records') {
      const jobs = inspectRecords(inspection, form, input);
      inspection.end();
      return command(jobs.map((job) => withStorableIds(form, job)));
    }
    const fields = inspectFields(inspection, form, input, 'the input', '');
    inspection.end();
    return command(withStorableIds(form, fields));
  };
}

function inspectRecords(inspection: Inspection, form: InputForm, input: unknown): readonly Fields[] {
  inspection.expect(Array.isArray(input), 'jobs', 'must be a list of objects, one for each job');
  if (!Array.isArray(input)) return [];
  // Unlike `map`, it does not skip the gaps of a sparse list.
  return Array.from<unknown, Fields>(input, (job, index) =>
    inspectFields(inspection, form, job, `jobs[${index}]`, `jobs[${index}].`),
  );
}

function inspectFields(
  inspection: Inspection,
  form: InputForm,
  input: unknown,
  at: string,
  path: string,
): Fields {
  inspectRecord(inspection, input, at);
  if (typeof input !== 'object' || input === null) return {};
  const fields = input as Fields;
  const given = form.optionalIds.filter((id) => (fields[id] ?? undefined) !== undefined);
  for (const id of [...form.ids, ...given]) {
    inspection.expect(typeof fields[id] === 'string', `${path}${id}`, 'must be text');
  }
  return fields;
}

/** Replaces ids with a NUL or a lone surrogate by unknown ids: PostgreSQL would abort the transaction. */
function withStorableIds(form: InputForm, fields: Fields): Fields {
  const replaced = [...form.ids, ...form.optionalIds].flatMap((name) => {
    const id = fields[name];
    return typeof id === 'string' && !isStorableText(id) ? [[name, toStorableText(id)] as const] : [];
  });
  return replaced.length === 0 ? fields : { ...fields, ...Object.fromEntries(replaced) };
}
