import type { ScreenCall } from '../../http/screen.js';
import { SelectField, TextField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';

/** The form that adds a company, if the actor may. */
export function RegisterCompanyCard({ call }: { readonly call: ScreenCall }) {
  if (!call.gate.isForAllPartners || !call.gate.may('companies:create')) return null;
  return (
    <Section title="Add a company">
      <form method="post" action={call.at('/companies')}>
        <div class="fields">
          <TextField name="name" label="Name" isRequired />
          <SelectField
            name="environment"
            label="Environment"
            options={[
              ['production', 'Production'],
              ['sandbox', 'Sandbox'],
            ]}
          />
        </div>
        <p class="buttons">
          <button type="submit">Add</button>
        </p>
      </form>
    </Section>
  );
}
