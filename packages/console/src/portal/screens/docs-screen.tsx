import { WEBHOOK_USER_AGENT } from '@partner-hiring/core/contract';
import type { PageContent } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { FactList, type FactRow, Note, Section } from '../../view/parts.js';
import type { PortalCall, PortalScreen } from '../portal-call.js';
import { hasAddress, SupportAddress } from './support-link.js';

/** Questions that developers ask before they find the documentation. */
const ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  [
    'Which addresses do webhooks come from?',
    `They can change, and the support knows the present ones. The header User-Agent is ${WEBHOOK_USER_AGENT}. Do not rely on either: the signature of each event proves that it comes from us.`,
  ],
  [
    'How do I verify a webhook?',
    'Compute HMAC-SHA256 over the value t of X-Partner-Signature, a full stop, and the bytes of the body, with your signing secret. Compare it with v1. The documentation has receivers in six languages.',
  ],
  [
    'How often is an event sent?',
    'Up to ten times within four days, until your endpoint answers with a status from 200 to 299 within 30 seconds.',
  ],
  [
    'What if my endpoint was down?',
    'Nothing is lost. Events wait while it is paused. On the page Events, you can get everything since a time again.',
  ],
  [
    'How do I retry a submission?',
    'Send the same bytes again with the same Idempotency-Key. You get the same answer, and the candidate is submitted once.',
  ],
  [
    'How do I correct or withdraw a submission?',
    'The API has no request for it. Give the support the id of the application.',
  ],
  [
    'Which TLS versions, certificates and ports are possible?',
    'Your URLs need https with TLS 1.2 or 1.3, a certificate of a public authority with its intermediate ones, and a public address. Every port is allowed.',
  ],
];

async function showDocs(call: PortalCall): Promise<PageContent> {
  const { api, docs, support } = call.facts;
  const { statusUrl } = support;
  const facts: readonly FactRow[] = [
    docs === null ? null : [LABELS.all.documentation, <a href={docs}>{docs}</a>],
    api === null ? null : [LABELS.partner.baseUrl, <code>{api}</code>],
    hasAddress(support) ? [LABELS.partner.support, <SupportAddress support={support} />] : null,
    statusUrl === undefined ? null : ['Outages and maintenance', <a href={statusUrl}>{statusUrl}</a>],
  ];
  const body = (
    <>
      <Section title="Where to find what">
        {facts.every((fact) => fact === null) ? (
          <Note>Ask the person who gave you access for the documentation and the address of the API.</Note>
        ) : (
          <FactList facts={facts} />
        )}
      </Section>
      <Section title="Frequent questions">
        {ANSWERS.map(([question, answer]) => (
          <>
            <h3>{question}</h3>
            <p>{answer}</p>
          </>
        ))}
      </Section>
    </>
  );
  return { kind: 'page', title: LABELS.all.documentation, body };
}

/** Where the documentation is, and answers to frequent questions. */
export const portalDocsScreen: PortalScreen = {
  name: 'docs',
  label: LABELS.all.documentation,
  path: '/docs',
  rights: [],
  pages: { '/docs': showDocs },
};
