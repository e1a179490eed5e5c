import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import type { ShowSection } from '../../screens/sections.js';
import { HiddenFields, SubmitButton } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { MANY_ACTS, type ManyAct } from './screen.js';

/** Returns the buttons of the acts that the actor may do with rows of a list. Undefined for none. */
function buttonsOf({ gate, at }: ScreenCall, list: ManyAct['list'], end: string, name?: string): Child {
  const acts = Object.entries(MANY_ACTS).filter(
    ([, act]) => act.list === list && gate.mayCall('bulk.start', act.input),
  );
  if (acts.length === 0) return undefined;
  return acts.map(([path, { verb }]) => (
    <SubmitButton label={`${verb} ${end}…`} to={at(`/bulk/${path}`)} name={name} />
  ));
}

/** Decides on applications. All that a list without a filter has are not offered. */
export const manyApplications: ShowSection<'applications'> = ({ call, filter }) => {
  const buttons = buttonsOf(call, 'applications', 'chosen');
  if (buttons === undefined) return {};
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    buttons: (
      <>
        <HiddenFields fields={[['filter', JSON.stringify(filter)]]} />
        {buttons}
        {isFiltered ? buttonsOf(call, 'applications', 'all found except chosen', 'all') : null}
      </>
    ),
  };
};

export const manyEndpoints: ShowSection<'endpoints'> = ({ call }) => {
  const buttons = buttonsOf(call, 'endpoints', 'chosen');
  if (buttons === undefined || !call.gate.isForAllPartners) return { buttons };
  return { buttons: [buttons, buttonsOf(call, 'endpoints', 'all found except chosen', 'all')] };
};

/** Access of all partner keys to companies. */
export const accessOfCompanies: ShowSection<'companies'> = ({ call }) =>
  call.gate.isForAllPartners ? { buttons: buttonsOf(call, 'companies', 'access of all partner keys') } : {};

/** Access of all partner keys to one company. */
export const accessOfCompany: ShowSection<'company'> = async ({ call, company }) => {
  const { buttons } = await accessOfCompanies({ call });
  if (buttons === undefined) return {};
  const middle = (
    <Section title="Access of all partners">
      <form method="post">
        <HiddenFields fields={[['chosen', company.id]]} />
        <p class="buttons">{buttons}</p>
      </form>
    </Section>
  );
  return { middle };
};
