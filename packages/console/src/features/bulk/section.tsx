import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import type { RowChooser, ShowSection } from '../../screens/sections.js';
import { ActionButton, ChooseAllButton, HiddenFields } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { ALL, APPLICATION_ACTS, allowedOf, COMPANY_ACTS, ENDPOINT_ACTS } from './many-act.js';

type Acts = ReturnType<typeof allowedOf>;

interface ChooserParts {
  readonly call: ScreenCall;
  readonly page: string;
  readonly acts: Acts;
  /** The filter of the list. Null if an act must not cover all that it finds. */
  readonly filter: object | null;
}

/** Puts a list into a form with a box for each row, and buttons for the chosen rows and for all. */
function chooserOf({ call, page, acts, filter }: ChooserParts): RowChooser | undefined {
  if (acts.length === 0) return undefined;
  const fields = Object.entries<unknown>({ ...filter }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const button = (path: string, label: string, name?: string) => (
    <button type="submit" class="secondary" formaction={call.at(`${page}/${path}`)} name={name} value="yes">
      {label}
    </button>
  );
  return {
    box: (id, label) => (
      <input type="checkbox" name="chosen" value={id} aria-label={`Choose ${label}, ${id}`} />
    ),
    around: (table: Child) => (
      <form method="post">
        <HiddenFields fields={fields} />
        {table}
        <p class="buttons">
          <ChooseAllButton />
          {acts.map(({ path, verb }) => button(path, `${verb} chosen…`))}
          {filter === null ? null : acts.map(({ path, verb }) => button(path, `${verb} all found…`, ALL))}
        </p>
      </form>
    ),
  };
}

/** Chooses applications. All that a list without a filter finds are not offered. */
export const manyApplications: ShowSection<'applications'> = ({ call, filter }) => ({
  choose: chooserOf({
    call,
    page: '/applications',
    acts: allowedOf(call, APPLICATION_ACTS),
    filter: Object.keys(filter).length === 0 ? null : filter,
  }),
});

export const manyEndpoints: ShowSection<'endpoints'> = ({ call }) => ({
  choose: chooserOf({
    call,
    page: '/endpoints',
    acts: allowedOf(call, ENDPOINT_ACTS),
    filter: call.gate.isForAllPartners ? {} : null,
  }),
});

/** Access of all partners to a company. */
export const accessOfCompany: ShowSection<'company'> = ({ call, company: { id } }) => {
  const acts = call.gate.isForAllPartners ? allowedOf(call, COMPANY_ACTS) : [];
  if (acts.length === 0) return {};
  const middle = (
    <Section title="Access of all partners">
      <div class="actions">
        {acts.map(({ path, verb }) => (
          <ActionButton action={call.at(`/companies/${id}/${path}`)} label={`${verb} all partner keys…`} />
        ))}
      </div>
    </Section>
  );
  return { middle };
};
