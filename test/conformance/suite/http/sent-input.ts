import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Caller, candidateFor, createCaller, JOB } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { headerOf, jsonOf, type RawResponse } from './raw-connection.js';

const CANDIDATE = { firstName: 'Ada', lastName: 'King', email: 'ada@example.com', phone: '+14155550123' };

const OPTIONS = [{ value: 'day', label: 'Day' }];
const OPTIONAL = ['date', 'url', 'single_select', 'multi_select', 'short_text'].map((type) => ({
  key: type,
  label: type,
  type,
  required: false,
  ...(type.endsWith('select') ? { options: OPTIONS } : {}),
}));

/** Candidates as phones, address books and forms send them, and what is stored. */
const STORED: readonly (readonly [string, object, object])[] = [
  ['marks around a phone number', { phone: '\u202a+1 (415) 555-0123\u202c' }, { phone: '+14155550123' }],
  ['isolates and a line break around it', { phone: '\u2068+14155550123\u2069\n' }, { phone: '+14155550123' }],
  ['tel: before a phone number', { phone: 'tel:+1-415-555-0123' }, { phone: '+14155550123' }],
  ['an old mobile prefix of Mexico', { phone: '+52 1 55 1234 5678' }, { phone: '+525512345678' }],
  ['an old mobile prefix of Argentina', { phone: '+54 9 11 15 1234 5678' }, { phone: '+5491112345678' }],
  ['white space around names', { firstName: 'Ada\n', lastName: ' King\u00a0' }, {}],
  ['an apostrophe of a spreadsheet', { phone: "'+14155550123" }, {}],
  ['a semicolon of a list', { phone: '+14155550123;' }, {}],
  ['a phone number as a decimal', { phone: '14155550123.0' }, {}],
  [
    'a number of a country with the same calling code',
    { phone: '(876) 555-0123' },
    { phone: '+18765550123' },
  ],
  ['blanks around an e-mail', { email: ' ada@example.com\u00a0' }, { email: 'ada@example.com' }],
  ['dots anywhere in an e-mail', { email: '.a..b.@docomo.ne.jp' }, { email: '.a..b.@docomo.ne.jp' }],
];

/** Candidates that are refused: the field, the code, and the cause in the message. */
const REFUSED: readonly (readonly [string, object, string, RegExp])[] = [
  ['an override in a name', { lastName: '\u202aKing' }, 'candidate.lastName invalid_format', /U\+202A/],
  ['an override in a number', { phone: '+1415\u202a5550123' }, 'candidate.phone invalid_format', /U\+202A/],
  ['a line break at an e-mail', { email: 'ada@example.com\n' }, 'candidate.email invalid_format', /U\+000A/],
  ['dots alone', { email: '...@docomo.ne.jp' }, 'candidate.email invalid_format', /before the at sign/],
  [
    'a long local part',
    { email: `${'a'.repeat(65)}@example.com` },
    'candidate.email too_long',
    /64 characters/,
  ],
  ['a number for a name', { firstName: 7 }, 'candidate.firstName invalid_type', /a string, not a number/],
  [
    'a number of another country',
    { phone: '06 12 34 56 78' },
    'candidate.phone invalid_format',
    /country code/,
  ],
  ['no second name', { firstName: ' \n' }, 'candidate.firstName too_short', /one name, send a hyphen/],
  ['an extension', { phone: '+1 415 555 0123 ext. 5' }, 'candidate.phone invalid_format', /extension/],
];

/** Unusual but harmless input, as partners send it. */
export function describeSentInput(underTest: HttpUnderTest): void {
  describe('what partners send', () => {
    const fixture = useFixture(underTest);
    const storedOf = async (response: RawResponse) => {
      expect(response.status).toBe(201);
      return fixture.operator.applications.find({ id: jsonOf(response).id as `ej_app_${string}` });
    };
    const errorsOf = (response: RawResponse) =>
      (jsonOf(response).details as { errors: { field: string; code: string; message: string }[] }).errors;
    const submitFields = ({ submit, jobId }: Caller, fields: Readonly<Record<string, unknown>>) =>
      submit(candidateFor(jobId, fields));

    it.each(STORED)(
      'a candidate with %s is stored in its usual form (decision 10)',
      async (_, sent, stored) => {
        const caller = await createCaller(fixture);
        const response = await submitFields(caller, { candidate: { ...CANDIDATE, ...sent } });
        expect((await storedOf(response))?.candidate).toEqual({ ...CANDIDATE, ...stored });
        const again = await submitFields(caller, { candidate: { ...CANDIDATE, ...stored } });
        expect((await storedOf(again))?.candidate).toEqual({ ...CANDIDATE, ...stored });
      },
    );

    it.each(REFUSED)(
      'a candidate with %s is refused, and the cause is named',
      async (_, sent, error, cause) => {
        const caller = await createCaller(fixture);
        const response = await submitFields(caller, { candidate: { ...CANDIDATE, ...sent } });
        const [{ field, code, message } = { field: '', code: '', message: '' }] = errorsOf(response);
        expect([response.status, `${field} ${code}`]).toEqual([422, error]);
        expect(message).toMatch(cause);
      },
    );

    it('a résumé link with blanks is stored with encoded blanks (decision 10)', async () => {
      const caller = await createCaller(fixture);
      const resumeUrl = 'https://files.example.com/My CV.pdf?for=Ada King';
      const stored = await storedOf(await submitFields(caller, { resumeUrl }));
      expect(stored?.resumeUrl).toBe('https://files.example.com/My%20CV.pdf?for=Ada%20King');
      const refused = await submitFields(caller, { resumeUrl: 'https://files .example.com/My CV.pdf' });
      expect(errorsOf(refused)).toMatchObject([{ field: 'resumeUrl', code: 'invalid_format' }]);
    });

    it.each(['', ' ', '\n'])('a résumé link %j counts as absent (decision 10)', async (resumeUrl) => {
      const caller = await createCaller(fixture);
      expect((await storedOf(await submitFields(caller, { resumeUrl })))?.resumeUrl).toBeNull();
    });

    it('the country of a job may be a name, and any other text stays (decision 247)', async () => {
      const { companyId, submit, get } = await createCaller(fixture);
      const place = { city: '', state: '' };
      const publish = (country: string) =>
        fixture.operator.jobs.publish({ ...JOB, companyId, location: { ...place, country } });
      const german = await publish('Deutschland');
      const remote = await publish('Remote');
      expect([german.unknownCountry, remote.unknownCountry]).toEqual([false, true]);
      const { data } = jsonOf(await get('/jobs')) as { data: { id: string; location: object }[] };
      const countries = data.flatMap(({ id, location }) =>
        [german.id, remote.id].some((one) => one === id) ? [location] : [],
      );
      expect(countries).toEqual(['DE', 'Remote'].map((country) => ({ ...place, country })));
      const candidate = { ...CANDIDATE, phone: '030 901820' };
      const stored = await storedOf(await submit(candidateFor(german.id, { candidate })));
      expect(stored?.candidate.phone).toBe('+4930901820');
      const refused = await submit(candidateFor(remote.id, { candidate }));
      expect(errorsOf(refused)).toMatchObject([{ field: 'candidate.phone', code: 'invalid_format' }]);
      const { unknownCountries } = await fixture.operator.system.status();
      expect(unknownCountries).toEqual([{ country: 'Remote', jobs: 1 }]);
    });

    it('a parameter without a value counts as absent, and a path with a doubled slash is named', async () => {
      const { get } = await createCaller(fixture);
      const all = await get('/jobs');
      const empty = await get('/jobs?cursor=&company_id=&updated_since=&limit=&status');
      expect([empty.status, jsonOf(empty).data]).toEqual([200, jsonOf(all).data]);
      const doubled = await get('//jobs');
      expect([doubled.status, jsonOf(doubled).message]).toEqual([
        404,
        expect.stringMatching(/doubled slash/),
      ]);
    });

    it('an empty optional answer counts as not answered (decision 9)', async () => {
      const { companyId, submit } = await createCaller(fixture);
      const job = { ...JOB, companyId, applicationFormSchema: OPTIONAL };
      const { id } = await fixture.operator.jobs.publish(job);
      const empty = Object.fromEntries(OPTIONAL.map(({ key }) => [key, '']));
      const stored = await storedOf(await submit(candidateFor(id, { applicationFormAnswers: empty })));
      expect(stored?.answers).toEqual({ short_text: '' });
      const asked = OPTIONAL.map((question) => ({ ...question, required: true }));
      const required = await fixture.operator.jobs.publish({ ...job, applicationFormSchema: asked });
      const refused = await submit(candidateFor(required.id, { applicationFormAnswers: empty }));
      expect(errorsOf(refused).map(({ field, code }) => `${field} ${code}`)).toEqual(
        OPTIONAL.map(({ key }) => `applicationFormAnswers.${key} required`),
      );
    });

    it('a type error of an answer names the expected type', async () => {
      const { companyId, submit } = await createCaller(fixture);
      const job = await fixture.operator.jobs.publish({ ...JOB, companyId, applicationFormSchema: OPTIONAL });
      const answers = { date: 7, multi_select: 'day' };
      const refused = await submit(candidateFor(job.id, { applicationFormAnswers: answers }));
      expect(errorsOf(refused).map(({ message }) => message)).toEqual([
        'The answer must be a string with a date.',
        'The answer must be a list of strings: the values of options.',
      ]);
    });

    it('names mistyped fields in X-Ignored-Fields, in the sandbox only and in replays too', async () => {
      const mistyped = {
        candidate: { ...CANDIDATE, first_name: 'Ada' },
        resumeURL: 'https://files.example.com/cv.pdf',
        'sour,ce': 'site',
        campaign: 'spring',
      };
      const ignored = 'resumeURL, sour%2Cce, candidate.first_name';
      const sandbox = await createCaller(fixture, 'sandbox');
      const [key, body] = [randomUUID(), candidateFor(sandbox.jobId, mistyped)];
      const [first, again] = [await sandbox.submit(body, key), await sandbox.submit(body, key)];
      expect([first.status, headerOf(first, 'X-Ignored-Fields')]).toEqual([201, ignored]);
      expect([again.body, headerOf(again, 'Idempotent-Replayed')]).toEqual([first.body, 'true']);
      expect(headerOf(again, 'X-Ignored-Fields')).toBe(ignored);
      const refused = await submitFields(sandbox, {
        candidate: { ...CANDIDATE, phone: undefined, fone: '1' },
      });
      expect([refused.status, headerOf(refused, 'X-Ignored-Fields')]).toEqual([422, 'candidate.fone']);
      const plain = await submitFields(sandbox, { campaign: 'spring' });
      expect([plain.status, headerOf(plain, 'X-Ignored-Fields')]).toEqual([201, null]);
      const production = await submitFields(await createCaller(fixture), mistyped);
      expect([production.status, headerOf(production, 'X-Ignored-Fields')]).toEqual([201, null]);
    });

    it('counts the last of two equal JSON names', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId, { source: 'last' }).replace('{', '{"source":"first",');
      expect((await storedOf(await submit(body)))?.source).toBe('last');
    });

    it('an Idempotency-Key with and without quotes replays the same bytes (decision 12)', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const [key, body] = [randomUUID(), candidateFor(jobId)];
      const first = await submit(body, `"${key}"`);
      expect(first.status).toBe(201);
      for (const again of [key, `"${key.toUpperCase()}"`, `"${key}"`]) {
        const response = await submit(body, again);
        expect([response.status, response.body]).toEqual([201, first.body]);
        expect(headerOf(response, 'Idempotent-Replayed')).toBe('true');
      }
      const other = await submit(`${body} `, `"${key}"`);
      expect([other.status, jsonOf(other).error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('an updated_since without a colon in its offset (decision 8)', async () => {
      const { get } = await createCaller(fixture);
      const updatedAt = Date.parse(String(headerOf(await get('/jobs'), 'X-Updated-Through')));
      const listed = async (at: number, offset: string, minutes: number) => {
        const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
        const response = await get(`/jobs?updated_since=${local}${offset}`);
        return [response.status, (jsonOf(response).data as unknown[] | undefined)?.length];
      };
      const offsets = [
        ['Z[UTC]', 0],
        ['%2B01:00[Europe/Paris]', 60],
        ['%2B0530', 330],
        ['+0530', 330],
        ['-0800', -480],
        ['-08', -480],
        ['%2B00', 0],
      ] as const;
      for (const [offset, minutes] of offsets) {
        const lengths = [
          await listed(updatedAt - 1, offset, minutes),
          await listed(updatedAt, offset, minutes),
        ];
        expect([offset, lengths]).toEqual([
          offset,
          [
            [200, 1],
            [200, 0],
          ],
        ]);
      }
    });
  });
}
