import { randomUUID } from 'node:crypto';
import type { Endpoint, IssuedKey, KeyView } from '@partner-hiring/core';
import { SANDBOX_DOMAIN, sandboxJobId } from '@partner-hiring/core/contract';
import { coloured, harmless } from './console-output.js';
import { DOCS_PATH } from './partner-docs.js';
import type { Seeded } from './seed.js';

/** The server's addresses. */
export interface Addresses {
  readonly baseUrl: string;
  /** The rendered reference. */
  readonly referenceUrl: string;
  /** A link that signs in to the console once. Null without a console. */
  readonly consoleUrl: string | null;
  /** The partner portal. It opens with a link. */
  readonly portalUrl: string;
}

/** The output of the first start, with the secrets. */
export function firstWelcome(addresses: Addresses, { production, sandbox }: Seeded): string {
  return `
${coloured('bold', 'Save these keys now. They are not shown again.')}
${describeKey('production', production)}
${describeKey('sandbox', sandbox)}
${welcome(addresses, production.secret, { key: sandbox.key, secret: sandbox.secret })}`;
}

/** The output of later starts, without secrets. */
export function laterWelcome(
  addresses: Addresses,
  keys: readonly KeyView[],
  endpoints: readonly Endpoint[],
  receiverUrl: string | null,
): string {
  const lines = keys.map(({ key }) => {
    const endpoint = endpoints.find(({ keyId }) => keyId === key.id);
    return `  ${key.environment.padEnd(11)} ${key.id}  webhooks to ${describeEndpoint(endpoint)}`;
  });
  const key = keys.map((view) => view.key).find(({ environment }) => environment === 'sandbox');
  const sandbox = key ?? { id: 'key_…', partnerId: 'ptn_…' };
  return `
${coloured('bold', 'Keys')} were shown at the first start. A new secret: npm run operator -- keys rotate key_…
${lines.join('\n')}
${describeReceiver(receiverUrl, keys, endpoints)}${welcome(addresses, '<the key you kept>', { key: sandbox, secret: '<the sandbox key you kept>' })}`;
}

/**
 * Returns how to send webhooks to the bundled receiver, if no endpoint has its URL. Endpoints keep their URL
 * when the receiver's address changes.
 */
function describeReceiver(
  url: string | null,
  keys: readonly KeyView[],
  endpoints: readonly Endpoint[],
): string {
  if (url === null || endpoints.some((endpoint) => endpoint.url === url)) return '';
  const commands = keys.map(({ key }) => `    npm run operator -- endpoints set ${key.id} ${url}\n`);
  return `  The receiver beside this server is at ${url}, where no webhooks go.
  To send each key's there:
${commands.join('')}`;
}

function describeKey(environment: string, { key, secret, endpoint }: IssuedKey): string {
  const webhooks =
    endpoint === null
      ? ''
      : `\n              webhooks to ${endpoint.url}, signed with ${endpoint.signingSecret}`;
  return `  ${environment.padEnd(11)} ${coloured('green', secret)}  (${key.id})${webhooks}`;
}

function describeEndpoint(endpoint: Endpoint | undefined): string {
  if (endpoint === undefined) return 'nowhere';
  const { url, state } = endpoint;
  return harmless(state.kind === 'active' ? url : `${url}, paused: ${state.reason}`);
}

interface SandboxKey {
  readonly key: Pick<KeyView['key'], 'id' | 'partnerId'>;
  readonly secret: string;
}

function welcome(
  { baseUrl, referenceUrl, consoleUrl, portalUrl }: Addresses,
  secret: string,
  sandbox: SandboxKey,
): string {
  return `
${coloured('bold', 'Base URL')}   ${baseUrl}
${coloured('bold', 'Reference')}  ${referenceUrl}
${coloured('bold', 'Guides')}     ${new URL(DOCS_PATH, baseUrl).href}
${describeConsole(consoleUrl)}
${coloured('bold', 'Paste into another terminal')}
  API=${baseUrl}; AUTH="Authorization: Bearer ${secret}"
  curl -sw '\\n' "$API/jobs" -H "$AUTH"
  curl -sw '\\n' "$API/applications" -H "$AUTH" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: ${randomUUID()}" -d '${EXAMPLE_SUBMISSION}'
  curl -sw '\\n' "$API/applications?status=received" -H "$AUTH"
  curl -sw '\\n' "$API/applications/$(curl -s "$API/applications" -H "$AUTH" | grep -o 'ej_app_[A-Za-z0-9_-]*' | tail -1)" -H "$AUTH"
  curl -sw '\\n' "$API/applications" -H "Authorization: Bearer ${sandbox.secret}" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: ${randomUUID()}" -d '${sandboxSubmission(sandbox.key.id)}'

The last one goes to the sandbox, where the e-mail address decides: this candidate is hired within seconds.
All addresses: ${sandboxPageUrl(baseUrl)}

${coloured('bold', 'Then try')}
  the submission again: the same reply comes back. One changed byte in it: IDEMPOTENCY_KEY_REUSED
  npm run operator -- applications list         then begin, stage and decide, and see the webhook arrive
  npm run operator -- jobs close job_harbor_picker
  npm run operator -- portal link ${sandbox.key.partnerId} --url ${portalUrl}
  npm run operator -- --help

Stop with Ctrl-C.
`;
}

function describeConsole(url: string | null): string {
  return url === null ? '' : `${coloured('bold', 'Console')}    ${url}  (this link works once)\n`;
}

function sandboxPageUrl(baseUrl: string): string {
  return new URL('/sandbox', baseUrl).href;
}

const EXAMPLE_SUBMISSION = exampleSubmission('job_harbor_picker', 'ada@example.com');

function sandboxSubmission(keyId: SandboxKey['key']['id']): string {
  return exampleSubmission(sandboxJobId(keyId, 'open'), `accepted@${SANDBOX_DOMAIN}`);
}

function exampleSubmission(jobId: string, email: string): string {
  return JSON.stringify({
    jobId,
    candidate: { firstName: 'Ada', lastName: 'Reyes', email, phone: '+1 775 555 0123' },
    consentToContact: true,
    source: 'career-site',
  });
}
