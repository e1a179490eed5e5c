import type { Child } from 'hono/jsx';
import type { Column } from '../../view/data-table.js';
import { ChooseAllButton } from '../../view/forms.js';
import type { SectionParts } from '../sections.js';

/** The check boxes of a list. They belong to the form around the table. */
export function chooseColumn<Row>(nameOf: (row: Row) => readonly [id: string, label: string]): Column<Row> {
  const cell = (row: Row) => {
    const [id, label] = nameOf(row);
    return <input type="checkbox" name="chosen" value={id} aria-label={`Choose ${label}, ${id}`} />;
  };
  return { header: 'Choose', cell, isScreenOnly: true };
}

/** A form around a list, with the buttons of the acts on the chosen rows. */
export function ChooseForm({ buttons, children }: { readonly buttons: Child; readonly children?: Child }) {
  return (
    <form method="post">
      {children}
      <p class="buttons">
        <ChooseAllButton />
        {buttons}
      </p>
    </form>
  );
}

/** Lets people choose the rows of a list, if a feature has acts for them. */
export function choosing<Row>(
  sections: readonly SectionParts[],
  columns: readonly Column<Row>[],
  nameOf: (row: Row) => readonly [id: string, label: string],
) {
  const buttons = sections.flatMap(({ buttons: shown }) => shown ?? []);
  if (buttons.length === 0) return { columns, around: (table: Child) => table };
  return {
    columns: [chooseColumn(nameOf), ...columns],
    around: (table: Child) => <ChooseForm buttons={buttons}>{table}</ChooseForm>,
  };
}
