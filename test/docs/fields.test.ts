/** Compares the page of fields with the OpenAPI document and the types of the library, in both directions. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isHighPay } from '../../packages/core/src/domain/high-pay.js';
import {
  NAME_MAX_LENGTH,
  PLACE_MAX_LENGTH,
  SCHEDULE_MAX_LENGTH,
} from '../../packages/core/src/domain/job.js';
import { newJob } from '../../packages/core/src/groups/jobs/job-fields.js';
import { sourceJob } from '../../packages/core/src/groups/jobs/source-job.js';
import { sampleApplication } from '../conformance/suite/storage/samples.js';
import { ROOT, readPage } from './fences.js';

interface Described {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
}

const PAGE = readPage('docs/fields.md');
const { schemas } = (
  JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Described>> };
  }
).components;

/** The fields that hosts pass. */
const JOB_INPUTS = Object.keys({ ...sourceJob, ...newJob });

/** The cells of each row of the tables below a heading. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, after = ''] = PAGE.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const namesIn = (rows: readonly (readonly string[])[], column = 0) =>
  rows.flatMap((cells) => /^`(.+)`$/.exec(cells[column] ?? '')?.[1] ?? []);

/** A field of a schema with its path, and whether it is required within its object. */
interface Field {
  readonly path: string;
  readonly schema: Described;
  readonly isRequired: boolean;
}

function fieldsOf(given: Described | undefined, path = '', isRequired = true): readonly Field[] {
  const schema = given?.$ref === undefined ? given : schemas[given.$ref.split('/').at(-1) ?? ''];
  if (schema === undefined) throw new Error(`No schema at ${path}.`);
  if (schema.items !== undefined) return fieldsOf(schema.items, `${path}[]`, isRequired);
  if (schema.properties === undefined) return [{ path, schema, isRequired }];
  return Object.entries(schema.properties).flatMap(([name, part]) =>
    fieldsOf(part, path === '' ? name : `${path}.${name}`, schema.required?.includes(name) ?? false),
  );
}

test('names every field of a job that partners read or hosts pass', () => {
  const read = fieldsOf(schemas.Job).map(({ path }) => path);
  const isRead = (name: string) => read.some((path) => path === name || path.startsWith(`${name}.`));
  const isList = (name: string) => read.some((path) => path.startsWith(`${name}[]`));
  const passed = JOB_INPUTS.filter((name) => !isRead(name) && !isList(name));
  expect(namesIn(rowsOf('A job')).toSorted()).toEqual([...read, ...passed].toSorted());
});

test('has the limits of a job', () => {
  const limits = new Map(rowsOf('A job').map(([name = '', , limit = '']) => [name.slice(1, -1), limit]));
  expect(limits.get('title')).toBe(`1 to ${NAME_MAX_LENGTH}`);
  expect(limits.get('company.name')).toBe(`1 to ${NAME_MAX_LENGTH}`);
  expect(limits.get('location.city')).toContain(`up to ${PLACE_MAX_LENGTH},`);
  expect(limits.get('location.country')).toContain(`1 to ${PLACE_MAX_LENGTH}:`);
  expect(limits.get('schedule')).toBe(`1 to ${SCHEDULE_MAX_LENGTH}`);
});

test('names the currencies and the rate from which a sync warns', () => {
  const [, sentence = ''] = /warns of rates above ([^.]+)\./.exec(PAGE.replaceAll('\n', ' ')) ?? [];
  const rate = Number.parseInt(sentence, 10);
  const named = (sentence.match(/[A-Z]{3}/g) ?? []).toSorted();
  const all = Intl.supportedValuesOf('currency');
  expect(all.filter((currency) => isHighPay({ max: rate + 0.01, currency }))).toEqual(named);
  expect(all.filter((currency) => isHighPay({ max: rate, currency }))).toEqual([]);
});

test('names every field of a submission, with its limit, and whether it is required', () => {
  const rows = rowsOf('What a partner submits');
  const fields = fieldsOf(schemas.Submission);
  expect(namesIn(rows)).toEqual(fields.map(({ path }) => path));
  for (const [index, { path, schema, isRequired }] of fields.entries()) {
    const [, , limit = '', required] = rows[index] ?? [];
    expect([path, required]).toEqual([path, isRequired ? 'yes' : 'no']);
    const { minLength, maxLength } = schema;
    if (maxLength === undefined) continue;
    expect(`${path}: ${limit}`).toContain(`: ${minLength === undefined ? 'up' : minLength} to ${maxLength}`);
  }
});

test('names every field of an application that partners or hosts read', () => {
  const rows = rowsOf('An application');
  expect(namesIn(rows).toSorted()).toEqual(Object.keys(sampleApplication(1, 0)).toSorted());
  expect(namesIn(rows, 1).toSorted()).toEqual(
    fieldsOf(schemas.Application)
      .map(({ path }) => path)
      .toSorted(),
  );
});
