import type { ExplainedRequest } from '@partner-hiring/core';
import type { PageContent, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { NamedLink, nameOf, objectFact } from '../../screens/parts/names.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import { Id } from '../../view/ids.js';
import { countText, FactList, type FactRow, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { AnswerCard } from './answer-card.js';
import { failedFieldText } from './field-words.js';

/** One request, with the rule that refused it and how to fix that. */
export async function showRequest(call: ScreenCall): Promise<PageContent> {
  const requestId = call.param('id');
  const request = await call.gate.call('requests.find', { id: requestId });
  const crumbs = [{ label: LABELS.all.requests, href: call.at('/requests') }];
  if (request === null)
    return { kind: 'page', title: 'Request not found', crumbs, body: <Missing />, status: 404 };
  const { method, route, status, code, fields } = request;
  const failed = code === 'VALIDATION_ERROR' ? fields.flatMap((entry) => failedFieldText(entry) ?? []) : [];
  const body = (
    <>
      <AnswerCard
        request={request}
        replay="It repeated an earlier request, so it got the same answer and changed nothing."
        failed={failed.length === 0 ? null : <p>{failed.join(' ')}</p>}
        todo="Fix: "
      />
      <Section title={LABELS.one.request}>
        <FactList facts={await factsOf(call, request)} />
      </Section>
    </>
  );
  return { kind: 'page', title: `${method} ${route ?? 'unknown path'}: ${status}`, crumbs, body };
}

function Missing() {
  return (
    <Note>
      The log does not have this request. Successful reads are only counted, a flood is one row, and old
      requests are deleted. Requests of the last second may be missing.
    </Note>
  );
}

async function factsOf(call: ScreenCall, request: ExplainedRequest): Promise<readonly FactRow[]> {
  const { requestId, keyId, keyLabel, partnerId, partnerName, applicationId } = request;
  const { jobId, jobTitle, companyName, repeats, count, lastAt } = request;
  const application = applicationId === null ? null : await nameOf.application(call.gate, applicationId);
  return [
    [LABELS.time, <Time at={request.at} />],
    [
      LABELS.one.partner,
      partnerId === null ? (
        'no valid key'
      ) : (
        <MaybeLink href={call.link('partners', `/${partnerId}`)}>{partnerName}</MaybeLink>
      ),
    ],
    keyId === null
      ? null
      : [LABELS.one.partnerKey, <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>],
    [LABELS.answer, `${request.status}${request.code === null ? '' : ` ${request.code}`}`],
    request.fields.length === 0 ? null : [LABELS.request.failedFields, request.fields.join(', ')],
    jobId === null
      ? null
      : [
          LABELS.one.job,
          <>
            <NamedLink
              href={jobTitle === null ? null : call.link('jobs', `/${jobId}`)}
              name={jobTitle}
              id={jobId}
            />
            {companyName === null ? null : ` at ${companyName}`}
          </>,
        ],
    jobId === null
      ? null
      : [
          'More of this job',
          <a href={call.at('/requests', { job: jobId })}>All refused submissions to it</a>,
        ],
    [LABELS.took, latencyText(request.durationMs)],
    objectFact(call, LABELS.one.application, 'applications', applicationId, application),
    objectFact(call, 'Repeats', 'requests', repeats, 'an earlier request'),
    count === 1
      ? null
      : [
          LABELS.request.standsFor,
          <>
            {`${countText(count)} requests of a flood, the last one at `}
            <Time at={lastAt} />
          </>,
        ],
    [LABELS.request.id, <Id value={requestId} />],
  ];
}
