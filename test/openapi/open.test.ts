/** The document closes nothing that v1 may extend, and limits every text that the service returns. */
import { createContract } from '@partner-hiring/conformance';
import { createOpenApiDocument, type OpenApiSchema } from '@partner-hiring/partner-docs';
import { describe, expect, it, test } from 'vitest';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';

const document = createOpenApiDocument();
const checker = createSchemaChecker(document);
const { Submission: _, ...returned } = document.components.schemas;

/** A text in a returned schema. */
interface Text {
  readonly path: string;
  readonly schema: OpenApiSchema;
}

function textsOf(schema: OpenApiSchema, path: string): readonly Text[] {
  const { properties = {}, items } = schema as {
    readonly properties?: Readonly<Record<string, OpenApiSchema>>;
    readonly items?: OpenApiSchema;
  };
  return [
    ...(schema.type === 'string' ? [{ path, schema }] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`)),
    ...(items === undefined ? [] : textsOf(items, `${path}[]`)),
  ];
}

const TEXTS = Object.entries(returned).flatMap(([name, schema]) => textsOf(schema, name));

describe('every returned text', () => {
  it('has a maximum length or is one constant', () => {
    expect(TEXTS.length).toBeGreaterThan(60);
    const open = TEXTS.filter(({ schema }) => !('maxLength' in schema) && !('enum' in schema));
    expect(open.map(({ path }) => path)).toEqual([]);
  });

  it('is closed only if it says what kind of error or event it is', () => {
    const closed = TEXTS.filter(({ schema }) => 'enum' in schema).map(({ path }) => path.split('.')[1]);
    expect([...new Set(closed)].sort()).toEqual(['apiVersion', 'error', 'type']);
  });

  it('allows any text of two units at its longest, as a validator that counts units must', () => {
    const title = '😀'.repeat(500);
    expect(title.length).toBeLessThanOrEqual(
      Number(TEXTS.find(({ path }) => path === 'Job.title')?.schema.maxLength),
    );
  });
});

describe('known values', () => {
  const known = TEXTS.filter(({ schema }) => 'x-extensible-enum' in schema);

  it.each(known)('$path names them in its text', ({ schema }) => {
    for (const value of schema['x-extensible-enum'] as string[]) {
      expect(schema.description).toContain(`\`${value}\``);
    }
  });

  it('are those of statuses, stages, reasons, scopes and codes', () => {
    expect(known.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'Job.status',
        'Job.compensation.type',
        'Application.status',
        'Application.currentStage',
        'CreatedApplication.status',
        'FieldError.code',
        'RateLimitedError.scope',
        'ApplicationStatusChangedEvent.data.newStatus',
        'JobClosedEvent.data.reason',
      ]),
    );
  });
});

test('a new stage has the schema, and only the contract of this version refuses it', () => {
  const application = {
    id: 'ej_app_1',
    sourceApplicationId: null,
    jobId: 'job_1',
    status: 'in_progress',
    currentStage: 'Work Sample',
    submittedAt: '2026-11-21T10:15:30.123Z',
    lastStatusChangeAt: '2026-11-21T10:15:30.123Z',
  };
  expect(checker.check({ $ref: '#/components/schemas/Application' }, application)).toEqual([]);
  const refused = createContract(document).checkResponse({
    method: 'GET',
    target: '/api/v1/external/applications/ej_app_1',
    status: 200,
    headers: {},
    body: JSON.stringify(application),
  });
  expect(refused.join()).toContain('currentStage');
});

test('the path of a field error may be as long as the largest body', () => {
  const { FieldError } = createOpenApiDocument({ maxBodyBytes: 4_321 }).components.schemas;
  expect(FieldError).toMatchObject({ properties: { field: { maxLength: 4_321 } } });
});
