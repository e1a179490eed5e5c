/** Contract: 6. The tests of the parser have a row for each rule. */

import { fieldErrors, submission } from '@partner-hiring/test-support/partner';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('POST /applications, the body', () => {
  it('accepts the longest texts, every visible character, a formula, and unknown fields', async () => {
    const longest = {
      candidate: {
        firstName: '😀'.repeat(100),
        lastName: `=HYPERLINK("می\u200cخواهم")${'é'.repeat(77)}`,
        email: `${'a'.repeat(64)}@example.org`,
        phone: '(415) 555-0123',
      },
      source: 's'.repeat(100),
      sourceApplicationId: 's'.repeat(128),
      resumeUrl: 'https://files.example.org/ada.pdf',
      favouriteColour: 'teal',
    };
    const reply = await story.partner.submit(submission(story.jobId, longest));
    expect(reply.status).toBe(201);
    const stored = await story.fixture.operator.applications.find({
      id: reply.json.id as `ej_app_${string}`,
    });
    expect(stored?.candidate).toEqual({ ...longest.candidate, phone: '+14155550123' });
  });

  it('lists the errors of all fields, and those that the job decides after them', async () => {
    const body = { candidate: {}, consentToContact: false, sourceApplicationId: '', resumeUrl: 'ada.pdf' };
    expect(fieldErrors(await story.partner.submit({ ...body, jobId: story.jobId })).sort()).toEqual([
      ...['email', 'firstName', 'lastName', 'phone'].map((field) => `candidate.${field}: required`),
      'consentToContact: must_be_true',
      'resumeUrl: invalid_format',
      'sourceApplicationId: too_short',
    ]);
    const { candidate } = submission('x');
    const changes = {
      candidate: { ...(candidate as object), phone: 'call me' },
      applicationFormAnswers: { x: 1 },
    };
    expect(fieldErrors(await story.partner.submit(submission(story.jobId, changes))).sort()).toEqual([
      'applicationFormAnswers.x: unknown_field',
      'candidate.phone: invalid_format',
    ]);
  });

  it("has answers keyed by the job's questions, of which a required one must be answered", async () => {
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

  it('has tabs and line breaks in long answers alone (decision 7)', async () => {
    const applicationFormSchema = ['short_text', 'long_text'].map((type) => ({
      key: type,
      label: 'About you?',
      type,
      required: false,
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

  it('finds no job for any 1 to 128 characters in the wrong form (decision 10)', async () => {
    for (const unknown of [
      'x',
      'job 1',
      'job_\u0007',
      'job_\u202e',
      '😀'.repeat(128),
      `job_${'1'.repeat(124)}`,
    ]) {
      const reply = await story.partner.submit(submission(unknown));
      expect([unknown, reply.status, reply.json.error]).toEqual([unknown, 404, 'JOB_NOT_FOUND']);
    }
  });

  it('says of an empty jobId that it is too_short, and of one of 129 characters too_long', async () => {
    expect(fieldErrors(await story.partner.submit(submission('')))).toEqual(['jobId: too_short']);
    expect(fieldErrors(await story.partner.submit(submission('😀'.repeat(129))))).toEqual([
      'jobId: too_long',
    ]);
  });
});
