import type {
  ApplicationId,
  ApplicationRecord,
  CompanyId,
  CreatedPartner,
  Environment,
  Job,
  NewJob,
  NewPartner,
  OperatorCommands,
  PartnerId,
} from '@partner-hiring/core';
import { createTestKey, type TestKey, type TestKeyContext } from './test-key.js';

/** A key to create. */
export interface TestKeyInput {
  /** Default: a new partner. */
  readonly partnerId?: PartnerId | undefined;
  /** Default: `production`. */
  readonly environment?: Environment | undefined;
  /** Default: a URL that no other key has. Null creates no webhook endpoint. */
  readonly endpointUrl?: string | null | undefined;
}

/** The fields of a type, each of which may be omitted or `undefined`. */
type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** A job to create. Each field has a default. */
export interface TestJobInput extends Optional<NewJob> {
  /** The keys that see the job: they get access to its company. */
  readonly keys?: readonly Pick<TestKey, 'keyId'>[] | undefined;
}

/** An application to submit. Each field has a default. */
export interface TestApplicationInput {
  /** Default: a new key of a new partner. */
  readonly key?: TestKey | undefined;
  /** Default: a new job that the key sees. */
  readonly job?: Pick<Job, 'id'> | undefined;
  /** Fields of the candidate that the test is about. */
  readonly candidate?: Readonly<Record<string, unknown>> | undefined;
  /** Other fields of the submission, such as `answers`, `resumeUrl` or `sourceApplicationId`. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** A submitted application. */
export interface TestApplication {
  readonly application: ApplicationRecord;
  /** The key that submitted it. */
  readonly key: TestKey;
}

/** Creates partners, keys, jobs and applications with believable values. */
export interface Builders {
  /**
   * Adds a partner, with the keys that are asked for: `keys` of the result has their secrets.
   * @throws OperatorError `INVALID_INPUT` or `PARTNER_EXISTS`.
   */
  createPartner(partner?: Optional<NewPartner>): Promise<CreatedPartner>;
  /**
   * Issues a key with a webhook endpoint.
   * @throws OperatorError `INVALID_INPUT`, `PARTNER_NOT_FOUND`, or `KEY_EXISTS`: a partner has one key per environment.
   * @example
   * const key = await instance.createKey();
   * const { status, json } = await key.get('/jobs');
   */
  createKey(key?: TestKeyInput): Promise<TestKey>;
  /**
   * Publishes a job. Without `companyId`, registers a company for it.
   * @throws OperatorError `INVALID_INPUT`, `COMPANY_NOT_FOUND`, `JOB_EXISTS`, `KEY_NOT_FOUND` or `ENVIRONMENT_MISMATCH`.
   * @example
   * const job = await instance.createJob({ keys: [key], title: 'Line cook' });
   */
  createJob(job?: TestJobInput): Promise<Job>;
  /**
   * Submits a candidate through the API.
   * @throws Error with the reply if the API does not accept the submission.
   * @example
   * const { application, key } = await instance.createApplication({ candidate: { firstName: 'Grace' } });
   */
  createApplication(application?: TestApplicationInput): Promise<TestApplication>;
}

/** The details of a complete job. */
export const SAMPLE_JOB_DETAILS = {
  title: 'Warehouse associate',
  location: { city: 'Reno', state: 'NV', country: 'US' },
  compensation: { type: 'hourly', min: 21.5, max: 26, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: 4, filled: 1 },
  applicationFormSchema: null,
} as const;

const CANDIDATE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+14155550123',
};

/** Returns a valid submission for a job. `fields` overrides its fields. */
export function sampleSubmission(jobId: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { jobId, candidate: CANDIDATE, consentToContact: true, ...fields };
}

/** Returns the fields that are not `undefined`. */
function givenIn<Fields extends object>(fields: Optional<Fields>): Partial<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Fields>;
}

/** The parts of their instance that the builders need. */
export interface BuilderContext extends TestKeyContext {
  readonly operator: OperatorCommands;
}

export function createBuilders(context: BuilderContext): Builders {
  const { operator } = context;
  let keys = 0;

  function nextUrl(): string {
    keys += 1;
    return `https://ats-${keys}.example.org/webhooks`;
  }

  const createKey: Builders['createKey'] = async ({
    partnerId,
    environment = 'production',
    endpointUrl = nextUrl(),
  } = {}) => {
    const issued = await operator.keys.issue({
      partnerId: partnerId ?? (await builders.createPartner()).id,
      environment,
      endpointUrl: endpointUrl ?? undefined,
    });
    return createTestKey(context, {
      keyId: issued.key.id,
      partnerId: issued.key.partnerId,
      secret: issued.secret,
      endpointUrl: issued.endpoint?.url ?? null,
      signingSecret: issued.endpoint?.signingSecret ?? null,
    });
  };

  async function companyFor([first]: readonly Pick<TestKey, 'keyId'>[]): Promise<CompanyId> {
    const view = first === undefined ? null : await operator.keys.find({ id: first.keyId });
    const environment = view?.key.environment ?? 'production';
    return (await operator.companies.create({ name: 'Initech', environment })).id;
  }

  const builders: Builders = {
    createPartner: ({ name = 'Acme ATS', ...partner } = {}) => operator.partners.create({ ...partner, name }),
    createKey,
    createJob: async ({ keys: seenBy = [], companyId, ...details } = {}) => {
      const company = companyId ?? (await companyFor(seenBy));
      for (const { keyId } of seenBy) await operator.access.grant({ keyId, companyId: company });
      return operator.jobs.publish({ companyId: company, ...SAMPLE_JOB_DETAILS, ...givenIn(details) });
    },
    createApplication: async ({ key, job, candidate, fields } = {}) => {
      const submitter = key ?? (await createKey());
      const { id } = job ?? (await builders.createJob({ keys: [submitter] }));
      const reply = await submitter.submit(
        sampleSubmission(id, { candidate: { ...CANDIDATE, ...candidate }, ...fields }),
      );
      if (reply.status !== 201) {
        throw new Error(`The API did not accept the application: ${reply.status} ${reply.text}`);
      }
      const application = await operator.applications.find({ id: reply.json.id as ApplicationId });
      if (application === null) throw new Error(`The application ${String(reply.json.id)} does not exist.`);
      return { application, key: submitter };
    },
  };
  return builders;
}
