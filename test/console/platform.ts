import {
  CONSOLE_RIGHTS,
  type ConsoleActor,
  type ConsoleOptions,
  createConsole,
} from '@partner-hiring/console';
import type { ApplicationId } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';

/** Somebody with all rights on all partners. */
export const ADMIN: ConsoleActor = {
  id: 'user_1',
  name: 'Robin Admin',
  rights: CONSOLE_RIGHTS.admin,
  partnerIds: 'all',
};

/** Personal data of the seeded candidates. No page may show it before somebody reveals it. */
export const PERSONAL = [
  'Lovelace',
  'Hopper',
  'Turing',
  'ada@example.org',
  'grace@example.org',
  'alan@example.org',
  '+14155550123',
  '+14155550124',
  '+14155550125',
  '/alan-turing.pdf',
] as const;

/** A platform with three partners, as a support engineer finds it. */
export type Platform = Awaited<ReturnType<typeof openPlatform>>;

const MINUTE_MS = 60_000;

/** Where partners have their portal. */
const PORTAL_URL = 'https://jobs.example.com/portal';

/**
 * Opens a platform on the database of the Vitest project.
 * @param more - other options and the clock of the fixture.
 */
export async function openPlatform(
  more: Parameters<typeof createFixture>[0] = {},
  clock?: Parameters<typeof createFixture>[2],
) {
  const resumeSource = {
    fetch: async () => ({ kind: 'failed', reason: 'too_large', retryable: false }) as const,
    close: async () => {},
  };
  const fixture = await createFixture({ resumeSource, portalUrl: PORTAL_URL, ...more }, {}, clock);
  const { operator, transport } = fixture;
  const [acme, globex, hooli] = await Promise.all(
    ['Acme ATS', 'Globex', 'Hooli'].map(async (name) => {
      const { id } = await operator.partners.create({ name });
      return { partnerId: id, partner: await createPartner(fixture, { partnerId: id }) };
    }),
  );
  if (acme === undefined || globex === undefined || hooli === undefined)
    throw new Error('A partner is missing.');
  const at = await createEmployer(fixture, acme.partner);
  for (const { partner } of [globex, hooli]) {
    await operator.access.grant({ keyId: partner.keyId, companyId: at.companyId });
  }
  await fixture.pass(MINUTE_MS);

  const ada = await submit(acme.partner, at.jobId, { sourceApplicationId: 'ats-4711' });
  const alan = await submit(acme.partner, at.jobId, {
    candidate: { firstName: 'Alan', lastName: 'Turing', email: 'alan@example.org', phone: '+14155550125' },
    sourceApplicationId: 'ats-4712',
    resumeUrl: 'https://files.example.org/alan-turing.pdf',
  });
  const grace = await submit(hooli.partner, at.jobId, {
    candidate: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.org', phone: '+14155550124' },
  });
  const linus = await submit(globex.partner, at.jobId, {});
  await fixture.pass(MINUTE_MS);
  transport.answerWith(({ body }) => answered(body.includes(grace) ? 410 : 200));
  for (const id of [ada, grace, linus]) await operator.applications.move({ id });
  await operator.applications.decide({ id: ada, decision: 'accepted' });
  await operator.applications.decide({ id: grace, decision: 'rejected' });
  await fixture.pass(MINUTE_MS);
  return {
    fixture,
    acme: { partnerId: acme.partnerId, keyId: acme.partner.keyId, ...at },
    globex: { partnerId: globex.partnerId, keyId: globex.partner.keyId },
    hooli: { partnerId: hooli.partnerId, keyId: hooli.partner.keyId },
    /** Hired, and Acme knows. */
    ada,
    /** Received through Acme. The résumé could not be fetched. */
    alan,
    /** Rejected, and Hooli was not told: its endpoint answered 410, so it is paused. */
    grace,
    /** In progress, through Globex. */
    linus,
    close: () => fixture.close(),
  };
}

async function submit(partner: Partner, jobId: string, fields: object): Promise<ApplicationId> {
  const reply = await partner.submit(submission(jobId, { ...fields }));
  if (reply.status !== 201) throw new Error(`The submission got ${reply.status}: ${reply.text}`);
  return reply.json.id as ApplicationId;
}

/** What a page answered. */
export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Header fields, which may be repeated. */
export type SentHeaders = Record<string, string> | [string, string][];

/** The fields of a form. As a list, a field may occur more than once. */
export type SentFields = Record<string, string> | [string, string][];

/** A browser without a network, for one actor at a time. */
export type Visitor = ReturnType<typeof visit>;

/** The origin of the console in tests without a network. */
export const ORIGIN = 'https://admin.example.com';

/** Visits a console as `ADMIN`. */
export function visit({ operator }: Pick<Fixture, 'operator'>, options: Partial<ConsoleOptions> = {}) {
  let current: ConsoleActor | null = ADMIN;
  const logged: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  const logger = {
    error: (fields: Readonly<Record<string, unknown>>, message: string) =>
      void logged.push({ fields, message }),
  };
  const opened = createConsole({ operator, actor: () => current, logger, ...options });
  const send = async (path: string, init?: RequestInit): Promise<Visit> => {
    const response = await opened.fetch(new Request(`${ORIGIN}${path}`, init));
    // Where a word may break is not seen.
    const text = (await response.text()).replaceAll('<wbr/>', '');
    return { status: response.status, headers: response.headers, text };
  };
  return {
    console: opened,
    /** What was logged. */
    logged,
    /** Becomes somebody else. Null for a stranger. */
    become: (actor: ConsoleActor | null) => {
      current = actor;
    },
    get: (path: string) => send(path),
    /** Sends a form as a page of the console does, unless `headers` say something else. */
    post: (
      path: string,
      fields: Readonly<SentFields> = {},
      headers: SentHeaders = { 'sec-fetch-site': 'same-origin' },
    ) => send(path, { method: 'POST', headers, body: new URLSearchParams(fields as SentFields) }),
  };
}
