import { describe, expect, it } from 'vitest';
import { readSchemas } from './schemas.js';

describe('the schemas of a storage', () => {
  it('are one schema by default', () => {
    expect(readSchemas({})).toEqual(['partner_hiring']);
    expect(readSchemas({ schema: 'hiring' })).toEqual(['hiring']);
  });

  it('are several schemas in their order', () => {
    expect(readSchemas({ schemas: ['ph_2', 'ph_1'] })).toEqual(['ph_2', 'ph_1']);
  });

  it.each([
    [{ schemas: [] }, '`schemas` is empty. Name each schema of the storage.'],
    [{ schema: 'a', schemas: ['a', 'b'] }, 'Both `schema` and `schemas` were given. Give only `schemas`'],
    [{ schemas: ['a', 'b', 'a'] }, '`schemas` has a twice. Name each schema once.'],
    [{ schemas: Array.from({ length: 65 }, (_, index) => `c${index}`) }, 'A storage has at most 64 schemas.'],
    [{ schemas: 'a,b' as never }, '`schemas` must be a list of names'],
    [{ schemas: ['a', ''] }, 'must be a name of 1 to 63 bytes'],
  ])('are refused as %j', (given, message) => {
    expect(() => readSchemas(given)).toThrow(message);
  });
});
