import { randomUUID } from 'node:crypto';
import { type NewPartner, OperatorError, type PartnerId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import { errorPage } from '../../http/error-pages.js';
import {
  type Fields,
  type PageContent,
  pageBelow,
  type ScreenAction,
  type ScreenCall,
} from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields, TextField } from '../../view/forms.js';
import { Alert } from '../../view/parts.js';
import { Prose } from '../../view/prose.js';
import {
  type ChosenCompanies,
  type CompanyChoices,
  CompanyChooser,
  listChoices,
  readChosen,
  resolveChosen,
} from './company-chooser.js';
import { handOverSheet } from './hand-over-sheet.js';

type NewKey = NonNullable<NewPartner['keys']>[number];

const PATH = '/partners/new';
const CRUMB = LABELS.all.partnersAndKeys;

/** What the form has. */
interface Entered {
  /** Chosen when the form was shown, so that a form that is sent twice makes one partner. */
  readonly id: PartnerId;
  readonly name: string | null;
  readonly hasProduction: boolean;
  readonly hasSandbox: boolean;
  readonly endpointUrl: string | null;
  readonly sandboxEndpointUrl: string | null;
  readonly companies: ChosenCompanies;
}

function emptyForm(): Entered {
  const id: PartnerId = `ptn_${Date.now().toString(36)}${randomUUID().replaceAll('-', '')}`;
  return {
    id,
    name: null,
    hasProduction: true,
    hasSandbox: true,
    endpointUrl: null,
    sandboxEndpointUrl: null,
    companies: { ids: [], names: '' },
  };
}

function readEntered(form: Fields): Entered {
  return {
    id: (form.text('id') ?? emptyForm().id) as PartnerId,
    name: form.text('name'),
    hasProduction: form.text('production') === 'yes',
    hasSandbox: form.text('sandbox') === 'yes',
    endpointUrl: form.text('endpointUrl'),
    sandboxEndpointUrl: form.text('sandboxEndpointUrl'),
    companies: readChosen(form),
  };
}

/** The form that adds a partner with its keys. */
export async function showOnboarding(call: ScreenCall): Promise<PageContent> {
  if (!call.gate.isForAllPartners) throw new NothingHere();
  requireRights(call);
  return formPage(call, emptyForm(), null);
}

function requireRights({ gate }: ScreenCall): void {
  gate.require('partners:create');
  gate.require('keys:issue');
}

/** Adds a partner, and shows its hand-over sheet once. A refused form is shown again with what was entered. */
export async function onboard(call: ScreenAction): Promise<PageContent> {
  requireRights(call);
  const entered = readEntered(call.form);
  const { id, name, hasProduction, hasSandbox } = entered;
  if (name === null) return formPage(call, entered, 'Enter the name of the partner.');
  if (!hasProduction && !hasSandbox) return formPage(call, entered, 'Choose at least one key.');
  try {
    const keys = await keysOf(call, entered);
    return await handOverSheet(call, await call.gate.call('partners.create', { id, name, keys }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.code === 'PARTNER_EXISTS') return sentTwice(call, id);
    return formPage(call, entered, inPlainWords(error, entered));
  }
}

async function keysOf({ gate }: ScreenAction, entered: Entered): Promise<readonly NewKey[]> {
  const companies = await resolveChosen(gate, entered.companies, 'production');
  const companyIds = companies.length === 0 ? undefined : companies.map(({ id }) => id);
  const endpointUrl = entered.endpointUrl ?? undefined;
  const sandboxEndpointUrl = entered.sandboxEndpointUrl ?? undefined;
  return [
    ...(entered.hasProduction ? [{ environment: 'production', endpointUrl, companyIds } as const] : []),
    ...(entered.hasSandbox ? [{ environment: 'sandbox', endpointUrl: sandboxEndpointUrl } as const] : []),
  ];
}

function sentTwice(call: ScreenAction, id: PartnerId): PageContent {
  const text =
    'This form was sent before, so nothing was done. The secrets were shown only once. If nobody saved them, open the partner and rotate them.';
  const crumbs = [{ label: 'The partner', href: call.at(`/partners/${encodeURIComponent(id)}`) }];
  return { ...errorPage(409, 'The partner was added already', text), crumbs };
}

/** The message of a refused form, with the labels of its fields. */
function inPlainWords({ message }: OperatorError, { hasProduction }: Entered): string {
  const urlOf = (environment: string) =>
    environment === 'production' ? 'Webhook URL of production' : 'Webhook URL of the sandbox';
  return message
    .replace(/^partners\.create: /, '')
    .replace(/endpointUrl of the (\w+) key/, (_, environment: string) => urlOf(environment))
    .replace(/keys\[(\d)\]\.endpointUrl/g, (_, index) =>
      urlOf(hasProduction && index === '0' ? 'production' : 'sandbox'),
    )
    .replace(/keys\[\d\]\.companyIds/g, LABELS.all.companies)
    .replace(/\bname\b/g, LABELS.name);
}

async function formPage(call: ScreenCall, entered: Entered, problem: string | null): Promise<PageContent> {
  const body = (
    <OnboardingForm
      call={call}
      entered={entered}
      problem={problem}
      choices={await listChoices(call.gate, 'production')}
    />
  );
  const page = pageBelow({ label: CRUMB, href: call.at('/partners') }, LABELS.partner.add, body);
  return { ...page, status: problem === null ? 200 : 400 };
}

interface OnboardingFormProps {
  readonly call: ScreenCall;
  readonly entered: Entered;
  readonly problem: string | null;
  readonly choices: CompanyChoices;
}

function OnboardingForm({ call, entered, problem, choices }: OnboardingFormProps) {
  const { id, name, hasProduction, hasSandbox, endpointUrl, sandboxEndpointUrl, companies: chosen } = entered;
  return (
    <form class="card" method="post" action={call.at(PATH)}>
      {problem === null ? null : (
        <Alert>
          <Prose text={problem} />
        </Alert>
      )}
      <HiddenFields fields={[['id', id]]} />
      <TextField name="name" label="Name of the partner" value={name} isRequired />
      <fieldset>
        <legend>Keys</legend>
        <KeyBox name="sandbox" label="Sandbox, to try the API" isChecked={hasSandbox} />
        <KeyBox name="production" label="Production" isChecked={hasProduction} />
      </fieldset>
      <CompanyChooser
        choices={choices}
        chosen={chosen}
        legend="Companies whose jobs the production key sees"
        hint="The sandbox key does not see them: it only sees companies of the sandbox. The next page says which, and where to grant more."
      />
      <div class="fields">
        <TextField
          name="endpointUrl"
          type="url"
          label="Webhook URL of production (optional)"
          value={endpointUrl}
          hint="Such as https://ats.example/webhooks."
          maxLength={2000}
        />
        <TextField
          name="sandboxEndpointUrl"
          type="url"
          label="Webhook URL of the sandbox (optional)"
          value={sandboxEndpointUrl}
          maxLength={2000}
        />
      </div>
      <TextField name="reason" label={LABELS.optionalReason} hint="For the audit, such as a ticket." />
      <p class="hint">Everything is made at once, or nothing. The next page shows the secrets once.</p>
      <p class="buttons">
        <button type="submit">Add the partner</button>
        <a href={call.at('/partners')}>Cancel</a>
      </p>
    </form>
  );
}

interface KeyBoxProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
}

function KeyBox({ name, label, isChecked }: KeyBoxProps) {
  return (
    <label>
      <input type="checkbox" name={name} value="yes" checked={isChecked} /> {label}
    </label>
  );
}
