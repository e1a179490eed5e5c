import { isStorableText, toStorableText } from '../domain/text.js';
import type { AccessCommands } from './access.js';
import type { ApplicationCommands } from './applications.js';
import type { AuditCommands } from './audit.js';
import type { CandidateCommands } from './candidates/candidate-commands.js';
import type { CompanyCommands } from './companies.js';
import type { DeliveryCommands } from './deliveries/delivery-commands.js';
import type { WithoutEach } from './each.js';
import type { EndpointTester } from './endpoint-tester.js';
import type { EndpointCommands } from './endpoints.js';
import type { InboxCommands } from './inbox.js';
import { type Inspection, inspect, inspectKnownNames, inspectRecord } from './input.js';
import type { JobCommands } from './jobs/job-commands.js';
import type { KeyCommands } from './keys.js';
import type { OperationCommands } from './operations/operation-commands.js';
import type { OperationWaiter } from './operations/wait.js';
import type { PartnerCommands } from './partners.js';
import type { RequestCommands } from './requests/request-commands.js';
import type { SandboxCommands } from './sandbox.js';
import type { SystemCommands } from './system/system-commands.js';

/** An id must be text. An optional id may be omitted. The command checks all other fields. */
type FieldKind = 'id' | 'optional_id' | 'value';

type ItemOf<Input> = NonNullable<Input> extends readonly (infer Item)[] ? Item : NonNullable<Input>;

type NamesOf<Input> = Input extends string ? never : Input extends unknown ? keyof Input & string : never;

/** Names every field of an input. Other fields are refused. */
type FieldsOf<Input> = { readonly [Name in NamesOf<ItemOf<Input>>]: FieldKind };

/** The input of a command. It is checked at runtime, because the host may not use TypeScript. */
type InputForm<Input> =
  | { readonly nothing: FieldsOf<Input> }
  | { readonly record: FieldsOf<Input> }
  | { readonly records: FieldsOf<Input> }
  /** A record that may be omitted. */
  | { readonly filter: FieldsOf<Input> }
  /** A list that is not of records. The command checks it. */
  | { readonly list: FieldsOf<Input> };

type FormsOf<Commands> = {
  readonly [Command in keyof WithoutEach<Commands>]: Commands[Command] extends (input: infer Input) => unknown
    ? InputForm<Input>
    : never;
};

type InputForms = {
  readonly partners: FormsOf<PartnerCommands>;
  readonly keys: FormsOf<KeyCommands>;
  readonly companies: FormsOf<CompanyCommands>;
  readonly access: FormsOf<AccessCommands>;
  readonly jobs: FormsOf<JobCommands>;
  readonly applications: FormsOf<ApplicationCommands>;
  readonly candidates: FormsOf<CandidateCommands>;
  readonly endpoints: FormsOf<EndpointCommands & EndpointTester>;
  readonly deliveries: FormsOf<DeliveryCommands>;
  readonly operations: FormsOf<OperationCommands & OperationWaiter>;
  readonly inbox: FormsOf<InboxCommands>;
  readonly requests: FormsOf<RequestCommands>;
  readonly sandbox: FormsOf<SandboxCommands>;
  readonly audit: FormsOf<AuditCommands>;
  readonly system: FormsOf<SystemCommands>;
};

const id = { id: 'id' } as const;
const keyId = { keyId: 'id' } as const;
const page = { cursor: 'value', limit: 'value' } as const;
const access = { keyId: 'id', companyId: 'id' } as const;
const delivery = { keyId: 'id', eventId: 'id' } as const;
const dryRun = { dryRun: 'value' } as const;
const candidate = {
  applicationId: 'optional_id',
  email: 'value',
  phone: 'value',
  country: 'value',
} as const;
const range = { since: 'value', until: 'value' } as const;
const timeline = { ...range, limit: 'value' } as const;
const newJob = {
  id: 'value',
  companyId: 'id',
  state: 'value',
  internalOnly: 'value',
  title: 'value',
  location: 'value',
  compensation: 'value',
  schedule: 'value',
  headcount: 'value',
  applicationFormSchema: 'value',
} as const;

export const INPUT_FORMS: InputForms = {
  partners: {
    create: { record: { id: 'value', name: 'value' } },
    find: { record: id },
    list: { filter: page },
  },
  keys: {
    issue: { record: { partnerId: 'id', environment: 'value', endpointUrl: 'value' } },
    rotate: { record: { ...keyId, overlapMs: 'value', ifCurrent: 'value' } },
    revoke: { record: { ...keyId, secretLastFour: 'value', hash: 'value', all: 'value' } },
    find: { record: keyId },
    list: { filter: { partnerId: 'optional_id', ...page } },
    timeline: { record: { ...keyId, ...timeline } },
  },
  companies: {
    create: { record: { id: 'value', name: 'value', environment: 'value' } },
    rename: { record: { ...id, name: 'value' } },
    find: { record: id },
    list: { filter: page },
  },
  access: {
    grant: { record: { ...access, renew: 'value' } },
    revoke: { record: access },
    enableBootstrap: { record: access },
    list: { record: { ...keyId, onlyActive: 'value', ...page } },
  },
  jobs: {
    publish: { record: newJob },
    publishMany: { records: newJob },
    publishInSteps: { records: newJob },
    update: { record: { ...id, changes: 'value' } },
    close: { record: id },
    closeMany: { records: id },
    closeAll: { record: { companyId: 'id' } },
    reopen: { record: id },
    archive: { record: id },
    unarchive: { record: id },
    markInternalOnly: { record: id },
    markPublic: { record: id },
    find: { record: id },
    list: { record: { companyId: 'id', state: 'value', ...page } },
    count: { record: { companyId: 'id', state: 'value' } },
    visibility: { record: id },
    timeline: { record: { ...id, keyId: 'optional_id', ...timeline } },
  },
  applications: {
    beginEvaluation: { record: { ...id, stage: 'value' } },
    moveStage: { record: { ...id, stage: 'value' } },
    decide: { record: { ...id, decision: 'value' } },
    fetchResumeAgain: { record: id },
    find: { record: id },
    events: { record: id },
    timeline: { record: { ...id, ...timeline } },
    list: {
      filter: {
        sourceApplicationId: 'value',
        lastNamePrefix: 'value',
        keyId: 'optional_id',
        companyId: 'optional_id',
        jobId: 'optional_id',
        status: 'value',
        submittedSince: 'value',
        changedSince: 'value',
        erasedSince: 'value',
        ...page,
      },
    },
  },
  candidates: {
    list: { record: { ...candidate, ...page } },
    reveal: { record: { applicationId: 'id' } },
    export: { record: candidate },
    erase: { record: { ...candidate, clearSourceApplicationId: 'value' } },
    eraseMany: {
      record: {
        companyId: 'optional_id',
        changedBefore: 'value',
        clearSourceApplicationId: 'value',
        ...dryRun,
      },
    },
  },
  endpoints: {
    setUrl: { record: { ...keyId, url: 'value' } },
    rotateSecret: { record: { ...keyId, overlapMs: 'value', ifCurrent: 'value' } },
    pause: { record: keyId },
    resume: { record: { ...keyId, retryNow: 'value', ...dryRun } },
    find: { record: keyId },
    health: { record: keyId },
    activity: { record: { ...keyId, since: 'value' } },
    list: { filter: page },
    listFailing: { filter: page },
    test: { record: { ...keyId, type: 'value' } },
  },
  deliveries: {
    list: {
      record: {
        keyId: 'optional_id',
        partnerId: 'optional_id',
        applicationId: 'optional_id',
        state: 'value',
        type: 'value',
        onlyFailing: 'value',
        ...range,
        ...page,
      },
    },
    listAttempts: { record: { ...keyId, ...range, ...page } },
    find: { record: { keyId: 'optional_id', eventId: 'id' } },
    count: { filter: { keyId: 'optional_id' } },
    redeliver: { record: { ...delivery, ...dryRun } },
    redeliverMany: { record: { ...keyId, eventIds: 'value', ...dryRun } },
    redeliverSince: { record: { ...keyId, ...range, ...dryRun } },
    redeliverAll: { record: { ...keyId, ...dryRun } },
    cancel: { record: delivery },
  },
  operations: {
    list: { filter: { state: 'value', ...page } },
    find: { record: id },
    stop: { record: id },
    wait: { record: { ...id, onProgress: 'value', signal: 'value' } },
  },
  inbox: {
    status: { nothing: {} },
    turnOn: { nothing: {} },
    turnOff: { nothing: {} },
    take: { filter: { limit: 'value', leaseMs: 'value' } },
    acknowledge: { list: {} },
    listParked: { filter: page },
    retry: { record: { ids: 'value', all: 'value' } },
  },
  requests: {
    list: {
      filter: {
        keyId: 'optional_id',
        partnerId: 'optional_id',
        applicationId: 'optional_id',
        onlyErrors: 'value',
        ...range,
        ...page,
      },
    },
    find: { record: { requestId: 'id' } },
    listReads: { record: { ...keyId, ...page } },
    lastReads: { record: keyId },
  },
  sandbox: { prepare: { record: keyId } },
  system: { status: { nothing: {} }, overview: { filter: { since: 'value' } } },
  audit: {
    list: {
      filter: {
        actorId: 'optional_id',
        act: 'value',
        keyId: 'optional_id',
        object: 'value',
        ...range,
        ...page,
      },
    },
  },
};

type AnyFields = Readonly<Record<string, FieldKind>>;

interface AnyForm {
  readonly takes: string;
  readonly fields: AnyFields;
}

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

function formOf(group: string, name: string): AnyForm {
  const forms: Readonly<Record<string, Readonly<Record<string, object>>>> = INPUT_FORMS;
  const [form] = Object.entries(forms[group]?.[name] ?? {});
  if (form === undefined) throw new Error(`No input form for command ${group}.${name}.`);
  return { takes: form[0], fields: form[1] as AnyFields };
}

function inspectInput(name: string, form: AnyForm, command: Command): Command {
  return async (input) => {
    const isOmitted = form.takes === 'filter' && (input ?? undefined) === undefined;
    if (isOmitted) return command(undefined);
    // The command checks each item.
    if (form.takes === 'list') return command(input);
    const inspection = inspect(name);
    if (form.takes === 'nothing') {
      if (typeof input === 'object' && input !== null && !Array.isArray(input))
        inspectNames(inspection, input, form, '');
      inspection.end();
      return command(undefined);
    }
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

function inspectRecords(inspection: Inspection, form: AnyForm, input: unknown): readonly Fields[] {
  inspection.expect(Array.isArray(input), 'jobs', 'must be a list of objects, one for each job');
  if (!Array.isArray(input)) return [];
  // Unlike `map`, `Array.from` does not skip the gaps of a sparse list.
  return Array.from<unknown, Fields>(input, (job, index) =>
    inspectFields(inspection, form, job, `jobs[${index}]`, `jobs[${index}].`),
  );
}

function inspectFields(
  inspection: Inspection,
  form: AnyForm,
  input: unknown,
  at: string,
  path: string,
): Fields {
  inspectRecord(inspection, input, at);
  if (typeof input !== 'object' || input === null) return {};
  const fields = input as Fields;
  if (!Array.isArray(input)) inspectNames(inspection, input, form, path);
  for (const [name, kind] of Object.entries(form.fields)) {
    const isOmitted = kind === 'optional_id' && (fields[name] ?? undefined) === undefined;
    if (kind === 'value' || isOmitted) continue;
    inspection.expect(typeof fields[name] === 'string', `${path}${name}`, 'must be text');
  }
  return fields;
}

function inspectNames(inspection: Inspection, input: object, { fields }: AnyForm, path: string): void {
  inspectKnownNames(inspection, input, Object.keys(fields), path);
}

/** Replaces ids with a NUL or a lone surrogate by unknown ids: PostgreSQL would abort the transaction. */
function withStorableIds(form: AnyForm, fields: Fields): Fields {
  const replaced = Object.entries(form.fields).flatMap(([name, kind]) => {
    const id = fields[name];
    return kind !== 'value' && typeof id === 'string' && !isStorableText(id)
      ? [[name, toStorableText(id)] as const]
      : [];
  });
  return replaced.length === 0 ? fields : { ...fields, ...Object.fromEntries(replaced) };
}
