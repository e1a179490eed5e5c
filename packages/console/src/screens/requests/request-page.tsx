import type { ExplainedRequest } from '@partner-hiring/core';
import type { PageContent, ScreenCall } from '../../http/screen.js';
import { Id } from '../../view/ids.js';
import { countText, FactList, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { Prose } from '../../view/prose.js';
import { NamedLink, nameOf } from '../parts/names.js';
import { latencyText } from '../parts/outcome-text.js';
import { failedFieldText } from './field-words.js';

/** One request, with the rule that refused it and how to fix that. */
export async function showRequest(call: ScreenCall): Promise<PageContent> {
  const requestId = call.param('id');
  const request = await call.gate.call('requests.find', { id: requestId });
  const crumbs = [{ label: 'Requests', href: call.at('/requests') }];
  if (request === null)
    return { kind: 'page', title: 'Request not found', crumbs, body: <Missing />, status: 404 };
  const body = (
    <>
      <RefusalCard request={request} />
      <Section title="Request">
        <FactList facts={await factsOf(call, request)} />
      </Section>
    </>
  );
  const { method, route, status } = request;
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

/** Rules without the names of the log's fields. */
const RULES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Each field must have the form that the reference for partners describes.',
};

/** Fixes that name pages of the console. The library's own texts name its commands. */
const FIXES: Readonly<Record<string, string>> = {
  UNAUTHORIZED:
    'The partner sends the key that it was given last. The page of the key shows the state of each secret, and can issue a new one.',
  ACCESS_REVOKED:
    'If the company wants candidates from this partner again, grant the access on the page of the key. Otherwise, the partner stops submitting to its jobs.',
  JOB_NOT_FOUND:
    'The partner uses an id from its list of jobs. If the job should be visible to it, look at the page of the job, which shows the keys that see it.',
  JOB_CLOSED:
    'The partner removes the job when the event says that it is closed, or when its list no longer has the job. To take applications again, reopen, unarchive or show the job on its page.',
  VALIDATION_ERROR:
    'The partner corrects these fields. The reply that it got says the same of each field. It may send the corrected submission with the same Idempotency-Key.',
  RATE_LIMITED:
    'The partner waits for as long as the answer says, and spreads its requests. For many candidates at once, allow more submissions on the page of the key.',
};

function RefusalCard({
  request: { code, refusal, isReplay, fields },
}: {
  readonly request: ExplainedRequest;
}) {
  if (refusal === null) {
    return (
      <section class="card news good" aria-label="Answer">
        <p class="lead">The request succeeded.</p>
        {isReplay ? (
          <p>It repeated an earlier request, so it got the same answer and changed nothing.</p>
        ) : null}
      </section>
    );
  }
  const failed = code === 'VALIDATION_ERROR' ? fields.flatMap((entry) => failedFieldText(entry) ?? []) : [];
  return (
    <section class="card news bad" aria-label="Answer">
      <p class="lead">
        The request was refused: <code>{code}</code>
      </p>
      {failed.length === 0 ? null : <p>{failed.join(' ')}</p>}
      <p>
        <strong>Rule: </strong>
        <Prose text={(code === null ? null : RULES[code]) ?? refusal.rule} />
      </p>
      <p>
        <strong>Fix: </strong>
        <Prose text={(code === null ? null : FIXES[code]) ?? refusal.fix} />
      </p>
    </section>
  );
}

async function factsOf(call: ScreenCall, request: ExplainedRequest) {
  const { requestId, keyId, keyLabel, partnerId, partnerName, applicationId } = request;
  const { jobId, jobTitle, companyName, repeats, count, lastAt } = request;
  const application = applicationId === null ? null : await nameOf.application(call.gate, applicationId);
  return [
    ['Time', <Time at={request.at} />],
    [
      'Partner',
      partnerId === null ? (
        'no valid key'
      ) : (
        <MaybeLink href={call.link('partners', `/${partnerId}`)}>{partnerName}</MaybeLink>
      ),
    ],
    ...(keyId === null
      ? []
      : [['Partner key', <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>] as const]),
    ['Answer', `${request.status}${request.code === null ? '' : ` ${request.code}`}`],
    ...(request.fields.length === 0 ? [] : [['Fields that failed', request.fields.join(', ')] as const]),
    ...(jobId === null
      ? []
      : [
          [
            'Job',
            <>
              <NamedLink
                href={jobTitle === null ? null : call.link('jobs', `/${jobId}`)}
                name={jobTitle}
                id={jobId}
              />
              {companyName === null ? null : ` at ${companyName}`}
            </>,
          ] as const,
          [
            'More of this job',
            <a href={call.at('/requests', { job: jobId })}>All refused submissions to it</a>,
          ] as const,
        ]),
    ['Took', latencyText(request.durationMs)],
    ...(applicationId === null
      ? []
      : [
          [
            'Application',
            <NamedLink
              href={call.link('applications', `/${applicationId}`)}
              name={application}
              id={applicationId}
            />,
          ] as const,
        ]),
    ...(repeats === null
      ? []
      : [
          [
            'Repeats',
            <NamedLink href={call.link('requests', `/${repeats}`)} name="an earlier request" id={repeats} />,
          ] as const,
        ]),
    ...(count === 1
      ? []
      : [
          [
            'Stands for',
            <>
              {`${countText(count)} requests of a flood, the last one at `}
              <Time at={lastAt} />
            </>,
          ] as const,
        ]),
    ['Request id', <Id value={requestId} />],
  ] as const;
}
