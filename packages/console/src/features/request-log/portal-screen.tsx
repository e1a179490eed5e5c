import type {
  JobClosing,
  KeyId,
  OwnApplication,
  OwnKey,
  OwnRequest,
  PortalRequest,
} from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { definePortalList, type PortalCall, type PortalScreen } from '../../portal/portal-call.js';
import { chosenKey, environmentOf, KEY_FIELD, NO_OWN_ROWS } from '../../portal/screens/own-keys.js';
import { AnswerBadge } from '../../screens/parts/badges.js';
import { choiceIn } from '../../screens/parts/choices.js';
import { cursorOf } from '../../screens/parts/define-list.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import type { Column } from '../../view/data-table.js';
import { SubmitButton, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Code, countText, FactList, type FactRow, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { AnswerCard } from './answer-card.js';
import { failedFieldText } from './field-words.js';

const showRequests = definePortalList<OwnRequest>({
  title: LABELS.all.requests,
  path: '/requests',
  fields: [
    { ...KEY_FIELD, any: 'Both' },
    {
      name: 'errors',
      label: 'Result',
      kind: 'choice',
      options: [['yes', 'Only refused requests']],
      any: 'All',
    },
  ],
  read: async (call, fields) => {
    const keys = await call.own.keys();
    const keyId = fields.text('key');
    const key = keyId === null ? null : chosenKey(keys, keyId);
    const onlyErrors = choiceIn(['yes'], fields.text('errors')) === 'yes';
    const page = await call.own.requests({ keyId: key?.id, onlyErrors, cursor: cursorOf(fields) });
    return {
      ...(page ?? NO_OWN_ROWS),
      caption:
        'Your submissions and your refused requests, newest first. Other successful reads are not listed',
      empty: onlyErrors
        ? 'No request was refused. This list has the requests of the last days.'
        : 'You have not submitted anything in the last days, and no request was refused. The documentation shows the first request to send.',
      columns: columnsOf(call, keys),
      before: <FindRequest call={call} />,
    };
  },
});

/** Opens a request by the id that its answer had. The id is ours, so it may be in the address. */
function FindRequest({ call }: { readonly call: PortalCall }) {
  const missing = call.query.text('missing') !== null;
  return (
    <section class="card">
      <form class="inline" method="get" action={call.at('/requests/find')}>
        <TextField
          name="id"
          label="Find a request by its id"
          hint="Each answer has it in the header X-Request-Id."
          error={
            missing
              ? 'You have no request with this id in the last days. Successful reads are not kept.'
              : undefined
          }
          isRequired
          maxLength={100}
        />
        <SubmitButton label="Find" />
      </form>
    </section>
  );
}

function columnsOf(call: PortalCall, keys: readonly OwnKey[]): readonly Column<OwnRequest>[] {
  return [
    {
      header: LABELS.one.request,
      cell: ({ requestId, method, route, status, code }) => (
        <a href={call.at(`/requests/${requestId}`)}>
          <AnswerBadge status={status} code={code} /> <Code text={`${method} ${route ?? 'unknown path'}`} />
        </a>
      ),
    },
    { header: LABELS.time, cell: ({ at }) => <Time at={at} /> },
    { header: LABELS.environment, cell: ({ keyId }) => environmentOf(keys, keyId) },
    { header: LABELS.request.fields, cell: ({ fields }) => (fields.length === 0 ? '–' : fields.join(', ')) },
    {
      header: LABELS.all.requests,
      isNumber: true,
      cell: ({ count }) => (count === 1 ? null : countText(count)),
    },
  ];
}

async function findRequest(call: PortalCall) {
  const id = call.query.text('id') ?? '';
  const found = await call.own.request(id);
  const to = found === null ? call.at('/requests', { missing: 'yes' }) : call.at(`/requests/${id}`);
  return { kind: 'redirect', to } as const;
}

async function showRequest(call: PortalCall): Promise<PageContent> {
  const request = await call.own.request(call.param('requestId'));
  const crumbs = [{ label: LABELS.all.requests, href: call.at('/requests') }];
  if (request === null)
    return { kind: 'page', title: 'Request not found', crumbs, body: <Missing />, status: 404 };
  const { method, route, status, applicationId } = request;
  const isKnown = applicationId !== null && call.may('applications');
  const application = isKnown ? await call.own.application(applicationId) : null;
  const body = (
    <>
      <OwnAnswerCard call={call} request={request} />
      <Section title={LABELS.one.request}>
        <FactList facts={factsOf(call, request, await call.own.keys(), application)} />
      </Section>
    </>
  );
  return { kind: 'page', title: `${method} ${route ?? 'unknown path'}: ${status}`, crumbs, body };
}

function Missing() {
  return (
    <Note>
      You have no request with this id. Old requests and successful reads are not kept, and a request of the
      last second may be missing.
    </Note>
  );
}

/** Says whether a request succeeded. If not, by which rule, what to do, and where to read more. */
function OwnAnswerCard({ call, request }: { readonly call: PortalCall; readonly request: PortalRequest }) {
  const { hints, closing, keyId } = request;
  const failed = request.fields.flatMap((field) => failedFieldText(field) ?? []);
  return (
    <AnswerCard
      request={request}
      replay="It repeated an earlier request, so it got the same answer again and changed nothing."
      failed={
        failed.length === 0 ? null : (
          <ul>
            {failed.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        )
      }
      todo="What to do: "
      hints={hints}
    >
      {closing === null ? null : <Closing call={call} keyId={keyId} closing={closing} />}
      <p>
        <a href={call.facts.docs ?? call.at('/docs')}>Documentation</a>
      </p>
    </AnswerCard>
  );
}

interface ClosingProps {
  readonly call: PortalCall;
  readonly keyId: KeyId;
  readonly closing: JobClosing;
}

/** When the job closed, and where the event is that says so. */
async function Closing({ call, keyId, closing: { eventId, state, closedAt } }: ClosingProps) {
  const endpoint = call.may('endpoint') ? await call.own.endpoint(keyId) : null;
  const isPaused = endpoint?.state === 'paused';
  return (
    <p>
      The job closed <Time at={closedAt} isExact />.{' '}
      <MaybeLink href={call.link('deliveries', `/${eventId}`)}>
        {state === 'delivered'
          ? 'Your endpoint got the event job.closed.'
          : isPaused
            ? 'Your endpoint is paused, so the event job.closed waits.'
            : 'Your endpoint has not received the event job.closed.'}
      </MaybeLink>
    </p>
  );
}

function factsOf(
  call: PortalCall,
  request: OwnRequest,
  keys: readonly OwnKey[],
  application: OwnApplication | null,
): readonly FactRow[] {
  const { at, keyId, status, code, fields, jobId, applicationId, durationMs, count, requestId } = request;
  return [
    [LABELS.time, <Time at={at} />],
    [LABELS.environment, environmentOf(keys, keyId)],
    [LABELS.answer, `${status}${code === null ? '' : ` ${code}`}`],
    fields.length === 0 ? null : [LABELS.request.failedFields, fields.join(', ')],
    jobId === null ? null : [LABELS.one.job, <Id value={jobId} />],
    applicationId === null
      ? null
      : [
          LABELS.one.application,
          <MaybeLink href={call.link('applications', `/${applicationId}`)}>Your application</MaybeLink>,
        ],
    applicationId === null
      ? null
      : ['Your id (sourceApplicationId)', application?.sourceApplicationId ?? null],
    [LABELS.took, latencyText(durationMs)],
    count === 1
      ? null
      : [LABELS.request.standsFor, `${countText(count)} requests that came fast one after the other`],
    ['Id of the request', <Id value={requestId} />],
  ];
}

/** The partner's own requests, and one request with the rule that refused it. */
export const portalRequestsScreen: PortalScreen = {
  name: 'requests',
  label: LABELS.all.requests,
  path: '/requests',
  rights: ['requests'],
  pages: {
    '/requests': showRequests,
    '/requests/find': findRequest,
    '/requests/:requestId': showRequest,
  },
};
