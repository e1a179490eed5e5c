import {
  type ApplicationDetails,
  type ApplicationId,
  describeCandidate,
  type ErasureItem,
  INBOX_WAS_OFF,
} from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Sections, ShowSection } from '../../screens/sections.js';
import { ActionButton } from '../../view/forms.js';
import { FactList, listFacts, Moment, Note, Section, StateBadge, Time } from '../../view/parts.js';

/** The candidate of an application, and the act that erases it. */
export const candidateOfApplication: ShowSection<'application'> = (page) => ({
  middle: <CandidateCard {...page} />,
  end: <EraseCard {...page} />,
});

/** The candidate. Masked, unless the actor has just opened it. */
function CandidateCard({ call, application: masked, revealed }: Sections['application']) {
  const application = { ...masked, ...revealed };
  const { id, erasedAt } = application;
  if (erasedAt !== null) {
    return (
      <Section title={LABELS.one.candidate}>
        <Note>
          The personal data of this candidate was erased <Time at={erasedAt} />.
        </Note>
        <ErasureItemText item={application.erasureItem ?? null} />
        <PersonLink call={call} id={id} text="Erased applications of this person, and the receipt" />
      </Section>
    );
  }
  const mayReveal = call.gate.may('candidates:read');
  return (
    <Section title={LABELS.one.candidate}>
      <FactList
        facts={listFacts(describeCandidate(application), {
          resume: <ResumeText application={application} />,
        })}
      />
      {revealed === null ? null : <Note>The audit has recorded that you opened this.</Note>}
      {mayReveal && revealed === null ? (
        <>
          <ActionButton action={call.at(`/applications/${id}/reveal`)} label="Reveal" />
          <p class="hint">The audit records who opened it.</p>
        </>
      ) : null}
      {!mayReveal ? <p class="hint">Masked: your rights do not include candidates:read.</p> : null}
      <PersonLink call={call} id={id} text="Everything about this person" />
    </Section>
  );
}

interface PersonLinkProps {
  readonly call: ScreenCall;
  readonly id: ApplicationId;
  readonly text: string;
}

/** Leads to the page of the person. Null for an actor who may not open it. */
function PersonLink({ call, id, text }: PersonLinkProps) {
  const href = call.gate.isForAllPartners ? call.link('people', `/${id}`) : null;
  return href === null ? null : (
    <p>
      <a href={href}>{text}</a>
    </p>
  );
}

/** Says whether the platform knows of the erasure. */
function ErasureItemText({ item }: { readonly item: ErasureItem | null }) {
  if (item === null) return <p class="hint">{INBOX_WAS_OFF}</p>;
  if (item.receivedAt !== null) {
    return (
      <p class="hint">
        The platform acknowledged the erasure <Time at={item.receivedAt} />.
      </p>
    );
  }
  return (
    <p class="hint">
      {item.parkedAt === null
        ? 'The inbox of the platform has an item about it. The platform has not acknowledged the erasure yet.'
        : 'The platform refused the erasure for a day, so the inbox item is parked. See the overview.'}
    </p>
  );
}

interface ResumeTextProps {
  readonly application: Pick<ApplicationDetails, 'resume' | 'resumeDueAt'>;
}

function ResumeText({ application: { resume, resumeDueAt = null } }: ResumeTextProps) {
  return (
    <>
      <StateBadge state={resume.kind} />
      {resume.kind === 'fetched' ? (
        <>
          {' at '}
          <Time at={resume.fetchedAt} />
        </>
      ) : null}
      {resume.kind === 'pending' && resume.attempts > 0 && resumeDueAt !== null ? (
        <>
          {' tried again at '}
          <Moment at={resumeDueAt} />
        </>
      ) : null}
      {resume.kind === 'failed' ? ` ${resume.reason.replaceAll('_', ' ')}` : null}
      {resume.kind === 'failed' && resume.detail !== undefined ? `: ${resume.detail}` : null}
    </>
  );
}

/** The act that erases the candidate, away from the acts that support staff do every day. */
function EraseCard({ call, application: { id, erasedAt } }: Sections['application']) {
  if (erasedAt !== null || !call.gate.may('candidates:erase')) return null;
  return (
    <Section title="Personal data">
      <p>Erases what identifies the candidate. This cannot be undone.</p>
      <ActionButton
        action={call.at(`/applications/${id}/erase`)}
        label="Erase the candidate…"
        tone="danger"
      />
    </Section>
  );
}
