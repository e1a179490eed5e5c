import { countText } from '../view/parts.js';

/** A sentence of a notice. Some have a number, such as a count. */
type Sentence = string | ((number: number) => string);

/** Sentences by their names: `done` say what was done, `refused` why nothing was done, or what failed. */
export interface Notices {
  readonly done?: Readonly<Record<string, Sentence>>;
  readonly refused?: Readonly<Record<string, Sentence>>;
}

/** Sentences that say what was done. */
const DONE = {
  'access-active': 'The key had access already.',
  'access-granted': 'The key has access now.',
  'access-granted-many': (count) =>
    `The key has access to ${countText(count)} more ${count === 1 ? 'company' : 'companies'} now.`,
  'access-revoked': 'Access is revoked.',
  'access-revoked-before': 'Access was revoked already.',
  'access-revoked-many': (count) =>
    `Access to ${countText(count)} ${count === 1 ? 'company' : 'companies'} is revoked.`,
  'bootstrap-until': (at) => `The key may submit more until ${new Date(at).toISOString()}.`,
  'candidate-hired': 'Hired. The partner gets an event.',
  'candidate-rejected': 'Rejected. The partner gets an event.',
  'company-added': 'The company was added. Grant a key access to it next.',
  'company-named-before': 'The company has this name already.',
  'company-renamed': 'The company was renamed.',
  'delivery-cancelled': 'The delivery is cancelled.',
  'delivery-cancelled-before': 'The delivery was cancelled already.',
  'endpoint-paused': 'Sending is paused until the platform resumes it.',
  'endpoint-paused-before': 'The platform paused the endpoint already.',
  'endpoint-resumed': 'Sending is resumed.',
  'endpoint-tried': 'The worker makes one attempt now. Reload the page to see the outcome.',
  'endpoint-url-before': 'The endpoint has this URL already.',
  'endpoint-url-set': 'Events are sent to the new URL.',
  'event-due': 'The event is due already. The worker sends it next.',
  'event-held': 'The event waits until sending is resumed: the endpoint is paused.',
  'event-in-turn': 'The worker sends the event in its turn: it sends slowly to this endpoint.',
  'event-sent': 'The worker sends the event now.',
  'events-due': (count) => `${countText(count)} were due anyway.`,
  'events-go-out': (count) =>
    `${countText(count)} ${count === 1 ? 'event that waited is' : 'events that waited are'} sent next. Reload the page to see the outcome.`,
  'events-held': (count) =>
    `${countText(count)} ${count === 1 ? 'event waits' : 'events wait'} until sending is resumed: the endpoint is paused.`,
  'events-missing': (count) => `${countText(count)} are no longer stored.`,
  'events-sent': (count) => `The worker sends ${countText(count)} ${count === 1 ? 'event' : 'events'} now.`,
  'job-archive': 'The job is archived.',
  'job-close': 'The job is closed.',
  'job-hide': 'The job is internal only.',
  'job-reopen': 'The job is open.',
  'job-show': 'Partners see the job while it is open.',
  'job-unarchive': 'The job is open.',
  'job-unchanged': 'The job was in this state already. Nothing was changed.',
  'jobs-archived': (count) => `${countText(count)} ${count === 1 ? 'job is' : 'jobs are'} archived.`,
  'jobs-closing': (count) => `The worker closes ${countText(count)} ${count === 1 ? 'job' : 'jobs'} now.`,
  'jobs-reopened': (count) => `${countText(count)} ${count === 1 ? 'job is' : 'jobs are'} open again.`,
  'jobs-closed': (count) => `${countText(count)} ${count === 1 ? 'job is' : 'jobs are'} closed.`,
  'limits-lifted': 'The usual limits apply again.',
  'limits-lifted-before': 'The usual limits applied already.',
  'limits-lowered-until': (at) => `The lower limits apply until ${new Date(at).toISOString()}.`,
  'operation-retries-rest': 'An operation retries the rest.',
  'operation-sends-rest': 'An operation sends the rest.',
  'own-endpoint-paused': 'Sending is paused. Your events wait until you resume.',
  'own-endpoint-resumed':
    'Sending is resumed. The events that waited are being sent: reload the page to see them arrive.',
  'own-endpoint-tried': 'We make one attempt now. Reload the page to see the outcome.',
  'own-endpoint-url': 'Your endpoint accepted the test event. Events are sent to it from now on.',
  'own-event-in-turn': 'The event is sent in its turn: we send slowly to your endpoint.',
  'own-event-sent': 'The event is sent now. Reload the page to see the outcome.',
  'own-event-waits': 'The event is sent as soon as sending resumes: the endpoint is paused.',
  'own-events-sent': 'The events are resent now, one after the other. Reload the page to see the outcome.',
  'own-key-stopped': 'The old API key does not work anymore.',
  'partner-sending-started': 'The worker sends them now, one key at a time.',
  'partner-contact-before': 'The partner has this contact already.',
  'partner-contact-cleared': 'The contact was cleared. Nobody at the partner gets messages.',
  'partner-contact-cleared-before': 'The partner has no contact.',
  'partner-contact-set': 'The contact was set. It gets messages from now on.',
  'partner-disabled': 'The partner is disabled. Its keys do not work, and its events wait.',
  'partner-disabled-before': 'The partner was disabled already.',
  'partner-enabled': 'The partner is enabled. Its keys work, and the events that waited are sent.',
  'partner-enabled-before': 'The partner was enabled already.',
  'partner-named-before': 'The partner has this name already.',
  'partner-removed': 'The partner is removed. Its secrets are revoked.',
  'partner-removed-before': 'The partner was removed already.',
  'partner-renamed': 'The partner was renamed.',
  'partner-added': 'The partner was added. Issue it a key next.',
  'retried-now': (count) =>
    `${countText(count)} ${count === 1 ? 'delivery is' : 'deliveries are'} retried now.`,
  'secrets-revoked': (count) =>
    count === 1 ? 'The secret was revoked.' : `${countText(count)} secrets were revoked.`,
  'stage-before': 'The application is at this stage already.',
  'stage-moved': 'The application was moved.',
} as const satisfies Readonly<Record<string, Sentence>>;

/** Sentences that say why nothing was done, or what failed. */
const REFUSED = {
  'choose-companies': 'Choose at least one company.',
  'choose-deliveries': 'Nothing was chosen. Tick the deliveries to resend.',
  'choose-jobs': 'Nothing was chosen. Tick the jobs to change.',
  'choose-key': 'Choose a partner key.',
  'choose-stage': 'Nothing was changed. Choose a stage.',
  'companies-changed':
    'Nothing was changed: the companies are not the same as when you were asked. Count again.',
  'company-unknown': 'There is no company with this id. The page of a company shows its id.',
  'enter-company': 'Enter the id of a company, such as co_123.',
  'enter-contact': 'Enter the name and the e-mail address of the contact.',
  'enter-company-name': 'Enter the name of the company.',
  'enter-limits': 'Enter at least one limit, and why it is lowered.',
  'enter-new-name': 'Enter the new name.',
  'enter-partner-name': 'Enter the name of the partner.',
  'enter-since': 'Enter from when on to resend, such as 2026-01-31 09:00.',
  'enter-url': 'Enter a URL, such as https://ats.example/webhooks.',
  'held-by-pause': (count) =>
    `${countText(count)} ${count === 1 ? 'event is' : 'events are'} held by the pause of this endpoint. Resume sending to send them.`,
  'job-archived-before': 'Nothing was changed: the job is archived already.',
  'job-hidden-before': 'Nothing was changed: the job is internal only already.',
  'job-not-archived': 'Nothing was changed: the job is not archived.',
  'job-not-closed': 'Nothing was changed: the job is not closed, so it cannot be reopened.',
  'job-not-open': 'Nothing was changed: the job is not open, so it cannot be closed.',
  'job-shown-before': 'Nothing was changed: the job is not hidden from partners.',
  'no-company-to-grant': 'The key sees every company whose name begins like that.',
  'no-company-to-revoke': 'The key sees no company whose name begins like that.',
  'no-dead-letter': 'Nothing to resend: this key has no dead letter, and nothing waits for a retry.',
  'no-event-of-partner':
    'Nothing to resend: no endpoint of this partner has a dead letter, a retry or an event of this time.',
  'no-event-of-time': 'The key has no event of this time.',
  'no-job-to-archive': 'Nothing was changed: the chosen jobs are archived already.',
  'no-job-to-close': 'Nothing was changed: none of the chosen jobs is open.',
  'no-job-to-reopen': 'Nothing was changed: none of the chosen jobs is closed.',
  'no-old-url': 'There is no old URL to restore: the partner has not changed it in the last 24 hours.',
  'no-open-job': 'Nothing was changed: the company has no open job.',
  'nothing-to-cancel': 'Nothing to cancel: the event was delivered already.',
  'secret-ended': 'This secret does not work anymore.',
  'own-enter-since': 'Enter since when you want the events resent, such as 2026-01-31 09:00.',
  'url-unclear':
    'This is no URL for webhooks. Enter one that begins with https://, without a user name, such as https://ats.example/webhooks.',
  'until-unclear': 'The end of the time was not understood.',
} as const satisfies Readonly<Record<string, Sentence>>;

/** The name of a sentence of a feature. Only the type has a kind. */
type NameOfFeature<Kind extends keyof Notices> = string & { readonly kindOfNotice: Kind };

/** The name of a sentence that says what was done. */
export type DoneName = keyof typeof DONE | NameOfFeature<'done'>;

/** The name of a sentence that says why nothing was done, or what failed. */
export type RefusedName = keyof typeof REFUSED | NameOfFeature<'refused'>;

/** A sentence with its number. */
export type CountedNotice = readonly [name: DoneName | RefusedName, number: number];

/** A sentence by its name, with its number. */
export type NoticePart = DoneName | RefusedName | CountedNotice;

/** Defines the notices of a feature. Returns them for the list of features, and their names for its acts. */
export function defineNotices<Done extends string = never, Refused extends string = never>(sentences: {
  readonly done?: Readonly<Record<Done, Sentence>>;
  readonly refused?: Readonly<Record<Refused, Sentence>>;
}) {
  return {
    sentences,
    done: (name: Done) => name as string as NameOfFeature<'done'>,
    refused: (name: Refused) => name as string as NameOfFeature<'refused'>,
  };
}

/**
 * A notice that consists of the console's own sentences. It is kept in a cookie, which other programs may set too, so
 * the cookie contains the names of sentences and no text.
 */
export interface NoticeNames {
  readonly parts: readonly NoticePart[];
}

/** What a notice says on a page. */
export interface ShownNotice {
  readonly kind: 'done' | 'refused';
  readonly text: string;
}

const PART = /^([a-z-]{1,40})(?:\.(\d{1,15}))?$/;
const MOST_PARTS = 5;

/** Writes a notice for a cookie, such as `events-sent.12~events-due.3`. */
export function writeNotice({ parts }: NoticeNames): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.join('.'))).join('~');
}

/** Reads a notice from a cookie. Null unless each part is the name of a sentence with its number. */
export function readNoticeText(value: string, ofFeatures: readonly Notices[]): ShownNotice | null {
  const names = value.split('~');
  if (names.length > MOST_PARTS) return null;
  const all = [{ done: DONE, refused: REFUSED }, ...ofFeatures];
  for (const kind of ['done', 'refused'] as const) {
    const sentences = Object.assign({}, ...all.map((notices) => notices[kind]));
    const texts = names.map((name) => sentenceOf(sentences, name));
    if (texts.every((text) => text !== null)) return { kind, text: texts.join(' ') };
  }
  return null;
}

function sentenceOf(sentences: Readonly<Record<string, Sentence>>, part: string): string | null {
  const [, name = '', number] = PART.exec(part) ?? [];
  if (!Object.hasOwn(sentences, name)) return null;
  const sentence = sentences[name];
  if (typeof sentence === 'string') return number === undefined ? sentence : null;
  return sentence === undefined || number === undefined ? null : sentence(Number(number));
}

const NAME = 'partner_hiring_console_notice';
const SECONDS = 60;

/** The header that keeps a notice until the next page. */
export function noticeCookie(notice: NoticeNames, path: string, reach: CookieReach): string {
  return `${NAME}=${writeNotice(notice)}; Path=${path}; Max-Age=${SECONDS}; ${attributesOf('Strict', reach)}`;
}

/** The header that deletes the notice. */
export function noNoticeCookie(path: string, isEmbedded: boolean): string {
  return `${NAME}=; Path=${path}; Max-Age=0; ${attributesOf('Strict', { isSecure: false, isEmbedded })}`;
}

/** How far a cookie goes. */
export interface CookieReach {
  readonly isSecure: boolean;
  /** Whether pages of another origin show the pages in a frame. */
  readonly isEmbedded: boolean;
}

/** Returns the attributes of a cookie. That of a frame is only sent below the site that shows the frame. */
export function attributesOf(sameSite: 'Strict' | 'Lax', { isSecure, isEmbedded }: CookieReach): string {
  if (isEmbedded) return 'HttpOnly; SameSite=None; Secure; Partitioned';
  return `HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}

/** Returns the notice that a request names, or null if it names none of the console's notices. */
export function readNotice(
  request: Pick<Request, 'headers'>,
  ofFeatures: readonly Notices[],
): ShownNotice | null {
  const value = readCookie(request, NAME);
  return value === null || value === '' ? null : readNoticeText(value, ofFeatures);
}

/**
 * Returns the value of a cookie, or null. Null also if the name is there twice: another host of the site, or another port of the
 * machine, may have set one of them, and the header does not say which.
 */
export function readCookie({ headers }: Pick<Request, 'headers'>, name: string): string | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.split('='));
  const [found, second] = pairs.filter(([key]) => key?.trim() === name);
  return found === undefined || second !== undefined ? null : found.slice(1).join('=').trim();
}
