/** A link that a person makes in the console hands out no more than that person may do. */
import type { PortalRight } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { createGate } from '../../packages/console/src/gate/gate.js';
import { ADMIN, openPlatform, visit } from '../console/platform.js';
import { PORTAL_URL } from './portal.js';

const platform = perTest(
  () => openPlatform({ portalUrl: PORTAL_URL }),
  ({ close }) => close(),
);

describe('a link that a person makes in the console', () => {
  it('has only the rights of the preset that the person has itself', async () => {
    const { fixture, acme } = platform;
    const rights = ['partners:read', 'portal:link', 'keys:read', 'endpoints:read'] as const;
    const { post } = visit(fixture, { actor: () => ({ ...ADMIN, rights }) });
    const { text } = await post(`/console/partners/${acme.partnerId}/portal-link`);
    const token = /(?<=token=)[\w-]+/.exec(text)?.[0] ?? '';
    const link = { token, host: new URL(PORTAL_URL).host, kind: 'link' } as const;
    expect(await fixture.operator.portal.find(link)).toMatchObject({ rights: ['endpoint', 'keys'] });
    expect(text).toContain('endpoint, keys');
  });

  it('cannot have a right that the person lacks, as a command either', async () => {
    const { fixture, acme } = platform;
    const gate = createGate(fixture.operator, { ...ADMIN, rights: ['portal:link', 'keys:read'] }, null);
    const ask = (rights: readonly PortalRight[]) =>
      gate.call('portal.createLink', { partnerId: acme.partnerId, rights });
    await expect(ask(['keys', 'rotateKey'])).rejects.toThrow('keys:rotate');
    await expect(ask(['keys'])).resolves.toMatchObject({ link: expect.any(String) });
  });
});
