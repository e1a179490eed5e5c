import type { ActorInput, Operator } from '@partner-hiring/core';
import type {
  ApplicationId,
  CompanyId,
  EventId,
  Instant,
  JobId,
  KeyId,
  OperationId,
} from '@partner-hiring/core/ports';

/**
 * Twenty tasks of a host. The API should let a reader who sees only its reports solve each of them at the first try.
 * `answers.ts` has a solution of each, which the compiler checks. A task says what to do, never by which command.
 *
 * `Tx` is a transaction of the host's database. Where a list can be long, an answer must see all of it.
 */
export interface Tasks<Tx> {
  /** 1. Create the partner `Acme ATS` with a key for production and a webhook endpoint at `url`. Return both secrets. */
  createPartnerWithKey(
    operator: Operator<Tx>,
    url: string,
  ): Promise<{ apiKey: string; signingSecret: string | undefined }>;
  /** 2. Create a production company with the name `name`, and let the key see its jobs. Return its id. */
  createCompanyFor(operator: Operator<Tx>, keyId: KeyId, name: string): Promise<CompanyId>;
  /** 3. Close all open jobs of a company. Return how many were closed. */
  closeAllJobs(operator: Operator<Tx>, companyId: CompanyId): Promise<number>;
  /** 4. Count the open jobs of a company. */
  countOpenJobs(operator: Operator<Tx>, companyId: CompanyId): Promise<number>;
  /** 5. Hire the candidate of an application, in the host's transaction, in the name of this member of the staff. */
  hire(operator: Operator<Tx>, tx: Tx, applicationId: ApplicationId, staff: ActorInput): Promise<void>;
  /** 6. Return the ids of all applications for a job that nobody has looked at yet. */
  listNewApplications(operator: Operator<Tx>, jobId: JobId): Promise<readonly ApplicationId[]>;
  /** 7. Return the ids of all requests of a key that failed since Monday. */
  listFailedRequests(operator: Operator<Tx>, keyId: KeyId, monday: Instant): Promise<readonly string[]>;
  /** 8. Return the ids of all events of a key that were given up, because every attempt failed, since Monday. */
  listFailedEvents(operator: Operator<Tx>, keyId: KeyId, monday: Instant): Promise<readonly EventId[]>;
  /** 9. Tell who changed this key last, and by which command. Return null if nothing is recorded. */
  whoChangedKey(operator: Operator<Tx>, keyId: KeyId): Promise<{ who: string; command: string } | null>;
  /** 10. Wait until an operation has ended. Call `show` with the number of rows done so far. Return whether all went well. */
  waitForOperation(
    operator: Operator<Tx>,
    operationId: OperationId,
    show: (done: number) => void,
  ): Promise<boolean>;
  /** 11. Stop an operation that is still running. */
  cancelOperation(operator: Operator<Tx>, operationId: OperationId): Promise<void>;
  /** 12. Resend this event to the partner. */
  resend(operator: Operator<Tx>, keyId: KeyId, eventId: EventId): Promise<void>;
  /** 13. Say how many events of a key would be sent if all since Monday were resent, without sending them. */
  countToResend(operator: Operator<Tx>, keyId: KeyId, monday: Instant): Promise<number>;
  /** 14. Say why a request was refused, and how the partner can fix it. Return null if it was not refused. */
  explainRequest(operator: Operator<Tx>, requestId: string): Promise<{ why: string; fix: string } | null>;
  /** 15. Say in English whether the partner knows the present status of an application. */
  doesPartnerKnow(operator: Operator<Tx>, applicationId: ApplicationId): Promise<string>;
  /** 16. Say how many events wait for a key's endpoint, and whether the endpoint is paused. Return null without one. */
  checkEndpoint(operator: Operator<Tx>, keyId: KeyId): Promise<{ waiting: number; isPaused: boolean } | null>;
  /** 17. Return the names of the partners whose endpoints fail now. */
  listFailingPartners(operator: Operator<Tx>): Promise<readonly string[]>;
  /** 18. Read the new items of the inbox, call `store` with each application's id, and confirm that they were received. */
  receiveInbox(operator: Operator<Tx>, store: (id: ApplicationId) => Promise<void>): Promise<void>;
  /** 19. Erase everything about the person with this e-mail address. Return how many applications that were. */
  erasePerson(operator: Operator<Tx>, email: string): Promise<number>;
  /** 20. Make a leaked key useless at once, and give the partner a new secret. Return the new secret. */
  replaceLeakedKey(operator: Operator<Tx>, keyId: KeyId): Promise<string>;
}
