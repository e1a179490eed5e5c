import { originOf } from '../domain/failing-endpoint.js';
import type { CompanyId, PartnerId } from '../domain/ids.js';
import type { Environment, Partner } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { grantAccesses, mismatchOf } from './access-many.js';
import type { AccessOutcome } from './access-types.js';
import type { CommandContext } from './command/definition.js';
import { assertAllowedUrl } from './command/fields.js';
import { InputProblem } from './command/input.js';
import { lockCompanies } from './find-or-throw.js';
import { type IssuedKey, issueKey, type NewSigningSecret, secretForNewKey } from './issue-key.js';
import { recordAct, type Scope, withinAct } from './scope.js';

/** A partner to bring in, with its keys, its companies and its endpoints. */
export interface PartnerToOnboard {
  /** 1 to 500 characters. */
  readonly name: string;
  /**
   * Your own id; default: generated. Pass one for a form that may be sent twice: the second call throws
   * `PARTNER_EXISTS`.
   */
  readonly id?: PartnerId | undefined;
  /** Issues only the key of this environment; default: both keys. */
  readonly environment?: Environment | undefined;
  /** The companies whose jobs the production key sees, at most 1,000; default: none. */
  readonly companyIds?: readonly CompanyId[] | undefined;
  /** The URL of the production key's webhook endpoint; default: none. Only if that key is issued. */
  readonly productionEndpointUrl?: string | undefined;
  /** The URL of the sandbox key's webhook endpoint; default: none. Only if that key is issued. */
  readonly sandboxEndpointUrl?: string | undefined;
}

/** A partner that was brought in. The secrets are shown only here. */
export interface OnboardedPartner {
  readonly partner: Partner;
  /** The production key with its secrets in clear, only here; null if only the sandbox key was issued. */
  readonly production: IssuedKey | null;
  /** The sandbox key with its secrets in clear, only here; null if only the production key was issued. */
  readonly sandbox: IssuedKey | null;
  /** The access of the production key, in the order of the companies. */
  readonly access: readonly AccessOutcome[];
}

type CreatePartner = (
  scope: Scope,
  partner: { readonly id?: PartnerId | undefined; readonly name: string },
) => Promise<Partner>;

/** Creates a partner with everything that it needs, or nothing. */
export async function onboardPartner(
  { commit, settings }: CommandContext,
  input: PartnerToOnboard,
  createPartner: CreatePartner,
): Promise<OnboardedPartner> {
  const made = {
    production: await secretForNewKey(settings, input.productionEndpointUrl),
    sandbox: await secretForNewKey(settings, input.sandboxEndpointUrl),
  };
  return commit((scope) => onboard(scope, input, made, createPartner));
}

async function onboard(
  scope: Scope,
  input: PartnerToOnboard,
  made: Readonly<Record<Environment, NewSigningSecret | null>>,
  createPartner: CreatePartner,
): Promise<OnboardedPartner> {
  const { name, id, companyIds = [] } = input;
  await assertPossible(scope, input);
  const parts = withinAct(scope);
  const partner = await createPartner(parts, { id, name });
  const issue = async (environment: Environment, endpointUrl: string | undefined) =>
    (input.environment ?? environment) === environment
      ? issueKey(parts, { partnerId: partner.id, environment, endpointUrl }, made[environment])
      : null;
  const production = await issue('production', input.productionEndpointUrl);
  const access =
    production === null || companyIds.length === 0
      ? []
      : await grantAccesses(
          parts,
          companyIds.map((companyId) => ({ keyId: production.key.id, companyId })),
        );
  // The sandbox comes last: its jobs lock the feed of its key until the commit.
  const sandbox = await issue('sandbox', input.sandboxEndpointUrl);
  const keys = [production, sandbox].flatMap((issued) => issued ?? []);
  recordAct(scope, {
    objects: [
      { kind: 'partner', id: partner.id },
      ...keys.map(({ key }) => ({ kind: 'key', id: key.id }) as const),
      ...access.map(({ access: { companyId } }) => ({ kind: 'company', id: companyId }) as const),
    ],
    after: {
      name,
      environments: keys.map(({ key }) => key.environment),
      companies: access.length,
      endpoints: keys.flatMap(({ endpoint }) => (endpoint === null ? [] : [originOf(endpoint.url)])),
    },
  });
  return { partner, production, sandbox, access };
}

/** Checks everything that a later step would refuse, before the first write. */
async function assertPossible(scope: Scope, input: PartnerToOnboard): Promise<void> {
  const { environment, companyIds = [], productionEndpointUrl, sandboxEndpointUrl } = input;
  const has = (one: Environment) => (environment ?? one) === one;
  if (!has('production') && (productionEndpointUrl !== undefined || companyIds.length > 0))
    throw new InputProblem(
      'productionEndpointUrl and companyIds belong to the production key, which is not issued',
    );
  if (!has('sandbox') && sandboxEndpointUrl !== undefined)
    throw new InputProblem('sandboxEndpointUrl belongs to the sandbox key, which is not issued');
  if (productionEndpointUrl !== undefined)
    assertAllowedUrl(productionEndpointUrl, 'productionEndpointUrl', scope.urlPolicy);
  if (sandboxEndpointUrl !== undefined)
    assertAllowedUrl(sandboxEndpointUrl, 'sandboxEndpointUrl', scope.urlPolicy);
  if (has('production') && scope.goLive.required.length > 0)
    throw new OperatorError(
      'NOT_READY',
      'A new partner has proved nothing yet, but `goLive.required` names items. Onboard it with environment `sandbox`, then ' +
        'issue its production key with keys.issue. Nothing was changed.',
    );
  for (const company of await lockCompanies(scope, [...new Set(companyIds)])) {
    if (company.environment !== 'production') throw mismatchOf('The production key', 'production', company);
  }
}
