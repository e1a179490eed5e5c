/** Each feature can be left out of the list, with those that need it: the rest starts, serves, sends, erases and stops. */
import type { InboxItem } from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createTestInstance } from '@partner-hiring/testing';
import { expect, test } from 'vitest';
import { createFromFeatures } from '../../../packages/core/src/create-partner-hiring.js';
import type { Feature } from '../../../packages/core/src/features/feature.js';
import { FEATURES } from '../../../packages/core/src/features/features.js';

/** The names of a feature and of all that need it, directly or not. */
function withDependents(name: string): ReadonlySet<string> {
  const names = new Set<string>([name]);
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const feature of FEATURES)
      if (feature.needs?.some((needed) => names.has(needed)) === true) names.add(feature.name);
  }
  return names;
}

/** The commands of features, such as `portal.createLink`. */
function commandsOf(features: readonly Feature[]): readonly (readonly [group: string, verb: string])[] {
  return features.flatMap(({ commands = {}, commandsAlone = {} }) =>
    [typeof commands === 'function' ? commands([]) : commands, commandsAlone].flatMap((groups) =>
      Object.entries(groups).flatMap(([group, verbs]) =>
        Object.keys(verbs).map((verb) => [group, verb] as const),
      ),
    ),
  );
}

/** Opens an installation with these features. Its options turn on all features. */
async function openWith(features: readonly Feature[]) {
  const received: string[] = [];
  const instance = await createTestInstance({
    database: await createTestDatabase(),
    create: (given) =>
      createFromFeatures(
        {
          ...given,
          inbox: {
            receive: (items: readonly InboxItem[]) => void received.push(...items.map(({ kind }) => kind)),
          },
          jobs: { read: async () => [], everyMs: 3_600_000, missing: 'keep' },
          retention: { applicationsMs: 90 * 86_400_000 },
          sandbox: true,
          selfService: { events: true, endpoint: true },
          goLive: { required: [] },
          portalUrl: 'https://partners.example/portal',
        },
        features,
      ),
  });
  return { ...instance, received };
}

test.each(FEATURES.map(({ name }) => [name] as const))(
  'without %s and those that need it, an installation serves partners, sends, erases and stops',
  async (name) => {
    const leftOut = withDependents(name);
    const features = FEATURES.filter((feature) => !leftOut.has(feature.name));
    const { operator, createKey, createApplication, advance, partnerHiring, received, close } =
      await openWith(features);
    const has = (feature: string) => !leftOut.has(feature);

    const key = await createKey();
    const fields = { resumeUrl: 'https://ats.example/resume.pdf' };
    const { id, status } = (await createApplication({ key, fields })).application;
    expect(status).toBe('received');
    for (const path of ['/jobs', '/applications', `/applications/${id}`]) {
      expect([path, (await key.get(path)).status]).toEqual([path, 200]);
    }
    expect((await key.get('/events')).status).toBe(has('events-feed') ? 200 : 404);
    expect((await key.get('/webhook-endpoint')).status).toBe(has('self-service') ? 200 : 404);

    await operator.applications.move({ id });
    await operator.applications.decide({ id, decision: 'accepted' });
    await advance(60_000);
    const event = await key.waitFor('application.status_changed');
    expect(event.data).toMatchObject({ applicationId: id });
    expect(received.includes('application.submitted')).toBe(has('inbox'));

    if (has('privacy')) {
      const { applications } = await operator.candidates.erase({ applicationId: id });
      expect(applications).toMatchObject([{ id, changed: true }]);
    }
    const groups = operator as unknown as Readonly<
      Record<string, Readonly<Record<string, unknown>> | undefined>
    >;
    const gone = commandsOf(FEATURES.filter((feature) => leftOut.has(feature.name)));
    expect(gone.filter(([group, verb]) => groups[group]?.[verb] !== undefined)).toEqual([]);
    await advance(3_600_000);
    await close();
    expect(partnerHiring.worker.state()).toBe('stopped');
  },
);
