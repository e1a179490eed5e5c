/** The document describes requests exactly as the server validates them, as far as a schema can. */
import { createOpenApiDocument, type OpenApiSchema } from '@partner-hiring/partner-docs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readIdempotencyKey } from '../../packages/core/src/domain/idempotency.js';
import { readListQuery } from '../../packages/core/src/http/list-query.js';
import { parseBody } from '../../packages/core/src/http/parse-submission.js';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';

const document = createOpenApiDocument();
const checker = createSchemaChecker(document);
const SUBMISSION = { $ref: '#/components/schemas/Submission' };

const VALID = {
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@ats.example', phone: '+1 775 555 0123' },
  consentToContact: true,
  source: 'site',
  sourceApplicationId: 'ats-1',
  applicationFormAnswers: { shift: 'late' },
  resumeUrl: 'https://files.ats.example/ada.pdf',
};

/** Whether the document and the server accept a submission. */
function verdicts(submission: unknown): readonly [boolean, boolean] {
  return [
    checker.check(SUBMISSION, submission).length === 0,
    parseBody(Buffer.from(JSON.stringify(submission)), 'production').submitted.parsed.kind === 'valid',
  ];
}

const FIELDS = Object.entries(fieldsOf('Submission')).flatMap(([name, schema]): [string, OpenApiSchema][] =>
  name === 'candidate'
    ? Object.entries(propertiesOf(schema)).map(([inner, field]) => [`candidate.${inner}`, field])
    : [[name, schema]],
);
const REQUIRED = ['jobId', 'candidate', 'consentToContact'];

function fieldsOf(name: string) {
  return propertiesOf(document.components.schemas[name] ?? {});
}
function propertiesOf(schema: OpenApiSchema): Readonly<Record<string, OpenApiSchema>> {
  return schema.properties as Record<string, OpenApiSchema>;
}

/** The valid submission with one field changed, or omitted if undefined. */
function withField(path: string, value: unknown): unknown {
  const [outer, inner] = path.split('.');
  if (inner === undefined) return { ...VALID, [path]: value };
  return { ...VALID, [outer ?? '']: { ...VALID.candidate, [inner]: value } };
}

/** E-mail addresses and links that the server accepts, though they have neither the format `email` nor `uri`. */
const UNUSUAL = [
  ' ada@ats.example ',
  '\u200bada@ats.example\u200e',
  '.ada..reyes.@ats.example',
  '"ada reyes"@ats.example',
  'adá@köln.example',
  ' https://files.ats.example/ada reyes.pdf ',
  '\u202ahttps://files.ats.example/ada.pdf\u202c',
  'HTTPS://files.ats.example/履歴書.pdf?of=ada reyes#1',
  'http://köln.example/[ada].pdf',
];

/** Including the at sign. */
const LONGEST_LOCAL_PART = `${'a'.repeat(64)}@`;

/** A label of a domain name with this length. */
function labels(length: number): string {
  return `${'d'.repeat(60)}.${'d'.repeat(length - 61)}`;
}

describe('submissions', () => {
  it('a valid one is accepted by both', () => {
    expect(verdicts(VALID)).toEqual([true, true]);
    expect(verdicts({ ...VALID, unknown: 1 })).toEqual([true, true]);
  });

  it.each(FIELDS)('%s may be absent, null or of another type only as the server takes it', (path) => {
    const isOptional = !REQUIRED.includes(path) && !path.startsWith('candidate.');
    expect(verdicts(withField(path, undefined))).toEqual([isOptional, isOptional]);
    expect(verdicts(withField(path, null))).toEqual([isOptional, isOptional]);
    for (const value of [7, [], path === 'consentToContact' ? 'true' : false]) {
      expect([path, value, verdicts(withField(path, value))]).toEqual([path, value, [false, false]]);
    }
  });

  const limited = FIELDS.filter(([, { maxLength }]) => maxLength !== undefined);
  it.each(limited)(
    '%s has the maximum length of the server, in characters of two units',
    (path, { maxLength }) => {
      const [head, tail] =
        path === 'candidate.email' ? [LONGEST_LOCAL_PART, `.${'d'.repeat(60)}.example`] : ['', ''];
      const padding = (length: number) => (head === '' ? '😀'.repeat(length) : labels(length));
      const padded = (length: number) => `${head}${padding(length - head.length - tail.length)}${tail}`;
      expect(verdicts(withField(path, padded(Number(maxLength))))[1]).toBe(true);
      expect(verdicts(withField(path, padded(Number(maxLength) + 1)))).toEqual([false, false]);
    },
  );

  it('there are seven such limits', () => {
    expect(limited.map(([path, { maxLength }]) => `${path} ${maxLength}`)).toEqual([
      'jobId 128',
      'candidate.firstName 100',
      'candidate.lastName 100',
      'candidate.email 254',
      'candidate.phone 64',
      'source 100',
      'sourceApplicationId 128',
    ]);
  });

  it.each(FIELDS.filter(([, { type }]) => type === 'string'))(
    '%s may be empty or blank only as the server takes it',
    (path) => {
      for (const value of ['', ' \t\u00a0\u3000']) {
        const [described, served] = verdicts(withField(path, value));
        expect([path, value, described]).toEqual([path, value, served]);
      }
    },
  );

  const lines = FIELDS.filter(([path, { pattern }]) => pattern !== undefined && path !== 'resumeUrl').map(
    ([path]) => path,
  );
  it.each(lines)(
    '%s takes the control characters, overrides, isolates and marks that the server takes',
    (path) => {
      const around = (text: string) => (path === 'candidate.email' ? `a${text}b@ats.example` : `a${text}b`);
      for (const text of [
        '\t',
        '\n',
        '\u0001',
        '\u001f',
        '\u007f',
        '\u0080',
        '\u009f',
        '\u202a',
        '\u202e',
        '\u2066',
        '\u2069',
      ]) {
        expect([text, verdicts(withField(path, around(text)))]).toEqual([text, [false, false]]);
      }
      for (const text of ['\u200c', '\u200d', '\u200e', '\u200f']) {
        expect([text, verdicts(withField(path, around(text)))]).toEqual([text, [true, true]]);
      }
    },
  );

  it('there are six such lines', () => {
    expect(lines).toEqual([
      ...['firstName', 'lastName', 'email', 'phone'].map((name) => `candidate.${name}`),
      'source',
      'sourceApplicationId',
    ]);
  });

  it.each(UNUSUAL)('%j is accepted by both', (text) => {
    const path = text.includes('@') ? 'candidate.email' : 'resumeUrl';
    expect(verdicts(withField(path, text))).toEqual([true, true]);
  });

  it.each([
    ['consentToContact', false],
    ['candidate.email', 'ada'],
    ['candidate.email', 'ada@'],
    ['resumeUrl', 'ada.pdf'],
    ['resumeUrl', '//files.ats.example/ada.pdf'],
    ['applicationFormAnswers', ['late']],
  ])('%s %j is rejected by both', (path, value) => {
    expect(verdicts(withField(path, value))).toEqual([false, false]);
  });

  it('the server rejects everything that the document rejects', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 140, size: 'max' }),
      fc.constantFrom('', ' ', 'ada@b.example', ...UNUSUAL),
    );
    const any = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
    const path = fc.constantFrom(...FIELDS.map(([name]) => name));
    fc.assert(
      fc.property(path, any, (name, value) => {
        const [described, served] = verdicts(withField(name, value));
        if (!described) expect(served).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('the Idempotency-Key of the document matches the server’s', () => {
  const [parameter] = document.paths['/applications']?.post?.parameters ?? [];
  const { schema = {} } = parameter ?? {};
  const nearly = fc
    .tuple(fc.uuid({ version: fc.sample(fc.constantFrom(1, 4, 7), 1)[0] ?? 4 }), fc.boolean())
    .map(([uuid, upper]) => (upper ? uuid.toUpperCase() : uuid));
  const plain = fc.oneof(fc.uuid({ version: 4 }), nearly, fc.uuid(), fc.string({ minLength: 1 }));
  const quotes = fc.constantFrom(['', ''], ['"', '"'], ['"', ''], ['" ', '"']);
  const keys = fc.tuple(plain, quotes).map(([key, [before, behind]]) => `${before}${key}${behind}`);
  fc.assert(
    fc.property(keys, (key) => {
      fc.pre(key.trim() === key);
      const isTaken = readIdempotencyKey([key]).kind === 'key';
      expect([key, checker.check(schema, key).length === 0]).toEqual([key, isTaken]);
    }),
    { numRuns: 1_000 },
  );
});

describe.each([
  ['jobs', '/jobs'],
  ['applications', '/applications'],
] as const)('the parameters of %s', (list, path) => {
  const parameters = document.paths[path]?.get?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema ?? {};
  const read = (name: string, value: string) =>
    readListQuery(list, 'key_1', new URLSearchParams({ [name]: value }).toString());

  it.each(parameters.filter(({ name }) => name !== 'cursor'))(
    '$name has an example that is accepted',
    ({ name, example }) => {
      expect(read(name, String(example)).kind).toBe('valid');
    },
  );

  it('limit has the minimum and the default of the server, and no maximum', () => {
    const { minimum, default: preset } = schemaOf('limit');
    expect([minimum, preset]).toEqual([1, 50]);
    expect(read('limit', String(minimum))).toMatchObject({ query: { limit: minimum } });
    expect(read('limit', String(Number(minimum) - 1)).kind).toBe('invalid');
    expect(read('company_id', 'co_1')).toMatchObject({ query: { limit: preset } });
    for (const large of [201, 5_000_000_000]) {
      expect(checker.check(schemaOf('limit'), large)).toEqual([]);
      expect(read('limit', String(large))).toMatchObject({ query: { limit: 200 } });
    }
  });

  it('status: each value, and no other', () => {
    for (const status of schemaOf('status').enum as string[])
      expect(read('status', status).kind).toBe('valid');
    for (const status of ['closed', 'OPEN']) expect(read('status', status).kind).toBe('invalid');
  });

  it('updated_since is a date-time with an offset', () => {
    const texts = [
      '2026-11-21T10:15:30.123Z',
      '2026-11-21T10:15:30+01:00',
      '2026-11-21T10:15:30+0530',
      '2026-11-21t10:15:30.123456-05',
      '2026-11-21T10:15:30 01:00',
      '2026-11-21T10:15Z',
      '2026-11-21T10:15+01:00[Europe/Berlin]',
      '2026-11-21T10:15:30,5Z[UTC]',
      '2026-11-21T10:15.5Z',
      '2026-11-21T10:15Z[]',
      '2026-11-21T10:15:30+24:00',
      '2026-11-21T10:15:30+01:60',
      '2026-11-21',
      '2026-11-21T10:15:30',
      'x',
    ];
    for (const text of texts) {
      const isDescribed = checker.check(schemaOf('updated_since'), text).length === 0;
      expect([text, read('updated_since', text).kind]).toEqual([text, isDescribed ? 'valid' : 'invalid']);
    }
  });
});
