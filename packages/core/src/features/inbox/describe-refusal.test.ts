import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRefusal, refusalText } from './describe-refusal.js';
import type { InboxItem } from './rules.js';

type Application = NonNullable<InboxItem['application']>;

function itemOf(changes: Partial<Application> = {}): InboxItem {
  const application = {
    candidate: {
      firstName: 'Zoë Anne-Marie',
      lastName: 'Quillfeather',
      email: 'Zoe.Quill@Büro.Example',
      phone: '+4930901820',
    },
    answers: { about: 'I drive a Fork-Lift, and more', level: 'B2', shifts: ['Night shift'] },
    source: 'Friend of Barnabas',
    sourceApplicationId: 'ATS-77-Zed',
    resumeUrl: 'https://cv.example/files/zq-life%20story.pdf',
    ...changes,
  };
  return { application } as unknown as InboxItem;
}

function messageOf(message: string, item = itemOf()): string {
  return describeRefusal(new Error(message), [item]).message;
}

describe('an error of the host is described without the candidate', () => {
  it.each([
    ['lower-cased e-mail', 'no user zoe.quill@büro.example here', ['zoe', 'quill', 'büro']],
    ['encoded e-mail', 'GET /u/Zoe.Quill%40B%C3%BCro.Example failed', ['zoe', 'quill', 'ro.example']],
    ['local part', 'mailbox ZOE_QUILL is taken', ['zoe', 'quill']],
    ['domain', 'no MX for xn--bro-hoa.example or BÜRO.example', ['bro-hoa', 'büro']],
    ['national phone', 'bad number (030) 90 18-20', ['90', '18', '20']],
    ['phone with dashes', 'bad number 0049-30-901820', ['901820', '30-9']],
    ['decomposed name', 'duplicate ZOE\u0308 ANNE-MARIE', ['zoe', 'anne', 'marie']],
    ['name without accents', 'duplicate zoe', ['zoe']],
    ['part of a name', 'dear anne, dear marie', ['anne', 'marie']],
    ['turned names', 'quillfeather, zoë', ['quill', 'zoë']],
    ['joined names', 'slug zoëannemariequillfeather', ['zoë', 'anne', 'quill']],
    ['answer in other words', 'about="i drive a fork lift and more"', ['drive', 'fork']],
    ['cut answer', 'value too long: i drive a fork-lif', ['drive', 'fork']],
    ['source', 'unknown source FRIEND_OF_BARNABAS', ['barnabas']],
    ['id of the partner', 'id ats77zed is known', ['77', 'zed']],
    ['file name', 'cannot read zq life story', ['story']],
  ])('%s', (_, message, absent) => {
    const clean = messageOf(message);
    for (const part of absent) expect(clean.toLowerCase()).not.toContain(part);
    expect(clean).toContain('…');
  });

  it('keeps the words that say what failed', () => {
    const failed = 'duplicate key value violates unique constraint "candidate_email_key"';
    expect(messageOf(failed)).toBe(failed);
    expect(messageOf('no such table: candidate')).toBe('no such table: candidate');
    expect(messageOf('Wu is wurst', itemOf({ candidate: candidateOf('Wu') }))).toBe('… is wurst');
  });

  it('leaves out the message if it may name an erased candidate', () => {
    const erased = { kind: 'candidate.erased' } as InboxItem;
    const error = Object.assign(new Error('no row for Zoë'), { code: '23503' });
    expect(describeRefusal(error, [itemOf(), erased])).toEqual({
      name: 'Error',
      code: '23503',
      message: 'The message is not recorded, because it may name an erased candidate.',
    });
  });

  it('has the error of the database below that of Drizzle, both without values of the candidate', () => {
    const item = itemOf();
    const { firstName, lastName, email, phone } = item.application?.candidate ?? candidateOf('');
    const values = ['ej_app_1', firstName, lastName, email, phone, 'Night shift'];
    const database = Object.assign(
      new Error(`value too long: duplicate of ${lastName} in constraint "candidate_email_key"`),
      {
        name: 'DatabaseError',
        code: '23505',
        detail: `Key (email)=(${email}) already exists.`,
        params: values,
      },
    );
    const cause = Object.assign(new Error(`Failed query: insert\nparams: ${values.join(',')}`), {
      name: 'DrizzleQueryError',
      cause: database,
    });
    const refusal = describeRefusal(cause, [item]);
    expect(refusal).toMatchObject({
      name: 'DrizzleQueryError',
      message: 'Failed query: insert\nparams: …',
      cause: { name: 'DatabaseError', code: '23505' },
    });
    const text = `${JSON.stringify(refusal)} ${refusalText(refusal)}`;
    expect(text).toContain('Cause: DatabaseError (23505): value too long: duplicate of …');
    for (const part of ['zoë', 'anne', 'quill', 'büro', '901820', 'night'])
      expect(text.toLowerCase()).not.toContain(part);
  });

  it('ends after three causes, also if an error is its own cause', () => {
    const error = new Error('again');
    error.cause = error;
    expect(refusalText(describeRefusal(error, [itemOf()])).match(/again/g)).toHaveLength(4);
  });

  it('leaves out the messages of causes that may name an erased candidate', () => {
    const cause = Object.assign(new Error('no row for Zoë'), { code: '23503' });
    const erased = { kind: 'candidate.erased' } as InboxItem;
    const text = refusalText(describeRefusal(new Error('Zoë', { cause }), [erased]));
    expect(text).toContain('Cause: Error (23503): The message is not recorded');
    expect(text).not.toContain('Zoë');
  });

  it('cleans it as other errors are cleaned', () => {
    expect(messageOf('Key (email)=(someone else) already exists.')).toBe('Key (email)=(…) already exists.');
    expect(messageOf('mail to other@person.example failed')).toBe('mail to … failed');
    const error = Object.assign(new Error('x'), { name: 'Zoë Quillfeather', code: 'zoe@x.example' });
    expect(describeRefusal(error, [itemOf()])).toEqual({ name: 'Error', message: 'x' });
  });

  it('cuts a value that is longer than the message', () => {
    const about = Array.from({ length: 2_000 }, (_, index) => `wörd${index}`).join(' ');
    const clean = messageOf(`rejected: ${about.toUpperCase()}`, itemOf({ answers: { about } }));
    expect(clean).toMatch(/^rejected: …/);
    expect(clean.toLowerCase()).not.toContain('rd1');
  });

  it('finds a value in any letter case, with other punctuation, and composed or decomposed', () => {
    const value = fc.stringMatching(/^[b-df-hj-np-tv-zäéß]{4,12}$/);
    const blank = fc.constantFrom('', ' ', '-', '_', '. ');
    const spelling = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFD'),
    );
    fc.assert(
      fc.property(value, blank, spelling, (lastName, between, spell) => {
        const quoted = [...spell(lastName)].join(between);
        const clean = messageOf(`1: ${quoted} !`, itemOf({ candidate: candidateOf(lastName) }));
        expect(clean).toBe('1: … !');
      }),
    );
  });
});

function candidateOf(lastName: string): Application['candidate'] {
  return { firstName: '', lastName, email: 'x@y.example', phone: '+14155550123' };
}
