import {
  type ApplicationDetails,
  type ApplicationId,
  type CandidateApplication,
  describeApplication,
} from '@partner-hiring/core';
import { actsOf, sectionsOf } from '../../features/features.js';
import { mustFind } from '../../gate/refusals.js';
import { type PageContent, pageBelow, type Screen, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { FactList, listFacts, Section, StateBadge, Time } from '../../view/parts.js';
import { NamedLink, nameOf } from '../parts/names.js';
import { ActionsCard, applicationActions } from './application-actions.js';

/** Shows one application: whether the partner knows its status, its history, and the next possible actions. */
export const applicationScreen: Screen = {
  name: 'application',
  label: null,
  path: '/applications',
  rights: ['applications:read'],
  pages: { '/applications/:id': (call) => showApplication(call) },
  actions: {
    ...applicationActions,
    ...actsOf('application'),
    '/applications/:id/reveal': async (call) => {
      const revealed = await call.gate.call('candidates.reveal', {
        applicationId: call.param('id') as ApplicationId,
      });
      return showApplication(call, revealed);
    },
  },
};

/** @param revealed - the application with its candidate, if the actor has just opened it. */
async function showApplication(
  call: ScreenCall,
  revealed: CandidateApplication | null = null,
): Promise<PageContent> {
  const id = call.param('id') as ApplicationId;
  const application = await mustFind(call.gate.call('applications.find', { id }));
  const shown = await sectionsOf('application', { call, application, revealed });
  const { candidate, erasedAt } = application;
  const body = (
    <>
      {shown.map(({ top }) => top)}
      <div class="columns">
        <Section title={LABELS.one.application}>
          <FactList facts={await factsOf(call, application)} />
        </Section>
        {shown.map(({ middle }) => middle)}
      </div>
      <ActionsCard
        call={call}
        application={application}
        buttons={shown.flatMap(({ buttons = [] }) => buttons)}
      />
      {shown.map(({ end }) => end)}
    </>
  );
  const title =
    erasedAt === null ? `Application of ${candidate.firstName} ${candidate.lastName}` : 'Application, erased';
  return pageBelow({ label: LABELS.all.applications, href: call.at('/applications') }, title, body);
}

async function factsOf(call: ScreenCall, application: ApplicationDetails) {
  const { id, keyId, jobId, companyId, status } = application;
  const { gate } = call;
  const [job, company, key] = await Promise.all([
    nameOf.job(gate, jobId),
    nameOf.company(gate, companyId),
    nameOf.key(gate, keyId),
  ]);
  const facts = listFacts(describeApplication(application), {
    status: <StateBadge state={status} />,
    jobId: <NamedLink href={call.link('jobs', `/${jobId}`)} name={job} id={jobId} />,
    companyId: <NamedLink href={call.link('companies', `/${companyId}`)} name={company} id={companyId} />,
    keyId: <NamedLink href={call.link('keys', `/${keyId}`)} name={key} id={keyId} />,
    id: <Id value={id} />,
  });
  return [...facts, ['Consent to contact', <Time at={application.consent.givenAt} />]] as const;
}
