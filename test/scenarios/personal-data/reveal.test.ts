/** Who reads a candidate's data is recorded. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { openPersonalStage } from './stage.js';

const stage = perTest(openPersonalStage, ({ close }) => close());

const ADA = { id: 'user_42', name: 'Ada', reason: 'ticket 815' };
const PERSON = 'Zoe0815';

/** Returns the recorded reveals, newest first. */
async function reveals() {
  return (await stage.operator.audit.list({ act: 'candidates.reveal' })).items;
}

describe('candidates.reveal', () => {
  it('returns the candidate, the answers and the names, and records who read them', async () => {
    const applicationId = await stage.submit(PERSON);
    const revealed = await stage.operator.as(ADA).candidates.reveal({ applicationId });
    expect(revealed).toMatchObject({
      id: applicationId,
      candidate: { firstName: `First${PERSON}`, lastName: `Last${PERSON}` },
      answers: { about: `Answer${PERSON}\nwith lines` },
      consent: { givenAt: revealed.submittedAt, keyId: stage.partner.keyId },
      companyName: 'Depot',
    });
    const entries = await reveals();
    expect(entries).toMatchObject([
      {
        actor: ADA,
        objects: [{ kind: 'application', id: applicationId }],
        keyId: stage.partner.keyId,
        before: null,
        after: null,
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(PERSON);
  });

  it('shows each reveal in the timeline of the application', async () => {
    const applicationId = await stage.submit(PERSON);
    await stage.operator.as(ADA).candidates.reveal({ applicationId });
    await stage.clock.advance(1);
    await stage.operator.candidates.reveal({ applicationId });
    const { entries } = await stage.operator.timelines.find({ applicationId: applicationId });
    const acts = entries.filter(({ kind }) => kind === 'command');
    expect(acts.map(({ text }) => text)).toEqual([
      expect.stringContaining('Ada'),
      expect.stringContaining('candidates.reveal'),
    ]);
    expect(JSON.stringify(acts)).not.toContain(PERSON);
  });

  it('records nothing of an erased candidate, and of an application that does not exist', async () => {
    const applicationId = await stage.submit(PERSON);
    await stage.operator.candidates.erase({ applicationId });
    expect(await stage.operator.candidates.reveal({ applicationId })).toMatchObject({
      candidate: { firstName: '', lastName: '', email: '', phone: '' },
      answers: {},
    });
    const unknown = { applicationId: 'ej_app_none' } as const;
    await expect(stage.operator.candidates.reveal(unknown)).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
    expect(await reveals()).toEqual([]);
  });
});
