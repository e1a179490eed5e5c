import {
  type ApplicationDetails,
  type ApplicationId,
  type CandidateApplication,
  describeApplication,
} from '@partner-hiring/core';
import { CandidateCard } from '../../features/privacy/section.js';
import { NewsCard } from '../../features/timelines/news-card.js';
import { TimelineList } from '../../features/timelines/timeline-list.js';
import { mustFind } from '../../gate/refusals.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { FactList, listFacts, Section, StateBadge, Time } from '../../view/parts.js';
import { NamedLink, nameOf } from '../parts/names.js';
import { ActionsCard, EraseCard } from './actions-card.js';
import { applicationActions } from './application-actions.js';

/** Shows one application: whether the partner knows its status, its history, and the next possible actions. */
export const applicationScreen: Screen = {
  name: 'application',
  label: null,
  path: '/applications',
  rights: ['applications:read'],
  pages: { '/applications/:id': (call) => showApplication(call) },
  actions: {
    ...applicationActions,
    '/applications/:id/reveal': async (call) => {
      const revealed = await call.gate.call('candidates.reveal', { applicationId: idOf(call) });
      return showApplication(call, revealed);
    },
  },
};

const ENTRIES = 200;

function idOf(call: ScreenCall): ApplicationId {
  return call.param('id') as ApplicationId;
}

/** @param revealed - the application with its candidate, if the actor has just opened it. */
async function showApplication(
  call: ScreenCall,
  revealed: CandidateApplication | null = null,
): Promise<PageContent> {
  const id = idOf(call);
  const application = await mustFind(call.gate.call('applications.find', { id }));
  const timeline = await call.gate.call('timelines.find', { applicationId: id, limit: ENTRIES });
  const audit = call.link('audit', '', { kind: 'application', id });
  const shown = { ...application, ...revealed };
  const { candidate, erasedAt } = application;
  const body = (
    <>
      {timeline.news === null ? null : (
        <NewsCard call={call} application={application} news={timeline.news} entries={timeline.entries} />
      )}
      <div class="columns">
        <Section title={LABELS.one.application}>
          <FactList facts={await factsOf(call, application)} />
        </Section>
        <CandidateCard call={call} application={shown} isRevealed={revealed !== null} />
      </div>
      <ActionsCard call={call} application={application} />
      <TimelineList call={call} timeline={timeline} empty="Nothing happened yet." isPaged={false} isOneList>
        {audit === null ? null : <a href={audit}>Acts on this application in the audit</a>}
      </TimelineList>
      <EraseCard call={call} application={application} />
    </>
  );
  return {
    kind: 'page',
    title:
      erasedAt === null
        ? `Application of ${candidate.firstName} ${candidate.lastName}`
        : 'Application, erased',
    crumbs: [{ label: LABELS.all.applications, href: call.at('/applications') }],
    body,
  };
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
