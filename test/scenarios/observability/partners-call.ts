import { BASE_PATH, type Reply, send, submission } from '@partner-hiring/test-support/partner';
import { neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { expect } from 'vitest';
import { ANSWER, CANDIDATE, RESUME_URL } from './private.js';
import type { Stage } from './stage.js';

/** The paths as metrics name them. */
export const JOBS = `${BASE_PATH}/jobs`;
export const APPLICATIONS = `${BASE_PATH}/applications`;
const APPLICATION = `${BASE_PATH}/applications/{id}`;

/** Calls every endpoint, with every error a caller can make. */
export async function partnersCall({ fixture, partner, jobId, noted }: Stage): Promise<`ej_app_${string}`> {
  const full = submission(jobId, {
    candidate: CANDIDATE,
    sourceApplicationId: 'sourceid8d2e',
    applicationFormAnswers: { pets: ANSWER },
    resumeUrl: RESUME_URL,
  });
  const key = '11111111-1111-4111-8111-111111111111';
  const created = noted('POST', APPLICATIONS, await partner.submit(full, key));
  expect(created).toHaveProperty('id');
  noted('POST', APPLICATIONS, await partner.submit(full, key));
  noted('POST', APPLICATIONS, await partner.submit({ ...full, consentToContact: 'hostile' }, key));
  noted('POST', APPLICATIONS, await partner.submit(full));
  noted('POST', APPLICATIONS, await partner.submit(`{"candidate": "${CANDIDATE.firstName}`));
  noted('POST', APPLICATIONS, await partner.submit(full, 'hostile-key'));
  noted('POST', APPLICATIONS, await partner.submit(submission('job_hostile', { candidate: CANDIDATE })));
  noted('GET', JOBS, await partner.get('/jobs?cursor=hostile'));
  noted('GET', JOBS, await partner.get('/jobs'));
  noted('GET', APPLICATIONS, await partner.get(`/applications?email=${CANDIDATE.email}`));
  noted('GET', APPLICATION, await partner.get(`/applications/${created.id}`));
  noted('GET', APPLICATION, await partner.get(`/applications/hostile-${CANDIDATE.lastName}`));
  noted('GET', null, await partner.get(`/hostile/${CANDIDATE.email}?token=hostile`));
  noted('DELETE', JOBS, await partner.request('DELETE', '/jobs'));
  noted(
    'GET',
    JOBS,
    await send(fixture, 'GET', '/jobs', { headers: { authorization: 'Bearer pek_live_hostile' } }),
  );
  const odd = await fixture.partnerHiring.handler(neutralRequest('HOSTILE', `${JOBS}?x=hostile`));
  noted('_OTHER', JOBS, { status: odd.status, json: JSON.parse(odd.body) as Reply['json'] });
  return String(created.id) as `ej_app_${string}`;
}
