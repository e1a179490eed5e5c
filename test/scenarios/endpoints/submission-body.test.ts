/** Spec: POST /applications. A test for each row of the body table. */

import { submission } from '@partner-hiring/test-support/partner';
import { fieldErrors } from '@partner-hiring/test-support/replies';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('POST /applications, the body', () => {
  const { candidate } = submission('x');
  const without = (field: string) => {
    const { [field]: _, ...rest } = { ...submission(story.jobId) } as Record<string, unknown>;
    return rest;
  };
  it.each(['jobId', 'candidate', 'consentToContact'])('%s: required', async (field) => {
    expect(fieldErrors(await story.partner.submit(without(field)))).toEqual([`${field}: required`]);
  });

  it.each(['firstName', 'lastName', 'email', 'phone'])('candidate.%s: required', async (field) => {
    const { [field]: _, ...rest } = candidate as Record<string, unknown>;
    const reply = await story.partner.submit(submission(story.jobId, { candidate: rest }));
    expect(fieldErrors(reply)).toEqual([`candidate.${field}: required`]);
  });

  const cases: readonly (readonly [string, Record<string, unknown>, string | null])[] = [
    ['candidate.firstName: 1 character', { candidate: { ...candidate, firstName: 'A' } }, null],
    [
      'candidate.firstName: 100 characters',
      { candidate: { ...candidate, firstName: '😀'.repeat(100) } },
      null,
    ],
    [
      'candidate.firstName: 101 characters',
      { candidate: { ...candidate, firstName: 'a'.repeat(101) } },
      'candidate.firstName: too_long',
    ],
    [
      'candidate.firstName: blank',
      { candidate: { ...candidate, firstName: ' ' } },
      'candidate.firstName: too_short',
    ],
    [
      'candidate.firstName: nothing visible',
      { candidate: { ...candidate, firstName: '\u200b\u2060' } },
      'candidate.firstName: too_short',
    ],
    [
      'candidate.firstName: a line break',
      { candidate: { ...candidate, firstName: 'Ada\nBcc: x' } },
      'candidate.firstName: invalid_format',
    ],
    [
      'candidate.firstName: text that is turned around',
      { candidate: { ...candidate, firstName: 'Ada\u202e' } },
      'candidate.firstName: invalid_format',
    ],
    [
      'candidate.firstName: a joiner, a formula',
      {
        candidate: { ...candidate, firstName: 'می\u200cخواهم', lastName: '=HYPERLINK("https://a.example")' },
      },
      null,
    ],
    ['candidate.lastName: 100 characters', { candidate: { ...candidate, lastName: 'é'.repeat(100) } }, null],
    [
      'candidate.lastName: 101 characters',
      { candidate: { ...candidate, lastName: 'a'.repeat(101) } },
      'candidate.lastName: too_long',
    ],
    [
      'candidate.lastName: empty',
      { candidate: { ...candidate, lastName: '' } },
      'candidate.lastName: too_short',
    ],
    [
      'candidate.email: not an address',
      { candidate: { ...candidate, email: 'ada' } },
      'candidate.email: invalid_format',
    ],
    [
      'candidate.email: 64 characters before the at sign',
      { candidate: { ...candidate, email: `${'a'.repeat(64)}@example.org` } },
      null,
    ],
    [
      'candidate.email: 65 characters before the at sign',
      { candidate: { ...candidate, email: `${'a'.repeat(65)}@example.org` } },
      'candidate.email: invalid_format',
    ],
    [
      'candidate.email: a domain that cannot exist',
      { candidate: { ...candidate, email: 'ada@-example.org' } },
      'candidate.email: invalid_format',
    ],
    [
      "candidate.phone: national, of the job's country",
      { candidate: { ...candidate, phone: '(415) 555-0123' } },
      null,
    ],
    [
      'candidate.phone: no number',
      { candidate: { ...candidate, phone: 'call me' } },
      'candidate.phone: invalid_format',
    ],
    [
      'candidate.phone: an extension',
      { candidate: { ...candidate, phone: '+1 415 555 0123 ext. 5' } },
      'candidate.phone: invalid_format',
    ],
    [
      'candidate.phone: a control character',
      { candidate: { ...candidate, phone: '+14155550123\n' } },
      'candidate.phone: invalid_format',
    ],
    ['consentToContact: false', { consentToContact: false }, 'consentToContact: must_be_true'],
    ['source: 100 characters', { source: 's'.repeat(100) }, null],
    ['source: 101 characters', { source: 's'.repeat(101) }, 'source: too_long'],
    ['sourceApplicationId: 128 characters', { sourceApplicationId: 's'.repeat(128) }, null],
    [
      'sourceApplicationId: 129 characters',
      { sourceApplicationId: 's'.repeat(129) },
      'sourceApplicationId: too_long',
    ],
    ['sourceApplicationId: empty', { sourceApplicationId: '' }, 'sourceApplicationId: too_short'],
    [
      'sourceApplicationId: a control character',
      { sourceApplicationId: 'ats-1\u001b[2J' },
      'sourceApplicationId: invalid_format',
    ],
    ['source: a control character', { source: 'job\tboard' }, 'source: invalid_format'],
    ['sourceApplicationId: null is absent', { sourceApplicationId: null }, null],
    [
      'applicationFormAnswers: not an object',
      { applicationFormAnswers: [] },
      'applicationFormAnswers: invalid_type',
    ],
    [
      'applicationFormAnswers: a key that the job does not ask',
      { applicationFormAnswers: { x: 1 } },
      'applicationFormAnswers.x: unknown_field',
    ],
    ['resumeUrl: https', { resumeUrl: 'https://files.example.org/ada.pdf' }, null],
    ['resumeUrl: not a URL', { resumeUrl: 'ada.pdf' }, 'resumeUrl: invalid_format'],
    [
      'resumeUrl: credentials in it',
      { resumeUrl: 'https://a:b@files.example.org/' },
      'resumeUrl: invalid_format',
    ],
    ['an unknown field is ignored', { favouriteColour: 'teal' }, null],
  ];
  it.each(cases)('%s', async (_, changes, error) => {
    const reply = await story.partner.submit(submission(story.jobId, changes));
    if (error === null) expect(reply.status).toBe(201);
    else expect([reply.status, fieldErrors(reply)]).toEqual([422, [error]]);
  });

  it('candidate.phone: normalised to E.164 for the host', async () => {
    const phone = '(415) 555-0123';
    const { json } = await story.partner.submit(
      submission(story.jobId, { candidate: { ...candidate, phone } }),
    );
    const stored = await story.fixture.operator.applications.find({ id: json.id as `ej_app_${string}` });
    expect(stored?.candidate.phone).toBe('+14155550123');
  });

  it("applicationFormAnswers: keyed by the job's questions, a required one must be answered", async () => {
    const question = { key: 'shift', label: 'Can you work nights?', type: 'boolean', required: true };
    await story.fixture.operator.jobs.update({
      id: story.jobId,
      changes: { applicationFormSchema: [question] },
    });
    expect(fieldErrors(await story.partner.submit(submission(story.jobId)))).toEqual([
      'applicationFormAnswers.shift: required',
    ]);
    const wrong = await story.partner.submit(
      submission(story.jobId, { applicationFormAnswers: { shift: 'yes' } }),
    );
    expect(fieldErrors(wrong)).toEqual(['applicationFormAnswers.shift: invalid_type']);
    const right = await story.partner.submit(
      submission(story.jobId, { applicationFormAnswers: { shift: true } }),
    );
    expect(right.status).toBe(201);
    const stored = await story.fixture.operator.applications.find({
      id: right.json.id as `ej_app_${string}`,
    });
    expect(stored?.answers).toEqual({ shift: true });
  });

  it('applicationFormAnswers: tabs and line breaks in long answers alone (decision 7)', async () => {
    const applicationFormSchema = ['short_text', 'long_text'].map((type) => ({
      ...{ key: type, label: 'About you?', type, required: false },
    }));
    await story.fixture.operator.jobs.update({ id: story.jobId, changes: { applicationFormSchema } });
    const answered = (short_text: string, long_text: string) =>
      story.partner.submit(submission(story.jobId, { applicationFormAnswers: { short_text, long_text } }));
    const taken = await answered('a\u200db', 'a\tb\r\nc');
    expect(taken.status).toBe(201);
    const stored = await story.fixture.operator.applications.find({
      id: taken.json.id as `ej_app_${string}`,
    });
    expect(stored?.answers).toEqual({ short_text: 'a\u200db', long_text: 'a\tb\r\nc' });
    expect(fieldErrors(await answered('a\nb', 'a\u0007b'))).toEqual([
      'applicationFormAnswers.short_text: invalid_format',
      'applicationFormAnswers.long_text: invalid_format',
    ]);
    expect(fieldErrors(await answered('a\u2066b', '\n\u202eb'))).toEqual([
      'applicationFormAnswers.short_text: invalid_format',
      'applicationFormAnswers.long_text: invalid_format',
    ]);
  });

  it.each(['x', 'job_', 'job 1', 'job_\u0007', 'job_\u202e', '😀'.repeat(128), `job_${'1'.repeat(124)}`])(
    'jobId: %j has 1 to 128 characters and is not found (decision 10)',
    async (unknown) => {
      const reply = await story.partner.submit(submission(unknown));
      expect([reply.status, reply.json.error]).toEqual([404, 'JOB_NOT_FOUND']);
    },
  );

  it('jobId: empty is too_short, and of 129 characters too_long', async () => {
    expect(fieldErrors(await story.partner.submit(submission('')))).toEqual(['jobId: too_short']);
    expect(fieldErrors(await story.partner.submit(submission('😀'.repeat(129))))).toEqual([
      'jobId: too_long',
    ]);
  });

  it('201: id, sourceApplicationId, jobId, status received, createdAt', async () => {
    const reply = await story.partner.submit(submission(story.jobId, { sourceApplicationId: 'ats-7' }));
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^ej_app_/),
      sourceApplicationId: 'ats-7',
      jobId: story.jobId,
      status: 'received',
      createdAt: expect.stringMatching(/Z$/),
    });
  });
});
