import { describe, expect, test } from 'vitest';
import {
  type Access,
  grantAccess,
  isAccessActive,
  isBootstrapping,
  revokeAccess,
  startBootstrap,
} from './access.js';

const HOUR = 3_600_000;
const granted: Access = grantAccess(null, 'key_1', 'co_1', 1_000);

describe('access of a key to a company', () => {
  test('starts with a grant, ends with a revocation, and can be granted again', () => {
    expect(isAccessActive(null)).toBe(false);
    expect(isAccessActive(granted)).toBe(true);
    const revoked = revokeAccess(granted, 2_000);
    expect(isAccessActive(revoked)).toBe(false);
    expect(isAccessActive(grantAccess(revoked, 'key_1', 'co_1', 3_000))).toBe(true);
  });

  test('keeps the record after a revocation', () => {
    expect(revokeAccess(granted, 2_000)).toMatchObject({ grantedAt: 1_000, revokedAt: 2_000 });
  });

  test('granting or revoking twice changes nothing', () => {
    expect(grantAccess(granted, 'key_1', 'co_1', 9_000)).toEqual(granted);
    const revoked = revokeAccess(granted, 2_000);
    expect(revokeAccess(revoked, 9_000)).toEqual(revoked);
  });
});

describe('bootstrap mode', () => {
  test('is off by default, and without access', () => {
    expect(isBootstrapping(granted, 1_000)).toBe(false);
    expect(isBootstrapping(null, 1_000)).toBe(false);
  });

  test('lasts exactly 24 hours', () => {
    const access = startBootstrap(granted, 5_000);
    expect(isBootstrapping(access, 5_000)).toBe(true);
    expect(isBootstrapping(access, 5_000 + 24 * HOUR - 1)).toBe(true);
    expect(isBootstrapping(access, 5_000 + 24 * HOUR)).toBe(false);
  });

  test('lasts another 24 hours when it is enabled again', () => {
    const again = startBootstrap(startBootstrap(granted, 0), 20 * HOUR);
    expect(isBootstrapping(again, 44 * HOUR - 1)).toBe(true);
    expect(isBootstrapping(again, 44 * HOUR)).toBe(false);
  });

  test('ends with a revocation, and does not return with a later grant', () => {
    const revoked = revokeAccess(startBootstrap(granted, 0), HOUR);
    expect(isBootstrapping(revoked, HOUR)).toBe(false);
    expect(isBootstrapping(grantAccess(revoked, 'key_1', 'co_1', HOUR), HOUR)).toBe(false);
  });
});
