import {
  type CompanyId,
  createPartnerHiring,
  type JobId,
  type KeyId,
  type PartnerHiring,
  type PartnerHiringOptions,
  type Storage,
} from '@partner-hiring/core';
import { afterAll } from 'vitest';
import type { HostInbox, OpenLibrary } from './library.js';

type Operator<HostTx> = PartnerHiring<HostTx>['operator'];

/** A row of the host and a job that belong together. */
export interface Ids {
  readonly row: string;
  readonly job: JobId;
}

/** A platform with a company, a partner and the host's table `hire`. */
export interface Ground<HostTx, Place> {
  readonly place: Place;
  readonly storage: Storage<HostTx>;
  readonly operator: Operator<HostTx>;
  /** The secret of the partner's API key. */
  readonly secret: string;
  job(id: JobId, title: string): Parameters<Operator<HostTx>['jobs']['publish']>[0];
  /** The ids in the host's table that are committed. */
  hostRows(): Promise<readonly string[]>;
  /** Returns whether the host's row and the job are committed. */
  stored(ids: Ids): Promise<readonly [row: boolean, job: boolean]>;
  /** Opens another platform on the storage, with this inbox. */
  withInbox(inbox: HostInbox<HostTx>, logger?: PartnerHiringOptions<HostTx>['logger']): PartnerHiring<HostTx>;
}

export interface Database<HostTx, Place> {
  readonly place: Place;
  readonly storage: Storage<HostTx>;
  hostRows(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const COMPANY: CompanyId = 'co_diner';
const secretKey = '0123456789abcdef'.repeat(4);

/** Opens a platform on a database. */
export async function openGround<HostTx, Place>(
  database: Database<HostTx, Place>,
): Promise<Ground<HostTx, Place>> {
  const { place, storage, hostRows } = database;
  const { operator } = createPartnerHiring({ storage, secretKey });
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production' });
  await operator.companies.create({ id: COMPANY, name: 'Diner', environment: 'production' });
  await operator.access.grant({ keyId: key.id as KeyId, companyId: COMPANY });
  return {
    place,
    storage,
    operator,
    secret,
    hostRows,
    job: (id, title) => ({
      id,
      title,
      companyId: COMPANY,
      location: { city: 'Austin', state: 'TX', country: 'US' },
      compensation: { min: 18.25, max: 22.5, currency: 'USD' },
      applicationFormSchema: [{ key: 'weekends', label: 'Weekends?', type: 'boolean', required: false }],
    }),
    stored: async ({ row, job }) => [
      (await hostRows()).includes(row),
      (await operator.jobs.find({ id: job })) !== null,
    ],
    withInbox: (inbox, logger) =>
      createPartnerHiring<HostTx, unknown, never>({
        storage,
        secretKey,
        inbox: inbox as never,
        ...(logger === undefined ? {} : { logger }),
      }),
  };
}

/** Opens a library on a new ground, once for all tests. Closes both after the tests. */
export interface Opened<HostTx, Library, Place> {
  (): Promise<{ readonly ground: Ground<HostTx, Place>; readonly library: Library }>;
  nextIds(): Ids;
}

/** Call it in a `describe` or at the top of a file. */
export function openOnce<HostTx, Library extends OpenLibrary<HostTx>, Place>(
  openDatabase: () => Promise<Database<HostTx, Place>>,
  openLibrary: (place: Place) => Promise<Library>,
): Opened<HostTx, Library, Place> {
  let database: Database<HostTx, Place> | undefined;
  let opening: Promise<{ ground: Ground<HostTx, Place>; library: Library }> | undefined;
  let count = 0;
  const open = async () => {
    database = await openDatabase();
    return { ground: await openGround(database), library: await openLibrary(database.place) };
  };
  afterAll(async () => {
    const opened = await opening?.catch(() => undefined);
    await opened?.library.close();
    await database?.close();
  });
  return Object.assign(
    () => {
      opening ??= open();
      return opening;
    },
    {
      nextIds: () => {
        count += 1;
        return { row: `row_${count}`, job: `job_${count}` as JobId };
      },
    },
  );
}
