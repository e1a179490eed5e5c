import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@partner-hiring/partner-docs';
import { expect } from 'vitest';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';
import { type Fence, ROOT } from './fences.js';

const document = JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8')) as OpenApiDocument;
const checker = createSchemaChecker(document);

/** Expects the fence's JSON to match a schema of the OpenAPI document. */
export function expectDescribed({ page, line, text }: Fence, schema: string): void {
  const found = document.components.schemas[schema];
  if (found === undefined) throw new Error(`docs/openapi.json has no schema ${schema}.`);
  const problems = checker.check(found, JSON.parse(text));
  expect(problems, `${page}:${line}, as ${schema}`).toEqual([]);
}
