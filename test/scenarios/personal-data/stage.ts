import type { PartnerHiringOptions, ResumeFile, ResumeSink, StoredResume } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createPartner, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type Host, type HostTransaction } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';

export const isSqlite = process.env.STORAGE !== 'postgres';

/** A platform whose candidates leave markers in every field. */
export type PersonalStage = Awaited<ReturnType<typeof openPersonalStage>>;

/** A sink that keeps files in memory, under names that contain the candidate's name. */
export interface RecordingSink extends ResumeSink {
  readonly files: Map<string, ResumeFile>;
  readonly removals: StoredResume[];
  /** Makes removals fail. */
  failWith(error: Error | null): void;
  remove(resume: StoredResume): Promise<void>;
}

export function createRecordingSink(): RecordingSink {
  const files = new Map<string, ResumeFile>();
  const removals: StoredResume[] = [];
  let failure: Error | null = null;
  return {
    files,
    removals,
    failWith: (error) => {
      failure = error;
    },
    store: async (file) => {
      files.set(file.applicationId, file);
      return { location: `memory:/${file.fileName}` };
    },
    remove: async (resume) => {
      if (failure !== null) throw failure;
      removals.push(resume);
      files.delete(resume.applicationId);
    },
  };
}

/** All texts that a submission of this person leaves, none of which may remain. */
export function markersOf(person: string): readonly string[] {
  const lower = person.toLowerCase();
  return [person, lower, person.toUpperCase(), phoneOf(person).slice(2)];
}

/** A valid number of its own for each person, by the four digits in the name. */
export function phoneOf(person: string): string {
  return `+1415555${/\d{4}/.exec(person)?.[0] ?? '0123'}`;
}

/** A submission with the person's name in every field that takes text. */
export function submissionOf(jobId: string, person: string, changes: Readonly<Record<string, unknown>> = {}) {
  return submission(jobId, {
    candidate: {
      firstName: `First${person}`,
      lastName: `Last${person}`,
      email: `Mail${person}@Example.org`,
      phone: phoneOf(person),
    },
    source: `Source${person}`,
    sourceApplicationId: `Id${person}`,
    applicationFormAnswers: { about: `Answer${person}\nwith lines` },
    resumeUrl: `https://cv.example/${person}.pdf`,
    ...changes,
  });
}

export const DOWNLOAD = {
  kind: 'fetched',
  bytes: new Uint8Array([37, 80, 68, 70]),
  mediaType: 'application/pdf',
} as const;

export async function openPersonalStage(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
  questions: readonly string[] = ['about'],
) {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const logger = createRecordingLogger();
  const sink = createRecordingSink();
  const storage = await database.open(clock);
  const fixture = await createFixture(
    {
      storage,
      logger,
      resumeSink: sink,
      limits: { submit_application: 100_000 },
      resumeSource: {
        fetch: async (url) => ({ ...DOWNLOAD, fileName: url.split('/').at(-1) ?? '' }),
        close: async () => {},
      },
      ...options,
    },
    {},
    clock,
  );
  const { operator } = fixture;
  const partner = await createPartner(fixture);
  const { id: companyId } = await operator.companies.create({ name: 'Depot', environment: 'production' });
  await operator.access.grant({ keyId: partner.keyId, companyId });
  const { id: jobId } = await operator.jobs.publish({
    ...WAREHOUSE_JOB,
    companyId,
    applicationFormSchema: questions.map((key) => ({ key, label: key, type: 'long_text', required: false })),
  });
  const host = await database.host();
  return {
    clock,
    database,
    fixture,
    operator,
    partner,
    companyId,
    jobId,
    logger,
    sink,
    host,
    submit: async (person: string, changes: Readonly<Record<string, unknown>> = {}) => {
      const reply = await partner.submit(submissionOf(jobId, person, changes));
      if (reply.status !== 201) throw new Error(`${reply.status}: ${reply.text}`);
      return String(reply.json.id) as ApplicationId;
    },
    drain: () => fixture.partnerHiring.worker.drain(),
    close: async () => {
      await host.close();
      await fixture.close();
      await database.remove();
    },
  };
}

const TABLES_OF_SQLITE = "select name from sqlite_master where type = 'table'";
const TABLES_OF_POSTGRES =
  'select table_name as name from information_schema.tables where table_schema = current_schema()';

/** Returns every row of every table, all columns as text. */
export async function dump(host: Host): Promise<string> {
  const tables = (await host.rows(isSqlite ? TABLES_OF_SQLITE : TABLES_OF_POSTGRES)) as readonly {
    readonly name: string;
  }[];
  const rows: unknown[] = [];
  for (const { name } of tables) {
    rows.push(
      await host.rows(isSqlite ? `select * from "${name}"` : `select "${name}"::text as row from "${name}"`),
    );
  }
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Returns the markers that a text contains, in any letter case. */
export function foundIn(text: string, people: readonly string[]): readonly string[] {
  return people.filter((person) => markersOf(person).some((marker) => text.includes(marker)));
}
