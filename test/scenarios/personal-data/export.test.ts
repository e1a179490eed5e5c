/** Exporting candidates. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { foundIn, openPersonalStage } from './stage.js';

const stage = perTest(openPersonalStage, (opened) => opened.close());
const OTHER = 'Zq0002xw';
const PERSON = 'Zq0001xw';
const HOUR_MS = 3_600_000;

describe('exporting', () => {
  it('returns everything that is stored about a person, and nothing about another', async () => {
    stage.fixture.transport.answerWith(() => ({
      kind: 'answered',
      status: 500,
      excerpt: `no room for ${PERSON}`,
    }));
    const id = await stage.submit(PERSON);
    await stage.submit(OTHER);
    await stage.operator.applications.move({ id });
    await stage.operator.applications.decide({ id, decision: 'accepted' });
    await stage.drain();
    const {
      items: [decision],
    } = await stage.operator.deliveries.list({ applicationId: id });
    const eventId = decision?.eventId ?? 'evt_';
    await stage.fixture.pass(HOUR_MS, HOUR_MS / 2);
    await stage.operator.deliveries.cancel({ keyId: stage.partner.keyId, eventId });
    await stage.operator.deliveries.resend({ keyId: stage.partner.keyId, eventIds: [eventId] });
    const exported = await stage.operator.candidates.export({ email: `mail${PERSON}@example.org` });
    expect(exported).toMatchObject({
      exportedAt: stage.clock.now(),
      applications: [
        {
          application: {
            id,
            source: `Source${PERSON}`,
            sourceApplicationId: `Id${PERSON}`,
            resumeUrl: `https://cv.example/${PERSON}.pdf`,
            answers: { about: `Answer${PERSON}\nwith lines` },
            resume: { kind: 'fetched', location: `memory:/${PERSON}.pdf` },
          },
          idempotency: { applicationId: id, reply: { status: 201 } },
          event: { type: 'application.status_changed' },
          delivery: { state: 'pending', lastOutcome: { excerpt: `no room for ${PERSON}` } },
          attempts: expect.arrayContaining([expect.objectContaining({ number: 1 })]),
          resumeDownload: null,
          resumeRemoval: null,
          inboxItems: [],
          requests: [{ route: '/applications', status: 201, applicationId: id }],
          audit: expect.arrayContaining([
            expect.objectContaining({ act: 'applications.decide' }),
            expect.objectContaining({ act: 'applications.move' }),
            expect.objectContaining({ act: 'deliveries.resend' }),
          ]),
        },
      ],
    });
    const json = JSON.stringify(exported);
    expect(JSON.parse(json)).toEqual(exported);
    expect(foundIn(json, [PERSON, OTHER])).toEqual([PERSON]);
    await stage.operator.candidates.erase({ applicationId: id, clearSourceApplicationId: true });
    const left = await stage.operator.candidates.export({ applicationId: id });
    expect(left.applications).toMatchObject([{ resumeRemoval: { location: `memory:/${PERSON}.pdf` } }]);
    await stage.drain();
    const gone = await stage.operator.candidates.export({ applicationId: id });
    expect(foundIn(JSON.stringify(gone), [PERSON])).toEqual([]);
  });

  it('has the requests that this process has not stored yet', async () => {
    const id = await stage.submit(PERSON);
    const { applications } = await stage.operator.candidates.export({ applicationId: id });
    expect(applications).toMatchObject([{ requests: [{ status: 201, applicationId: id }] }]);
  });
});
